import { arenaElementsMax, BUFFER_BYTES_MAX } from '../columns/growable.ts';
import { listElementsFor } from '../columns/slabs.ts';
import { TABLE_KEYS_MAX, tableKeysFor } from '../columns/table-arena.ts';
import { TEXT_BYTES_MAX } from '../columns/text-arena.ts';
import { LIMITS } from '../limits.ts';

/** Maximum list elements and table keys for columns of up to 4 bytes an element, and list elements for 8 bytes. */
const LIST_ELEMENTS = listElementsFor(arenaElementsMax([new Uint32Array(0)]));
const TABLE_KEYS = tableKeysFor(arenaElementsMax([new Uint32Array(0)]));
const WIDE_LIST_ELEMENTS = listElementsFor(arenaElementsMax([new Float64Array(0)]));

/**
 * The limits of a state: what fits into one ArrayBuffer (4 GiB), one position or one number in a column.
 *
 * They are checked before a change is stored, so that `apply` never fails. Other parts of a state (texts and fields for
 * plugins, places, trends) grow only with users and items, or in any number of chunks.
 */
export const STATE_LIMITS = {
  /** Users in memory, including erased ones, as their ordinals are not reused. */
  users: 2 ** 28,
  /** Bytes of the identifiers of users, each rounded up to 4. */
  user_id_bytes: TEXT_BYTES_MAX,
  /** User keys ever assigned. */
  user_keys: LIMITS.keys_max,
  /**
   * Items in memory, including deleted ones, and retired ones until their ordinals are free. 64 bytes each in one
   * array.
   */
  items: 2 ** 26,
  item_id_bytes: TEXT_BYTES_MAX,
  item_keys: LIMITS.keys_max,
  /** Entries of users' logs: current acts, and tombstones of removed ones. */
  interactions: LIST_ELEMENTS,
  /** Entries of items' logs, plus for each item the users who acted on it beyond its log. */
  item_interactions: TABLE_KEYS,
  /** Pairs of a user and an item that they acted on. */
  acted_items: TABLE_KEYS,
  /** Comments with an `event_id`. */
  event_ids: LIST_ELEMENTS,
  follows: TABLE_KEYS,
  blocks: TABLE_KEYS,
  /** Lists of users, and the members of all of them. */
  lists: LIMITS.user_lists_max,
  list_entries: LIMITS.user_list_entries_max,
  /** Users with preferences, and the bytes of these by `preferencesBytes`. */
  users_with_preferences: LIMITS.users_with_preferences_max,
  preferences_bytes: LIMITS.preferences_bytes_max,
  /** Earlier counts of sources. */
  former_counts: WIDE_LIST_ELEMENTS,
  /** Different values of one column of items (channels, apps, languages, types, domains, labels). */
  values: 2 ** 28,
  value_bytes: TEXT_BYTES_MAX,
  /** Values of all items in one multi-value column (types, domains, labels). */
  item_values: WIDE_LIST_ELEMENTS,
  /** Bytes of all embeddings, 1 for each number. */
  embedding_bytes: BUFFER_BYTES_MAX,
  wallets: 2 ** 28,
  wallet_bytes: TEXT_BYTES_MAX,
  /**
   * Per user: items acted on, follows, and blocks in each direction. Per item: users of `item_interactions` beyond its log.
   */
  per_subject: TABLE_KEYS_MAX,
} as const;

export type StateLimit = keyof typeof STATE_LIMITS;
export type StateLimits = Readonly<Record<StateLimit, number>>;

export type Amounts = Partial<Record<StateLimit, number>>;
