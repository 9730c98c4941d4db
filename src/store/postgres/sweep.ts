import type { SQL } from 'bun';
import { CHANGE_TABLES } from '../tables.ts';

/**
 * Whether anybody may still see what was deleted before transaction `$1` began: VACUUM would leave it where it is
 * and say nothing. Another VACUUM sees nothing, although it looks like a reader. Everybody may know these
 * numbers, whatever their rights.
 */
const STILL_NEEDED = `
  with mark as (select age($1::text::xid) as age)
  select exists (
    select from pg_stat_activity, mark
    where pid <> pg_backend_pid() and (datid is null or datname = current_database())
      and greatest(age(backend_xmin), age(backend_xid)) > mark.age
      and pid not in (select pid from pg_stat_progress_vacuum)
  ) or exists (
    select from pg_prepared_xacts, mark where database = current_database() and age(transaction) > mark.age
  ) or exists (
    select from pg_replication_slots, mark where age(xmin) > mark.age
  )`;

async function value(client: SQL, text: string, parameters: string[] = []): Promise<unknown> {
  const [row] = await client.unsafe(text, parameters).values();
  return row[0];
}

/**
 * Takes the purged rows out of the tables' files, as soon as nobody reads any more who began before they were purged:
 * one scan of each table, which waits for nobody. The server moves the rows that stay together; bytes in the room
 * that this leaves within a page are there until other rows are written over them. What the planner knows of the
 * tables, which are samples of values, is gathered anew.
 */
export function sweeper(client: SQL): () => Promise<boolean> {
  let mark: string | undefined;
  return async () => {
    mark ??= String(await value(client, 'select pg_current_xact_id()::xid::text'));
    if (await value(client, STILL_NEEDED, [mark])) return false;
    for (const { table } of CHANGE_TABLES) await client.unsafe(`vacuum (analyze) ${table}`);
    return true;
  };
}
