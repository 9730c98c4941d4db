import { describe, expect, test } from 'bun:test';
import type { ExplainedItem } from '../../../src/answer/explained-item.ts';
import { forFile } from '../../support/service.ts';
import { addLikedItems, idOf } from '../liked-items.ts';
import { type Fields, feedPath, openCommunity } from '../support.ts';

const POPULAR = 'popular_v0.0.1';
const SIZE = 4;

interface Promotion extends Fields {
  promotion_type: string;
  promoted_items?: { item_id: string; rank?: number }[];
}

/** Twelve items `a-00` … of channel a and six of channel b, each a little less liked. */
const community = await forFile(openCommunity());
await addLikedItems(community, { a: 12, b: 6 }, 3);

const ONLY_A = { filters: { channels: ['a'] } };
const promoting = (promotion: Fields) => ({
  ...ONLY_A,
  page_size: SIZE,
  seed: 5,
  promotion_filters: [{ promotion_name: 'ad', ...promotion }],
});

async function pagesOf(request: Fields): Promise<string[][]> {
  const pages: string[][] = [];
  for (;;) {
    const page = await community.ids('popular', { ...request, page_number: pages.length + 1 });
    if (page.length === 0) return pages;
    pages.push(page);
  }
}

async function explain(item_id: string, request: Fields): Promise<ExplainedItem> {
  const { status, body } = await community.server.post(`${feedPath('popular')}/explain`, {
    item_id,
    ...request,
  });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.body;
}

describe('plain pages with hand-picked items', () => {
  const picked = [{ item_id: 'a-09', rank: 2 }, { item_id: 'a-08' }, { item_id: 'b-03' }];
  const request = promoting({ promotion_type: 'items', promoted_items: picked });
  const second = { ...request, page_number: 2 };

  test('the explanation says that a hand-picked item is on an earlier plain page', async () => {
    expect((await pagesOf(request)).slice(0, 2)).toEqual([
      ['a-00', 'a-09', 'a-08', 'b-03'],
      ['a-01', 'a-02', 'a-03', 'a-04'],
    ]);
    for (const [item_id, rank] of [
      ['a-09', 10],
      ['a-08', 9],
    ]) {
      const { dropped_by } = await explain(`${item_id}`, second);
      const reason = `ranked ${rank}: it is on an earlier page`;
      expect(dropped_by).toEqual({ stage: 'ranking', plugin: POPULAR, reason });
    }
  });

  test('the explanation says so too for an item that only the promotion may show', async () => {
    const { rank, dropped_by } = await explain('b-03', second);
    expect(rank).toBeNull();
    expect(dropped_by).toEqual({ stage: 'mixing', plugin: 'items', reason: 'it is on an earlier page' });
    expect((await explain('b-02', second)).dropped_by?.plugin).toBe('channels');
  });
});

describe('what explains an item agrees with all plain pages', () => {
  const picked = [
    { item_id: 'a-09', rank: 2 },
    { item_id: 'a-08' },
    { item_id: 'a-02' },
    { item_id: 'a-11' },
  ];
  const hand_picked = [...picked, { item_id: 'a-06' }, { item_id: 'a-07', rank: 9 }];
  test.each<[string, Promotion]>([
    ['hand-picked items', { promotion_type: 'items', promoted_items: picked }],
    ['more of them than a page has slots', { promotion_type: 'items', promoted_items: hand_picked }],
    ['another channel', { promotion_type: 'feed', percent: 50, filters: { channels: ['b'] } }],
    ['nearly nothing else', { promotion_type: 'feed', percent: 90, filters: { channels: ['b'] } }],
    ['a feed that has the same items', { promotion_type: 'feed', percent: 40, filters: {} }],
    ['a feed of items in the middle', { promotion_type: 'feed', percent: 60, filters: middle() }],
  ])('explanations of items agree with all plain pages with %s promoted', async (_, promotion) => {
    const request = promoting(promotion);
    const pages = await pagesOf(request);
    const main = Array.from({ length: 12 }, (_, at) => idOf('a', at));
    const hand = new Set(promotion.promoted_items?.map(({ item_id }) => item_id));
    for (const [index, page] of pages.entries()) {
      for (const [at, item_id] of main.entries()) {
        const { shown, rank, dropped_by } = await explain(item_id, { ...request, page_number: index + 1 });
        const stands_on = pages.findIndex((ids) => ids.includes(item_id));
        expect(shown).toBe(stands_on === index);
        expect(rank).toBe(shown ? index * SIZE + page.indexOf(item_id) + 1 : at + 1);
        expect(dropped_by?.reason.includes('earlier page') ?? false).toBe(stands_on < index);
        if (shown) continue;
        const by_promotion = { stage: 'mixing', plugin: promotion.promotion_type };
        const by_ranking = { stage: 'ranking', plugin: POPULAR };
        // It would be there by now, were nothing promoted; of a hand-picked one it is the promotion that says when.
        const displaced = hand.has(item_id) || at < (index + 1) * SIZE;
        expect(dropped_by).toMatchObject(stands_on > index && displaced ? by_promotion : by_ranking);
      }
    }
  });
});

function middle() {
  return { engagement: { min_likes_count: 90, max_likes_count: 96 } };
}
