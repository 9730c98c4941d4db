import { type RawBuilder, sql } from 'kysely';
import type { Change, Kind } from '../model/change.ts';
import { type ChangeDefinition, personalMembers } from '../model/define-change.ts';
import { type Key, NONE } from '../model/key.ts';
import { readChanges } from './read-changes.ts';
import type { Reading } from './reading.ts';
import type { SeqRange } from './row-reader.ts';

/** A range of the changes about a person. */
export interface PersonLog extends SeqRange {
  kinds: readonly (ChangeDefinition & { kind: Kind })[];
  /** NONE for a viewer without a user record. */
  user: Key;
  viewer: string;
}

/**
 * Reads the changes of some kinds that are data of a person, in order of `seq`. There is no index: it reads all rows of
 * the range.
 */
export async function readPersonLog(reading: Reading, wanted: PersonLog): Promise<Change[]> {
  const { kinds, after, until } = wanted;
  const found: Change[] = [];
  for (const change of kinds) {
    const named = conditionsOf(change, wanted);
    if (named.length === 0) continue;
    const condition = sql`seq > ${after} and seq <= ${until} and (${sql.join(named, sql` or `)})`;
    found.push(...(await readChanges(reading, change.kind, condition)));
  }
  return found.sort((one, other) => one.seq - other.seq);
}

function conditionsOf(change: ChangeDefinition, { user, viewer }: PersonLog): RawBuilder<unknown>[] {
  return personalMembers(change).flatMap(({ column, member }) => {
    if (member.names_viewer) return sql`${sql.ref(column)} = ${member.store?.(viewer) ?? viewer}`;
    return user === NONE ? [] : sql`${sql.ref(column)} = ${user}`;
  });
}
