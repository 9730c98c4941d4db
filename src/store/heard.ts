import { type CheckpointBook, checkpointBook } from './checkpoint-book.ts';
import type { Connection } from './connection.ts';
import type { Hearing } from './hearing.ts';
import { type KeyStore, keyStore } from './keys.ts';

/** Keys, of which the service reads what it goes by and waits no longer for it than patience lasts. */
export function heardKeys(connection: Connection, hearing: Hearing): KeyStore {
  const known = () => keyStore({ ...connection, db: connection.reading.db });
  return {
    ...keyStore(connection),
    revision: () => hearing.read(() => known().revision()),
    all: () => hearing.read(() => known().all()),
  };
}

/** The same of checkpoints. @param enter writes on the writing connection */
export function heardCheckpoints(
  connection: Connection,
  hearing: Hearing,
  enter: CheckpointBook['enter'],
): CheckpointBook {
  const book = () => checkpointBook(connection.reading.db, enter);
  return {
    enter,
    entry: () => hearing.read(() => book().entry()),
    unpurged: () => hearing.read(() => book().unpurged()),
    databaseId: () => hearing.read(() => book().databaseId()),
  };
}
