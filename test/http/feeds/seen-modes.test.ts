import { describe, expect, test } from 'bun:test';
import type { AnswerItem } from '../../../src/answer/item-fields.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import { testsWith } from '../../support/fixture.ts';
import { START } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { type Community, FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const it = testsWith(() => openItems(4));

const HOUR = 3600;
const VIEWER = { user_id: 'viewer' };
const LAST = { seen: { mode: 'last' } };

const idOf = (at: number): string => `item-${String(at).padStart(2, '0')}`;
const idsOf = (items: readonly AnswerItem[]): string[] => items.map(({ item_id }) => item_id);
const isAgain = ({ source_feed }: AnswerItem): boolean => source_feed.startsWith('seen:');

/** Items `item-00`, `item-01` … from newest to oldest. */
async function openItems(count: number): Promise<Community> {
  const community = await openCommunity();
  const items = Array.from({ length: count }, (_, at) => ({
    item_id: idOf(at),
    author_id: `author-${at % 4}`,
    created_at: START - at,
  }));
  await community.add('items', ...items);
  return community;
}

/** Saves a popular feed and returns its id. */
function save({ server }: Community, config: Fields): Promise<string> {
  return defaultAccount(server).add({ endpoint: 'feeds/popular', config });
}

/** Shows a page that is recorded whole. */
function visit(community: Community, feed_type: FeedType, request: Fields): Promise<AnswerItem[]> {
  return community.page(feed_type, { ...VIEWER, impression_count: 1000, ...request });
}

describe('mode last', () => {
  for (const feed_type of FEED_TYPES) {
    test(`20 visits to a ${feed_type} feed of 30 posts get full pages, with the items seen longest ago first`, async () => {
      await using community = await openItems(30);
      /** Seen items, longest ago first. */
      const seen = new Set<string>();
      for (let at = 0; at < 20; at++) {
        const page = await visit(community, feed_type, { ...LAST, top_k: 25 });
        expect(new Set(idsOf(page)).size).toBe(25);
        const unseen = page.filter(({ item_id }) => !seen.has(item_id));
        expect(unseen).toHaveLength(Math.min(25, 30 - seen.size));
        expect(page.slice(0, unseen.length)).toEqual(unseen);
        expect(unseen.filter(isAgain)).toEqual([]);
        const again = page.slice(unseen.length);
        expect(idsOf(again)).toEqual([...seen].slice(0, again.length));
        expect(new Set(again.map(({ source_feed }) => source_feed))).toEqual(
          new Set(again.length === 0 ? [] : [`seen:${feed_type}`]),
        );
        for (const { item_id } of page) {
          seen.delete(item_id);
          seen.add(item_id);
        }
        community.server.clock.advance(60);
      }
    });
  }

  test('seen items of a saved feed are labelled with its id', async () => {
    await using community = await openItems(3);
    const feed_id = await save(community, LAST);
    await visit(community, 'popular', { feed_id });
    const again = await visit(community, 'popular', { feed_id });
    expect(again.map(({ source_feed }) => source_feed)).toEqual(Array(3).fill(`seen:${feed_id}`));
  });

  test('seen items follow only when the feed and its fallbacks leave the page short', async () => {
    await using community = await openItems(6);
    const request = {
      ...LAST,
      filters: { author_ids: ['author-0'] },
      return_global_fallback: true,
      top_k: 4,
    };
    const sources = async () =>
      (await visit(community, 'popular', request)).map(({ source_feed }) => source_feed.split(':')[0]);
    expect(await sources()).toEqual(['main', 'main', 'fallback_global', 'fallback_global']);
    // Two others are left, then the items of the author, but none of the fallback again.
    expect(await sources()).toEqual(['fallback_global', 'fallback_global', 'seen', 'seen']);
    expect(await sources()).toEqual(['seen', 'seen']);
  });

  test('seen items follow after mixing, and no promotion counts them', async () => {
    await using community = await openItems(8);
    await visit(community, 'popular', { filters: { author_ids: ['author-0', 'author-1'] } });
    const promotion_filters = [
      {
        promotion_type: 'items',
        promotion_name: 'shop',
        promoted_items: [{ item_id: idOf(7), rank: 2 }],
      },
    ];
    const page = await visit(community, 'popular', { ...LAST, promotion_filters });
    expect(page.map(({ source_feed }) => source_feed.split(':')[0])).toEqual([
      'main',
      'promotion',
      ...['main', 'main'],
      ...['seen', 'seen', 'seen', 'seen'],
    ]);
    expect(new Set(idsOf(page)).size).toBe(8);
  });

  test('items that the viewer acted on, hid, or whose authors are blocked do not return', async () => {
    await using community = await openItems(8);
    await visit(community, 'popular', {});
    await community.act('viewer', 'like', idOf(0));
    await community.act('viewer', 'hide', idOf(1));
    await community.block('viewer', 'author-2');
    await community.add('items', { item_id: idOf(3), hidden: true });
    await community.remove('items', idOf(7));
    const again = await visit(community, 'popular', LAST);
    expect(idsOf(again)).toEqual([4, 5].map(idOf));
    const with_own = await visit(community, 'popular', { ...LAST, show_interacted_items: true });
    expect(idsOf(with_own)).toEqual([0, 4, 5].map(idOf));
  });

  test('only items that pass the filters of the feed return', async () => {
    await using community = await openItems(12);
    await visit(community, 'popular', {});
    await community.follow('viewer', 'author-1');
    for (const author_ids of [['author-1'], 'following']) {
      const again = await community.page('for-you', { ...VIEWER, ...LAST, filters: { author_ids } });
      expect(idsOf(again)).toEqual([1, 5, 9].map(idOf));
    }
  });

  test('items return for a viewer without a user record, too', async () => {
    await using community = await openItems(2);
    const stranger = { user_id: 'stranger', ...LAST };
    const first = await visit(community, 'for-you', stranger);
    expect(await visit(community, 'for-you', stranger)).toMatchObject(
      first.map(({ item_id }) => ({ item_id, source_feed: 'seen:for-you' })),
    );
  });

  it('items that were viewed but on no page return in the order of time', async (community) => {
    await community.act('viewer', 'view', idOf(3));
    community.server.clock.advance(1);
    await visit(community, 'popular', { filters: { author_ids: ['author-1', 'author-2'] } });
    community.server.clock.advance(1);
    await community.act('viewer', 'view', idOf(0));
    // A view of a recorded item does not move it.
    await community.act('viewer', 'view', idOf(1));
    const again = await community.page('popular', { ...VIEWER, ...LAST });
    expect(idsOf(again)).toEqual([3, 1, 2, 0].map(idOf));
  });

  it('with rest_hours, an item returns no earlier than so long after it was last seen', async (community) => {
    const request = { seen: { mode: 'last', rest_hours: 2 }, top_k: 2 };
    const visits = async () => idsOf(await visit(community, 'popular', request));
    expect(await visits()).toEqual([0, 1].map(idOf));
    community.server.clock.advance(HOUR);
    expect(await visits()).toEqual([2, 3].map(idOf));
    expect(await visits()).toEqual([]);
    community.server.clock.advance(HOUR - 1);
    expect(await visits()).toEqual([]);
    community.server.clock.advance(1);
    // A view counts as seen, too.
    await community.act('viewer', 'view', idOf(1), { timestamp: community.now });
    expect(await visits()).toEqual([idOf(0)]);
    community.server.clock.advance(HOUR);
    expect(await visits()).toEqual([2, 3].map(idOf));
  });

  test('a cursor never returns an item twice, so scrolling ends', async () => {
    await using community = await openItems(30);
    const earlier = idsOf(await visit(community, 'popular', { top_k: 12 }));
    for (const feed_type of FEED_TYPES) {
      const got: string[] = [];
      let cursor: string | undefined;
      for (let at = 0; at < 10; at++) {
        const request = { ...VIEWER, ...LAST, top_k: 7, impression_count: 7, cursor };
        const { body } = await community.ask(feed_type, request);
        got.push(...idsOf(body.body));
        cursor = body.cursor;
        if (cursor === undefined) break;
      }
      expect(cursor).toBeUndefined();
      expect(got.toSorted()).toEqual(Array.from({ length: 30 }, (_, at) => idOf(at)));
      if (feed_type === 'for-you') expect(got.slice(-earlier.length)).toEqual(earlier);
    }
  });
});

describe('mode drop', () => {
  test('an item counts as seen for after_hours after it was last seen', async () => {
    await using community = await openItems(3);
    const after = { seen: { mode: 'drop', after_hours: 2 } };
    await visit(community, 'popular', { filters: { author_ids: ['author-0'] } });
    await community.act('viewer', 'view', idOf(1));
    const pages = async (request: Fields) =>
      idsOf(await community.page('popular', { ...VIEWER, ...request }));
    expect(await pages(after)).toEqual([idOf(2)]);
    community.server.clock.advance(2 * HOUR - 1);
    expect(await pages(after)).toEqual([idOf(2)]);
    community.server.clock.advance(1);
    expect(await pages(after)).toEqual([0, 1, 2].map(idOf));
    expect(await pages({})).toEqual([idOf(2)]);
    // It is not seen any more, so it is an item of the feed itself.
    const page = await community.page('popular', { ...VIEWER, seen: { mode: 'last', after_hours: 2 } });
    expect(page.filter(isAgain)).toEqual([]);
  });

  it('an empty page warns if at least one item was dropped as seen, in this feed or a fallback', async (community) => {
    const warnings = async (request: Fields): Promise<string[]> => {
      const { body } = await community.ask('popular', { ...VIEWER, ...request });
      return (body.warnings ?? []).filter((warning: string) => warning.includes('"mode": "last"'));
    };
    const nothing = { filters: { author_ids: ['nobody'] } };
    await visit(community, 'popular', {});
    expect(await warnings({})).toHaveLength(1);
    expect(await warnings({ seen: { mode: 'last', rest_hours: 1 } })).toHaveLength(1);
    expect(await warnings({ ...nothing, return_global_fallback: true })).toHaveLength(1);
    for (const request of [nothing, { ...nothing, ...LAST }, LAST, { user_id: 'other' }])
      expect(await warnings(request)).toEqual([]);
    await community.block('viewer', 'author-0');
    expect(await warnings({ filters: { author_ids: ['author-0'] } })).toEqual([]);
  });
});

describe('mode show', () => {
  it('seen items are shown as any other, also where visibility_rules names the rule', async (community) => {
    await visit(community, 'popular', { top_k: 2 });
    await community.act('viewer', 'view', idOf(2));
    await community.act('viewer', 'hide', idOf(3));
    const show = { seen: { mode: 'show' } };
    for (const request of [show, { ...show, visibility_rules: { seen: {} } }]) {
      for (let at = 0; at < 2; at++) {
        const page = await visit(community, 'popular', request);
        expect(idsOf(page)).toEqual([0, 1, 2].map(idOf));
        expect(page.filter(isAgain)).toEqual([]);
      }
    }
  });

  test('the mode applies to fallbacks', async () => {
    await using community = await openItems(2);
    await visit(community, 'popular', {});
    const request = { filters: { author_ids: ['nobody'] }, return_global_fallback: true };
    expect(await community.page('popular', { ...VIEWER, ...request })).toEqual([]);
    const page = await community.page('popular', { ...VIEWER, ...request, seen: { mode: 'show' } });
    expect(idsOf(page)).toEqual([0, 1].map(idOf));
  });
});

test("a request's seen replaces the saved one whole", async () => {
  await using community = await openItems(2);
  const feed_id = await save(community, { seen: { mode: 'last', rest_hours: 5 } });
  const pages = async (request: Fields) =>
    (await community.page('popular', { ...VIEWER, feed_id, ...request })).length;
  await visit(community, 'popular', { feed_id });
  expect(await pages({})).toBe(0);
  expect(await pages(LAST)).toBe(2);
  expect(await pages({ seen: { mode: 'show' } })).toBe(2);
  expect(await pages({ seen: 'none' })).toBe(0);
  community.server.clock.advance(5 * HOUR);
  expect(await pages({})).toBe(2);
  expect(await pages({ seen: { mode: 'drop' } })).toBe(0);
  expect(await pages({ seen: null })).toBe(2);
});

test("the viewer's feed decides for its cold start feed", async () => {
  await using community = await openItems(2);
  const cold_start_feed = await save(community, LAST);
  await visit(community, 'popular', {});
  expect(await community.page('popular', { ...VIEWER, cold_start_feed })).toEqual([]);
  const again = await community.page('popular', { ...VIEWER, cold_start_feed, ...LAST });
  expect(again.map(({ source_feed }) => source_feed)).toEqual(Array(2).fill(`seen:${cold_start_feed}`));
});

it('plain pages are the same in every mode', async (community) => {
  await visit(community, 'popular', { top_k: 2 });
  for (const mode of ['drop', 'last', 'show']) {
    const request = { ...VIEWER, page_size: 3, seen: { mode } };
    expect(await community.ids('popular', request)).toEqual([0, 1, 2].map(idOf));
    expect(await community.ids('popular', { ...request, page_number: 2 })).toEqual([idOf(3)]);
  }
});

describe('explanations', () => {
  async function explained(community: Community, item_id: string, request: Fields) {
    const { body } = await community.server.post('/v2/farcaster/casts/feed/popular/explain', {
      ...VIEWER,
      item_id,
      ...request,
    });
    return body.body;
  }

  test('an item that follows as seen is explained by its score and the source seen_before', async () => {
    await using community = await openItems(3);
    await visit(community, 'popular', {});
    await community.act('other', 'like', idOf(1));
    const request = { ...LAST, time_decay: 'high' };
    const page = await community.page('popular', { ...VIEWER, ...request, explain: true });
    expect(idsOf(page)).toEqual([0, 1, 2].map(idOf));
    for (const { explain, score, adjusted_score } of page) {
      expect(explain?.sources).toEqual(['seen_before']);
      expect(Object.values(explain?.score_parts ?? {}).reduce((sum, part) => sum + part, 0)).toBeCloseTo(
        score,
        9,
      );
      expect(score * (explain?.factors.time_decay ?? 0)).toBeCloseTo(adjusted_score, 9);
    }
    expect(page[1].score).toBeGreaterThan(page[0].score);
    const { body } = await community.ask('popular', { ...VIEWER, ...request, explain: true });
    const steps = body.trace.stages.filter((step: Fields) => step.source_feed === 'seen:popular');
    expect(steps).toContainEqual(
      expect.objectContaining({ stage: 'candidates', plugin: 'seen_before', out: 3 }),
    );
    expect(await explained(community, idOf(2), request)).toMatchObject({
      shown: true,
      rank: 3,
      source_feed: 'seen:popular',
      explain: { sources: ['seen_before'] },
    });
  });

  test('an item that is dropped as seen is explained with the time when it was last seen', async () => {
    await using community = await openItems(3);
    await visit(community, 'popular', { top_k: 2 });
    community.server.clock.advance(60);
    await community.act('viewer', 'view', idOf(1));
    const reasonOf = async (at: number, request: Fields = {}) => {
      const { dropped_by } = await explained(community, idOf(at), request);
      expect(dropped_by).toMatchObject({ stage: 'visibility', plugin: 'seen' });
      return dropped_by.reason;
    };
    expect(await reasonOf(0)).toEndWith('has seen. It was last seen at 2026-01-01T00:00:00.000Z.');
    expect(await reasonOf(1)).toEndWith('It was last seen at 2026-01-01T00:01:00.000Z.');
    const rest = { seen: { mode: 'last', rest_hours: 2 } };
    expect(await reasonOf(0, rest)).toEndWith('short otherwise, 2 hours after it was last seen.');
  });
});
