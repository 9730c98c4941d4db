import { describe, expect, test } from 'bun:test';
import { compileFeed, type FeedSettings } from '../../src/feed/compile-feed.ts';
import { builtIn, DAY, engineOn, HOUR, itemIds, NOW, Scene } from '../support/scene.ts';
import { pageOf } from './pools-support.ts';

const REGISTRY = builtIn();

/** More items trend than sources look at, some trend less, and most have been popular for long. */
function scene(): Scene {
  const here = new Scene();
  here.now = NOW - 3 * HOUR;
  for (let index = 0; index < 520; index++) {
    here.item(`hot ${index}`, { language: 'en', created_at: NOW - DAY });
  }
  for (let index = 0; index < 100; index++) {
    here.item(`warm ${index}`, { language: 'fr', created_at: NOW - DAY });
  }
  for (let index = 0; index < 2000; index++) {
    here.item(`old ${index}`, { language: 'fr', created_at: NOW - 200 * DAY }).count(`old ${index}`, 50);
  }
  here.now = NOW;
  const like = (kind: string, items: number, users: number) => {
    for (let index = 0; index < items; index++) {
      for (let user = 0; user < users; user++)
        here.act(`user ${user}`, 'like', `${kind} ${index}`, NOW - user * 60);
    }
  };
  like('hot', 520, 12);
  like('warm', 100, 8);
  return here;
}

describe('viewers of whom nothing is known', () => {
  const here = scene();

  /** How many items of each kind are on the page. */
  function kinds(viewer: string, settings: FeedSettings = {}): Record<string, number> {
    const feed = compileFeed(REGISTRY, 'for-you', settings);
    const page = pageOf(feed, engineOn(here.state, { registry: REGISTRY }), viewer, NOW, 25);
    const found = itemIds(
      here.state,
      page.map(({ item }) => item),
    ).map((id) => id.split(' ')[0]);
    return Object.fromEntries(
      ['hot', 'warm', 'old'].map((kind) => [kind, found.filter((one) => one === kind).length]),
    );
  }

  test.each([
    [0, { hot: 25, warm: 0, old: 0 }],
    [400, { hot: 25, warm: 0, old: 0 }],
    [505, { hot: 15, warm: 10, old: 0 }],
    [520, { hot: 0, warm: 25, old: 0 }],
  ])('get what trends, when they have seen the first %d, too', (seen, expected) => {
    const viewer = `viewer ${seen}`;
    here.show(viewer, ...Array.from({ length: seen }, (_, index) => `hot ${index}`));
    expect(kinds(viewer)).toEqual(expected);
  });

  test('get what trends most of what a filter keeps', () => {
    expect(kinds('nobody', { filters: { languages: ['fr'] } })).toEqual({ hot: 0, warm: 25, old: 0 });
    expect(kinds('nobody', { filters: { engagement: { max_likes_count: 10 } } })).toEqual({
      hot: 0,
      warm: 25,
      old: 0,
    });
  });
});
