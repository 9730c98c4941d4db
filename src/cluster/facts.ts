import { StartupError } from '../errors.ts';
import { KINDS } from '../registry/kinds.ts';
import type { Registry } from '../registry/registry.ts';
import type { Settings } from '../settings.ts';
import type { NodeFacts, SeenNode } from '../store/postgres/database-lease.ts';

/** Settings that change pages, or what a forwarded request is answered. */
const SAME_SETTINGS = [
  'network',
  'chain',
  'metadata_provider',
  'api_key',
  'ai_label_threshold',
  'geo_radius_km',
  'overfetch_factor',
  'cold_start_min_interactions',
  'cold_start_inactive_days',
  'exploration_percent',
  'derived_lag_ms',
  'retention_days',
  'seen_days',
  'seen_strangers_days',
  'bluesky_did',
  'bluesky_publisher_did',
  'plc_url',
  'rate_limit',
  'quota_feeds',
  'quota_feed_bytes',
  'quota_records_per_day',
  'now',
] as const satisfies readonly (keyof Settings)[];

/** The part of the fingerprints that can be read by anyone with the database, so it must not reveal the secret. */
function digest(secret: string, what: unknown): string {
  return new Bun.CryptoHasher('sha256', secret).update(JSON.stringify(what)).digest('hex');
}

export function factsOf(secret: string, state: string, registry: Registry, settings: Settings): NodeFacts {
  const extensions = KINDS.flatMap((kind) =>
    registry.all(kind).map(({ id, options }) => [kind, id, options.schema] as const),
  );
  // Built-in plugins have none: nodes of different releases may run together while the state is the same.
  const versions = [...registry.plugins().values()].map(({ meta }) => `${meta.name} ${meta.version}`).sort();
  const same = SAME_SETTINGS.map((name) => [name, settings[name] ?? null]);
  return {
    secret: digest(secret, 'feedloom'),
    state: digest(secret, state),
    plugins: digest(secret, [extensions, versions]),
    settings: digest(secret, same),
  };
}

const DIFFERENCES: readonly { fact: keyof NodeFacts; code: string; what: string; remedy: string }[] = [
  {
    fact: 'secret',
    code: 'cluster_secret_differs',
    what: 'has another cluster secret',
    remedy: 'give all nodes of the database the same FEEDLOOM_CLUSTER_SECRET',
  },
  {
    fact: 'state',
    code: 'cluster_state_differs',
    what: 'holds another state: its release keeps or computes other things',
    remedy: 'stop the other nodes first, or start a release that works beside theirs',
  },
  {
    fact: 'plugins',
    code: 'cluster_plugins_differ',
    what: 'has other plugins, or other versions of them',
    remedy: 'give all nodes the same plugins; to change them, stop all nodes',
  },
  {
    fact: 'settings',
    code: 'cluster_settings_differ',
    what: 'has other settings that change answers',
    remedy: `give all nodes the same ${SAME_SETTINGS.join(', ')}; to change them, stop all nodes`,
  },
];

/** @throws StartupError if a running node is not like this one */
export function requireSame(own: NodeFacts, others: readonly SeenNode[]): void {
  for (const { fact, code, what, remedy } of DIFFERENCES) {
    const other = others.find(({ facts }) => facts[fact] !== own[fact]);
    if (other === undefined) continue;
    throw new StartupError(code, `the node at ${other.url} (release ${other.release}) ${what}`, remedy);
  }
}
