import { type Kysely, type RawBuilder, sql } from 'kysely';
import { SEEN_FORMAT, type SeenWrite } from '../seen.ts';
import type { Tables } from '../tables.ts';
import { IS_DURABLE } from './write-lock.ts';

/** A list as one text parameter that the server expands to rows, see `bulk-insert.ts`. */
const texts = (values: readonly string[]): RawBuilder<unknown> =>
  sql`json_array_elements_text(${JSON.stringify(values)}::text::json)`;

const numbers = (values: readonly number[]): RawBuilder<unknown> =>
  sql`unnest(${`{${values.join()}}`}::text::float8[])`;

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
        and (built_from = 0 or exists (select 1 from seen where seen.viewer = given.viewer and part = 0))
      order by viewer
      ${replace} where seen.number = excluded.number - 1
      returning viewer, number, updated_at
    ), moved as (
      insert into seen (viewer, part, number, updated_at, content)
      select written.viewer, part, number, updated_at, decode(content, 'base64')
      from rows from (${moved}) as given (viewer, content, part)
      join written on written.viewer = decode(given.viewer, 'hex')
      ${replace}
    )
    select encode(viewer, 'hex') as viewer from written`.execute(db);
  return rows.map(({ viewer }) => viewer);
}
