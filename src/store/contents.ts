import { sql } from 'kysely';
import { EVENT, type EventChange } from '../model/changes/event.ts';
import { INTERACTION, type InteractionChange } from '../model/changes/interaction.ts';
import { readChanges } from './read-changes.ts';
import type { Reading } from './reading.ts';
import type { SeqRange } from './row-reader.ts';

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
export async function readEvents(reading: Reading, hashes: readonly number[]): Promise<EventChange[]> {
  const found: EventChange[] = [];
  for (let start = 0; start < hashes.length; start += LOOKUP_CHUNK) {
    const chunk = JSON.stringify(hashes.slice(start, start + LOOKUP_CHUNK));
    const condition = sql`event_hash in ${reading.integersIn(chunk)}`;
    found.push(...(await readChanges(reading, EVENT.kind, condition)));
  }
  return found.sort((one, other) => one.seq - other.seq);
}

/** Reads the acts of a range that have an `event_id`, in order of `seq`. There is no index: it reads all rows of the range. */
export function readNamedActs(reading: Reading, { after, until }: SeqRange): Promise<InteractionChange[]> {
  const condition = sql`seq > ${after} and seq <= ${until} and event_id <> ''`;
  return readChanges(reading, INTERACTION.kind, condition);
}
