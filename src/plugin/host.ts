import type { Ordinal } from './ordinal.ts';

/**
 * Logger of one plugin. Its lines carry the plugin's name and go to the service's log.
 *
 * A message is written once per ten seconds at most, with the number of suppressed lines, and texts are cut to 1,000
 * characters. So values that vary belong into the fields.
 */
export interface PluginLog {
  info(message: string): void;
  info(fields: object, message: string): void;
  warn(message: string): void;
  warn(fields: object, message: string): void;
  error(message: string): void;
  error(fields: object, message: string): void;
}

/** A value that `host.refresh` keeps up to date. */
export interface Refreshed<T> {
  /**
   * The result of the last successful run. It changes between requests, never during one.
   *
   * Throws until the first run has succeeded. Requests never see that, because the service starts after the first
   * run.
   */
  readonly value: T;
}

/** A set of users or items by public identifier. The service need not know the identifiers yet. */
export interface IdSet {
  /**
   * Whether the set contains this user or item. False for NONE. O(1).
   *
   * An identifier that the service learns later matches from then on. This costs one lookup per new identifier.
   */
  has(ordinal: Ordinal): boolean;
}

/** A map from public identifiers of users or items to values. The service need not know the identifiers yet. */
export interface IdMap<T> {
  /** The value of this user or item, or undefined. Undefined for NONE. O(1). */
  get(ordinal: Ordinal): T | undefined;
}

/** The service as seen by a plugin's `setup`. The plugin may keep it while the service runs. */
export interface PluginHost {
  readonly log: PluginLog;

  /**
   * Runs `fn` now, and again `seconds` (may be fractional) after each run ends, so runs never overlap.
   *
   * If a later run fails, the failure is logged under `name` and the old value stays. The service starts after the
   * first run. If the first run fails, the plugin is rejected unless it gave an `initial` value.
   */
  refresh<T>(name: string, seconds: number, fn: () => T | Promise<T>, initial?: T): Refreshed<T>;

  /** A set of users. Memory: the identifiers, and 16 bytes per user that the service knows. */
  user_set(user_ids: Iterable<string>): IdSet;
  /** A set of items. */
  item_set(item_ids: Iterable<string>): IdSet;
  /** A map from users to values, for example `host.user_map(Object.entries(boosts))`. */
  user_map<T>(entries: Iterable<readonly [string, T]>): IdMap<T>;
  /** A map from items to values. */
  item_map<T>(entries: Iterable<readonly [string, T]>): IdMap<T>;
}
