import { sql } from 'kysely';
import type { EventChange } from '../model/changes/event.ts';
import { columnsOf } from './batch.ts';
import type { Reading } from './reading.ts';
import { changeAt, columnNames } from './rows.ts';
import { TABLE_OF } from './tables.ts';

/** Number of `seq`s per statement. */
const LOOKUP_CHUNK = 1_000;

/** Reads stored versions by `seq`. Removed versions are left out. */
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

/** Reads named events by hash, in order of `seq`. Hash collisions may add other events. */
export async function readEvents(
  { db, values, integersIn }: Reading,
  hashes: readonly number[],
): Promise<EventChange[]> {
  const { table } = TABLE_OF.event;
  const columns = columnNames('event').map((name) => sql.ref(name));
  const found: EventChange[] = [];
  for (let start = 0; start < hashes.length; start += LOOKUP_CHUNK) {
    const chunk = JSON.stringify(hashes.slice(start, start + LOOKUP_CHUNK));
    const query = sql`select ${sql.join(columns)} from ${sql.table(table)} where event_hash in ${integersIn(chunk)}`;
    const rows = columnsOf(TABLE_OF.event, await values(query.compile(db)));
    for (let at = 0; at < rows.seqs.length; at++) {
      const change = changeAt('event', rows, at);
      if (change.kind === 'event') found.push(change);
    }
  }
  return found.sort((one, other) => one.seq - other.seq);
}
