import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { SignificantActs } from '../../src/signals/significant-acts.ts';
import { State } from '../../src/state/state.ts';
import { WALLETS } from '../../src/state/vocabulary.ts';
import { check } from '../support/long.ts';
import { fold, randomChanges } from '../support/random-changes.ts';
import { HOUR, itemOf, NOW, requestIn, Scene } from '../support/scene.ts';
import { naiveSignificantActs, type SignificantAct } from './significant-reference.ts';

function chosen(acts: SignificantActs, state: State, user: number, history: number): SignificantAct[] {
  const log = state.interactions.by_user;
  acts.choose(user, history);
  return [...acts.positions.subarray(0, acts.count)].map((at) => {
    const interest = state.vocabulary.interest[log.event_type(at)];
    return { item: log.other(at), interest, seconds: log.seconds(at) };
  });
}

function listed(scene: Scene, history: number): string[] {
  const { users, items } = scene.state;
  const acts = chosen(SignificantActs.ofUsers(scene.state), scene.state, users.names.find('viewer'), history);
  return acts.map(({ item, interest }) => `${items.names.id(item)} ${interest}`);
}

test('significant acts are the latest ones, newest first, with their interest', () => {
  const scene = new Scene().act('viewer', 'like', 'a', NOW - 3).act('viewer', 'view', 'b', NOW - 2);
  scene.act('viewer', 'share', 'c', NOW - 1).act('other', 'like', 'd');
  expect(listed(scene, 9)).toEqual(['c 1', 'b 0.2', 'a 1']);
  expect(listed(scene, 2)).toEqual(['c 1', 'b 0.2']);
});

test('hidden, reported and removed acts take no places of significant acts', () => {
  const scene = new Scene().act('viewer', 'like', 'a', NOW - 9).act('viewer', 'like', 'back', NOW - 8);
  scene.unact('viewer', 'like', 'back', NOW - 7);
  for (let index = 0; index < 6; index++) scene.act('viewer', 'hide', `hidden ${index}`);
  expect(listed(scene, 1)).toEqual(['a 1']);
});

test('significant acts are searched among eight times as many acts', () => {
  const scene = new Scene().act('viewer', 'like', 'a', NOW - 9);
  for (let index = 0; index < 7; index++) scene.act('viewer', 'hide', `hidden ${index}`);
  expect(listed(scene, 1)).toEqual(['a 1']);
  expect(listed(scene.act('viewer', 'hide', 'one more'), 1)).toEqual([]);
});

test('acts on items hidden or reported at any time are not significant until the hide is removed', () => {
  const scene = new Scene().act('viewer', 'view', 'bad', NOW - 9).act('viewer', 'like', 'worse', NOW - 8);
  scene.act('viewer', 'like', 'good', NOW - 7).act('viewer', 'hide', 'bad', NOW - 6);
  scene.act('viewer', 'report', 'worse', NOW - 5).act('viewer', 'view', 'worse', NOW - 4);
  expect(listed(scene, 9)).toEqual(['good 1']);
  expect(listed(scene, 1)).toEqual(['good 1']);
  expect(listed(scene.unact('viewer', 'hide', 'bad', NOW - 3), 9)).toEqual(['good 1', 'bad 0.2']);
});

test('significant acts respect hides of any age', () => {
  const scene = new Scene().act('viewer', 'hide', 'bad', NOW - 99);
  for (let index = 0; index < 20; index++) scene.act('viewer', 'hide', `hidden ${index}`, NOW - 9);
  scene.act('viewer', 'like', 'good', NOW - 1).act('viewer', 'like', 'bad');
  expect(listed(scene, 2)).toEqual(['good 1']);
});

test('at most half of the significant acts are views if there are enough likes', () => {
  const scene = new Scene();
  for (let index = 0; index < 4; index++) scene.act('viewer', 'like', `liked ${index}`, NOW - 99 - index);
  for (let index = 0; index < 9; index++) scene.act('viewer', 'view', `viewed ${index}`, NOW - index);
  expect(listed(scene, 4)).toEqual(['viewed 0 0.2', 'viewed 1 0.2', 'liked 0 1', 'liked 1 1']);
  expect(listed(scene, 3)).toEqual(['viewed 0 0.2', 'liked 0 1', 'liked 1 1']);
  expect(listed(scene, 10)).toHaveLength(10);
  expect(listed(scene, 10).filter((act) => act.startsWith('liked'))).toHaveLength(4);
});

test('significant acts contain no views if enough likes are later', () => {
  const scene = new Scene();
  for (let index = 0; index < 9; index++) scene.act('viewer', 'view', `viewed ${index}`, NOW - 9 - index);
  for (let index = 0; index < 9; index++) scene.act('viewer', 'share', `shared ${index}`, NOW - index);
  expect(listed(scene, 3)).toEqual(['shared 0 1', 'shared 1 1', 'shared 2 1']);
  expect(listed(scene, 10)).toHaveLength(10);
  expect(listed(scene, 10).at(-1)).toBe('viewed 0 0.2');
});

test('significant acts are only views, or only likes, if there is nothing else', () => {
  for (const event of ['view', 'like']) {
    const scene = new Scene();
    for (let index = 0; index < 9; index++) scene.act('viewer', event, `i${index}`, NOW - index);
    expect(listed(scene, 5)).toHaveLength(5);
  }
});

test('significant acts contain each type once per item, so a long thread takes one place', () => {
  const scene = new Scene().act('viewer', 'like', 'a', NOW - 99).act('viewer', 'like', 'thread', NOW - 98);
  scene.act('viewer', 'comment', 'other', NOW - 50);
  for (let index = 0; index < 20; index++) scene.act('viewer', 'comment', 'thread', NOW - index);
  expect(listed(scene, 4)).toEqual(['thread 1', 'other 1', 'thread 1', 'a 1']);
  const wallet = new Scene(new State({ vocabulary: WALLETS }));
  wallet.act('viewer', 'like', 'a', NOW - 99).act('viewer', 'mint', 'b', NOW - 98);
  for (let index = 0; index < 9; index++) wallet.act('viewer', 'buy', 'b', NOW - index);
  expect(listed(wallet, 3)).toEqual(['b 1', 'b 1', 'a 1']);
});

test('significant acts equal their definition', () => {
  const changes = randomChanges({ longest: 120, users: ['u0', 'u1'] });
  check(300, [changes, fc.integer({ min: 1, max: 9 })], (drawn, history) => {
    const state = fold(drawn);
    const acts = SignificantActs.ofUsers(state);
    for (let user = 0; user < state.users.size; user++) {
      expect(chosen(acts, state, user, history)).toEqual(naiveSignificantActs(state, user, history));
    }
  });
});

test('likes remain significant after a hundred hides', () => {
  const scene = new Scene();
  scene.now = NOW - HOUR;
  for (const id of ['x', 'y']) scene.item(id);
  for (let user = 0; user < 9; user++) scene.act(`u${user}`, 'like', 'x').act(`u${user}`, 'like', 'y');
  scene.act('viewer', 'like', 'x');
  scene.now = NOW;
  for (let index = 0; index < 100; index++) scene.act('viewer', 'hide', `h${index}`);
  expect(requestIn(scene, { viewer: 'viewer' }).signal('interest_all')(itemOf(scene, 'y'))).toBe(1);
});
