import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { type RawBuilder, sql } from 'kysely';
import { type SeenWrite, storedLength } from '../../seen/seen-store.ts';
import { bytesOf } from '../rows.ts';
import { SEEN_FORMAT } from '../seen.ts';

const HEAD = `insert into seen (viewer, part, number, updated_at, content)
  select ?1, 0, ?3, ?4, ?5
  where exists (select 1 from meta where name = '${SEEN_FORMAT.name}' and value = '${SEEN_FORMAT.value}')
    and (?2 = 0 or exists (select 1 from seen where viewer = ?1 and part = 0))
  on conflict (viewer, part) do update
    set number = excluded.number, updated_at = excluded.updated_at, content = excluded.content
    where number = ?2`;

const PART = `insert into seen (viewer, part, number, updated_at, content) values (?1, ?2, ?3, ?4, ?5)
  on conflict (viewer, part) do update
    set number = excluded.number, updated_at = excluded.updated_at, content = excluded.content`;

const COUNTED = `insert into experiment_pages (arm, viewer, number, timestamp, is_short, items, teams, point)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;

/** See `Reading`. */
export function seenSince(json: string): RawBuilder<unknown> {
  return sql`select given.viewer, stored.part, stored.number, stored.content
    from (select unhex(value ->> 0) as viewer, value ->> 1 as number from json_each(${json})) as given
    left join seen as head on head.viewer = given.viewer and head.part = 0
    left join seen as stored on stored.viewer = given.viewer
      and (stored.part = 0 or stored.number > given.number)
    where coalesce(head.number, 0) <> given.number
    order by given.viewer, stored.part`;
}

/** See `SeenStore.write`. Within the open transaction. */
export function writeSeen(database: Database, writes: readonly SeenWrite[]): string[] {
  const head = database.query<unknown, SQLQueryBindings[]>(HEAD);
  const further = database.query<unknown, SQLQueryBindings[]>(PART);
  const written: string[] = [];
  for (const { viewer, built_from, number, updated_at, content, parts, counted } of writes) {
    const hash = Uint8Array.fromHex(viewer);
    if (head.run(hash, built_from, number, updated_at, content).changes === 0) continue;
    written.push(viewer);
    for (const part of parts) further.run(hash, part.part, number, updated_at, part.content);
    if (counted === undefined) continue;
    const { arm, timestamp, items, teams, point } = counted;
    // An upgrade moves rows before the table has all of its columns.
    database
      .query<unknown, SQLQueryBindings[]>(COUNTED)
      .run(arm, hash, number, timestamp, storedLength(counted), bytesOf(items), teams, point);
  }
  return written;
}
