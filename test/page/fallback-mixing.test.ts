import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { type Answer, ids, type Mixing, only, openMixing, TRENDING } from './mixing-support.ts';

let mixing: Mixing;
/** Popular feeds of the channels `b` (20 items), `c` (10) and `d` (5). */
let feeds: Record<'b' | 'c' | 'd', string>;
beforeAll(async () => {
  mixing = await openMixing();
  feeds = { b: await mixing.feedOf('b'), c: await mixing.feedOf('c'), d: await mixing.feedOf('d') };
});
afterAll(() => mixing[Symbol.asyncDispose]());

const named = (...feed_ids: string[]): Fields => ({
  fallback_feeds: feed_ids.map((feed_id) => ({ feed_id })),
});

/** A page of channel `d`, unless the request has another feed. */
const ask = (request: Fields): Promise<Answer> => mixing.answer({ ...only('d'), ...request });

describe('fallback feeds', () => {
  test('are not used while the feed has enough items', async () => {
    expect((await ask({ top_k: 5, ...named(feeds.b) })).runs).toBe('main:popular 5');
  });

  test('follow in order when the previous feed runs out, labelled with their number', async () => {
    const page = await ask({ top_k: 30, ...named(feeds.c, feeds.b) });
    expect(page.runs).toBe(`main:popular 5, fallback_main_1:${feeds.c} 10, fallback_main_2:${feeds.b} 15`);
    expect(page.ids).toEqual([...ids('d', 5), ...ids('c', 10), ...ids('b', 15)]);
    const turned = await ask({ top_k: 30, ...named(feeds.b, feeds.c) });
    expect(turned.runs).toBe(`main:popular 5, fallback_main_1:${feeds.b} 20, fallback_main_2:${feeds.c} 5`);
    expect((await ask({ top_k: 100, ...named(feeds.c, feeds.b) })).ids).toHaveLength(35);
  });

  test('fill the page of an empty feed', async () => {
    const page = await mixing.answer({ ...only('nowhere'), top_k: 3, ...named(feeds.c) });
    expect(page.runs).toBe(`fallback_main_1:${feeds.c} 3`);
  });

  test('add only items that are not on the page yet', async () => {
    const mixed = await mixing.account.add({
      endpoint: 'casts/feed/popular',
      config: only('c', 'd'),
    });
    const page = await ask({ top_k: 30, ...named(mixed, feeds.c, feeds.b) });
    expect(page.runs).toBe(`main:popular 5, fallback_main_1:${mixed} 10, fallback_main_3:${feeds.b} 15`);
    expect(new Set(page.ids).size).toBe(30);
  });

  test('run at most once each, and never the feed itself', async () => {
    const page = await ask({ top_k: 30, ...named(feeds.c, feeds.c, feeds.b) });
    expect(page.runs).toBe(`main:popular 5, fallback_main_1:${feeds.c} 10, fallback_main_3:${feeds.b} 15`);
    const itself = await mixing.answer({ feed_id: feeds.d, top_k: 30, ...named(feeds.d, feeds.c) });
    expect(itself.runs).toBe(`main:${feeds.d} 5, fallback_main_2:${feeds.c} 10`);
    expect([...page.warnings, ...itself.warnings]).toEqual([]);
  });

  test('do not include the feed itself, even if its diversity left out items', async () => {
    const feed_diversity_config = { max_posts_per_author: 2 };
    const feed_id = await mixing.feedOf('d', { feed_diversity_config });
    const page = await mixing.answer({ feed_id, ...named(feed_id) });
    expect(page.runs).toBe(`main:${feed_id} 2`);
  });

  test('use their own filters, type, scoring and decay only', async () => {
    const config = {
      ...only('c'),
      time_decay: { half_life_hours: 0.01 },
      fallback_feeds: [{ feed_id: feeds.b }],
      return_global_fallback: true,
      feed_diversity_config: { max_posts_per_author: 1 },
      promotion_filters: [{ promotion_type: 'feed', promotion_name: 'ad', percent: 100, feed_id: feeds.b }],
      cold_start_feed: feeds.b,
      top_k: 1,
    };
    const feed_id = await mixing.account.add({ endpoint: TRENDING, config });
    const plain = { ...only('c'), time_decay: { half_life_hours: 0.01 } };
    const alone = await mixing.answer({ ...plain, top_k: 20 }, 'trending');
    const page = await ask({ user_id: 'stranger', top_k: 20, ...only('nowhere'), ...named(feed_id) });
    const scores = ({ items }: Answer) =>
      items.map(({ item_id, score, adjusted_score }) => [item_id, score, adjusted_score]);
    expect(scores(page)).toEqual(scores(alone));
    expect(page.runs).toBe(`fallback_main_1:${feed_id} 10`);
  });

  test('ignore the filters, scoring, decay and diversity of the request', async () => {
    const request = { ...only('d'), time_decay: 'high', feed_diversity_config: { max_posts_per_author: 1 } };
    const page = await mixing.answer({ ...request, top_k: 8, ...named(feeds.c) });
    expect(page.runs).toBe(`main:popular 1, fallback_main_1:${feeds.c} 7`);
    expect(page.items.slice(1).every(({ score, adjusted_score }) => score === adjusted_score)).toBe(true);
  });

  test('may be of any type', async () => {
    for (const type of ['for-you', 'trending', 'popular'] as const) {
      const feed_id = await mixing.account.add({ endpoint: `casts/feed/${type}`, config: only('c') });
      for (const asked of ['for-you', 'trending', 'popular'] as const) {
        const request = { user_id: 'viewer', ...only('d'), top_k: 9, ...named(feed_id) };
        const page = await mixing.answer(request, asked);
        expect(page.runs).toBe(`main:${asked} 5, fallback_main_1:${feed_id} 4`);
      }
    }
    expect((await ask({ top_k: 9, ...named(feeds.c) })).items[8].source_feed).toBe(
      `fallback_main_1:${feeds.c}`,
    );
  });

  test('are limited to three', async () => {
    const { b, c, d } = feeds;
    const { status, body } = await mixing.community.ask('popular', named(b, c, d, b));
    expect([status, body.errors[0].path]).toEqual([400, '/fallback_feeds']);
    expect((await ask({ top_k: 5, ...named(b, c, d) })).ids).toHaveLength(5);
  });
});

describe('the global fallback', () => {
  test("comes last with the network's popular items", async () => {
    const page = await ask({ top_k: 20, return_global_fallback: true, ...named(feeds.c) });
    expect(page.runs).toBe(`main:popular 5, fallback_main_1:${feeds.c} 10, fallback_global:popular 5`);
    expect(page.from('fallback_global:popular')).toEqual(['a-00', 'b-00', 'a-01', 'b-01', 'a-02']);
  });

  test('is used only if it is requested and items are missing', async () => {
    expect((await ask({ top_k: 5, return_global_fallback: true })).runs).toBe('main:popular 5');
    for (const return_global_fallback of [false, undefined, null, '']) {
      expect((await ask({ top_k: 10, return_global_fallback })).runs).toBe('main:popular 5');
    }
  });

  test('contains all remaining items', async () => {
    const page = await ask({ top_k: 100, return_global_fallback: true });
    expect(page.runs).toBe('main:popular 5, fallback_global:popular 60');
    expect(new Set(page.ids).size).toBe(65);
  });
});

describe('a rule applies in every fallback feed to', () => {
  const chain = { top_k: 100, return_global_fallback: true };
  const page = (user_id: string, request: Fields = {}) =>
    ask({ user_id, ...chain, ...named(feeds.c), ...request });

  test('seen, interacted, hidden and blocked items', async () => {
    const { community } = mixing;
    await community.act('viewer', 'view', 'c-00');
    await community.act('viewer', 'like', 'c-01');
    await community.act('viewer', 'hide', 'c-02');
    await community.act('viewer', 'bookmark', 'a-00');
    await community.act('viewer', 'report', 'b-00');
    const { ids: shown } = await page('viewer');
    const gone = ['c-00', 'c-01', 'c-02', 'a-00', 'b-00'];
    expect(shown.filter((id) => gone.includes(id))).toEqual([]);
    expect(shown).toHaveLength(60);
    const again = await page('viewer', { show_interacted_items: true });
    expect(again.ids.filter((id) => gone.includes(id)).sort()).toEqual(['a-00', 'c-01']);
    await community.block('b-author', 'viewer');
    expect((await page('viewer')).ids.filter((id) => id.startsWith('b'))).toEqual([]);
  });

  test('own posts and items without social proof, if requested', async () => {
    const { community } = mixing;
    expect((await page('c-author', { remove_user_posts_from_feed: true })).ids).toHaveLength(55);
    expect((await page('c-author')).ids).toHaveLength(65);
    await community.follow('fan', 'friend');
    await community.act('friend', 'like', 'c-09');
    await community.act('friend', 'share', 'a-29');
    const proven = await page('fan', { return_only_posts_with_social_proof: true });
    expect(proven.ids).toEqual(['c-09', 'a-29']);
    const saved = await mixing.feedOf('d', { return_only_posts_with_social_proof: true, ...chain });
    expect((await mixing.answer({ feed_id: saved, user_id: 'fan' })).ids).toHaveLength(2);
  });

  test('items that were shown before from any feed', async () => {
    const shown: string[] = [];
    for (let reads = 0; reads < 20; reads++) {
      const { ids: read } = await page('reader', { top_k: 4, impression_count: 4 });
      shown.push(...read);
    }
    expect(shown).toHaveLength(65);
    expect(new Set(shown).size).toBe(65);
  });
});

describe('a fallback feed that cannot be built', () => {
  test('is a 404 if the request names it, even if it is not needed', async () => {
    const inactive = await mixing.feedOf('b', {}, { status: 'inactive' });
    for (const feed_id of ['feed_999', inactive]) {
      for (const top_k of [2, 20]) {
        const request = { ...only('d'), top_k, ...named(feeds.c, feed_id) };
        const { status, body } = await mixing.community.ask('popular', request);
        expect([status, body.code]).toEqual([404, 'not_found']);
        expect(body.detail).toContain(feed_id);
      }
    }
  });

  test('is skipped with a warning if it was saved, and the others keep their numbers', async () => {
    const gone = await mixing.feedOf('b');
    const feed_id = await mixing.feedOf('d', { ...named(gone, feeds.c), top_k: 8 });
    await mixing.account.set(gone, { status: 'inactive' });
    for (const state of ['inactive', 'gone']) {
      const page = await mixing.answer({ feed_id });
      expect([state, page.runs]).toEqual([state, `main:${feed_id} 5, fallback_main_2:${feeds.c} 3`]);
      expect(page.warnings).toHaveLength(1);
      expect(page.warnings[0]).toContain(gone);
      await mixing.account.remove(gone);
    }
    const off = await mixing.answer({ feed_id, fallback_feeds: [] });
    expect([off.runs, off.warnings]).toEqual([`main:${feed_id} 5`, []]);
  });
});
