import { StartupError } from './errors.ts';
import { LIMITS } from './limits.ts';

/**
 * Every setting: environment variable, flag, default, unit and meaning. A flag wins over the environment.
 * This and `main.ts` are the only files that look at `process.env` and `process.argv`.
 */
export interface SettingSpec<T> {
  env: string;
  flag: string;
  default: T;
  /** The value in the help text, for example `<port>`. */
  value: string;
  description: string;
  parse(text: string): T;
}

function integer(name: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new StartupError(
        'bad_setting',
        `${name} must be an integer from ${min} to ${max}, not '${text}'`,
      );
    }
    return value;
  };
}

function positive(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) {
      throw new StartupError('bad_setting', `${name} must be a number above 0, not '${text}'`);
    }
    return value;
  };
}

function factor(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < 1 || value > 10) {
      throw new StartupError('bad_setting', `${name} must be a number from 1 to 10, not '${text}'`);
    }
    return value;
  };
}

function fraction(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value > 1) {
      throw new StartupError('bad_setting', `${name} must be a number from 0 to 1, not '${text}'`);
    }
    return value;
  };
}

function segment(name: string): (text: string) => string {
  return (text) => {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(text)) {
      throw new StartupError('bad_setting', `${name} must be 1 to 64 letters, digits, - or _, not '${text}'`);
    }
    return text;
  };
}

function boolean(name: string): (text: string) => boolean {
  return (text) => {
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    throw new StartupError('bad_setting', `${name} must be true or false, not '${text}'`);
  };
}

/** A point in time: seconds since the epoch, or ISO 8601. */
function time(name: string): (text: string) => number {
  return (text) => {
    const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000;
    if (!Number.isFinite(seconds) || seconds < 0 || seconds > LIMITS.stored_seconds_max) {
      throw new StartupError(
        'bad_setting',
        `${name} must be epoch seconds or an ISO 8601 time, not '${text}'`,
      );
    }
    return seconds;
  };
}

function databaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new StartupError('bad_setting', 'FEEDLOOM_DATABASE_URL must start with postgres://');
  }
  return text;
}

function oneOf<T extends string>(name: string, allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const value = allowed.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw new StartupError('bad_setting', `${name} must be one of ${allowed.join(', ')}, not '${text}'`);
  };
}

const asIs = (text: string): string => text;

function spec<T>(
  name: string,
  value: string,
  initial: T,
  description: string,
  parse: (text: string) => T,
): SettingSpec<T> {
  return {
    env: `FEEDLOOM_${name.toUpperCase()}`,
    flag: `--${name.replaceAll('_', '-')}`,
    default: initial,
    value,
    description,
    parse,
  };
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const SETTINGS = {
  port: spec(
    'port',
    '<port>',
    3000,
    'port to listen on (0: any free one)',
    integer('FEEDLOOM_PORT', 0, 65535),
  ),
  host: spec('host', '<host>', '127.0.0.1', 'address to listen on', asIs),
  data: spec('data', '<folder>', './data', 'folder of the embedded database', asIs),
  database_url: spec<string | undefined>(
    'database_url',
    '<url>',
    undefined,
    'PostgreSQL instead of the embedded database',
    databaseUrl,
  ),
  network: spec(
    'network',
    '<name>',
    'farcaster',
    'the network segment of the content paths',
    segment('FEEDLOOM_NETWORK'),
  ),
  api_key: spec<string | undefined>(
    'api_key',
    '<key>',
    undefined,
    "a key accepted as owner of account 'default' with every scope",
    asIs,
  ),
  plugins: spec<string | undefined>(
    'plugins',
    '<files>',
    undefined,
    'third-party plugins: files or folders, separated by commas',
    asIs,
  ),
  plugins_strict: spec(
    'plugins_strict',
    '<bool>',
    true,
    'refuse to start when a plugin is refused',
    boolean('FEEDLOOM_PLUGINS_STRICT'),
  ),
  ai_label_threshold: spec(
    'ai_label_threshold',
    '<score>',
    0.6,
    'labels scored above this are listed in metadata',
    fraction('FEEDLOOM_AI_LABEL_THRESHOLD'),
  ),
  geo_radius_km: spec(
    'geo_radius_km',
    '<km>',
    100,
    'how near "located at" is',
    positive('FEEDLOOM_GEO_RADIUS_KM'),
  ),
  overfetch_factor: spec(
    'overfetch_factor',
    '<factor>',
    2,
    'how many times a page is mixed with promotions before it is cut; at least 1',
    factor('FEEDLOOM_OVERFETCH_FACTOR'),
  ),
  cold_start_min_interactions: spec(
    'cold_start_min_interactions',
    '<n>',
    2,
    'a viewer with fewer interactions is cold',
    integer('FEEDLOOM_COLD_START_MIN_INTERACTIONS', 0, 1_000_000),
  ),
  cold_start_inactive_days: spec(
    'cold_start_inactive_days',
    '<days>',
    30,
    'a viewer who has been silent for longer is cold',
    integer('FEEDLOOM_COLD_START_INACTIVE_DAYS', 1, 100_000),
  ),
  derived_lag_ms: spec(
    'derived_lag_ms',
    '<ms>',
    100,
    "how far caches of others' changes may lag; 0: never",
    integer('FEEDLOOM_DERIVED_LAG_MS', 0, 60_000),
  ),
  write_queue: spec(
    'write_queue',
    '<records>',
    LIMITS.write_queue_default,
    'records waiting for the store before 503',
    integer('FEEDLOOM_WRITE_QUEUE', LIMITS.ingest_records_max, 10_000_000),
  ),
  rate_limit: spec<number | undefined>(
    'rate_limit',
    '<n>',
    undefined,
    'requests per second that each key may send to feed, configuration and ingest endpoints',
    integer('FEEDLOOM_RATE_LIMIT', 1, 1_000_000),
  ),
  log_level: spec<LogLevel>(
    'log_level',
    '<level>',
    'info',
    'what is logged: debug (a line for each request), info, warn, error or silent',
    oneOf('FEEDLOOM_LOG_LEVEL', LOG_LEVELS),
  ),
  now: spec<number | undefined>(
    'now',
    '<time>',
    undefined,
    "start the service's clock at this time instead of the machine's (to look at old data)",
    time('FEEDLOOM_NOW'),
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  [K in SettingName]: ReturnType<(typeof SETTINGS)[K]['parse']> | (typeof SETTINGS)[K]['default'];
};

/**
 * Settings from the environment and from flags (flag values are text as typed, keyed by setting name).
 * @throws StartupError `bad_setting` naming the setting and what is allowed.
 */
export function readSettings(
  env: Record<string, string | undefined>,
  flags: Partial<Record<SettingName, string | undefined>> = {},
): Settings {
  const settings: Record<string, unknown> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const setting = SETTINGS[name];
    const text = flags[name] ?? (env[setting.env] || undefined);
    settings[name] = text === undefined ? setting.default : setting.parse(text);
  }
  return settings as Settings;
}
