import type { Transaction } from 'kysely';
import { LIMITS } from '../limits.ts';
import type { Reading } from './reading.ts';
import type { Tables } from './tables.ts';

/** Notes that a feed of an account gave up a record key, and forgets the account's oldest ones beyond the limit. */
export async function releaseKey(
  transaction: Transaction<Tables>,
  record_key: string,
  account: string,
  now: number,
): Promise<void> {
  const row = { account, released_at: now };
  await transaction
    .insertInto('released_keys')
    .values({ record_key, ...row })
    .onConflict((conflict) => conflict.column('record_key').doUpdateSet(row))
    .execute();
  await transaction
    .deleteFrom('released_keys')
    .where('record_key', 'in', (where) =>
      where
        .selectFrom('released_keys')
        .select('record_key')
        .where('account', '=', account)
        .orderBy('released_at', 'desc')
        .orderBy('record_key')
        .offset(LIMITS.released_keys_max)
        .limit(LIMITS.released_keys_max),
    )
    .execute();
}

/** Forgets keys that are free for every account. */
export async function forgetReleasedKeys(transaction: Transaction<Tables>, now: number): Promise<void> {
  await transaction
    .deleteFrom('released_keys')
    .where('released_at', '<=', now - LIMITS.feed_restore_seconds)
    .execute();
}

/** The account whose feed was the last to give up a record key on Bluesky, if that was after `since`. */
export async function keyOwner(
  { db }: Reading,
  record_key: string,
  since: number,
): Promise<string | undefined> {
  const released = await db
    .selectFrom('released_keys')
    .select('account')
    .where('record_key', '=', record_key)
    .where('released_at', '>', since)
    .executeTakeFirst();
  return released?.account;
}
