import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Where the next free key of a space is noted when the names that tell it go. */
export const NEXT_KEY = { user: 'next_user_key', item: 'next_item_key' } as const;

/** A text of the `meta` table; undefined when it is not there. */
export async function metaText(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** A number of the `meta` table; 0 when it was never written. */
export async function metaNumber(db: Kysely<Tables>, name: string): Promise<number> {
  return Number((await metaText(db, name)) ?? 0);
}

export function setMetaNumber(db: Kysely<Tables>, name: string, number: number): Promise<void> {
  return setMetaText(db, name, String(number));
}

export async function setMetaText(db: Kysely<Tables>, name: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function removeMeta(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('meta').where('name', '=', name).execute();
}
