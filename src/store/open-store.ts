import { StartupError } from '../errors.ts';
import { untilStopped } from '../until-stopped.ts';
import type { Connection, Lock } from './connection.ts';
import { raiseFence } from './fence.ts';
import { thisProcess } from './holder.ts';
import { requireMoved } from './move-mark.ts';
import { lockPlace, openFirst } from './open-connection.ts';
import { failed, noData } from './refusals.ts';
import { hasDatabase, prepareFolder } from './sqlite/connection.ts';
import { type OpenedStore, openedStore, type StoreOptions } from './store.ts';
import {
  isNew,
  type OnUpgrade,
  prepareTables,
  type TableChanges,
  type UpgradePlan,
  upgradePlan,
} from './upgrade.ts';

export interface OpenStoreOptions extends StoreOptions {
  /** For role `node`: decides whether older tables may be migrated. Absent: they may. */
  table_changes?: TableChanges;
  onUpgrade?: OnUpgrade;
}

/** Connections of the serving thread to a PostgreSQL server. Reads with a timeout and locks use further connections. */
const POOL_CONNECTIONS = 4;

async function takeLock(options: StoreOptions): Promise<Lock | undefined> {
  const { data, database_url, community, role, must_exist, timers } = options;
  if (must_exist && database_url === undefined && !hasDatabase(data, community)) throw noData(options);
  if (database_url === undefined) prepareFolder(data);
  if (role === 'beside' || community === 'wallets') return undefined;
  return lockPlace(options, thisProcess(options), timers, role === 'node' ? 'shared' : 'exclusive');
}

/**
 * Opens the data, and creates it unless it must exist.
 *
 * The role `serve` first takes the exclusive lock, which ends with the process; nodes share it. If opening is
 * cancelled, a store that opens later is closed.
 * @throws StartupError `data_in_use` naming the holder, `disk_full`, `data_unwritable`, `data_unreadable`,
 * `database_unreachable`, `database_unsuitable`, `migration_failed`, `data_foreign`, `data_newer`, `data_outdated`,
 * `cluster_tables_differ`, `no_data`, `store_failed`; the reason of `stopping`
 */
export function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  return untilStopped(open(options), options.stopping, (store) => store.close());
}

async function open(options: OpenStoreOptions): Promise<OpenedStore> {
  const lock = await takeLock(options);
  let connection: Connection | undefined;
  try {
    connection = await openFirst(options, POOL_CONNECTIONS);
    const is_new = await isNew(connection);
    if (is_new && options.must_exist) throw noData(options);
    const { table_changes = options.role !== 'beside', onUpgrade } = options;
    await prepareTables(connection, is_new, table_changes, onUpgrade);
    await requireMoved(connection.db);
    if (options.role === 'beside') return openedStore(options, connection, undefined, is_new);
    if (options.role === 'node') {
      lock?.watch({ fence: '', onTaken: () => {} });
      return openedStore(options, connection, { lock }, is_new);
    }
    const fence = await raiseFence(connection, options);
    await lock?.announce();
    const store = openedStore(options, connection, { fence, lock }, is_new);
    lock?.watch({ fence, onTaken: () => store.stop(new Error('another process has taken the data over')) });
    return store;
  } catch (error) {
    await connection?.close();
    await lock?.release();
    if (error instanceof StartupError) throw error;
    throw connection?.refusal(error) ?? failed(error);
  }
}

/**
 * Reads what `openStore` would do to older data. Changes nothing, and may run beside a service.
 * @throws StartupError as `openStore`
 */
export async function plannedUpgrade(options: StoreOptions): Promise<UpgradePlan> {
  await takeLock({ ...options, role: 'beside', must_exist: true });
  const connection = await openFirst(options, POOL_CONNECTIONS);
  try {
    if (await isNew(connection)) throw noData(options);
    return await upgradePlan(connection);
  } catch (error) {
    throw error instanceof StartupError ? error : (connection.refusal(error) ?? failed(error));
  } finally {
    await connection.close();
  }
}
