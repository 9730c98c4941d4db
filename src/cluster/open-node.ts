import type { Logger } from 'pino';
import pkg from '../../package.json';
import { formOf } from '../checkpoint/load.ts';
import type { Timers } from '../clock.ts';
import { StartupError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import type { Settings } from '../settings.ts';
import type { State } from '../state/state.ts';
import { ClusterBook } from '../store/postgres/cluster-book.ts';
import { factsOf } from './facts.ts';
import { ClusterNode } from './node.ts';

/** Whether the settings make this process a node of a cluster. @throws StartupError `bad_setting` */
export function isNode({ cluster_secret, database_url }: Settings): boolean {
  if (cluster_secret === undefined) return false;
  if (database_url !== undefined) return true;
  throw new StartupError(
    'bad_setting',
    'FEEDLOOM_CLUSTER_SECRET is set, but the nodes of a cluster share a PostgreSQL database and none is named',
    'name it with --database-url, or unset the secret to run one process on the embedded database',
  );
}

export interface OpenNodeOptions {
  registry: Registry;
  /** The state of content, still empty. */
  state: State;
  /** Where this process listens. The settings may name another address. */
  address: string;
  timers: Timers;
  monotonicMs: () => number;
  log: Logger;
}

/**
 * Makes this process a node, unless it differs from the nodes that run. Undefined if the settings name no cluster. The
 * tables must exist.
 * @throws StartupError `cluster_secret_differs`, `cluster_state_differs`, `cluster_plugins_differ`,
 * `cluster_settings_differ`
 */
export async function openNode(
  settings: Settings,
  { registry, state, address, timers, monotonicMs, log }: OpenNodeOptions,
): Promise<ClusterNode | undefined> {
  const { cluster_secret, database_url, advertise_url } = settings;
  if (!isNode(settings) || cluster_secret === undefined || database_url === undefined) return undefined;
  const book = new ClusterBook(database_url, timers);
  const node = {
    node_id: crypto.randomUUID(),
    url: advertise_url ?? address,
    release: pkg.version,
    facts: factsOf(cluster_secret, formOf(state), registry, settings),
  };
  const opened = new ClusterNode({ book, node, secret: cluster_secret, timers, monotonicMs, log });
  try {
    await opened.join();
    return opened;
  } catch (error) {
    book.close();
    throw error;
  }
}
