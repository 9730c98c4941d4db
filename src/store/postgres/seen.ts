import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type SeenWrite, storedLength } from '../../seen/seen-store.ts';
import { bytesOf } from '../rows.ts';
import { SEEN_FORMAT } from '../seen.ts';
import type { Tables } from '../tables.ts';
import { IS_DURABLE } from './write-lock.ts';

/** More rows than a viewer has. */
const ROWS_MAX = 1_000;

/** A list as one text parameter that the server expands to rows, see `bulk-insert.ts`. */
const texts = (values: readonly string[]): RawBuilder<unknown> =>
  sql`json_array_elements_text(${JSON.stringify(values)}::text::json)`;

const numbers = (values: readonly number[]): RawBuilder<unknown> =>
  sql`unnest(${`{${values.join()}}`}::text::float8[])`;

/**
 * See `Reading`. Subqueries with a limit, in this file, are read by the index for each viewer. A server that has no
 * statistics of the table yet would read all of it for a join.
 */
export function seenSince(json: string): RawBuilder<unknown> {
  return sql`select given.viewer, stored.part, stored.number, stored.content
    from (
      select decode(pair ->> 0, 'hex') as viewer, (pair ->> 1)::float8 as number
      from json_array_elements(${json}::text::json) as pair
    ) as given
    left join lateral (
      select number from seen where viewer = given.viewer and part = 0 limit 1
    ) as head on true
    left join lateral (
      select part, number, content from seen
      where viewer = given.viewer and (part = 0 or number > given.number)
      limit ${sql.lit(ROWS_MAX)}
    ) as stored on true
    where coalesce(head.number, 0) <> given.number
    order by given.viewer, stored.part`;
}

/** See `SeenStore.write`. One statement is one transaction, so nothing of it is stored if it fails. */
export async function writeSeen(db: Kysely<Tables>, writes: readonly SeenWrite[]): Promise<string[]> {
  const parts = writes.flatMap(({ viewer, parts }) => parts.map((part) => ({ viewer, ...part })));
  const heads = sql.join([
    texts(writes.map(({ viewer }) => viewer)),
    texts(writes.map(({ content }) => content.toBase64())),
    ...(['built_from', 'number', 'updated_at'] as const).map((name) =>
      numbers(writes.map((write) => write[name])),
    ),
  ]);
  const moved = sql.join([
    texts(parts.map(({ viewer }) => viewer)),
    texts(parts.map(({ content }) => content.toBase64())),
    numbers(parts.map(({ part }) => part)),
  ]);
  const replace = sql`on conflict (viewer, part) do update
    set number = excluded.number, updated_at = excluded.updated_at, content = excluded.content`;
  const { rows } = await sql<{ viewer: string }>`
    with given as (
      select decode(viewer, 'hex') as viewer, decode(content, 'base64') as content, built_from, number, updated_at
      from rows from (${heads}) as given (viewer, content, built_from, number, updated_at)
    ), written as (
      insert into seen (viewer, part, number, updated_at, content)
      select viewer, 0, number, updated_at, content from given
      where (select ${sql.raw(IS_DURABLE)}) is not null
        and exists (select 1 from meta where name = ${SEEN_FORMAT.name} and value = ${SEEN_FORMAT.value})
        and (built_from = 0 or (select part from seen where seen.viewer = given.viewer and part = 0 limit 1) = 0)
      order by viewer
      ${replace} where seen.number = excluded.number - 1
      returning viewer, number, updated_at
    ), moved as (
      insert into seen (viewer, part, number, updated_at, content)
      select written.viewer, part, number, updated_at, decode(content, 'base64')
      from rows from (${moved}) as given (viewer, content, part)
      join written on written.viewer = decode(given.viewer, 'hex')
      ${replace}
    )${countedPages(writes)}
    select encode(viewer, 'hex') as viewer from written`.execute(db);
  return rows.map(({ viewer }) => viewer);
}

/** Stores what experiments count. An upgrade, which stores none of it, moves rows before the table has all columns. */
function countedPages(writes: readonly SeenWrite[]): RawBuilder<unknown> {
  const pages = writes.flatMap(({ viewer, counted }) =>
    counted ? [{ viewer, ...counted, is_short: storedLength(counted) }] : [],
  );
  if (pages.length === 0) return sql``;
  const counted = sql.join([
    texts(pages.map(({ viewer }) => viewer)),
    texts(pages.map(({ items }) => bytesOf(items).toBase64())),
    texts(pages.map(({ teams }) => teams.toBase64())),
    ...(['arm', 'timestamp', 'is_short', 'point'] as const).map((name) =>
      numbers(pages.map((page) => page[name])),
    ),
  ]);
  return sql`, counted as (
      insert into experiment_pages (arm, viewer, number, timestamp, is_short, items, teams, point)
      select arm, written.viewer, number, timestamp, is_short, decode(items, 'base64'), decode(teams, 'base64'), point
      from rows from (${counted}) as given (viewer, items, teams, arm, timestamp, is_short, point)
      join written on written.viewer = decode(given.viewer, 'hex')
    )`;
}
