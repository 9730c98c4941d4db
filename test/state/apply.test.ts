import { describe, expect, spyOn, test } from 'bun:test';
import { imageOf } from '../../src/columns/image.ts';
import type { Change } from '../../src/model/change.ts';
import type { InteractionChange } from '../../src/model/changes/interaction.ts';
import { NONE } from '../../src/model/key.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { WALLETS } from '../../src/state/vocabulary.ts';
import { itemOf, NOW, Scene } from '../support/scene.ts';

function touched(scene: Scene, user: string, item: string): number {
  return scene.state.interactions.touched.flags(scene.state.users.names.find(user), itemOf(scene, item));
}

function likes(scene: Scene, item: string): number {
  return scene.state.items.likes_count(itemOf(scene, item));
}

/** The number of entries in a user's log, including removed ones. */
function logged(scene: Scene, user: string): number {
  return scene.state.interactions.by_user.length(scene.state.users.names.find(user));
}

describe('deleting an item', () => {
  test('a deleted item loses its acts', () => {
    const scene = new Scene().item('a', { author: 'author' }).count('a', 7);
    scene.act('one', 'like', 'a').act('two', 'hide', 'a').act('three', 'view', 'a');
    scene.act('four', 'like', 'a').unact('four', 'like', 'a').delete('a');
    for (const user of ['one', 'two', 'three', 'four'])
      expect([touched(scene, user, 'a'), logged(scene, user)]).toEqual([0, 0]);
    scene.item('a', { author: 'author' });
    expect([likes(scene, 'a'), scene.state.live(itemOf(scene, 'a'))]).toEqual([0, true]);
  });

  test('an item stays deleted when late acts and counts arrive, and has the acts when posted again', () => {
    const scene = new Scene().item('a').delete('a').act('one', 'like', 'a').count('a', 5);
    expect(scene.state.live(itemOf(scene, 'a'))).toBe(false);
    scene.item('a');
    expect(likes(scene, 'a')).toBe(1);
  });

  test('a deleted item is forgotten with its author', () => {
    const scene = new Scene()
      .item('a', { author: 'author' })
      .delete('a')
      .act('one', 'like', 'a')
      .erase('author');
    expect(itemOf(scene, 'a')).toBe(NONE);
    expect(logged(scene, 'one')).toBe(0);
    expect(scene.state.withdrawn.of(0)).toEqual([]);
    expect(scene.state.withdrawn.of(1)).toEqual([]);
  });

  test('a deleted item is forgotten with the author that its purged deletion names', () => {
    const stamp = { seq: 1, applied_at: NOW };
    const state = new State();
    const changes: Change[] = [
      { kind: 'name', space: 'user', key: 4, id: 'author', ...stamp },
      { kind: 'name', space: 'item', key: 9, id: 'a', ...stamp },
      { kind: 'deletion', item: 9, author: 4, ...stamp },
      { kind: 'erasure', user: 4, viewer: '', ...stamp },
    ];
    for (const change of changes) applyChange(state, change);
    expect(state.items.names.find('a')).toBe(NONE);
  });

  test('an item that another user posted again survives the erasure of its first author', () => {
    const stamp = { seq: 1, applied_at: NOW };
    const state = new State();
    const changes: Change[] = [
      { kind: 'name', space: 'user', key: 1, id: 'first', ...stamp },
      { kind: 'name', space: 'user', key: 3, id: 'last', ...stamp },
      { kind: 'name', space: 'item', key: 0, id: 'a', ...stamp },
      { kind: 'item', item: 0, author: 1, content: { created_at: NOW }, ...stamp },
      { kind: 'deletion', item: 0, ...stamp },
      // Key 2 was just purged, key 1 is next.
      { kind: 'item', item: 0, author: 2, content: { created_at: NOW }, ...stamp },
      { kind: 'erasure', user: 1, viewer: '', ...stamp },
      { kind: 'item', item: 0, author: 3, content: { created_at: NOW }, ...stamp },
    ];
    for (const change of changes) applyChange(state, change);
    const item = state.items.names.find('a');
    expect([item, state.items.author(item)]).toEqual([0, state.users.names.find('last')]);
  });

  test('an item that an erased author had posted again accepts counts', () => {
    const stamp = { seq: 1, applied_at: NOW };
    const counts = { likes_count: 3, comments_count: NONE, shares_count: NONE, updated_at: NOW };
    const state = new State();
    const changes: Change[] = [
      { kind: 'name', space: 'item', key: 0, id: 'a', ...stamp },
      { kind: 'deletion', item: 0, ...stamp },
      // Key 7 was purged. The version below by another author is all that remains of the item.
      { kind: 'item', item: 0, author: 7, content: { created_at: NOW }, ...stamp },
      { kind: 'engagement', item: 0, ...counts, ...stamp },
      { kind: 'item', item: 0, author: NONE, content: { created_at: NOW }, ...stamp },
    ];
    for (const change of changes) applyChange(state, change);
    expect([state.items.likes_count(0), state.live(0)]).toEqual([3, true]);
  });
});

describe('counts', () => {
  test('of source counts with equal times, the last to arrive wins', () => {
    const scene = new Scene().item('a').count('a', 3).count('a', 5);
    expect(likes(scene, 'a')).toBe(5);
  });

  test('source counts older than the known count change nothing', () => {
    const scene = new Scene().item('a').count('a', 3);
    scene.now = NOW - 1;
    expect(likes(scene.count('a', 9), 'a')).toBe(3);
  });

  test('likes, including those that the source counted, update rankings, and views do not', () => {
    const scene = new Scene().item('a').count('a', 3);
    const { version } = scene.state.changed;
    scene.act('u', 'view', 'a').act('u', 'hide', 'a').act('u', 'bookmark', 'a');
    expect(scene.state.changed.version).toBe(version);
    expect(scene.act('u', 'like', 'a', NOW - 5).state.changed.version).toBe(version + 1);
    scene.now = NOW + 1;
    expect(scene.act('v', 'like', 'a').state.changed.version).toBe(version + 2);
  });
});

describe('comments', () => {
  const act = { user: 0, item: 0, event_type: 2, add: true, time: 10 };
  const [one, two] = ['one', 'two'].map((event_id) => ({ ...act, event_id }));

  test('comments of one moment with different identifiers are separate, and each is removed alone', () => {
    const { interactions } = new State();
    interactions.record(one);
    interactions.record(two);
    interactions.record({ ...two, add: false });
    expect([interactions.stands(one), interactions.stands(two)]).toEqual([true, false]);
    expect(interactions.record(one)).toBe(false);
    expect(interactions.by_item.length(0)).toBe(1);
  });

  test('comments are forgotten with their item, so a returning identifier is new', () => {
    const { interactions } = new State();
    interactions.record(one);
    interactions.eraseItems([0]);
    interactions.record(two);
    expect(interactions.record({ ...one, time: 5 })).toBe(true);
    expect(interactions.by_item.length(0)).toBe(2);
  });
});

test('acts of one user on many items that are removed together are scanned once', () => {
  const scene = new Scene();
  const ids = Array.from({ length: 300 }, (_, at) => `item-${at}`);
  for (const id of ids) scene.item(id, { author: 'author' });
  scene.item('other', { author: 'somebody else' }).act('bot', 'report', 'other');
  for (const id of ids) scene.act('bot', 'report', id).act('bot', 'like', id).act('bot', 'comment', id);
  const { by_user } = scene.state.interactions;
  const looked = spyOn(by_user, 'removeOthers');
  const moved = spyOn(by_user, 'removeAt');
  scene.erase('author');
  expect([looked.mock.calls.length, moved.mock.calls.length]).toEqual([1, 0]);
  const bot = scene.state.users.names.find('bot');
  expect(by_user.length(bot)).toBe(1);
  expect(by_user.other(by_user.start(bot))).toBe(scene.state.items.names.find('other'));
});

test('a deletion of many acts of a user on an item scans the log of the user once', () => {
  const [user, item, event_type] = [0, 0, WALLETS.code('mint')];
  const { interactions } = new State({ vocabulary: WALLETS });
  const of = { user, item, event_id: '', add: true };
  for (let time = 1; time <= 400; time++)
    interactions.record({ ...of, event_type: time % 2 ? event_type : WALLETS.code('like'), time });
  const { by_user } = interactions;
  const looked = spyOn(by_user, 'previousOf');
  const moved = spyOn(by_user, 'removeAt');
  interactions.forget({ user, item, event_type });
  expect([by_user.length(user), interactions.by_item.length(item)]).toEqual([200, 200]);
  expect(looked.mock.calls.length).toBeLessThan(2 * 400);
  expect(moved.mock.calls.length).toBe(0);
});

test.each([1, 5, 40])('an image of the state has no trace of a deleted act among %d others', (others) => {
  const state = new State({ vocabulary: WALLETS });
  const deleted_at = 1_234_567_891.787;
  const stamp = { seq: 1, applied_at: deleted_at + 1_000 };
  const act = (key: number, timestamp: number): Change => ({
    ...{ kind: 'interaction', user: key, item: 1, event_type: WALLETS.code('mint') },
    ...{ timestamp, action: 1, event_id: '', ...stamp },
  });
  const others_from = (key: number, from: number) =>
    Array.from({ length: others }, (_, at) => act(key, from + at));
  const whole_seconds = Buffer.alloc(4);
  whole_seconds.writeUInt32LE(Math.floor(deleted_at));
  const holds = () => imageOf(state).bytes.some((bytes) => Buffer.from(bytes).includes(whole_seconds));
  const changes: Change[] = [
    { kind: 'name', space: 'user', key: 1, id: 'one', ...stamp },
    { kind: 'name', space: 'user', key: 2, id: 'two', ...stamp },
    { kind: 'name', space: 'item', key: 1, id: 'item', ...stamp },
    { kind: 'item', item: 1, author: NONE, content: { created_at: 100 }, ...stamp },
    ...others_from(1, deleted_at - 200),
    act(1, deleted_at),
    ...others_from(1, deleted_at + 100),
    ...others_from(2, deleted_at + 200),
  ];
  for (const change of changes) applyChange(state, change);
  expect(holds()).toBe(true);
  const { event_type } = act(1, deleted_at) as InteractionChange;
  applyChange(state, { kind: 'act_deletion', user: 1, item: 1, event_type, timestamp: deleted_at, ...stamp });
  expect(holds()).toBe(false);
});

describe('a wallet', () => {
  test('a wallet leads to the last user who lists it, and back when that user drops it', () => {
    const scene = new Scene();
    const owner = () => scene.state.users.ofWallet('0xaa');
    const idOf = (user: string) => scene.state.users.names.find(user);
    for (const user of ['one', 'two', 'three']) scene.user(user, { wallet_addresses: ['0xaa', '0xaa'] });
    expect(owner()).toBe(idOf('three'));
    scene.user('two', {}).erase('three');
    expect(owner()).toBe(idOf('one'));
    scene.user('one', { wallet_addresses: ['0xbb'] });
    expect(owner()).toBeUndefined();
  });
});
