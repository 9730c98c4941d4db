import { describe, expect, test } from 'bun:test';
import { FEED_TYPES, type Fields } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { type Answer, falling, ids, only, openMixing, promoting, TRENDING } from './mixing-support.ts';

const mixing = await forFile(openMixing());

/** A page of channel `d`, unless the request has another feed. */
const ask = (request: Fields): Promise<Answer> => mixing.answer({ ...only('d'), ...request });

test.each<[string, Fields, string]>([
  [
    'fallback feeds are not used while the feed has enough items',
    { top_k: 5, ...falling('@b') },
    'main:popular 5',
  ],
  [
    'fallback feeds follow in order when the previous feed runs out, labelled with their number',
    { top_k: 30, ...falling('@c', '@b') },
    'main:popular 5, fallback_main_1:@c 10, fallback_main_2:@b 15',
  ],
  [
    'fallback feeds follow in their own order',
    { top_k: 30, ...falling('@b', '@c') },
    'main:popular 5, fallback_main_1:@b 20, fallback_main_2:@c 5',
  ],
  [
    'fallback feeds end with their last item',
    { top_k: 100, ...falling('@c', '@b') },
    'main:popular 5, fallback_main_1:@c 10, fallback_main_2:@b 20',
  ],
  [
    'fallback feeds fill the page of an empty feed',
    { ...only('nowhere'), top_k: 3, ...falling('@c') },
    'fallback_main_1:@c 3',
  ],
  [
    'a fallback feed runs at most once',
    { top_k: 30, ...falling('@c', '@c', '@b') },
    'main:popular 5, fallback_main_1:@c 10, fallback_main_3:@b 15',
  ],
  [
    'a fallback feed is never the feed itself',
    { feed_id: '@d', filters: undefined, top_k: 30, ...falling('@d', '@c') },
    'main:@d 5, fallback_main_2:@c 10',
  ],
  [
    'fallback feeds ignore the decay and diversity of the request',
    { time_decay: 'high', feed_diversity_config: { max_posts_per_author: 1 }, top_k: 8, ...falling('@c') },
    'main:popular 1, fallback_main_1:@c 7',
  ],
  [
    "the global fallback comes last with the network's popular items",
    { top_k: 20, return_global_fallback: true, ...falling('@c') },
    'main:popular 5, fallback_main_1:@c 10, fallback_global:popular 5',
  ],
  [
    'the global fallback is used only if items are missing',
    { top_k: 5, return_global_fallback: true },
    'main:popular 5',
  ],
  ...[false, undefined, null, ''].map((off): [string, Fields, string] => [
    `the global fallback is not used with ${off}`,
    { top_k: 10, return_global_fallback: off },
    'main:popular 5',
  ]),
  [
    'the global fallback contains all remaining items',
    { top_k: 100, return_global_fallback: true },
    'main:popular 5, fallback_global:popular 60',
  ],
])('%s', async (_sentence, request, runs) => {
  const page = await ask(request);
  expect(page.runs).toBe(runs);
  expect(new Set(page.ids).size).toBe(page.ids.length);
  const fallen = page.items.filter(({ source_feed }) => source_feed.startsWith('fallback'));
  expect(fallen.every(({ score, adjusted_score }) => score === adjusted_score)).toBe(true);
  for (const channel of ['b', 'c']) {
    const own = page.items.filter(({ source_feed }) => source_feed.endsWith(`@${channel}`));
    expect(own.map(({ item_id }) => item_id)).toEqual(ids(channel, own.length));
  }
});

describe('fallback feeds', () => {
  test('begin with the most popular items of all', async () => {
    const page = await ask({ top_k: 20, return_global_fallback: true, ...falling('@c') });
    expect(page.from('fallback_global:popular')).toEqual(['a-00', 'b-00', 'a-01', 'b-01', 'a-02']);
  });

  test('add only items that are not on the page yet', async () => {
    await mixing.save('@both', only('c', 'd'));
    const page = await ask({ top_k: 30, ...falling('@both', '@c', '@b') });
    expect(page.runs).toBe('main:popular 5, fallback_main_1:@both 10, fallback_main_3:@b 15');
    expect(new Set(page.ids).size).toBe(30);
  });

  test('do not include the feed itself, even if its diversity left out items', async () => {
    await mixing.save('@few', { ...only('d'), feed_diversity_config: { max_posts_per_author: 2 } });
    expect((await mixing.answer({ feed_id: '@few', ...falling('@few') })).runs).toBe('main:@few 2');
  });

  test('use their own filters, type, scoring and decay only', async () => {
    const plain = { ...only('c'), time_decay: { half_life_hours: 0.01 } };
    const config = {
      ...{ ...plain, ...falling('@b'), return_global_fallback: true, cold_start_feed: '@b', top_k: 1 },
      ...{
        feed_diversity_config: { max_posts_per_author: 1 },
        ...promoting({ percent: 100, feed_id: '@b' }),
      },
    };
    await mixing.save('@whole', config, { endpoint: TRENDING });
    const alone = await mixing.answer({ ...plain, top_k: 20 }, 'trending');
    const request = { user_id: 'stranger', top_k: 20, ...only('nowhere'), ...falling('@whole') };
    const page = await mixing.answer(request);
    expect([page.scores, page.runs]).toEqual([alone.scores, 'fallback_main_1:@whole 10']);
  });

  test('may be of any type', async () => {
    for (const type of FEED_TYPES) {
      await mixing.save('@typed', only('c'), { endpoint: `casts/feed/${type}` });
      for (const asked of FEED_TYPES) {
        const request = { user_id: 'viewer', ...only('d'), top_k: 9, ...falling('@typed') };
        expect((await mixing.answer(request, asked)).runs).toBe(`main:${asked} 5, fallback_main_1:@typed 4`);
      }
    }
  });

  test('are limited to three', async () => {
    const { status, body } = await mixing.ask(falling('@b', '@c', '@d', '@b'));
    expect([status, body.errors[0].path]).toEqual([400, '/fallback_feeds']);
    expect((await ask({ top_k: 5, ...falling('@b', '@c', '@d') })).ids).toHaveLength(5);
  });
});

describe('a rule applies in every fallback feed to', () => {
  const chain = { top_k: 100, return_global_fallback: true };
  const page = (user_id: string, request: Fields = {}) =>
    ask({ user_id, ...chain, ...falling('@c'), ...request });

  test('seen, interacted, hidden and blocked items', async () => {
    const { community } = mixing;
    const acts = { view: 'c-00', like: 'c-01', hide: 'c-02', bookmark: 'a-00', report: 'b-00' };
    for (const [event, item_id] of Object.entries(acts)) await community.act('viewer', event, item_id);
    const gone = Object.values(acts);
    const { ids: shown } = await page('viewer');
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
    const proof = { return_only_posts_with_social_proof: true };
    expect((await page('fan', proof)).ids).toEqual(['c-09', 'a-29']);
    const saved = await mixing.answerOf({ ...only('d'), ...proof, ...chain }, { user_id: 'fan' });
    expect(saved.ids).toHaveLength(2);
  });

  test('items that were shown before from any feed', async () => {
    const shown: string[] = [];
    for (let reads = 0; reads < 20; reads++)
      shown.push(...(await page('reader', { top_k: 4, impression_count: 4 })).ids);
    expect([shown.length, new Set(shown).size]).toEqual([65, 65]);
  });
});
