import { describe, expect, test } from 'bun:test';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import type { FeedType } from '../../src/plugin/index.ts';
import { builtIn, DAY, HOUR, itemIds, itemOf, NOW, requestIn, Scene } from '../support/scene.ts';

const REGISTRY = builtIn();

/** Signals that compare an item with the others that a feed may show. */

/** Items with the given numbers of likes in the last hour. All are three hours old. */
function scene(likes: Record<string, number>): Scene {
  const scene = new Scene();
  scene.now = NOW - 3 * HOUR;
  for (const id of Object.keys(likes)) scene.item(id).act(`first of ${id}`, 'like', id);
  scene.now = NOW;
  for (const [id, count] of Object.entries(likes)) {
    for (let index = 0; index < count; index++) scene.act(`user ${index}`, 'like', id, NOW - index * 60);
  }
  return scene;
}

/** The page of a viewer, who is unknown by default. */
function pageOf(scene: Scene, type: FeedType, settings: FeedSettings = {}, viewer?: string): string[] {
  const page = buildList(compileFeed(REGISTRY, type, settings), requestIn(scene, { viewer }));
  return itemIds(
    scene.state,
    page.map(({ item }) => item),
  );
}

describe('momentum', () => {
  test('compares with the fastest item that the feed may show', () => {
    const here = scene({ fast: 40, slower: 10, slow: 1 });
    const request = requestIn(here);
    request.restrictTo({ filtered: (item) => item !== itemOf(here, 'fast'), visible: () => true });
    const value = request.signal('momentum');
    expect(value(itemOf(here, 'fast'))).toBe(1);
    expect(value(itemOf(here, 'slower'))).toBeCloseTo(1, 12);
    const [slower, slow] = ['slower', 'slow'].map((id) => here.state.trend.rate(itemOf(here, id), NOW));
    expect(value(itemOf(here, 'slow'))).toBeCloseTo(slow / slower, 12);
  });

  test('ranks trending items first for unknown viewers, from the first minute on', () => {
    const here = new Scene();
    for (let index = 0; index < 40; index++) here.item(`i${index}`, { created_at: NOW - index * HOUR });
    for (let user = 0; user < 30; user++) here.act(`user ${user}`, 'like', `i${Math.floor(user / 4) + 3}`);
    const [for_you, trending] = (['for-you', 'trending'] as const).map((type) => pageOf(here, type));
    expect(for_you.slice(0, 8)).toEqual(trending.slice(0, 8));
    expect(trending[0]).toBe('i3');
  });

  describe('in a feed of items that are slower than thousands of others', () => {
    const here = new Scene();
    here.now = NOW - 3 * HOUR;
    for (let index = 0; index < 2100; index++) {
      here.item(`en${index}`, { language: 'en' }).act(`first ${index}`, 'like', `en${index}`);
    }
    for (let index = 0; index < 12; index++) here.item(`fr${index}`, { language: 'fr', channel: 'fr' });
    // More items than are scored as a whole.
    for (let index = 0; index < 1500; index++)
      here.item(`old${index}`, { language: 'fr', created_at: NOW - 20 * DAY });
    here.now = NOW;
    for (let index = 0; index < 2100; index++) {
      for (let user = 0; user < 12; user++) here.act(`user ${user}`, 'like', `en${index}`, NOW - user * 60);
    }
    for (let index = 0; index < 12; index++) {
      for (let user = 0; user < index; user++)
        here.act(`user ${user}`, 'like', `fr${index}`, NOW - user * 60);
      here.act('friend', 'bookmark', `fr${index}`).act('friend', 'share', `fr${index}`, NOW - HOUR);
    }
    here.follow('viewer', 'friend');
    const fastest = Array.from({ length: 12 }, (_, index) => `fr${11 - index}`);

    test.each<FeedSettings['filters']>([
      { languages: ['fr'] },
      { channels: ['fr'] },
      { start_timestamp: NOW - 30 * DAY, remove_author_ids: ['unknown'], languages: ['fr'] },
      // No index lists the items that this keeps.
      { engagement: { max_likes_count: 12 } },
    ])('orders that by its own fastest: %j', (filters) => {
      expect(pageOf(here, 'for-you', { filters }).slice(0, 12)).toEqual(fastest);
    });

    test('compares with the fastest item that a rule lists', () => {
      const settings = { return_only_posts_with_social_proof: true };
      expect(pageOf(here, 'for-you', settings, 'viewer')).toEqual(fastest);
    });

    test('does not search for the fastest item beyond the candidates', () => {
      const request = requestIn(here);
      buildList(compileFeed(REGISTRY, 'for-you', { filters: { channels: ['fr'] } }), request);
      expect(request.best('trending', 2)).toEqual([]);
      expect(request.greatest('trending', (item) => (item === itemOf(here, 'fr3') ? 3 : 1))).toBe(3);
      expect(request.greatest('trending', (item) => (item === itemOf(here, 'en3') ? 3 : 1))).toBe(1);
      expect(request.greatest('trending', (item) => (item === itemOf(here, 'fr3') ? Number.NaN : -1))).toBe(
        0,
      );
      expect(requestIn(new Scene()).greatest('trending', () => 1)).toBe(0);
    });
  });
});

describe('interest_all', () => {
  test('is 1 for the item reached most among those that the feed may show', () => {
    const here = scene({ liked: 0, first: 2, second: 1, third: 0 });
    here.act('viewer', 'like', 'liked');
    for (const [fan, ids] of [
      ['f', ['liked', 'first', 'second', 'third']],
      ['g', ['liked', 'first', 'second']],
      ['h', ['liked', 'first']],
    ] as const) {
      for (const id of ids) here.act(`fan ${fan}`, 'like', id);
    }
    const all = requestIn(here, { viewer: 'viewer' }).signal('interest_all');
    const request = requestIn(here, { viewer: 'viewer' });
    request.restrictTo({ filtered: (item) => item !== itemOf(here, 'first'), visible: () => true });
    const value = request.signal('interest_all');
    const [first, second, third] = ['first', 'second', 'third'].map((id) => itemOf(here, id));
    expect([all(first), value(first), value(second)]).toEqual([1, 1, 1]);
    expect(value(third)).toBeCloseTo(all(third) / all(second), 12);
  });
});
