import type { Ordinal } from './ordinal.ts';

/** Log lines of one plugin: they carry its name and go where the service's own go. */
export interface PluginLog {
  info(message: string): void;
  info(fields: object, message: string): void;
  warn(message: string): void;
  warn(fields: object, message: string): void;
  error(message: string): void;
  error(fields: object, message: string): void;
}

/** What `host.refresh` keeps up to date. */
export interface Refreshed<T> {
  /**
   * What the last successful run gave. It changes between requests, never within one. Throws as long as no
   * run has succeeded, which no request sees: the service starts after the first.
   */
  readonly value: T;
}

/** Users or items by their public identifiers, whether or not the service has heard of them yet. */
export interface IdSet {
  /**
   * Whether the set names this user or item; false for NONE. O(1). An identifier that appears after the set
   * was made matches from then on, which costs one look at each new name.
   */
  has(ordinal: Ordinal): boolean;
}

/** Values by the public identifiers of users or items, known to the service or not yet. */
export interface IdMap<T> {
  /** The value of this user or item; undefined when it has none, and for NONE. As `IdSet.has` otherwise. */
  get(ordinal: Ordinal): T | undefined;
}

/** What a plugin gets at start, in `setup`; it may be kept as long as the service runs. */
export interface PluginHost {
  readonly log: PluginLog;

  /**
   * Runs `fn` now, and again `seconds` (fractions allowed) after each run ended, so runs never overlap. When
   * one fails, that is logged under `name` and the old value stays.
   *
   * The service starts after the first run. If that one fails, the plugin is refused, unless there is an
   * `initial` value to go on with.
   */
  refresh<T>(name: string, seconds: number, fn: () => T | Promise<T>, initial?: T): Refreshed<T>;

  /** The users with these identifiers. Memory: the texts, and 16 bytes for each that the service knows. */
  user_set(user_ids: Iterable<string>): IdSet;
  /** The items with these identifiers. */
  item_set(item_ids: Iterable<string>): IdSet;
  /** Values of users: `host.user_map(Object.entries(boosts))`. */
  user_map<T>(entries: Iterable<readonly [string, T]>): IdMap<T>;
  /** Values of items. */
  item_map<T>(entries: Iterable<readonly [string, T]>): IdMap<T>;
}
