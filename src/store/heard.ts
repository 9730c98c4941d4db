import type { Kysely } from 'kysely';
import { type CheckpointBook, checkpointBook } from './checkpoint-book.ts';
import type { Connection } from './connection.ts';
import type { Hearing } from './hearing.ts';
import { type KeyStore, keyStore, keysInForce, keysRevision } from './keys.ts';
import type { Tables } from './tables.ts';
import { tokenSecret } from './token-secret.ts';

/**
 * Keys; what the service reads of them is waited for no longer than patience lasts.
 * @param noteUse writes on the writing connection
 */
export function heardKeys(
  connection: Connection,
  hearing: Hearing,
  patience_seconds: number | undefined,
  noteUse: KeyStore['noteUse'],
): KeyStore {
  return {
    ...keyStore(connection, patience_seconds),
    noteUse,
    revision: () => hearing.read('service', ({ db }) => keysRevision(db)),
    all: () => hearing.read('service', ({ db }) => keysInForce(db)),
    tokenSecret: () => hearing.read('service', ({ db }) => tokenSecret(db)),
  };
}

/** The same of checkpoints. @param enter writes on the writing connection */
export function heardCheckpoints(hearing: Hearing, enter: CheckpointBook['enter']): CheckpointBook {
  const book = (db: Kysely<Tables>) => checkpointBook(db, enter);
  return {
    enter,
    entry: () => hearing.read('service', ({ db }) => book(db).entry()),
    unpurged: () => hearing.read('service', ({ db }) => book(db).unpurged()),
    databaseId: () => hearing.read('service', ({ db }) => book(db).databaseId()),
  };
}
