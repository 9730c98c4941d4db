import type { SQL } from 'bun';
import { CHANGE_TABLES } from '../tables.ts';

/**
 * Whether any session may still see rows that were deleted before transaction `$1`.
 *
 * VACUUM would skip such rows silently. Other VACUUMs do not count, although they look like readers. Every role may
 * read these numbers.
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
 * Makes a sweeper that vacuums the tables when no older reader needs the purged rows.
 *
 * It scans each table once and waits for no lock. The server moves remaining rows within their pages, so purged bytes
 * stay in a page until other rows overwrite them. ANALYZE replaces the planner's statistics, which contain sample
 * values.
 */
export function sweeper(client: SQL): () => Promise<boolean> {
  let mark: string | undefined;
  return async () => {
    mark ??= String(await value(client, 'select pg_current_xact_id()::xid::text'));
    if (await value(client, STILL_NEEDED, [mark])) return false;
    const tables = [...CHANGE_TABLES.map(({ table }) => table), 'seen', 'experiment_pages'];
    for (const table of tables) await client.unsafe(`vacuum (analyze) ${table}`);
    return true;
  };
}
