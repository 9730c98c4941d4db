import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { COUNTERS, WALLET_EVENT_TYPES, type WalletEventType } from '../../src/model/acts.ts';
import { NONE } from '../../src/model/key.ts';
import { applyChange } from '../../src/state/apply.ts';
import { engagementSince } from '../../src/state/engagement.ts';
import { State } from '../../src/state/state.ts';
import { TOUCHED } from '../../src/state/touched.ts';
import {
  CONTENT,
  EVENT_KINDS_MAX,
  type EventKind,
  type Habits,
  Vocabulary,
  WALLETS,
} from '../../src/state/vocabulary.ts';
import { check } from '../support/long.ts';

/** A wallet event as a stored change. */
interface Event {
  wallet: number;
  item: number;
  event_type: WalletEventType;
  time: number;
  add: boolean;
}

const USERS = 2;
const ITEMS = 2;
/** The time after all events. */
const NOW = 1000;

const event: fc.Arbitrary<Event> = fc.record({
  wallet: fc.nat(USERS - 1),
  item: fc.nat(ITEMS - 1),
  event_type: fc.constantFrom(...WALLET_EVENT_TYPES),
  time: fc.integer({ min: 1, max: 8 }),
  // HTTP clients cannot remove wallet events, but the state can.
  add: fc.constantFrom(true, true, true, false),
});
const events = fc.array(event, { maxLength: 40, size: 'max' });

function stateOf(happened: readonly Event[]): State {
  const state = new State({ vocabulary: WALLETS });
  let seq = 0;
  const stamp = () => ({ seq: ++seq, applied_at: NOW });
  for (let key = 0; key < USERS; key++)
    applyChange(state, { kind: 'name', space: 'user', key, id: `wallet-${key}`, ...stamp() });
  for (let key = 0; key < ITEMS; key++)
    applyChange(state, { kind: 'name', space: 'item', key, id: `item-${key}`, ...stamp() });
  for (const { wallet, item, event_type, time, add } of happened) {
    applyChange(state, {
      kind: 'interaction',
      user: wallet,
      item,
      event_type: WALLETS.code(event_type),
      timestamp: time,
      action: add ? 1 : 0,
      event_id: '',
      ...stamp(),
    });
  }
  return state;
}

/** The current events, each once, in order of first arrival. */
function standing(happened: readonly Event[]): Event[] {
  const known = new Map<string, Event>();
  for (const one of happened) {
    const identity = [one.wallet, one.item, one.event_type, one.time].join(' ');
    if (known.get(identity)?.add === one.add) continue;
    known.delete(identity);
    known.set(identity, one);
  }
  return [...known.values()].filter(({ add }) => add);
}

/** Whether the wallet holds the item: the last of the latest events that move holdings decides. */
function holds(happened: readonly Event[], wallet: number, item: number): boolean {
  const moving = standing(happened).filter(
    (one) =>
      one.wallet === wallet &&
      one.item === item &&
      ['mint', 'buy', 'swap', 'sell', 'burn', 'transfer'].includes(one.event_type),
  );
  const last = Math.max(...moving.map(({ time }) => time));
  const deciding = moving.findLast(({ time }) => time === last)?.event_type;
  return deciding !== undefined && ['mint', 'buy', 'swap'].includes(deciding);
}

const EVERY_PAIR = [0, 1].flatMap((wallet) => [0, 1].map((item) => ({ wallet, item })));

describe('wallet events', () => {
  test('the latest acquiring or releasing event decides whether a wallet holds an item, in any order of arrival', () => {
    check(400, [events], (happened) => {
      const state = stateOf(happened);
      for (const { wallet, item } of EVERY_PAIR) {
        const flags = state.interactions.touched.flags(wallet, item);
        expect((flags & TOUCHED.interacted) !== 0).toBe(holds(happened, wallet, item));
        expect(flags & (TOUCHED.viewed | TOUCHED.hidden)).toBe(0);
      }
    });
  });

  test("wallet events are identified by their time, and are in the item's log unless they release it", () => {
    check(200, [events], (happened) => {
      const state = stateOf(happened);
      const { by_user, by_item } = state.interactions;
      const facts = standing(happened);
      for (const { wallet, item } of EVERY_PAIR) {
        const own = facts.filter((one) => one.wallet === wallet && one.item === item);
        const entries: string[] = [];
        for (let at = by_user.start(wallet); at < by_user.end(wallet); at++) {
          if (by_user.other(at) !== item || by_user.removed(at)) continue;
          entries.push(`${WALLETS.names[by_user.event_type(at)]} ${by_user.timestamp(at)}`);
        }
        expect(entries.sort()).toEqual(own.map(({ event_type, time }) => `${event_type} ${time}`).sort());
        const given = ['sell', 'burn', 'transfer'];
        let of_item = 0;
        for (let at = by_item.start(item); at < by_item.end(item); at++)
          if (by_item.other(at) === wallet) of_item++;
        expect(of_item).toBe(own.filter(({ event_type }) => !given.includes(event_type)).length);
      }
    });
  });

  test('wallet events count as likes, bids and acquisitions, in total and within windows', () => {
    check(200, [events, fc.integer({ min: 0, max: 9 })], (happened, since) => {
      const state = stateOf(happened);
      const facts = standing(happened);
      const counted = ['mint', 'buy', 'swap', 'bid', 'like'];
      for (let item = 0; item < ITEMS; item++) {
        const of_item = facts.filter((one) => one.item === item);
        const count = (...types: string[]) =>
          of_item.filter(({ event_type }) => types.includes(event_type)).length;
        const shown = COUNTERS.map((counter) => state.items[counter](item));
        expect(shown).toEqual([count('like'), count('bid'), count('mint', 'buy', 'swap')]);
        const later = of_item.filter(({ event_type, time }) => counted.includes(event_type) && time > since);
        expect(engagementSince(state, item, since)).toBe(later.length);
      }
    });
  });

  test('wallet events of a forgotten wallet leave nothing behind', () => {
    check(100, [events], (happened) => {
      const state = stateOf(happened);
      const without = stateOf(happened.filter(({ wallet }) => wallet !== 0));
      applyChange(state, { kind: 'erasure', user: 0, viewer: '', seq: 10_000, applied_at: NOW });
      for (let item = 0; item < ITEMS; item++) {
        expect(state.interactions.touched.flags(0, item)).toBe(0);
        for (const counter of COUNTERS) expect(state.items[counter](item)).toBe(without.items[counter](item));
      }
    });
  });
});

describe('a vocabulary', () => {
  test('a vocabulary gives each type the code of its index, and NONE for unknown names', () => {
    expect(WALLET_EVENT_TYPES.map((name) => WALLETS.code(name))).toEqual(
      WALLET_EVENT_TYPES.map((_, code) => code),
    );
    expect(WALLETS.code('comment')).toBe(NONE);
    expect(CONTENT.code('comment')).toBe(2);
    expect(CONTENT.code('mint')).toBe(NONE);
  });

  test('the content vocabulary keeps hides and reports out of item logs', () => {
    const of_item = CONTENT.names.filter((_, code) => CONTENT.isOfItem(code));
    expect(of_item).toEqual(['view', 'like', 'comment', 'share', 'bookmark']);
    expect(CONTENT.names.filter((_, code) => CONTENT.isIdentifiedByTime(code))).toEqual(['comment']);
    expect(CONTENT.names.some((_, code) => CONTENT.movesHolding(code))).toBe(false);
  });

  test('a vocabulary knows which types hide, approve and are public', () => {
    const kindsOf = (vocabulary: Vocabulary, which: 'isHide' | 'isApproval' | 'isPublic') =>
      vocabulary.names.filter((_, code) => vocabulary[which](code));
    expect(kindsOf(CONTENT, 'isHide')).toEqual(['hide', 'report']);
    expect(kindsOf(CONTENT, 'isApproval')).toEqual(['like', 'comment', 'share', 'bookmark']);
    expect(kindsOf(CONTENT, 'isPublic')).toEqual(['like', 'comment', 'share']);
    expect(kindsOf(WALLETS, 'isHide')).toEqual([]);
    expect(kindsOf(WALLETS, 'isApproval')).toEqual(['mint', 'buy', 'swap', 'bid', 'like']);
    expect(kindsOf(WALLETS, 'isPublic')).toEqual(['mint', 'buy', 'swap', 'bid', 'like']);
  });

  test('types outside item logs refresh the age only where ages count from the last act', () => {
    expect(WALLETS.names.filter((_, code) => WALLETS.refreshesAge(code))).toEqual([
      'sell',
      'transfer',
      'burn',
    ]);
    expect(CONTENT.names.filter((_, code) => CONTENT.refreshesAge(code))).toEqual([]);
  });

  test('a vocabulary rejects more types than an entry of the log has room for', () => {
    const kind: EventKind = { name: 'x', identified_by: 'pair', effect: 'none', of_item: true, interest: 1 };
    const kinds = Array.from({ length: EVENT_KINDS_MAX }, () => kind);
    const habits: Habits = {
      backward: 1,
      fades: true,
      ages_from: 'creation',
      acts_create_items: false,
      user_noun: 'user',
    };
    expect(new Vocabulary(kinds, habits).names.length).toBe(EVENT_KINDS_MAX);
    expect(() => new Vocabulary([...kinds, kind], habits)).toThrow('at most 16');
  });
});
