import { sql } from 'kysely';
import type { Change } from '../model/change.ts';
import type { EventChange } from '../model/changes/event.ts';
import type { InteractionChange } from '../model/changes/interaction.ts';
import type { Key } from '../model/key.ts';
import { columnsOf } from './batch.ts';
import type { Reading } from './reading.ts';
import type { SeqRange } from './row-reader.ts';
import { changeAt, columnNames } from './rows.ts';
import { TABLE_OF } from './tables.ts';

/** A stored action of a user. */
export type UserChange = InteractionChange | EventChange;

const KINDS = ['interaction', 'event'] as const;

/** Reads the actions of a user in order of `seq`. There is no index: it reads all rows of the range. */
export async function readUserLog(
  { db, values }: Reading,
  user: Key,
  { after, until }: SeqRange,
): Promise<UserChange[]> {
  const found: UserChange[] = [];
  for (const kind of KINDS) {
    const table = TABLE_OF[kind];
    const columns = columnNames(kind).map((name) => sql.ref(name));
    const query = sql`select ${sql.join(columns)} from ${sql.table(table.table)}
      where seq > ${after} and seq <= ${until} and user_key = ${user} order by seq`;
    const rows = columnsOf(table, await values(query.compile(db)));
    for (let at = 0; at < rows.seqs.length; at++) {
      const change = changeAt(kind, rows, at);
      if (isOfUser(change)) found.push(change);
    }
  }
  return found.sort((one, other) => one.seq - other.seq);
}

function isOfUser(change: Change): change is UserChange {
  return KINDS.some((kind) => kind === change.kind);
}
