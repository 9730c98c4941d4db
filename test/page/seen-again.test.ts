import { expect, test } from 'bun:test';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { LIMITS } from '../../src/limits.ts';
import { createContext } from '../../src/page/page-context.ts';
import { seenAgain } from '../../src/page/seen-again.ts';
import { WrittenRow } from '../seen/histories.ts';
import { builtIn, engineOn, itemIds, Scene } from '../support/scene.ts';

const REGISTRY = builtIn();

test('a page examines a limited number of seen items, without deleted ones and those outside of narrow filters', () => {
  const scene = new Scene();
  const written = new WrittenRow();
  written.now = scene.now;
  const add = (kind: string, count: number, language: string) => {
    const ids = Array.from({ length: count }, (_, at) => `${kind}-${at}`);
    for (const id of ids) scene.item(id, { language });
    const { names } = scene.state.items;
    written.record({ keys: ids.map((id) => names.key(names.find(id))) });
  };
  add('deleted', 10, 'de');
  for (let at = 0; at < 10; at++) scene.delete(`deleted-${at}`);
  add('first', LIMITS.seen_examined_max - 1, 'fr');
  add('liked', 3, 'en');
  for (let at = 0; at < 3; at++) scene.count(`liked-${at}`, 5);
  const engine = engineOn(scene.state, { registry: REGISTRY });
  const again = (settings: FeedSettings): string[] => {
    const compiled = compileFeed(REGISTRY, 'popular', { ...settings, seen: { mode: 'last' } });
    const { now } = scene;
    const context = createContext(engine, {
      ...{ viewer: -1, now, page_length: 5, seen: written.row },
      random: () => 0,
    });
    const plan = { feed_id: undefined, source_feed: '', compiled, fallbacks: [], promotion: undefined };
    const building = {
      context,
      length: 5,
      offset: undefined,
      overfetch_factor: 1,
      warnings: [],
      record: undefined,
    };
    const items = seenAgain({ ...plan, shows: () => true }, [], building);
    engine.scratch.takeBack();
    return itemIds(
      scene.state,
      items.map(({ item }) => item),
    );
  };
  expect(again({})).toEqual([0, 1, 2, 3, 4].map((at) => `first-${at}`));
  expect(again({ filters: { languages: ['en'] } })).toEqual(['liked-0', 'liked-1', 'liked-2']);
  // No index names these items, so they are tested one by one.
  expect(again({ filters: { engagement: { min_likes_count: 1 } } })).toEqual(['liked-0']);
});
