import type { Logger } from 'pino';
import pkg from '../../package.json';
import { formOf } from '../checkpoint/load.ts';
import type { Clock, Timers } from '../clock.ts';
import { StartupError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import type { Settings } from '../settings.ts';
import type { State } from '../state/state.ts';
import { DatabaseLease, type Lease } from '../store/postgres/database-lease.ts';
import { factsOf } from './facts.ts';
import { ClusterNode } from './node.ts';

/** Whether the settings make this process a node of a cluster. */
function isNode(settings: Settings): boolean {
  const { cluster_secret, database_url } = settings;
  if (cluster_secret === undefined) return false;
  if (database_url !== undefined) {
    requireReachable(settings);
    return true;
  }
  throw new StartupError(
    'bad_setting',
    'FEEDLOOM_CLUSTER_SECRET is set, but the nodes of a cluster share a PostgreSQL database and none is named',
    'name it with --database-url, or unset the secret to run one process on the embedded database',
  );
}

/** Addresses that stand for all addresses of a machine. */
const ALL_ADDRESSES: ReadonlySet<string | undefined> = new Set(['0.0.0.0', '[::]']);

function requireReachable({ advertise_url, host }: Settings): void {
  const url = advertise_url ?? `http://${host.includes(':') ? `[${host}]` : host}`;
  if (!ALL_ADDRESSES.has(URL.parse(url)?.hostname)) return;
  throw new StartupError(
    'bad_setting',
    `the other nodes cannot reach this one at ${
      advertise_url === undefined ? `FEEDLOOM_HOST, ${host},` : `FEEDLOOM_ADVERTISE_URL, ${advertise_url},`
    } which stands for all addresses of a machine`,
    'set FEEDLOOM_ADVERTISE_URL to the address of this node, such as http://10.0.0.5:3000',
  );
}

/** Opens the list of nodes, if this process is one. @throws StartupError `bad_setting` */
export function openLease(settings: Settings, timers: Timers): Lease | undefined {
  const { database_url } = settings;
  return isNode(settings) && database_url !== undefined ? new DatabaseLease(database_url, timers) : undefined;
}

export interface OpenNodeOptions {
  lease: Lease;
  registry: Registry;
  /** The state of content, still empty. */
  state: State;
  address: string;
  timers: Timers;
  monotonicMs: () => number;
  clock: Clock;
  log: Logger;
}

/**
 * Makes this process a node, unless it differs from the nodes that run. The tables must exist.
 * @throws StartupError `cluster_secret_differs`, `cluster_state_differs`, `cluster_plugins_differ`,
 * `cluster_settings_differ`, `cluster_address_taken`, `database_unreachable`
 */
export async function openNode(
  settings: Settings,
  { registry, state, address, ...options }: OpenNodeOptions,
): Promise<ClusterNode> {
  const { cluster_secret: secret = '' } = settings;
  const node = {
    node_id: crypto.randomUUID(),
    url: address,
    release: pkg.version,
    facts: factsOf(secret, formOf(state), registry, settings),
  };
  const opened = new ClusterNode({ ...options, node, secret });
  await opened.join();
  return opened;
}
