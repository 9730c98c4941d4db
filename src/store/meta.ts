import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Names of the next free keys, stored when the rows that imply them are removed. */
export const NEXT_KEY = { user: 'next_user_key', item: 'next_item_key' } as const;

/** The highest `seq` ever assigned. */
export const HIGHEST_SEQ = 'highest_seq';
/** `highest_seq` before the last commit of changes, or at a later opening for writing. See `sqlite/left-over-log.ts`. */
export const FORMER_SEQ = 'former_seq';

export async function metaText(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** The highest `seq` ever assigned. It never decreases, even if rows are removed. @throws as `requiredNumber` */
export function highestSeq(db: Kysely<Tables>): Promise<number> {
  return requiredNumber(db, HIGHEST_SEQ);
}

/** A number that all data has. @throws Error if it is missing, so that damaged data does not look empty */
export async function requiredNumber(db: Kysely<Tables>, name: string): Promise<number> {
  const text = await metaText(db, name);
  if (text === undefined) throw new Error(`the table meta lacks ${name}`);
  return Number(text);
}

/** A number of the table `meta`; 0 if missing. */
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

/** Adds 1 to a number of the table `meta`, which must exist. */
export async function increaseMeta(db: Kysely<Tables>, name: string): Promise<void> {
  await db
    .updateTable('meta')
    .set((value) => ({
      value: value.cast<string>(value(value.cast<number>('value', 'integer'), '+', value.lit(1)), 'text'),
    }))
    .where('name', '=', name)
    .execute();
}

export async function removeMeta(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('meta').where('name', '=', name).execute();
}
