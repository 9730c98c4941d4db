import { expect } from 'bun:test';
import { scores } from './extensions.ts';
import { builtIn, DAY, HOUR, itemOf, NOW, type RequestOptions, requestIn, Scene } from './scene.ts';

/** A small scene in which each scoring function of for-you feeds ranks a different item first. */

export const VIEWER = { viewer: 'viewer' };
const REGISTRY = builtIn();
/** Number of items of an interest that are older than 36 hours. */
const JAZZ = 6;

/**
 * The viewer has liked jazz for days, and chess for an hour. They follow three users without common interests, and one
 * close user. They hid items of one author. The scene has one item for each of these, one with current demand, and one
 * without any engagement.
 */
export function forYouScene(): Scene {
  const scene = new Scene();
  scene.now = NOW - 6 * DAY;
  for (let index = 0; index < JAZZ; index++) scene.item(`jazz ${index}`, { author: 'musician' });
  for (const fan of ['f', 'g', 'h']) {
    for (let index = 0; index < JAZZ; index++) scene.act(`jazz fan ${fan}`, 'like', `jazz ${index}`);
  }
  for (let index = 0; index < JAZZ; index++) {
    scene.now = NOW - (4 - index / 2.5) * DAY;
    scene.act('viewer', 'like', `jazz ${index}`);
  }
  scene.now = NOW - 10 * HOUR;
  for (const id of ['chess', 'hidden one', 'hidden two'])
    scene.item(id, { author: `author of ${id.split(' ')[0]}` });
  const shown = ['long taste', 'recent taste', 'three friends', 'the closest', 'the crowd', 'no user'];
  for (const of of shown) scene.item(`of ${of}`, { author: `author of ${of}` });
  for (const friend of ['one', 'two', 'three', 'close']) scene.follow('viewer', friend);
  scene.follow('close', 'viewer');
  scene.act('viewer', 'hide', 'hidden one').act('viewer', 'hide', 'hidden two');
  scene.now = NOW - 3 * HOUR;
  for (const id of ['jazz 0', 'jazz 1', 'chess']) scene.act('close', 'like', id);
  for (const fan of ['f', 'g', 'h']) scene.act(`jazz fan ${fan}`, 'like', 'of long taste');
  for (const fan of ['fan', 'player', 'teacher', 'pupil', 'master', 'guest', 'club'])
    scene.act(`chess ${fan}`, 'like', 'chess');
  scene.now = NOW - HOUR;
  scene.act('viewer', 'like', 'chess');
  scene.now = NOW - HOUR / 2;
  scene.act('chess fan', 'like', 'of recent taste').act('close', 'share', 'of the closest');
  for (const friend of ['one', 'two', 'three']) scene.act(friend, 'like', 'of three friends');
  for (let index = 0; index < 12; index++) {
    scene.now += 60;
    scene.act(`somebody ${index}`, 'like', 'of the crowd');
  }
  scene.now = NOW;
  scene.item('by the musician', { author: 'musician', created_at: NOW - HOUR });
  return scene.item('of the hidden', { author: 'author of hidden', created_at: NOW - 10 * HOUR });
}

/** The distinguishing items, by score. */
export function order(scoring: string, request: RequestOptions = VIEWER): string[] {
  return Object.entries(scores(forYouScene(), scoring, request))
    .filter(([id]) => !/^(jazz|chess|hidden)/.test(id))
    .toSorted(([, one], [, other]) => other - one)
    .map(([id]) => id);
}

/** Ratio of the scores of two items. */
export function times(scoring: string, id: string, other: string): number {
  const all = scores(forYouScene(), scoring, VIEWER);
  return all[id] / all[other];
}

/** The part of the score that each signal contributes, for every item. */
export function partsOf(
  scoring: string,
  request: RequestOptions = VIEWER,
  options?: unknown,
): Record<string, Record<string, number>> {
  const scene = forYouScene();
  const { extension, options: checker } = REGISTRY.get('scoring_functions', scoring)!;
  const checked =
    options === undefined ? { ok: true, options: checker.defaults() } : checker.check(options, '');
  if (!checked.ok || extension.parts === undefined) throw new Error('no parts');
  const context = requestIn(scene, request);
  const parts = extension.parts(checked.options)(context);
  const score = extension.compile(checked.options)(requestIn(scene, request));
  const ids = [...order(scoring), 'jazz 0', 'chess', 'hidden one'];
  return Object.fromEntries(
    ids.map((id) => {
      const found = parts(itemOf(scene, id));
      const sum = Object.values(found).reduce((one, other) => one + other, 0);
      expect(sum).toBeCloseTo(score(itemOf(scene, id)), 12);
      return [id, found];
    }),
  );
}
