import type { PluginLog } from './host.ts';

/**
 * A record that a connector emits: its kind, and the fields that the ingest API takes for that kind.
 *
 * `follow_list` is the whole list of a user's follows and takes `user_id`, `target_user_ids` and `timestamp`: other
 * follows from before that time end. `user_list` is a list of users of `user_id` with `list_id` and `name`, and
 * `list_member` a record with an `event_id` that puts `target_user_id` on it; `action: 'remove'` deletes either.
 * `item_deletion` takes `item_id` and `timestamp`. `user_deletion` erases a user and takes `user_id`, `timestamp` and
 * `keep_items`; only other erasures may follow it in one `emit`. Give acts a `timestamp` or an `event_id`, so that a
 * repeated record is recognised. `hidden` of an item or user is what the source says: it does not change what moderators
 * decided, and an older `updated_at` does not change what the source said later. `label` is what a labeler says of an item
 * or a user, and takes `labeler_id`, `item_id` or `user_id`, `value`, `timestamp`, `expires_at`, `action` and `hides`.
 */
export interface ConnectorRecord {
  kind: ConnectorRecordKind;
  record: Readonly<Record<string, unknown>>;
  /**
   * Whether it comes from a source that sends all of its changes in their order, such as the log of a database.
   *
   * It then counts when it arrives, also if what is known is later, or was deleted or taken back. `null` removes a stored
   * value, and the author of an item may be absent. Acts are known by their user and subject alone, comments also by
   * `event_id`, so an `event_id` of other acts is ignored and a removal names its subject.
   * @example in_order: true
   */
  in_order?: boolean;
}

/** The kinds of records that stand until something takes them back. */
export const STANDING_KINDS = ['item', 'user', 'follow', 'block', 'interaction'] as const;

export type StandingKind = (typeof STANDING_KINDS)[number];

export const CONNECTOR_RECORD_KINDS = [
  ...STANDING_KINDS,
  'follow_list',
  'user_list',
  'list_member',
  'label',
  'item_deletion',
  'user_deletion',
] as const;

export type ConnectorRecordKind = (typeof CONNECTOR_RECORD_KINDS)[number];

/** @throws Error that names what is allowed */
export function requireStanding(kind: StandingKind): StandingKind {
  if (STANDING_KINDS.includes(kind)) return kind;
  throw new Error(`current: unknown kind '${kind}'; allowed are ${STANDING_KINDS.join(', ')}`);
}

/** Maximum number of records of one `emit`. */
export const EMITTED_RECORDS_MAX = 250;

/** Maximum length of a cursor in characters. */
export const CURSOR_LENGTH_MAX = 4_096;

/** The rule that a list of emitted records or its cursor breaks; undefined if there is none. */
export function emitProblem(records: readonly ConnectorRecord[], cursor: string): string | undefined {
  if (!Array.isArray(records)) return 'the records must be a list';
  if (records.length > EMITTED_RECORDS_MAX)
    return `${records.length} records; at most ${EMITTED_RECORDS_MAX} are allowed at once`;
  if (typeof cursor !== 'string' || cursor === '' || cursor.length > CURSOR_LENGTH_MAX)
    return `the cursor must be a text of 1 to ${CURSOR_LENGTH_MAX} characters`;
  const kinds = records.map((each) => each?.kind);
  const erasure = kinds.indexOf('user_deletion');
  const after = erasure < 0 ? undefined : kinds.slice(erasure).find((kind) => kind !== 'user_deletion');
  if (after === undefined) return undefined;
  return `a record of kind '${after}' follows a user_deletion; emit it afterwards, with a cursor of its own`;
}

/** Whether a repeated record would count again, because nothing tells it from another act. */
export function isCountedAgain({ kind, record, in_order }: ConnectorRecord): boolean {
  if (in_order && record.event_type !== 'comment') return false;
  if (kind !== 'interaction' && kind !== 'follow' && kind !== 'block') return false;
  return record.timestamp === undefined && record.event_id === undefined;
}

/** What became of emitted records. */
export interface Emitted {
  accepted: number;
  rejected_count: number;
  /** Invalid records, which were skipped. `index` is the place in the emitted list. */
  rejected: readonly { index: number; detail: string }[];
}

/** The service as seen by one run of a connector. */
export interface ConnectorHost {
  /** The last stored cursor. Undefined before the first one. */
  readonly cursor: string | undefined;
  /**
   * Stores records and the cursor behind them in one transaction. Resolves when that is durable.
   *
   * Await it before reading on: it is slow while the store is busy, which slows the source down. At most
   * `EMITTED_RECORDS_MAX` records; without records only the cursor is stored. Records apply in their order. Invalid ones
   * are skipped, logged and returned.
   *
   * Rejects if nothing was stored, and after `signal` was aborted. Do not catch that: the host starts the connector
   * again from the stored cursor.
   */
  emit(records: readonly ConnectorRecord[], cursor: string): Promise<Emitted>;
  /**
   * The records of a kind that stand in the service, whoever sent them, with the fields that an export writes.
   *
   * For a source that takes back all of its records without naming them. Interactions have an `event_id` only if it
   * distinguishes them, as that of a comment does; such a one may come twice. What was emitted before is among them.
   * They are read while the loop goes on, so changes that are made meanwhile may be missing. Interactions with an
   * `event_id` are searched in the whole log.
   * @throws Error if the run has ended
   * @example for await (const { user_id, item_id } of host.current('interaction')) …
   */
  current(kind: StandingKind): AsyncIterable<Readonly<Record<string, unknown>>>;
  /**
   * Sets what an operator should know while the connector runs on, such as a source that is about to drop what was not
   * read. `/api/connectors` shows it until it is replaced or removed, also by a later run. It is logged when it changes.
   * @param topic it has one warning at a time
   * @param text without secrets; absent: it is over
   */
  warning(topic: string, text?: string): void;
  /** Aborted when the run must end: the service stops, or the source has been silent for so long that it is opened again. */
  readonly signal: AbortSignal;
  readonly log: PluginLog;
  /** The current time in seconds. */
  readonly clock: { now(): number };
}
