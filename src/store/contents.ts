import { sql } from 'kysely';
import type { Reading } from './reading.ts';

/** `seq`s looked up by one statement. */
const LOOKUP_CHUNK = 1_000;

/** Stored versions by `seq`; those that are gone are left out. */
export async function readContents<T>(
  { db, values, integersIn }: Reading,
  table: 'items' | 'users',
  seqs: readonly number[],
): Promise<Map<number, T>> {
  const contents = new Map<number, T>();
  for (let start = 0; start < seqs.length; start += LOOKUP_CHUNK) {
    const chunk = JSON.stringify(seqs.slice(start, start + LOOKUP_CHUNK));
    const query = sql`select seq, content from ${sql.table(table)} where seq in ${integersIn(chunk)}`;
    for (const [seq, content] of await values(query.compile(db))) {
      contents.set(Number(seq), JSON.parse(String(content)) as T);
    }
  }
  return contents;
}
