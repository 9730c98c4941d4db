import {
  COUNTERS,
  type Counter,
  EVENT_TYPES,
  type EventType,
  WALLET_EVENT_TYPES,
  type WalletEventType,
} from '../model/acts.ts';
import { NONE } from '../model/key.ts';
import { TOUCHED } from './touched.ts';

/**
 * How an act changes its user's relation to the item.
 *
 * The latest of acquiring and releasing acts (ties by arrival) decides whether the user holds the item. A held item
 * counts as interacted with.
 */
export type Effect = 'interacted' | 'viewed' | 'hidden' | 'acquires' | 'releases' | 'none';

export interface EventKind {
  name: string;
  /** `pair`: one act per user and item, the later wins. `time`: identified by `event_id`, or else by the timestamp. */
  identified_by: 'pair' | 'time';
  effect: Effect;
  /** Whether the item's log holds such acts, which makes the user one of the item's users. */
  of_item: boolean;
  counter?: Counter;
  /** How much it shows interest, from 0 to 1. */
  interest: number;
}

/** Acts of at least this interest recommend the item. Lower ones are glances. */
export const APPROVAL_INTEREST_MIN = 0.5;

/** The maximum number of event types: an entry of the interaction log has room for this many codes. */
export const EVENT_KINDS_MAX = 16;

export interface Habits {
  /**
   * The weight of items that other users acted on before this item, relative to items that they acted on after it.
   *
   * 1 if the order of acts does not matter.
   */
  backward: number;
  /** Whether an act counts less the more acts follow it. */
  fades: boolean;
  /** The age of an item counts from its creation, or from the last act on it. */
  ages_from: 'creation' | 'last act';
  /** Whether an item exists as soon as there is an act on it, and is as old as that act unless a record dates it. */
  acts_create_items: boolean;
  user_noun: 'user' | 'wallet';
}

/** The event types of a community. The index of a type is its stored code, so the list is append only. */
export class Vocabulary {
  readonly names: readonly string[];
  readonly interest = new Float64Array(EVENT_KINDS_MAX);
  /** The codes that each counter counts, as bits. */
  readonly counted: Readonly<Record<Counter, number>>;
  /** The codes that any counter counts, as bits. These acts are public. */
  readonly counted_by_any: number;
  private readonly code_of: ReadonlyMap<string, number>;
  /** The codes of types that may have many acts per user and item, as bits. */
  readonly identified_by_time: number;
  private readonly of_item: number;
  /** The codes that refresh an item's age although its log does not hold them, as bits. */
  private readonly age_refreshing: number;
  /** The codes of acts that reject an item, as bits. */
  readonly hiding: number;
  /** The codes of acts that approve of an item, as bits. */
  readonly approving: number;
  /** The codes of acts that show interest below approval, as bits. */
  readonly weak_interest: number;
  private readonly counters: readonly (Counter | undefined)[];
  private readonly counter_places: Int8Array;

  constructor(
    private readonly kinds: readonly EventKind[],
    readonly habits: Habits,
  ) {
    if (kinds.length > EVENT_KINDS_MAX) throw new Error(`at most ${EVENT_KINDS_MAX} event types are allowed`);
    this.names = kinds.map(({ name }) => name);
    this.code_of = new Map(this.names.map((name, code) => [name, code]));
    for (const [code, { interest }] of kinds.entries()) this.interest[code] = interest;
    this.identified_by_time = codes(kinds, ({ identified_by }) => identified_by === 'time');
    this.of_item = codes(kinds, ({ of_item }) => of_item);
    this.age_refreshing = habits.ages_from === 'last act' ? codes(kinds, ({ of_item }) => !of_item) : 0;
    this.hiding = codes(kinds, ({ effect }) => effect === 'hidden');
    this.approving = codes(kinds, ({ interest }) => interest >= APPROVAL_INTEREST_MIN);
    this.weak_interest = codes(kinds, ({ interest }) => interest > 0 && interest < APPROVAL_INTEREST_MIN);
    this.counters = kinds.map(({ counter }) => counter);
    this.counter_places = Int8Array.from(this.counters, (counter) =>
      counter === undefined ? NONE : COUNTERS.indexOf(counter),
    );
    const countedBy = (wanted: Counter) => codes(kinds, ({ counter }) => counter === wanted);
    const [likes_count, comments_count, shares_count] = COUNTERS.map(countedBy);
    this.counted = { likes_count, comments_count, shares_count };
    this.counted_by_any = likes_count | comments_count | shares_count;
  }

  /** The code of an event type. NONE if unknown. */
  code(name: string): number {
    return this.code_of.get(name) ?? NONE;
  }

  effect(code: number): Effect {
    return this.kinds[code].effect;
  }

  counter(code: number): Counter | undefined {
    return this.counters[code];
  }

  counterPlace(code: number): number {
    return this.counter_places[code];
  }

  isIdentifiedByTime(code: number): boolean {
    return holds(this.identified_by_time, code);
  }

  isOfItem(code: number): boolean {
    return holds(this.of_item, code);
  }

  /** Whether acts of this type refresh an item's age although its log does not hold them. */
  refreshesAge(code: number): boolean {
    return holds(this.age_refreshing, code);
  }

  /** Whether the user rejects the item and similar ones. */
  isHide(code: number): boolean {
    return holds(this.hiding, code);
  }

  /** Whether the user wants the item and similar ones. */
  isApproval(code: number): boolean {
    return holds(this.approving, code);
  }

  /** Whether a counter of the item counts it. */
  isPublic(code: number): boolean {
    return holds(this.counted_by_any, code);
  }

  /** Whether acts of this type affect which users hold an item. */
  movesHolding(code: number): boolean {
    const effect = this.effect(code);
    return effect === 'acquires' || effect === 'releases';
  }

  /** The bit of `TOUCHED` that such an act sets. 0 for none. */
  touches(code: number): number {
    return TOUCHED_BY[this.effect(code)];
  }
}

/** `interacted` includes held items, as these must not be recommended again. */
const TOUCHED_BY: Readonly<Record<Effect, number>> = {
  interacted: TOUCHED.interacted,
  viewed: TOUCHED.viewed,
  hidden: TOUCHED.hidden,
  acquires: TOUCHED.interacted,
  releases: 0,
  none: 0,
};

function holds(bits: number, code: number): boolean {
  return ((bits >> code) & 1) === 1;
}

function codes(kinds: readonly EventKind[], wanted: (kind: EventKind) => boolean): number {
  return kinds.reduce((bits, kind, code) => bits | (wanted(kind) ? 1 << code : 0), 0);
}

const CONTENT_KINDS: Readonly<Record<EventType, Omit<EventKind, 'name'>>> = {
  view: { identified_by: 'pair', effect: 'viewed', of_item: true, interest: 0.2 },
  like: { identified_by: 'pair', effect: 'interacted', of_item: true, counter: 'likes_count', interest: 1 },
  comment: {
    identified_by: 'time',
    effect: 'interacted',
    of_item: true,
    counter: 'comments_count',
    interest: 1,
  },
  share: { identified_by: 'pair', effect: 'interacted', of_item: true, counter: 'shares_count', interest: 1 },
  bookmark: { identified_by: 'pair', effect: 'interacted', of_item: true, interest: 1 },
  // These acts are private, so their users are not among the item's users.
  hide: { identified_by: 'pair', effect: 'hidden', of_item: false, interest: 0 },
  report: { identified_by: 'pair', effect: 'hidden', of_item: false, interest: 0 },
};

export const CONTENT = new Vocabulary(
  EVENT_TYPES.map((name) => ({ name, ...CONTENT_KINDS[name] })),
  // People rarely return to old posts.
  { backward: 0.1, fades: true, ages_from: 'creation', acts_create_items: false, user_noun: 'user' },
);

/** A wallet event. Each is a separate event, whatever its type. */
function onChain(kind: Omit<EventKind, 'name' | 'identified_by'>): Omit<EventKind, 'name'> {
  return { identified_by: 'time', ...kind };
}

const ACQUISITION = onChain({ effect: 'acquires', of_item: true, counter: 'shares_count', interest: 1 });
/** A release shows no new interest. The earlier acquisition counted already. */
const RELEASE = onChain({ effect: 'releases', of_item: false, interest: 0 });

const WALLET_KINDS: Readonly<Record<WalletEventType, Omit<EventKind, 'name'>>> = {
  mint: ACQUISITION,
  buy: ACQUISITION,
  sell: RELEASE,
  swap: ACQUISITION,
  transfer: RELEASE,
  bid: onChain({ effect: 'none', of_item: true, counter: 'comments_count', interest: 0.7 }),
  // An offer to sell shows what the wallet has, not what it wants.
  list: onChain({ effect: 'none', of_item: true, interest: 0.1 }),
  burn: RELEASE,
  like: onChain({ effect: 'none', of_item: true, counter: 'likes_count', interest: 1 }),
  view: onChain({ effect: 'none', of_item: true, interest: 0.2 }),
};

/**
 * The event types of wallets for tokens and NFTs.
 *
 * Counters: likes, bids as comments, and acquisitions as shares, since each gives one more copy to a user.
 */
export const WALLETS = new Vocabulary(
  WALLET_EVENT_TYPES.map((name) => ({ name, ...WALLET_KINDS[name] })),
  // Held items do not age, and items that others acquired earlier are still available. Traded items stay
  // current however old they are.
  { backward: 1, fades: false, ages_from: 'last act', acts_create_items: true, user_noun: 'wallet' },
);
