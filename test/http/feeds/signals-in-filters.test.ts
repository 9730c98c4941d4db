import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile, START } from '../../support/service.ts';
import { FEED_TYPES, openCommunity } from '../support.ts';

const FRIENDS = ['friend-0', 'friend-1', 'friend-2', 'friend-3'];
/** Item → how many friends like it. */
const LIKED = { most: 4, half: 2, quarter: 1, none: 0 };
const ACTS = 'circle/acts';
const community = await forFile(
  openCommunity({ settings: { plugins: join(import.meta.dir, '..', 'circle-plugin.ts') } }),
);
for (const [at, [item_id, likes]] of Object.entries(LIKED).entries()) {
  await community.addItem(item_id, { author_id: `author-${item_id}`, created_at: START - at });
  for (const friend of FRIENDS.slice(0, likes)) await community.act(friend, 'like', item_id);
}
await community.addItem('liked', { author_id: 'liked' });
for (const friend of FRIENDS) await community.follow('viewer', friend);
for (const user of ['viewer', FRIENDS[0]]) await community.act(user, 'like', 'liked');

const VIEWER = { user_id: 'viewer' };
const WITHOUT_MOST = { remove_author_ids: ['author-most'] };

test('filters and rules may use any signal on every feed', async () => {
  const signals = community.server.service.registry.ids('signals');
  expect(signals).toContain(ACTS);
  for (const signal of signals) {
    for (const feed_type of FEED_TYPES) {
      const filters = { 'circle/above': { signal } };
      const filtered = await community.ids(feed_type, { ...VIEWER, filters });
      const ruled = await community.ids(feed_type, {
        ...VIEWER,
        visibility_rules: { 'circle/above_v1.0.0': { signal } },
      });
      expect([signal, feed_type, ruled.toSorted()]).toEqual([signal, feed_type, filtered.toSorted()]);
    }
  }
});

test('filters see signals relative to all eligible items, scores relative to the items of the feed', async () => {
  const scoring = 'circle/acts_v1.0.0';
  for (const feed_type of FEED_TYPES) {
    const filters = { 'circle/above': { signal: ACTS, above: 0.4 }, ...WITHOUT_MOST };
    const visibility_rules = { 'circle/above_v1.0.0': { signal: ACTS, above: 0.4 } };
    for (const request of [{ filters }, { filters: WITHOUT_MOST, visibility_rules }]) {
      const page = await community.page(feed_type, { ...VIEWER, scoring, ...request });
      expect(page.map(({ item_id, score }) => [item_id, score])).toEqual([['half', 1]]);
      const explained = await community.ask(`${feed_type}/explain`, {
        ...VIEWER,
        scoring,
        ...request,
        item_id: 'quarter',
      });
      expect(explained.body.body.dropped_by.plugin).toStartWith('circle/above');
    }
  }
});

test('filters see the best of all eligible items', async () => {
  const best = { 'circle/best': true };
  expect(await community.ids('popular', { ...VIEWER, filters: best })).toEqual(['most']);
  expect(await community.ids('popular', { ...VIEWER, filters: { ...best, ...WITHOUT_MOST } })).toEqual([]);
});

test('a hand-picked item is filtered with the same signals', async () => {
  const promoted_items = [{ item_id: 'half' }, { item_id: 'quarter' }];
  const page = await community.page('popular', {
    ...VIEWER,
    filters: WITHOUT_MOST,
    visibility_rules: { 'circle/above_v1.0.0': { signal: ACTS, above: 0.4 } },
    promotion_filters: [{ promotion_name: 'picks', promotion_type: 'items', promoted_items }],
  });
  expect(page.map(({ item_id, promotion_name }) => [item_id, promotion_name])).toEqual([['half', 'picks']]);
});

test('a filter or rule keeps the same items on all pages that are read with cursors', async () => {
  const above = { signal: ACTS, above: 0.4 };
  const definitions = [
    { filters: { 'circle/above': above } },
    { visibility_rules: { 'circle/above_v1.0.0': above } },
  ];
  for (const feed_type of FEED_TYPES) {
    for (const definition of definitions) {
      const request = { ...VIEWER, ...definition, top_k: 1 };
      const shown: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await community.ask(feed_type, { ...request, cursor });
        shown.push(...body.body.map(({ item_id }: { item_id: string }) => item_id));
        cursor = body.cursor;
      } while (cursor !== undefined);
      expect([feed_type, shown.toSorted()]).toEqual([feed_type, ['half', 'most']]);
    }
  }
});
