import { ServiceError } from '../errors.ts';
import type { Change } from '../model/change.ts';
import type { Amounts, StateLimit, StateLimits } from '../state/limits.ts';
import type { State } from '../state/state.ts';
import { usageOf } from '../state/usage.ts';
import { addTo, amountsOf } from './amounts.ts';

export interface CapacityEstimate {
  /** An upper bound without lookups. Does not include `per_subject`. */
  readonly at_most: Amounts;
  /**
   * The exact amounts, which are not more: nothing for removals and repetitions.
   *
   * `per_subject` is the keys of the fullest table that it adds to, plus the added ones.
   */
  exactly(): Amounts;
}

/** Counted per user and item. All of them add to `per_subject`. */
const IN_TABLES = ['acted_items', 'item_interactions', 'follows', 'blocks'] as const satisfies StateLimit[];

/**
 * Computes the free capacity of the state.
 *
 * Queued changes count as applied. Therefore everything that is stored can be applied, and `apply` never meets a limit.
 */
export class StateCapacity {
  private readonly reserved: Amounts = {};

  constructor(private readonly state: State) {}

  free(): Record<StateLimit, number> {
    const { limits } = this.state.setup;
    const free = { ...limits };
    const used = usageOf(this.state);
    for (const name of Object.keys(free) as StateLimit[])
      free[name] -= used[name] + (this.reserved[name] ?? 0);
    free.per_subject -= inTables(this.reserved);
    return free;
  }

  /** The used share of each limit. For limits per user or item, the highest share that one ever reached. */
  shares(): Record<StateLimit, number> {
    const shares = { ...usageOf(this.state), per_subject: this.fullest };
    for (const name of Object.keys(shares) as StateLimit[]) shares[name] /= this.limits[name];
    return shares;
  }

  /** Keys of the fullest table that any user or item ever had. */
  get fullest(): number {
    const { interactions, follows, blocks } = this.state;
    return Math.max(interactions.fullest, follows.fullest, blocks.fullest);
  }

  get limits(): StateLimits {
    return this.state.setup.limits;
  }

  reserve(amounts: Amounts): void {
    addTo(this.reserved, amounts);
  }

  release(amounts: Amounts): void {
    addTo(this.reserved, amounts, -1);
  }
}

/** Changes that are prepared and queued in one turn of the event loop. */
export class ChangeBatch {
  readonly changes: Change[] = [];
  readonly amounts: Amounts = {};
  private free: Record<StateLimit, number> | undefined;

  constructor(private readonly capacity: StateCapacity) {}

  get length(): number {
    return this.changes.length;
  }

  push(change: Change): void {
    this.changes.push(change);
    addTo(this.amounts, amountsOf(change));
  }

  /** Checks the room for a record. Call before its keys are assigned and its changes added. */
  require(estimate: CapacityEstimate): void {
    const in_tables = inTables(estimate.at_most);
    const per_subject = in_tables > 0 ? this.capacity.fullest + in_tables : 0;
    if (this.exceeded({ ...estimate.at_most, per_subject }) === undefined) return;
    const limit = this.exceeded(estimate.exactly());
    if (limit !== undefined) throw stateFull(limit, this.capacity.limits[limit]);
  }

  private exceeded(amounts: Amounts): StateLimit | undefined {
    this.free ??= this.capacity.free();
    for (const name in amounts) {
      const limit = name as StateLimit;
      const amount = amounts[limit] ?? 0;
      const pending = limit === 'per_subject' ? inTables(this.amounts) : (this.amounts[limit] ?? 0);
      if (amount > 0 && amount + pending > this.free[limit]) return limit;
    }
    return undefined;
  }
}

function inTables(amounts: Amounts): number {
  return IN_TABLES.reduce((sum, name) => sum + (amounts[name] ?? 0), 0);
}

/** The text of each limit in `the state can hold no more …`. */
const WORDS: Readonly<Record<StateLimit, string>> = {
  users: 'users',
  user_id_bytes: 'bytes of user identifiers',
  user_keys: 'users that were ever named',
  items: 'items',
  item_id_bytes: 'bytes of item identifiers',
  item_keys: 'items that were ever named',
  interactions: 'interactions',
  item_interactions: 'interactions by item',
  acted_items: 'items that users acted on',
  event_ids: 'comments with an event_id',
  follows: 'follows',
  blocks: 'blocks',
  lists: 'lists of users',
  list_entries: 'members of lists of users',
  users_with_preferences: 'users with preferences',
  preferences_bytes: 'bytes of preferences',
  former_counts: 'former counts of items',
  values: 'different values of one column of items',
  value_bytes: 'bytes of values of one column of items',
  item_values: 'values of items in one column',
  embedding_bytes: 'bytes of embeddings',
  wallets: 'wallet addresses',
  wallet_bytes: 'bytes of wallet addresses',
  per_subject: 'items, follows or blocks of one user, or users of one item',
};

const KEYS: readonly StateLimit[] = ['user_keys', 'item_keys'];
const MAKE_ROOM = 'deletions, removals and reads go on: delete unneeded data, or let old items retire';
const BEGIN_ANEW = 'reads and deletions go on: export the data and import it into an empty folder';

function stateFull(limit: StateLimit, max: number): ServiceError {
  const remedy = KEYS.includes(limit) ? BEGIN_ANEW : MAKE_ROOM;
  const held = `${WORDS[limit]} (limit ${max.toLocaleString('en-US')})`;
  return new ServiceError('state_full', `the state can hold no more ${held}; ${remedy}`);
}
