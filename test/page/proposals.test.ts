import { describe, expect, test } from 'bun:test';
import { proposed } from '../support/extensions.ts';
import { DAY, HOUR, NOW, requestIn, Scene } from '../support/scene.ts';

const VIEWER = { viewer: 'viewer' };
const of = (length: number) => Array.from({ length }, (_, index) => index);

/** Two followed users and a close one. All act on items, and one has posted many. */
function friends(): Scene {
  const scene = new Scene().follow('viewer', 'a').follow('viewer', 'b').follow('viewer', 'close');
  scene.item('shared').act('viewer', 'like', 'shared').act('close', 'like', 'shared');
  for (const index of of(9)) scene.item(`by a ${index}`, { author: 'a' });
  scene.item('of both').act('a', 'like', 'of both').act('b', 'like', 'of both');
  scene.item('of the close').act('close', 'like', 'of the close');
  return scene.item('by a stranger', { author: 'stranger' });
}

/** Items of a fan, the first of which the viewer liked recently, and of another fan, liked long ago. */
function fans(items: number): Scene {
  const scene = new Scene();
  for (const index of of(items)) {
    for (const fan of ['now', 'then']) scene.item(`${fan} ${index}`).act(fan, 'like', `${fan} ${index}`);
  }
  scene.act('viewer', 'like', 'then 0', NOW - 40 * HOUR).act('viewer', 'like', 'now 0', NOW - HOUR);
  return scene.item('out of reach');
}

/** Items of an author, one of which the viewer liked, newest first, and items of another author. */
function authors(items: number): Scene {
  const scene = new Scene();
  for (const index of of(items)) {
    for (const author of ['a', 'b']) scene.item(`${author}${index}`, { author, created_at: NOW - index });
  }
  return scene.act('viewer', 'like', 'a0');
}

/** Items with nearly equal embeddings, one of which the viewer liked. */
function alike(items: number): Scene {
  const scene = new Scene();
  for (const item of of(items + 1)) {
    const vector = Int8Array.from({ length: 16 }, (_, at) => (at === 0 ? 100 : (item * at) % 7));
    scene.item(`i${item}`, { embedding: Buffer.from(vector.buffer).toString('base64') });
  }
  return scene.act('viewer', 'like', 'i0');
}

describe('sources for a viewer', () => {
  const few = ['now 1', 'now 2', 'now 3'];
  test.each<[string, string, Scene, string[]]>([
    // The viewer has chosen 'then 0', too, and is similar to themself.
    ['recent', "choices of users similar to the viewer's last hours", fans(4), [...few, 'then 0']],
    ['profile', 'new items of favourite authors, even without interactions', authors(3), ['a0', 'a1', 'a2']],
    ['semantic', 'similar items without interactions', alike(3), ['i1', 'i2', 'i3']],
  ])('%s proposes %s', (source, _what, scene, items) => {
    expect(proposed(scene, source, VIEWER).toSorted()).toEqual(items);
  });

  test('walk proposes choices of similar users, of all times', () => {
    expect(proposed(fans(4), 'walk', VIEWER).toSorted()).toEqual([...few, 'then 1', 'then 2', 'then 3']);
  });

  test('lasting proposes holdings of similar users, the strongest first, and nothing out of reach', () => {
    const scene = new Scene().item('mine').item('near').item('far').item('alone');
    scene.act('viewer', 'like', 'mine', NOW - 100);
    for (const fan of ['f', 'g', 'h'])
      scene.act(fan, 'like', 'mine', NOW - 50).act(fan, 'like', 'near', NOW - 40);
    scene.act('f', 'like', 'far', NOW - 30);
    expect(proposed(scene, 'lasting', VIEWER)).toEqual(['near', 'far']);
    expect(proposed(scene, 'lasting')).toEqual([]);
  });

  test('following proposes items that followed users posted or acted on, those of most users first', () => {
    const found = proposed(friends(), 'following', VIEWER);
    expect([found[0], found.length]).toEqual(['of both', 12]);
    expect(found).not.toContain('by a stranger');
  });

  test('closest proposes items that followed users posted or acted on, the closest first', () => {
    const found = proposed(friends(), 'closest', VIEWER);
    expect(found.slice(0, 2).toSorted()).toEqual(['of the close', 'shared']);
    expect([found[2], found.length]).toEqual(['of both', 12]);
    expect(found).not.toContain('by a stranger');
  });

  test.each<[string, Scene, number, number]>([
    ['walk', fans(20), 2, 3],
    ['recent', fans(20), 2, 8],
    ['profile', authors(20), 4, 2],
    ['semantic', alike(20), 4, 2],
    ['following', friends(), 1, 2],
    ['closest', friends(), 1, 4],
  ])('%s proposes its share of a page, and nothing without history, friends or a viewer', (...row) => {
    const [source, scene, page_length, items] = row;
    expect(proposed(scene, source, { ...VIEWER, page_length })).toHaveLength(items);
    for (const viewer of ['new', 'stranger', undefined])
      expect(proposed(scene, source, { viewer })).toEqual([]);
  });

  test('semantic applies only where items have embeddings', () => {
    const applies = [alike(2), new Scene().item('a')].map((scene) =>
      requestIn(scene).applies('semantic_interest'),
    );
    expect(applies).toEqual([true, false]);
  });
});

describe('sources for all viewers', () => {
  test('popular proposes the most popular items, one per item of the page, newer ones first among equals', () => {
    const scene = new Scene();
    for (const index of of(9))
      scene.item(`i${index}`, { created_at: NOW - index }).count(`i${index}`, Math.floor(index / 2));
    expect(proposed(scene, 'popular', { page_length: 2 })).toEqual(['i8', 'i6']);
    expect(proposed(scene, 'popular')).toHaveLength(9);
  });

  test('popular proposes only items that may be shown', () => {
    const scene = new Scene().item('hidden', { hidden: true }).item('future', { created_at: NOW + 61 });
    scene.item('by hidden', { author: 'x' }).user('x', { hidden: true }).item('deleted').delete('deleted');
    expect(proposed(scene.item('fine'), 'popular')).toEqual(['fine']);
  });

  test('popular_lately proposes currently popular items before formerly popular ones, two per item of the page', () => {
    const scene = new Scene();
    scene.now = NOW - 30 * DAY;
    scene.item('was').item('is').item('less').item('never').item('neither');
    scene.now = NOW;
    for (const user of of(9)) scene.act(`u${user}`, 'like', 'was', NOW - 20 * DAY);
    for (const user of of(4)) scene.act(`u${user}`, 'like', 'is');
    scene.act('u', 'like', 'less');
    expect(proposed(scene, 'popular_lately', { page_length: 1 })).toEqual(['is', 'was']);
    expect(proposed(scene, 'popular_lately')).toHaveLength(5);
  });

  test('trending proposes items with the most expected engagement, one per item of the page', () => {
    const scene = new Scene()
      .item('old', { created_at: NOW - 100 * HOUR })
      .count('old', 20)
      .item('fresh');
    scene.item('rising', { created_at: NOW - HOUR }).item('none', { created_at: NOW - HOUR });
    for (const user of of(9)) scene.act(`user ${user}`, 'like', 'rising');
    for (const user of of(2)) scene.act(`user ${user}`, 'like', 'fresh');
    expect(proposed(scene, 'trending', { page_length: 1 })).toEqual(['rising']);
    expect(proposed(scene, 'trending')).toEqual(['rising', 'fresh', 'none', 'old']);
  });
});
