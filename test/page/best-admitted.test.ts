import { describe, expect, test } from 'bun:test';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { builtIn, DAY, HOUR, itemIds, itemOf, NOW, requestIn, Scene } from '../support/scene.ts';

const REGISTRY = builtIn();
const CHANNEL: FeedSettings['filters'] = { channels: ['c'] };

/**
 * The viewer likes `seed`. Users who also like it like the given number of items outside the channel `c` more than
 * its
 * item `related`. Its item `mover` is liked now. The given number of other items are in the channel.
 */
function scene(outside: number, more: number): Scene {
  const scene = new Scene();
  scene.now = NOW - DAY;
  scene.item('seed', { author: 'author of seed' });
  for (let index = 0; index < outside; index++) scene.item(`out${index}`, { author: `outsider ${index}` });
  for (const id of ['related', 'mover']) scene.item(id, { author: `author of ${id}`, channel: 'c' });
  for (let index = 0; index < more; index++) {
    scene.item(`c${index}`, { author: `author ${index}`, channel: 'c', created_at: NOW - 2 * DAY });
  }
  for (let fan = 0; fan < 20; fan++) {
    scene.act(`fan ${fan}`, 'like', 'seed');
    for (let index = 0; index < outside; index++) scene.act(`fan ${fan}`, 'like', `out${index}`);
  }
  for (let fan = 0; fan < 3; fan++) scene.act(`fan ${fan}`, 'like', 'related');
  scene.now = NOW - 2 * HOUR;
  for (let user = 0; user < 6; user++) scene.act(`user ${user}`, 'like', 'mover');
  scene.now = NOW - HOUR;
  scene.act('viewer', 'like', 'seed');
  scene.now = NOW;
  return scene;
}

describe('a signal that reaches items', () => {
  test.each([
    { name: 'a channel that is scored as a whole', more: 50, filters: CHANNEL },
    { name: 'a larger channel', more: 1200, filters: CHANNEL },
    { name: 'what no list holds', more: 50, filters: { remove_author_ids: outsiders(120) } },
  ])('is the same whatever a feed may not show: $name', ({ more, filters }) => {
    // Neighbour lists have room for all of these.
    for (const outside of [0, 60, 120]) {
      const here = scene(outside, more);
      const request = requestIn(here, { viewer: 'viewer', page_length: 3 });
      const page = buildList(compileFeed(REGISTRY, 'for-you', { filters }), request);
      const ids = itemIds(
        here.state,
        page.map(({ item }) => item),
      );
      expect([outside, ids.slice(0, 2)]).toEqual([outside, ['related', 'mover']]);
      expect(request.signal('interest_all')(itemOf(here, 'related'))).toBe(1);
    }
  });

  test('is a share of the greatest of all items if nothing may be shown', () => {
    const here = scene(100, 0);
    const request = requestIn(here, { viewer: 'viewer' });
    request.restrictTo({ filtered: () => false, visible: () => true });
    const reached = request.viewer.reach('walk', { history: 100, half_life_hours: 24 });
    expect(reached.size).toBeGreaterThan(100);
    const value = request.signal('interest_all');
    expect(value(itemOf(here, 'related'))).toBeCloseTo(
      reached.weight(itemOf(here, 'related')) / reached.max,
      12,
    );
  });
});

describe('the best items of a signal', () => {
  const here = scene(60, 1200);
  const request = requestIn(here, { viewer: 'viewer' });
  buildList(compileFeed(REGISTRY, 'for-you', { filters: CHANNEL }), request);

  // A source may compute the limit.
  test.each([
    [Number.NaN, 0],
    [-1, 0],
    [0, 0],
    [0.2, 1],
    [1, 1],
    [Number.POSITIVE_INFINITY, 2],
  ])('are none, some or all for a limit of %d', (limit, related) => {
    expect(request.best('interest_all', limit).length).toBe(Math.min(related, 1));
    expect(request.best('popular', limit).length).toBe(limit > 1 ? 1202 : related);
  });

  test('searches equally far after items have left the ranking', () => {
    const here = new Scene();
    for (let index = 0; index < 3000; index++) here.item(`i${index}`).count(`i${index}`, index);
    const request = requestIn(here);
    request.best('popular', 10);
    here.delete('i2999').delete('i2998');
    for (let index = 2000; index < 2997; index++) here.delete(`i${index}`);
    request.restrictTo({
      filtered: (item) => here.state.items.likes_count(item) < 1600,
      visible: () => true,
    });
    expect(itemIds(here.state, request.best('popular', 1))).toEqual(['i1599']);
  });
});

function outsiders(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `outsider ${index}`);
}
