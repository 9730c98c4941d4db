import { expect, test } from 'bun:test';
import { visitTellingActs } from '../../src/signals/telling-acts.ts';
import { HOUR, itemOf, NOW, requestIn, Scene } from '../support/scene.ts';

function told(scene: Scene, history: number): string[] {
  const { users, items } = scene.state;
  const ids: string[] = [];
  visitTellingActs(scene.state, users.names.find('viewer'), history, (item, interest) =>
    ids.push(`${items.names.id(item)} ${interest}`),
  );
  return ids;
}

test('are the latest, newest first, with how much each says', () => {
  const scene = new Scene().act('viewer', 'like', 'a', NOW - 3).act('viewer', 'view', 'b', NOW - 2);
  scene.act('viewer', 'share', 'c', NOW - 1).act('other', 'like', 'd');
  expect(told(scene, 9)).toEqual(['c 1', 'b 0.2', 'a 1']);
  expect(told(scene, 2)).toEqual(['c 1', 'b 0.2']);
});

test('are not used up by what was hidden, reported or taken back', () => {
  const scene = new Scene().act('viewer', 'like', 'a', NOW - 9).act('viewer', 'like', 'back', NOW - 8);
  scene.unact('viewer', 'like', 'back', NOW - 7);
  for (let index = 0; index < 6; index++) scene.act('viewer', 'hide', `hidden ${index}`);
  expect(told(scene, 1)).toEqual(['a 1']);
});

test('are looked for among eight times as many', () => {
  const scene = new Scene().act('viewer', 'like', 'a', NOW - 9);
  for (let index = 0; index < 7; index++) scene.act('viewer', 'hide', `hidden ${index}`);
  expect(told(scene, 1)).toEqual(['a 1']);
  expect(told(scene.act('viewer', 'hide', 'one more'), 1)).toEqual([]);
});

test('interest outlasts a hundred hides', () => {
  const scene = new Scene();
  scene.now = NOW - HOUR;
  for (const id of ['x', 'y']) scene.item(id);
  for (let user = 0; user < 9; user++) scene.act(`u${user}`, 'like', 'x').act(`u${user}`, 'like', 'y');
  scene.act('viewer', 'like', 'x');
  scene.now = NOW;
  for (let index = 0; index < 100; index++) scene.act('viewer', 'hide', `h${index}`);
  expect(requestIn(scene, { viewer: 'viewer' }).signal('interest_all')(itemOf(scene, 'y'))).toBe(1);
});
