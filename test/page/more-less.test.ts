import { describe, expect, test } from 'bun:test';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import type { FeedType } from '../../src/plugin/index.ts';
import { proposed } from '../support/extensions.ts';
import { builtIn, engineOn, itemIds, NOW, Scene } from '../support/scene.ts';
import { pageOf } from './pools-support.ts';

const registry = builtIn();
const of = (length: number) => Array.from({ length }, (_, index) => index);
const PAGE = 25;

/** 1,500 items of a busy channel with ever fewer likes, and five old items of a quiet channel without likes. */
function large(): Scene {
  const scene = new Scene();
  for (const index of of(5))
    scene.item(`quiet ${index}`, { author: 'q', channel: 'quiet', created_at: NOW - 1e6 - index });
  for (const index of of(1500))
    scene.item(`i${index}`, { author: `a${index % 100}`, channel: 'busy', created_at: NOW - index });
  for (const index of of(1500)) scene.count(`i${index}`, 1500 - index);
  return scene.act('viewer', 'like', 'i700').act('fan', 'like', 'i700').act('fan', 'like', 'i701');
}

function shown(scene: Scene, feed_type: FeedType, scoring?: string): string[] {
  const feed = compileFeed(registry, feed_type, { scoring });
  const page = pageOf(feed, engineOn(scene.state, { registry }), 'viewer', scene.now, PAGE);
  return itemIds(
    scene.state,
    page.map(({ item }) => item),
  );
}

const quiet = (until?: number) => ({ kind: 'channel' as const, value: 'quiet', until });

describe('more_of', () => {
  test('proposes the newest items of authors, channels and labels that the viewer wants more of', () => {
    const scene = large().item('jazz', { ai_labels: { jazz: 0.9 }, created_at: NOW - 1e6 });
    scene.prefer('viewer', {
      more: [quiet(), { kind: 'label', value: 'jazz' }, { kind: 'author', value: 'a7' }],
    });
    const found = proposed(scene, 'more_of', { viewer: 'viewer' });
    expect(found).toHaveLength(Math.ceil(PAGE / 2));
    expect(found.slice(0, 3).toSorted()).toEqual(['i7', 'jazz', 'quiet 0']);
    expect(found).toEqual(expect.arrayContaining(['quiet 0', 'quiet 1', 'quiet 2', 'i7', 'i107', 'i207']));
  });

  test('proposes nothing after the end of an entry, for less, and for viewers without preferences', () => {
    for (const preferences of [{ more: [quiet(NOW)] }, { less: [quiet()] }, {}])
      expect(proposed(large().prefer('viewer', preferences), 'more_of', { viewer: 'viewer' })).toEqual([]);
    const ends_later = large().prefer('viewer', { more: [quiet(NOW + 1)] });
    expect(proposed(ends_later, 'more_of', { viewer: 'viewer' })).toHaveLength(5);
    expect(proposed(ends_later, 'more_of', { viewer: 'fan' })).toEqual([]);
  });

  test('leads a viewer who wants more of a quiet channel to it in a large community', () => {
    const scene = large();
    const isQuiet = (item_id: string) => item_id.startsWith('quiet');
    const scoring = 'user_affinity_all_following_v0.0.1';
    expect(shown(scene, 'for-you', scoring).filter(isQuiet)).toEqual([]);
    scene.prefer('viewer', { more: [quiet()] });
    for (const scored of [scoring, undefined])
      expect(shown(scene, 'for-you', scored).filter(isQuiet)).toHaveLength(5);
  });
});

describe('less', () => {
  test.each<FeedType>(['popular', 'trending', 'for-you'])(
    'lets items from far down the ranking of a %s feed take the place of unwanted ones',
    (feed_type) => {
      const scene = large();
      for (const index of of(60)) scene.item(`i${index}`, { author: 'everywhere', created_at: NOW - index });
      const isUnwanted = (item_id: string) => Number(item_id.slice(1)) < 60;
      const before = shown(scene, feed_type, feed_type === 'for-you' ? 'weighted_v0.0.1' : undefined);
      expect(before.filter(isUnwanted).length).toBeGreaterThan(10);
      scene.prefer('viewer', { less: [{ kind: 'author', value: 'everywhere' }] });
      expect(shown(scene, feed_type).filter(isUnwanted)).toEqual([]);
    },
  );
});
