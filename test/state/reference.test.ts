import { describe, expect, test } from 'bun:test';
import type { Postings } from '../../src/columns/postings.ts';
import { clamped, EVENT_CODE, EVENT_TYPES } from '../../src/model/acts.ts';
import { NONE } from '../../src/model/key.ts';
import { applyChange, timeOfAct } from '../../src/state/apply.ts';
import { engagementSince } from '../../src/state/engagement.ts';
import { State } from '../../src/state/state.ts';
import { TOUCHED } from '../../src/state/touched.ts';
import { CONTENT } from '../../src/state/vocabulary.ts';
import { check } from '../support/long.ts';
import {
  CHANNELS,
  fold,
  type HistoryOptions,
  ITEM_IDS,
  randomChanges,
  USER_IDS,
  WALLETS,
} from '../support/random-changes.ts';
import { ReferenceState } from '../support/reference-state.ts';

const RUNS = 40;

const FEW_ITEMS = { items: ['i0', 'i1'], users: ['u0', 'u1', 'u2'] };

/** Compares the state after random changes with the reference. Both must know the same names. */
function agree(
  compare: (state: State, reference: ReferenceState) => void,
  histories: HistoryOptions = {},
): void {
  check(RUNS, [randomChanges(histories)], (changes) => {
    const reference = new ReferenceState();
    for (const change of changes) reference.apply(change);
    const state = fold(changes);
    const known = (names: State['users']['names'], ids: string[]) =>
      ids.filter((id) => names.find(id) !== NONE);
    expect(known(state.users.names, USER_IDS)).toEqual([...reference.users.keys()].sort());
    expect(known(state.items.names, ITEM_IDS)).toEqual([...reference.items.keys()].sort());
    compare(state, reference);
  });
}

/** Calls `compare` with the identifier and ordinal of every known user and item. */
function pairs(
  state: State,
  reference: ReferenceState,
  compare: (user: string, item: string, user_ordinal: number, item_ordinal: number) => void,
): void {
  for (const user of reference.users.keys()) {
    for (const item of reference.items.keys()) {
      compare(user, item, state.users.names.find(user), state.items.names.find(item));
    }
  }
}

/** Every time of an event of an item, and the times right before and after it. */
function moments(reference: ReferenceState, id: string): number[] {
  const { content, counted } = reference.items.get(id)!;
  const acts = reference.facts.filter(({ item }) => item === id).map(({ time }) => time);
  const counts = counted.flat().map(({ time }) => time);
  const around = [0, content?.created_at ?? 1, ...acts, ...counts];
  return [...new Set(around)].flatMap((time) => [time - 0.001, time, time + 0.001]);
}

function newestFirst(state: State, postings: Postings, value: number): string[] {
  const ids: string[] = [];
  for (let at = postings.end(value) - 1; at >= postings.start(value); at--) {
    ids.push(state.items.names.id(postings.item(at)));
  }
  return ids;
}

describe('the state and a naive reference', () => {
  test('the state agrees with the reference on follows, in both directions', () =>
    agree((state, { users, follows }) => {
      for (const user of users.keys()) {
        const ordinal = state.users.names.find(user);
        const following = [...users.keys()].filter((target) => follows.get(`${user} ${target}`)?.stands);
        const followers = [...users.keys()].filter((other) => follows.get(`${other} ${user}`)?.stands);
        const idOf = (other: number) => state.users.names.id(other);
        expect(state.follows.following(ordinal).map(idOf).sort()).toEqual(following.sort());
        expect(state.follows.followers(ordinal).map(idOf).sort()).toEqual(followers.sort());
        expect(state.follows.count(ordinal)).toBe(following.length);
        const counted = followers.filter((other) => !users.get(other)!.hidden);
        expect(state.follows.followerCount(ordinal)).toBe(counted.length);
        for (const count of [0, 0.5, 1, 2])
          expect(state.follows.hasMoreFollowers(ordinal, count)).toBe(counted.length > count);
      }
      const standing = [...follows].filter(([, { stands }]) => stands).map(([pair]) => pair.split(' ')[0]);
      expect(state.follows.counted).toBe(standing.filter((user) => !users.get(user)!.hidden).length);
    }));

  test('the state agrees with the reference on lists of users', () =>
    agree((state, { users, lists }) => {
      expect(state.user_lists.ids()).toEqual([...lists.keys()].sort());
      const sizes = [...lists.values()].map(({ members }) => members.size);
      expect(state.user_lists.entries).toBe(sizes.reduce((sum, size) => sum + size, 0));
      for (const [list_id, { name, members }] of lists) {
        const list = state.user_lists.get(list_id)!;
        const ids = list.users().map((user) => state.users.names.id(user));
        expect([list.name, list.size, ids.sort()]).toEqual([name, members.size, [...members.keys()].sort()]);
        for (const user of users.keys())
          expect(list.has(state.users.names.find(user))).toBe(members.has(user));
        expect(list.has(NONE)).toBe(false);
      }
    }));

  test('the state agrees with the reference on blocks', () =>
    agree((state, { users, blocks }) => {
      for (const user of users.keys()) {
        const blocked = [...users.keys()].filter((target) => blocks.has(`${user} ${target}`));
        const ordinals = state.blocks.blocked(state.users.names.find(user));
        expect(ordinals.map((other) => state.users.names.id(other)).sort()).toEqual(blocked.sort());
      }
    }));

  test('the state agrees with the reference on current interactions, in both logs', () =>
    agree((state, reference) => {
      const { by_user, by_item } = state.interactions;
      pairs(state, reference, (user, item, user_ordinal, item_ordinal) => {
        const facts = reference.standing(user, item);
        const expected = facts.map(({ event_type, time }) => `${EVENT_TYPES[event_type]} ${time}`).sort();
        const logged: string[] = [];
        for (let at = by_user.start(user_ordinal); at < by_user.end(user_ordinal); at++) {
          if (by_user.other(at) !== item_ordinal || by_user.removed(at)) continue;
          logged.push(`${EVENT_TYPES[by_user.event_type(at)]} ${by_user.timestamp(at)}`);
        }
        expect(logged.sort()).toEqual(expected);
        const of_item: string[] = [];
        for (let at = by_item.start(item_ordinal); at < by_item.end(item_ordinal); at++) {
          if (by_item.other(at) !== user_ordinal) continue;
          expect(by_item.removed(at)).toBe(reference.users.get(user)!.hidden);
          of_item.push(`${EVENT_TYPES[by_item.event_type(at)]} ${by_item.timestamp(at)}`);
        }
        expect(of_item.sort()).toEqual(expected.filter((act) => !/^(hide|report)/.test(act)));
      });
    }));

  test('the state agrees with the reference on viewed, interacted and hidden items', () =>
    agree((state, reference) => {
      pairs(state, reference, (user, item, user_ordinal, item_ordinal) => {
        const flags = state.interactions.touched.flags(user_ordinal, item_ordinal);
        const types = reference.standing(user, item).map(({ event_type }) => EVENT_TYPES[event_type]);
        const some = (...wanted: string[]) => types.some((type) => wanted.includes(type));
        expect((flags & TOUCHED.viewed) !== 0).toBe(some('view'));
        expect((flags & TOUCHED.interacted) !== 0).toBe(some('like', 'comment', 'share', 'bookmark'));
        expect((flags & TOUCHED.hidden) !== 0).toBe(some('hide', 'report'));
      });
    }));

  test('the state agrees with the reference on shown counts', () =>
    agree((state, reference) => {
      for (const id of reference.items.keys()) {
        const item = state.items.names.find(id);
        const { items } = state;
        const shown = [items.likes_count(item), items.comments_count(item), items.shares_count(item)];
        expect(shown).toEqual(reference.counts(id));
      }
    }));

  test('the state agrees with the reference on engagement since any time', () =>
    agree((state, reference) => {
      for (const id of reference.items.keys()) {
        const item = state.items.names.find(id);
        for (const since of moments(reference, id)) {
          const expected = reference.engagementSince(id, since);
          expect([since, engagementSince(state, item, since)]).toEqual([since, expected]);
        }
      }
      // Few items, so that much happens to each.
    }, FEW_ITEMS));

  test("the state agrees with the reference on an author's, a channel's and all items, newest first", () =>
    agree((state, reference) => {
      for (const user of reference.users.keys()) {
        const posts = newestFirst(state, state.by_author, state.users.names.find(user));
        expect(posts).toEqual(reference.postsOf(user));
      }
      for (const channel of CHANNELS) {
        const code = state.groups.channel.code(channel);
        const listed = code === NONE ? [] : newestFirst(state, state.groups.channel.postings, code);
        const expected = reference
          .described()
          .filter((id) => reference.items.get(id)!.content!.channel === channel);
        expect(listed.sort()).toEqual(expected.sort());
      }
      expect(newestFirst(state, state.by_time, 0).sort()).toEqual(reference.described().sort());
    }));

  test('the state agrees with the reference on live items and wallet owners', () =>
    agree((state, reference) => {
      for (const [id, { content, author }] of reference.items) {
        const author_hidden = author !== undefined && reference.users.get(author)!.hidden;
        const hidden = content?.hidden === true || reference.isHiddenByLabel('item', id);
        const live = content !== undefined && !hidden && !author_hidden;
        expect(state.live(state.items.names.find(id))).toBe(live);
      }
      for (const wallet of WALLETS) {
        const user = state.users.ofWallet(wallet);
        expect(user === undefined ? undefined : state.users.names.id(user)).toBe(reference.ofWallet(wallet));
      }
    }));
});

describe('predicting changes', () => {
  test('wouldChange of interactions is true exactly if recording changes the state as described', () => {
    check(RUNS, [randomChanges()], (changes) => {
      const state = new State();
      for (const change of changes) {
        if (change.kind !== 'interaction') {
          applyChange(state, change);
          continue;
        }
        const user = state.users.names.ordinal(change.user);
        const item = state.items.names.ordinal(change.item);
        const time = timeOfAct(CONTENT, change, change.applied_at);
        const act = { ...change, user, item, time, add: change.action === 1 };
        if (user === NONE || item === NONE) continue;
        const { interactions } = state;
        const stood = interactions.stands(act);
        const news = interactions.wouldChange(act);
        const length = interactions.by_user.length(user);
        expect(interactions.record(act)).toBe(news);
        expect(interactions.stands(act)).toBe(news ? act.add : stood);
        expect(interactions.wouldChange(act)).toBe(false);
        expect(interactions.by_user.length(user) - length).toBeLessThanOrEqual(news ? 1 : 0);
        if (act.event_type === EVENT_CODE.comment || !news) continue;
        expect(interactions.wouldChange({ ...act, time: time - 0.001, add: !act.add })).toBe(false);
        expect(interactions.wouldChange({ ...act, time: time + 0.001 })).toBe(true);
      }
    });
  });

  test('wouldChange of follows is true exactly if recording changes the state', () => {
    check(RUNS, [randomChanges()], (changes) => {
      const state = new State();
      for (const change of changes) {
        if (change.kind !== 'follow') {
          applyChange(state, change);
          continue;
        }
        const user = state.users.names.ordinal(change.user);
        const target = state.users.names.ordinal(change.target);
        if (user === NONE || target === NONE) continue;
        const time = clamped(change.timestamp, change.applied_at);
        const add = change.action === 1;
        const news = state.follows.wouldChange(user, target, add, time);
        const stood = state.follows.follows(user, target);
        expect(state.follows.record(user, target, add, time)).toBe(news);
        expect(state.follows.follows(user, target)).toBe(news ? add : stood);
        expect(state.follows.wouldChange(user, target, add, time)).toBe(false);
      }
    });
  });
});
