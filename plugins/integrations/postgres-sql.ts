/** What somebody with more rights has to run, for `feedloom connect-postgres`. */
import type { TableMap } from 'feedloom/plugin';
import { Client } from 'pg';
import { configOf, type Options } from './postgres-options.ts';
import { missingIn, serverLacks, slotOf, slotSql } from './postgres-setup.ts';
import { quoted, tablesOf } from './postgres-tables.ts';
import { truncateFaults } from './postgres-truncate.ts';

/** Statements that are missing, and what no statement mends. */
export interface Setup {
  sql: string[];
  faults: string[];
}

const RIGHTS = `select current_user as role, (select rolreplication or rolsuper or exists (select 1 from pg_roles g
    where g.rolname = 'rds_replication' and pg_has_role(current_user, g.oid, 'usage')) from pg_roles where rolname = current_user) as may_replicate`;

/** Compares the database with the map. Changes nothing. */
export async function setupOf(options: Options, maps: readonly TableMap[]): Promise<Setup> {
  const client = new Client(configOf(options.url));
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await tablesOf(client, maps);
    // An app cannot change rows of a published table whose deletions name nothing.
    const readable = found.filter(({ faults }) => faults.every(({ sql }) => sql !== undefined));
    const mapped = readable.flatMap((each) => each.mapped ?? []);
    const { rows } = await client.query<{ role: string; may_replicate: boolean }>(RIGHTS);
    const [{ role, may_replicate }] = rows;
    const faults = found.flatMap((each) => each.faults);
    const slot = await slotOf(client, options.slot);
    return {
      sql: [
        ...new Set(faults.flatMap(({ sql }) => sql ?? [])),
        ...(may_replicate ? [] : [`alter role ${quoted(role)} with replication`]),
        ...(await missingIn(client, options, mapped)).sql,
        ...(slot === undefined ? [slotSql(options)] : []),
      ],
      faults: [
        ...(await serverLacks(client)),
        ...truncateFaults(options, maps),
        ...faults.filter(({ sql }) => sql === undefined).map(({ text }) => text),
      ],
    };
  } finally {
    await client.end();
  }
}
