import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Where the next free key of a space is noted when the names that tell it go. */
export const NEXT_KEY = { user: 'next_user_key', item: 'next_item_key' } as const;

/** A number of the `meta` table; 0 when it was never written. */
export async function metaNumber(db: Kysely<Tables>, name: string): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  return Number(row?.value ?? 0);
}

export async function setMetaNumber(db: Kysely<Tables>, name: string, number: number): Promise<void> {
  const value = String(number);
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
