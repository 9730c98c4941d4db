import { sql } from 'kysely';
import type { EventChange } from '../model/changes/event.ts';
import type { InteractionChange } from '../model/changes/interaction.ts';
import type { Key } from '../model/key.ts';
import { readChanges } from './read-changes.ts';
import type { Reading } from './reading.ts';
import type { SeqRange } from './row-reader.ts';

/** A stored action of a user. */
export type UserChange = InteractionChange | EventChange;

/** Reads the actions of a user in order of `seq`. There is no index: it reads all rows of the range. */
export async function readUserLog(
  reading: Reading,
  user: Key,
  { after, until }: SeqRange,
): Promise<UserChange[]> {
  const condition = sql`seq > ${after} and seq <= ${until} and user_key = ${user}`;
  const acts = await readChanges(reading, 'interaction', condition);
  const events = await readChanges(reading, 'event', condition);
  return [...acts, ...events].sort((one, other) => one.seq - other.seq);
}
