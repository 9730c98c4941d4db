import { COUNTERS, type Counter, EVENT_TYPES, type EventType, NONE } from './change.ts';
import { TOUCHED } from './touched.ts';

/**
 * What an act does to its user's relation to the item. Of acts that acquire and release, the latest decides
 * (ties by arrival) whether the user holds the item; an item that is held counts as interacted with.
 */
export type Effect = 'interacted' | 'viewed' | 'hidden' | 'acquires' | 'releases' | 'none';

/** One kind of act that users do with items. */
export interface EventKind {
  name: string;
  /**
   * `pair`: one stands per user and item, the later decides. `time`: told apart by `event_id`, else by the
   * moment.
   */
  told_apart: 'pair' | 'time';
  effect: Effect;
  /** It is seen from the item: its user is one of the item's users. */
  of_item: boolean;
  /** What it counts as. */
  counter?: Counter;
  /** How much it says about interest, 0 for nothing, 1 at most. */
  interest: number;
}

/** An act that says so much recommends the item; less is a glance. */
const APPROVAL_INTEREST_MIN = 0.5;

/** Kinds of act at most: as many codes as an entry of the interaction log has room for. */
export const EVENT_KINDS_MAX = 16;

/** What else sets communities apart. */
export interface Habits {
  /**
   * What an act on another item says about what comes after an act on this one when it came before it, against
   * one that came after: 1 where the order of acts does not matter.
   */
  backward: number;
  /** Whether an act counts less the more acts came after it. */
  fades: boolean;
  /** What makes an item old: that it was created long ago, or that the last act on it is long ago. */
  ages_from: 'creation' | 'last act';
}

/** The kinds of act that a community knows; a kind's stored code is its index, so they are append only. */
export class Vocabulary {
  readonly names: readonly string[];
  /** Interest of each code. */
  readonly interest = new Float64Array(EVENT_KINDS_MAX);
  /** Codes of the kinds that each counter counts, as bits … */
  readonly counted: Readonly<Record<Counter, number>>;
  /** … and of those that any counter counts: what others see of an item. */
  readonly counted_by_any: number;
  private readonly code_of: ReadonlyMap<string, number>;
  /** Codes of the kinds of which many may stand per user and item, as bits. */
  readonly told_apart_by_time: number;
  private readonly of_item: number;
  /** Codes of the kinds from which items age although their logs do not hold them, as bits. */
  private readonly heard: number;
  /** Codes of the kinds by which somebody turns an item down, as bits. */
  readonly hiding: number;
  /** Codes of the kinds by which somebody approves of an item, as bits. */
  readonly approving: number;
  /** Codes of the kinds that say something of what their user likes, but less than approval, as bits. */
  readonly glancing: number;
  private readonly counters: readonly (Counter | undefined)[];
  private readonly counter_places: Int8Array;

  constructor(
    private readonly kinds: readonly EventKind[],
    readonly habits: Habits,
  ) {
    if (kinds.length > EVENT_KINDS_MAX) throw new Error(`at most ${EVENT_KINDS_MAX} kinds of act`);
    this.names = kinds.map(({ name }) => name);
    this.code_of = new Map(this.names.map((name, code) => [name, code]));
    for (const [code, { interest }] of kinds.entries()) this.interest[code] = interest;
    this.told_apart_by_time = codes(kinds, ({ told_apart }) => told_apart === 'time');
    this.of_item = codes(kinds, ({ of_item }) => of_item);
    this.heard = habits.ages_from === 'last act' ? codes(kinds, ({ of_item }) => !of_item) : 0;
    this.hiding = codes(kinds, ({ effect }) => effect === 'hidden');
    this.approving = codes(kinds, ({ interest }) => interest >= APPROVAL_INTEREST_MIN);
    this.glancing = codes(kinds, ({ interest }) => interest > 0 && interest < APPROVAL_INTEREST_MIN);
    this.counters = kinds.map(({ counter }) => counter);
    this.counter_places = Int8Array.from(this.counters, (counter) =>
      counter === undefined ? NONE : COUNTERS.indexOf(counter),
    );
    const countedBy = (wanted: Counter) => codes(kinds, ({ counter }) => counter === wanted);
    const [likes_count, comments_count, shares_count] = COUNTERS.map(countedBy);
    this.counted = { likes_count, comments_count, shares_count };
    this.counted_by_any = likes_count | comments_count | shares_count;
  }

  /** The code of a kind, NONE when there is none of this name. */
  code(name: string): number {
    return this.code_of.get(name) ?? NONE;
  }

  effect(code: number): Effect {
    return this.kinds[code].effect;
  }

  /** The counter that a kind moves. */
  counter(code: number): Counter | undefined {
    return this.counters[code];
  }

  /** The place of that counter in `COUNTERS`; NONE without one. */
  counterPlace(code: number): number {
    return this.counter_places[code];
  }

  isToldApartByTime(code: number): boolean {
    return holds(this.told_apart_by_time, code);
  }

  isOfItem(code: number): boolean {
    return holds(this.of_item, code);
  }

  /** The item's log does not hold it, and the item is no older than it all the same. */
  isHeard(code: number): boolean {
    return holds(this.heard, code);
  }

  /** Its user does not want to see the item, nor many like it. */
  isHide(code: number): boolean {
    return holds(this.hiding, code);
  }

  /** Its user wants the item, and more like it. */
  isApproval(code: number): boolean {
    return holds(this.approving, code);
  }

  /** Others see it: some counter of the item counts it. */
  isPublic(code: number): boolean {
    return holds(this.counted_by_any, code);
  }

  /** The kind has a say in who holds an item. */
  movesHolding(code: number): boolean {
    const effect = this.effect(code);
    return effect === 'acquires' || effect === 'releases';
  }

  /** The bit of `TOUCHED` that stands while such an act does; 0 for none. */
  touches(code: number): number {
    return TOUCHED_BY[this.effect(code)];
  }
}

/** What a user holds must not be recommended again, and that is what `interacted` says. */
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
  view: { told_apart: 'pair', effect: 'viewed', of_item: true, interest: 0.2 },
  like: { told_apart: 'pair', effect: 'interacted', of_item: true, counter: 'likes_count', interest: 1 },
  comment: {
    told_apart: 'time',
    effect: 'interacted',
    of_item: true,
    counter: 'comments_count',
    interest: 1,
  },
  share: { told_apart: 'pair', effect: 'interacted', of_item: true, counter: 'shares_count', interest: 1 },
  bookmark: { told_apart: 'pair', effect: 'interacted', of_item: true, interest: 1 },
  // The user's own business: they do not count among an item's users.
  hide: { told_apart: 'pair', effect: 'hidden', of_item: false, interest: 0 },
  report: { told_apart: 'pair', effect: 'hidden', of_item: false, interest: 0 },
};

/** What users do with posts. */
export const CONTENT = new Vocabulary(
  EVENT_TYPES.map((name) => ({ name, ...CONTENT_KINDS[name] })),
  // People rarely go back to old posts.
  { backward: 0.1, fades: true, ages_from: 'creation' },
);

/** Kinds of wallet event, in the order of their stored codes: append only. */
export const WALLET_EVENT_TYPES = [
  'mint',
  'buy',
  'sell',
  'swap',
  'transfer',
  'bid',
  'list',
  'burn',
  'like',
  'view',
] as const;
export type WalletEventType = (typeof WALLET_EVENT_TYPES)[number];

/** What one wallet event is, whatever its kind: each is an event of its own. */
function onChain(kind: Omit<EventKind, 'name' | 'told_apart'>): Omit<EventKind, 'name'> {
  return { told_apart: 'time', ...kind };
}

const ACQUISITION = onChain({ effect: 'acquires', of_item: true, counter: 'shares_count', interest: 1 });
/** Whoever gives an item away wanted it once, which the acquisition has said. */
const RELEASE = onChain({ effect: 'releases', of_item: false, interest: 0 });

const WALLET_KINDS: Readonly<Record<WalletEventType, Omit<EventKind, 'name'>>> = {
  mint: ACQUISITION,
  buy: ACQUISITION,
  sell: RELEASE,
  swap: ACQUISITION,
  transfer: RELEASE,
  bid: onChain({ effect: 'none', of_item: true, counter: 'comments_count', interest: 0.7 }),
  // An offer to sell says what the wallet has, not what it wants.
  list: onChain({ effect: 'none', of_item: true, interest: 0.1 }),
  burn: RELEASE,
  like: onChain({ effect: 'none', of_item: true, counter: 'likes_count', interest: 1 }),
  view: onChain({ effect: 'none', of_item: true, interest: 0.2 }),
};

/**
 * What wallets do with tokens and NFTs. Counters: likes; bids as comments; acquisitions as shares, of which
 * each puts one more copy into somebody's hands.
 */
export const WALLETS = new Vocabulary(
  WALLET_EVENT_TYPES.map((name) => ({ name, ...WALLET_KINDS[name] })),
  // What one holds does not age, and what others acquired earlier is still there to be acquired. What is traded
  // is alive however long ago it was made.
  { backward: 1, fades: false, ages_from: 'last act' },
);
