import { StartupError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { secretVariable, variablesOf, withoutLineEnd } from './secret-variable.ts';
import { optionalSpec, PREFIX, secretSpec, spec } from './setting-spec.ts';
import {
  asIs,
  boolean,
  databaseUrl,
  did,
  factor,
  fraction,
  headerList,
  headerName,
  headerValue,
  httpUrl,
  integer,
  key,
  oneOf,
  origins,
  ownSecret,
  pathPrefix,
  positive,
  secondsUnlessOff,
  segment,
  time,
  webAddress,
  withVariables,
  words,
} from './setting-values.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * All settings: environment variable, flag, default, unit and meaning. A flag takes precedence over the environment.
 *
 * `main.ts` alone reads `process.env`: the parser of commands knows no files for secrets, and would hide which is wrong.
 */
export const SETTINGS = {
  port: spec('port', '<port>', 3000, 'port to listen on (0: any free one)', integer(0, 65535)),
  host: spec('host', '<host>', '127.0.0.1', 'address to listen on', asIs),
  metrics_port: optionalSpec(
    'metrics_port',
    '<port>',
    'serve /metrics on this port instead of the main one (0: any free one)',
    integer(0, 65535),
  ),
  idle_timeout_s: spec(
    'idle_timeout_s',
    '<seconds>',
    LIMITS.idle_connection_seconds_max,
    'close keep-alive connections that were idle for so long; a proxy in front must have a lower timeout',
    integer(1, LIMITS.idle_connection_seconds_max),
  ),
  base_path: optionalSpec(
    'base_path',
    '<path>',
    'a prefix of paths that the proxy in front passes on, such as /feedloom; a proxy that strips it needs no setting',
    pathPrefix,
  ),
  cors_origins: optionalSpec(
    'cors_origins',
    '<origins>',
    'origins whose pages may call from a browser, separated by commas, or * for all; unset: none',
    origins,
  ),
  data: spec('data', '<folder>', './data', 'folder of the embedded database', asIs),
  database_url: secretSpec(
    'database_url',
    '<url>',
    'PostgreSQL instead of the embedded database',
    databaseUrl,
  ),
  cluster_secret: secretSpec(
    'cluster_secret',
    '<secret>',
    'several processes with this same secret, of at least 16 characters, serve one PostgreSQL database: one leads, the others follow',
    ownSecret,
  ),
  advertise_url: optionalSpec(
    'advertise_url',
    '<url>',
    'where the other nodes reach this one; unset: http://<host>:<port>',
    httpUrl,
  ),
  consistency: spec<'strong' | 'eventual'>(
    'consistency',
    '<kind>',
    'strong',
    'what feed requests get from a node that follows: strong (every acknowledged write) or eventual (what it has)',
    oneOf(['strong', 'eventual']),
  ),
  staleness_max_s: spec(
    'staleness_max_s',
    '<seconds>',
    60,
    '/readyz of a node answers 503 when its pages may be older than this',
    integer(1, 86_400),
  ),
  drain_seconds: spec(
    'drain_seconds',
    '<seconds>',
    0,
    'after SIGTERM, serve for so long while /readyz answers 503, so that a balancer finds out; a second signal ends it',
    integer(0, LIMITS.drain_seconds_max),
  ),
  watchdog_seconds: spec(
    'watchdog_seconds',
    '<seconds>',
    10,
    'end a process whose main thread hangs for so long, as in an endless loop of a plugin, which the log names; 0: off',
    secondsUnlessOff,
  ),
  network: spec(
    'network',
    '<name>',
    'farcaster',
    'the network that is served: /v2/<name>/ is the same as /v2/community/',
    segment,
  ),
  chain: spec('chain', '<name>', 'base', 'the chain in the paths of tokens and NFTs, /<name>/…', segment),
  metadata_provider: spec(
    'metadata_provider',
    '<id>',
    'catalog',
    'what tokens and NFTs are described by: catalog (what was ingested), http, or the id of a plugin',
    asIs,
  ),
  metadata_url: secretSpec(
    'metadata_url',
    '<url>',
    'where the metadata provider http asks, with {item_id} in it',
    asIs,
  ),
  metadata_key_header: optionalSpec(
    'metadata_key_header',
    '<name>',
    'the header in which the metadata provider http sends its key (default x-api-key)',
    headerName,
  ),
  metadata_key: secretSpec(
    'metadata_key',
    '<key>',
    'the key that the metadata provider http sends',
    headerValue,
  ),
  api_key: secretSpec(
    'api_key',
    '<key>',
    "a key accepted as owner of account 'default' with every scope; at least 16 characters",
    key,
  ),
  plugins: optionalSpec(
    'plugins',
    '<files>',
    'third-party plugins: files, folders or npm packages, separated by commas; their code runs',
    asIs,
  ),
  connect: secretSpec(
    'connect',
    '<connector>',
    'a connector to read from, such as bluesky?url=ws://127.0.0.1:6008/subscribe; repeat the flag for more, or separate them by blanks in the variable',
    words,
  ),
  bluesky_did: optionalSpec(
    'bluesky_did',
    '<did>',
    'DID of the service as a Bluesky feed generator; unset: did:web with the host of the request',
    did,
  ),
  bluesky_publisher_did: optionalSpec(
    'bluesky_publisher_did',
    '<did>',
    'DID of the Bluesky account that publishes the feeds; unset: the same as the service',
    did,
  ),
  plc_url: spec(
    'plc_url',
    '<url>',
    'https://plc.directory',
    'directory in which the keys of Bluesky accounts (did:plc) are looked up',
    webAddress,
  ),
  webhook: secretSpec(
    'webhook',
    '<webhook>',
    'a webhook to receive, such as neynar?secret_env=NEYNAR_SECRET; repeat the flag for more, or separate them by blanks in the variable',
    words,
  ),
  plugins_strict: spec('plugins_strict', '<bool>', true, 'refuse to start when a plugin is refused', boolean),
  ai_label_threshold: spec(
    'ai_label_threshold',
    '<score>',
    0.6,
    'metadata lists AI labels with a score above this',
    fraction,
  ),
  geo_radius_km: spec(
    'geo_radius_km',
    '<km>',
    100,
    'radius of the filters geo_locations and remove_geo_locations',
    positive,
  ),
  overfetch_factor: spec(
    'overfetch_factor',
    '<factor>',
    2,
    'how many times a page is mixed with promotions before it is cut; at least 1',
    factor,
  ),
  cold_start_min_interactions: spec(
    'cold_start_min_interactions',
    '<n>',
    2,
    'viewers with fewer interactions get the cold start feed',
    integer(0, 1_000_000),
  ),
  cold_start_inactive_days: spec(
    'cold_start_inactive_days',
    '<days>',
    30,
    'viewers who did nothing for longer get the cold start feed',
    integer(1, 100_000),
  ),
  exploration_percent: spec(
    'exploration_percent',
    '<percent>',
    5,
    'share of a for-you page that is open to new items of small authors',
    integer(0, 100),
  ),
  learn_window_s: spec(
    'learn_window_s',
    '<seconds>',
    3_600,
    'acts on shown items teach the feeds that learn if they follow within so long',
    integer(1, 86_400),
  ),
  derived_lag_ms: spec(
    'derived_lag_ms',
    '<ms>',
    100,
    "how far caches of others' changes may lag, neighbour lists apart; 0: never, nor do these",
    integer(0, 60_000),
  ),
  lag_ms: spec(
    'lag_ms',
    '<ms>',
    50,
    'delay of the event loop above which pages consider fewer candidates; 0: never fewer',
    integer(0, 60_000),
  ),
  requests_max: spec(
    'requests_max',
    '<n>',
    LIMITS.requests_default,
    'requests under way at the same time before 503',
    integer(1, 1_000_000),
  ),
  retention_days: optionalSpec(
    'retention_days',
    '<days>',
    'remove items that are older from memory, feeds and the database; unset: keep all',
    integer(1, 100_000),
  ),
  seen_days: optionalSpec(
    'seen_days',
    '<days>',
    'forget what a viewer saw after so long; unset: never',
    integer(1, 100_000),
  ),
  seen_strangers_days: optionalSpec(
    'seen_strangers_days',
    '<days>',
    'forget viewers who are no known users so long after their last recorded page; unset: never',
    integer(1, 100_000),
  ),
  seen_cache_mb: spec(
    'seen_cache_mb',
    '<MB>',
    256,
    'memory for what viewers saw, of those whose pages were requested last',
    integer(1, 1_000_000),
  ),
  write_queue: spec(
    'write_queue',
    '<records>',
    LIMITS.write_queue_default,
    'records waiting for the store before 503',
    integer(1, 10_000_000),
  ),
  checkpoint_changes: spec(
    'checkpoint_changes',
    '<n>',
    LIMITS.checkpoint_changes_default,
    'changes since the last checkpoint before the next is written; 0: none is written',
    integer(0, 1_000_000_000),
  ),
  checkpoint_seconds: spec(
    'checkpoint_seconds',
    '<seconds>',
    LIMITS.checkpoint_every_seconds_default,
    'least time between two checkpoints',
    integer(0, 1_000_000),
  ),
  quota_feeds: spec('quota_feeds', '<n>', 1_000, 'feeds that each account may save', integer(0, 1_000_000)),
  quota_feed_bytes: spec(
    'quota_feed_bytes',
    '<bytes>',
    64 * 1024 * 1024,
    'bytes of JSON that the saved feeds of each account may take together',
    integer(0, 1_000_000_000_000),
  ),
  quota_records_per_day: optionalSpec(
    'quota_records_per_day',
    '<n>',
    'records that each account may ingest per day (UTC), counted since the start; unset: no limit',
    integer(0, 1_000_000_000_000),
  ),
  rate_limit: optionalSpec(
    'rate_limit',
    '<n>',
    'requests per second that each key may send, except to the catalog of tokens and NFTs',
    integer(1, 1_000_000),
  ),
  log_level: spec<LogLevel>(
    'log_level',
    '<level>',
    'info',
    'what is logged: debug (a line for each request), info, warn, error or silent',
    oneOf(LOG_LEVELS),
  ),
  otlp_endpoint: optionalSpec(
    'otlp_endpoint',
    '<url>',
    'base address of an OpenTelemetry collector, such as http://127.0.0.1:4318, to send traces to; unset: none are made',
    httpUrl,
  ),
  otlp_headers: secretSpec(
    'otlp_headers',
    '<headers>',
    'headers of each export of traces: name=value, separated by commas, values percent-encoded',
    headerList,
  ),
  service_name: spec('service_name', '<name>', 'feedloom', 'the service.name of traces', asIs),
  traces_sampler_arg: spec(
    'traces_sampler_arg',
    '<share>',
    0.1,
    'share of requests that are traced, from 0 to 1; a caller with a key that sends traceparent decides for its own',
    fraction,
  ),
  now: optionalSpec(
    'now',
    '<time>',
    "the present, instead of the machine's time (to look at old data); keys expire by the machine's time",
    time,
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
export const DATA_SETTINGS: readonly SettingName[] = ['data', 'database_url'];
export type Settings = {
  [K in SettingName]: ReturnType<(typeof SETTINGS)[K]['parse']> | (typeof SETTINGS)[K]['default'];
};

/**
 * Reads settings from the environment and from flags (texts by setting name).
 * @param defaults replace the defaults of `SETTINGS`
 * @throws StartupError `bad_setting` that names the flag or variable and what is allowed
 */
export function readSettings(
  env: Record<string, string | undefined>,
  flags: Partial<Record<SettingName, string | undefined>> = {},
  defaults: Partial<Settings> = {},
): Settings {
  const settings: Record<string, unknown> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const setting = SETTINGS[name];
    const { [name]: typed } = flags;
    if (typed === '') throw new StartupError('bad_setting', `${setting.flag} must not be empty`);
    const text = setting.is_secret
      ? (typed && withoutLineEnd(typed)) || secretVariable(env, setting.env)
      : typed || env[setting.env] || undefined;
    const place = typed === undefined ? setting.env : setting.flag;
    settings[name] = text === undefined ? (defaults[name] ?? setting.default) : setting.parse(text, place);
  }
  for (const name of ['connect', 'webhook'] as const) {
    const place = flags[name] === undefined ? SETTINGS[name].env : SETTINGS[name].flag;
    settings[name] = (settings[name] as Settings[typeof name])?.map((one) => withVariables(one, env, place));
  }
  return settings as Settings;
}

/** Variables with the prefix that are not settings, such as misspelt ones. */
export function unknownVariables(env: Record<string, string | undefined>): string[] {
  const known = new Set(Object.values(SETTINGS).flatMap(variablesOf));
  return Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.has(name));
}
