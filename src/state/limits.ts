import { LIMITS } from '../limits.ts';
import { arenaElementsMax } from './growable.ts';
import { listElementsFor } from './slabs.ts';
import { TABLE_KEYS_MAX, tableKeysFor } from './table-arena.ts';
import { TEXT_BYTES_MAX } from './text-arena.ts';

/** Elements of lists, and keys of tables, whose columns have 4 bytes an element at most; and of lists with 8. */
const LIST_ELEMENTS = listElementsFor(arenaElementsMax([new Uint32Array(0)]));
const TABLE_KEYS = tableKeysFor(arenaElementsMax([new Uint32Array(0)]));
const WIDE_LIST_ELEMENTS = listElementsFor(arenaElementsMax([new Float64Array(0)]));

/**
 * Every limit of a state: what one ArrayBuffer (4 GiB), one position or one number in a column can hold. Whatever `apply` is
 * given must keep to them, so that it never fails: they are checked before a change is stored. What a state holds beside this
 * (texts and fields for plugins, places, trends) grows with users and items alone, or in chunks without end.
 */
export const STATE_LIMITS = {
  /** Users in memory: erased ones count, as their ordinals are not given again. */
  users: 2 ** 28,
  /** Bytes of the identifiers of users, each rounded up to 4. */
  user_id_bytes: TEXT_BYTES_MAX,
  /** Users ever named. */
  user_keys: LIMITS.keys_max,
  /** Items in memory, with those that are deleted, and retired ones until their ordinals are free: 64 bytes each in one array. */
  items: 2 ** 26,
  item_id_bytes: TEXT_BYTES_MAX,
  item_keys: LIMITS.keys_max,
  /** Entries of the users' logs: acts that stand, and what is known of those that were taken back. */
  interactions: LIST_ELEMENTS,
  /** What is known of acts from the item's side: entries of the items' logs, and of each item the other users who acted on it. */
  item_interactions: TABLE_KEYS,
  /** Pairs of a user and an item that the user was shown or acted on. */
  seen_items: TABLE_KEYS,
  /** Comments with an `event_id`. */
  event_ids: LIST_ELEMENTS,
  /** Pairs of users of whom one follows the other, or did. */
  follows: TABLE_KEYS,
  /** Pairs of users of whom one blocks the other, or did. */
  blocks: TABLE_KEYS,
  /** What sources counted before they last did. */
  former_counts: WIDE_LIST_ELEMENTS,
  /** Different values of one column of items (channels, apps, languages, types, domains, labels). */
  values: 2 ** 28,
  value_bytes: TEXT_BYTES_MAX,
  /** Values that items have in one column that takes several (types, domains, labels). */
  item_values: WIDE_LIST_ELEMENTS,
  /** Wallet addresses that users list. */
  wallets: 2 ** 28,
  wallet_bytes: TEXT_BYTES_MAX,
  /** Of one user: items seen, follows, blocks either way; of one item: users of `item_interactions` beyond its log. */
  per_subject: TABLE_KEYS_MAX,
} as const;

export type StateLimit = keyof typeof STATE_LIMITS;
export type StateLimits = Readonly<Record<StateLimit, number>>;

/** How much of some limits is used, or asked for. */
export type Amounts = Partial<Record<StateLimit, number>>;
