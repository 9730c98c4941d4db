import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { ExplainedItem } from '../../../src/answer/explained-item.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import { forFile, START } from '../../support/service.ts';
import { defaultAccount, expectRefused } from '../config-support.ts';
import { addLikedItems, idOf } from '../liked-items.ts';
import { type Fields, feedPath, openCommunity } from '../support.ts';

const PLUGIN = join(import.meta.dir, '..', 'acme-plugin.ts');
const POPULAR = 'popular_v0.0.1';

/** Twenty items `a-00` … of channel a, one author each, and as many of channel b; each a little less liked. */
const community = await forFile(openCommunity({ settings: { plugins: PLUGIN } }));
const account = defaultAccount(community.server);
await addLikedItems(community, { a: 20, b: 20 }, 20);

const only = (channel: string): Fields => ({ filters: { channels: [channel] } });

async function explain(
  item_id: string,
  request: Fields = {},
  feed_type: FeedType = 'popular',
): Promise<ExplainedItem> {
  const before = community.seq;
  const { status, body } = await community.server.post(`${feedPath(feed_type)}/explain`, {
    item_id,
    ...request,
  });
  expect([status, body.detail, community.seq]).toEqual([200, undefined, before]);
  return body.body;
}

/** Stage and plugin of what dropped an item, and its rank. */
async function dropped(item_id: string, request: Fields = {}, feed_type: FeedType = 'popular') {
  const { shown, dropped_by, rank } = await explain(item_id, request, feed_type);
  expect(shown).toBe(false);
  expect(dropped_by?.reason).toMatch(/\S{3}/);
  return [dropped_by?.stage, dropped_by?.plugin, rank];
}

describe('an item on the page', () => {
  test('an item on the page is explained with its place and its scores', async () => {
    const [, , third] = await community.page('popular', { ...only('a'), user_id: 'v', time_decay: 'high' });
    const explained = await explain('a-02', { ...only('a'), user_id: 'v', time_decay: 'high' });
    const { item_id, score, adjusted_score, popular_score, trending_score } = third;
    expect(explained).toEqual({
      item_id,
      shown: true,
      rank: 3,
      source_feed: 'main:popular',
      score,
      adjusted_score,
      popular_score,
      trending_score,
      affinity_score: 0,
      interest_score: 0,
      explain: {
        signals: { popular: score },
        score_parts: { popular: score },
        factors: { time_decay: adjusted_score / score },
        sources: ['postings'],
      },
      cold_start: false,
      cold_start_reason: null,
      effort: 1,
      dropped_by: null,
    });
  });

  test('the place of an item includes the plain pages before it', async () => {
    const page = { ...only('a'), page_size: 5, page_number: 2 };
    expect(await explain('a-07', page)).toMatchObject({ shown: true, rank: 8 });
    expect(await dropped('a-02', page)).toEqual(['ranking', POPULAR, 3]);
    expect(await dropped('a-12', page)).toEqual(['ranking', POPULAR, 13]);
  });

  test('the explanation of an item names the saved feed, or the fallback that it comes from', async () => {
    const fallback = await account.add({ endpoint: 'casts/feed/popular', config: only('b') });
    const config = { ...only('a'), fallback_feeds: [{ feed_id: fallback }] };
    const feed_id = await account.add({ endpoint: 'casts/feed/popular', config });
    const request = { feed_id, top_k: 22 };
    expect(await explain('a-19', request)).toMatchObject({ rank: 20, source_feed: `main:${feed_id}` });
    const of_fallback = { rank: 22, shown: true, source_feed: `fallback_main_1:${fallback}` };
    expect(await explain('b-01', request)).toMatchObject(of_fallback);
    expect(await dropped('b-02', request)).toEqual(['candidates', 'channels', null]);
  });
});

describe('an item that no feed may show', () => {
  test('an unknown item gets 404', async () => {
    const { status, body } = await community.server.post(`${feedPath('popular')}/explain`, { item_id: 'x' });
    expect([status, body.code, body.detail]).toEqual([404, 'not_found', "there is no item 'x'"]);
  });

  test('the explanation of an item without content says that it is undescribed, deleted, moderated or in the future', async () => {
    await community.act('somebody', 'like', 'heard-of');
    expect(await dropped('heard-of')).toEqual(['candidates', 'not_described', null]);
    expect((await explain('heard-of')).score).toBeNull();
    await community.addItem('gone');
    await community.remove('items', 'gone');
    expect(await dropped('gone')).toEqual(['candidates', 'deleted', null]);
    await community.addItem('unwanted', { hidden: true });
    expect(await dropped('unwanted')).toEqual(['candidates', 'moderated', null]);
    await community.addItem('of-unwanted', { author_id: 'unwanted-author' });
    await community.add('users', { user_id: 'unwanted-author', hidden: true });
    expect(await dropped('of-unwanted')).toEqual(['candidates', 'moderated', null]);
    await community.addItem('tomorrow', { created_at: START + 61 });
    expect(await dropped('tomorrow')).toEqual(['candidates', 'dated_in_future', null]);
    const tomorrow = await explain('tomorrow', { filters: { channels: ['none'] } });
    expect(tomorrow.dropped_by?.plugin).toBe('dated_in_future');
  });

  test('an item of an erased author is unknown', async () => {
    await community.addItem('erased', { author_id: 'leaver' });
    await community.remove('users', 'leaver');
    const { status } = await community.server.post(`${feedPath('popular')}/explain`, { item_id: 'erased' });
    expect(status).toBe(404);
  });
});

describe('what drops an item first is named', () => {
  test('filters are named as the cause in the order of the feed, before every rule', async () => {
    await community.act('reader', 'view', 'a-05');
    const seen = { user_id: 'reader' };
    expect(await dropped('a-05', seen)).toEqual(['visibility', 'seen', null]);
    const one = { filters: { channels: ['b'], languages: ['de'] } };
    const other = { filters: { languages: ['de'], channels: ['b'] } };
    expect(await dropped('a-05', { ...seen, ...one })).toEqual(['candidates', 'channels', null]);
    expect(await dropped('a-05', { ...seen, ...other })).toEqual(['candidates', 'languages', null]);
  });

  test('third-party filters, rules and scoring functions are named by their ids', async () => {
    const since = { filters: { 'acme/since': { seconds: START } } };
    expect(await dropped('a-05', since)).toEqual(['candidates', 'acme/since', null]);
    const mute = { visibility_rules: { 'acme/mute_v1.0.0': { authors: ['a-author-5'] } } };
    expect(await dropped('a-05', { user_id: 'v', ...mute })).toEqual([
      'visibility',
      'acme/mute_v1.0.0',
      null,
    ]);
    const oldest = { ...only('a'), scoring: 'acme/oldest_v1.0.0', top_k: 3 };
    expect(await dropped('a-05', oldest)).toEqual(['ranking', 'acme/oldest_v1.0.0', 15]);
    const { score, explain: why } = await explain('a-19', oldest);
    expect(score).toBeGreaterThan(0);
    expect(why).toEqual({ signals: {}, score_parts: {}, factors: {}, sources: ['postings'] });
  });

  test('an item that ranks first is shown even if no source would propose it', async () => {
    await community.addItem('forgotten', { author_id: 'f', created_at: START - 1_000_000 });
    const oldest = { user_id: 'v', scoring: 'acme/oldest_v1.0.0', top_k: 1 };
    expect(await explain('forgotten', oldest, 'for-you')).toMatchObject({ shown: true, rank: 1 });
  });

  test('an item that was shown to the viewer is explained by the rule seen on every page', async () => {
    await community.page('popular', { user_id: 'w', ...only('a'), top_k: 2, impression_count: 2 });
    expect(await dropped('a-01', { user_id: 'w' }, 'for-you')).toEqual(['visibility', 'seen', null]);
    expect(await explain('a-01', { user_id: 'w', page_size: 5, ...only('a') })).toMatchObject({ rank: 2 });
  });
});

describe('diversity', () => {
  const names = ['one-1', 'one-2', 'one-3', 'two-1', 'two-2', 'three-1'];
  const channel = (feed_diversity_config: Fields, top_k = 25) => ({
    ...only('c'),
    feed_diversity_config,
    top_k,
  });
  beforeAll(async () => {
    for (const [at, item_id] of names.entries()) {
      const author_id = item_id.split('-')[0];
      await community.addItem(item_id, { author_id, channel: 'c', likes_count: 50 - at });
    }
  });

  test('diversity is named as the cause if its limit on the number drops an item', async () => {
    const request = channel({ max_posts_per_author: 1 });
    expect(await dropped('one-2', request)).toEqual(['mixing', 'diversity', 2]);
    expect(await dropped('two-2', request)).toEqual(['mixing', 'diversity', 5]);
    expect(await explain('three-1', request)).toMatchObject({ shown: true, rank: 3 });
  });

  test('diversity is named as the cause if its distance drops an item', async () => {
    const request = channel({ min_distance_between_posts_from_same_author: 2 });
    expect(await community.ids('popular', request)).toEqual(['one-1', 'two-1', 'three-1', 'one-2', 'two-2']);
    expect(await dropped('one-3', request)).toEqual(['mixing', 'diversity', 3]);
    expect(await explain('one-2', request)).toMatchObject({ shown: true, rank: 4 });
  });

  test('diversity is not named for items that rank below a full page', async () => {
    const request = channel({ max_posts_per_author: 1 }, 2);
    expect(await dropped('one-2', request)).toEqual(['mixing', 'diversity', 2]);
    expect(await dropped('two-2', request)).toEqual(['ranking', POPULAR, 5]);
    expect(await dropped('three-1', request)).toEqual(['ranking', POPULAR, 6]);
  });
});

describe('promotions', () => {
  const promotion = (fields: Fields) => ({ promotion_filters: [{ promotion_name: 'ad', ...fields }] });
  const picked = (...promoted_items: Fields[]) => promotion({ promotion_type: 'items', promoted_items });

  test('a promoted item is explained with its place and the name of its promotion', async () => {
    const request = { ...only('a'), top_k: 5, ...picked({ item_id: 'b-07', rank: 2 }) };
    const explained = await explain('b-07', request);
    expect(explained).toMatchObject({ rank: 2, source_feed: 'promotion:ad', promotion_name: 'ad' });
    expect(explained.explain.sources).toEqual(['promoted_items']);
  });

  test('a promotion is named as the cause if it displaces an item', async () => {
    const request = { ...only('a'), top_k: 5, ...picked({ item_id: 'b-07', rank: 2 }) };
    expect(await explain('a-03', request)).toMatchObject({ shown: true, rank: 5 });
    expect(await dropped('a-04', request)).toEqual(['mixing', 'items', 5]);
    expect(await dropped('a-05', request)).toEqual(['ranking', POPULAR, 6]);
    const share = promotion({ promotion_type: 'feed', percent: 40, filters: { channels: ['b'] } });
    const shared = { ...only('a'), top_k: 5, ...share, seed: 3 };
    const page = await community.page('popular', shared);
    const main = page.filter(({ source_feed }) => source_feed === 'main:popular').length;
    expect([main > 0, main < 5]).toEqual([true, true]);
    expect(await dropped(idOf('a', main), shared)).toEqual(['mixing', 'feed', main + 1]);
    expect(await dropped('a-05', shared)).toEqual(['ranking', POPULAR, 6]);
    for (const [index, { item_id, source_feed }] of page.entries()) {
      expect(await explain(item_id, shared)).toMatchObject({ shown: true, rank: index + 1, source_feed });
    }
  });

  test('the explanation says why a hand-picked item is not on the page', async () => {
    await community.act('w2', 'hide', 'b-08');
    const request = { user_id: 'w2', ...only('a'), top_k: 5 };
    const beyond = { ...request, ...picked({ item_id: 'b-07', rank: 9 }, { item_id: 'b-08' }) };
    expect(await dropped('b-07', beyond)).toEqual(['mixing', 'items', null]);
    expect(await dropped('b-08', beyond)).toEqual(['visibility', 'hidden', null]);
    const proof = { return_only_posts_with_social_proof: true };
    expect(await explain('b-09', { ...request, ...proof, ...picked({ item_id: 'b-09' }) })).toMatchObject({
      shown: true,
      rank: 1,
    });
  });
});

describe('a cold viewer', () => {
  test('a cold-start viewer gets explanations of the cold-start feed', async () => {
    const cold = await account.add({ endpoint: 'casts/feed/popular', config: only('b') });
    const request = { user_id: 'newcomer', ...only('a'), cold_start_feed: cold };
    const explained = await explain('b-03', request, 'for-you');
    expect(explained).toMatchObject({ shown: true, cold_start: true, source_feed: `cold_start:${cold}` });
    expect(await dropped('a-03', request, 'for-you')).toEqual(['candidates', 'channels', null]);
    expect((await explain('a-03', request, 'for-you')).cold_start).toBe(true);
  });
});

describe('a question', () => {
  test.each([
    ['no body', undefined, '/item_id'],
    ['null', { user_id: 'v', item_id: null }, '/item_id'],
    ['no viewer', { item_id: 'a-01' }, '/user_id'],
    ['a list', [], ''],
  ])('an explanation is refused for %s', async (_, body, path) => {
    const answer = await community.server.post(`${feedPath('for-you')}/explain`, body);
    expectRefused(answer, 400, 'invalid_value');
    expect(answer.body.errors.map((fault: Fields) => fault.path)).toContain(path);
  });

  test('an explanation lists every fault and names unknown fields', async () => {
    const { server } = community;
    const { body } = await server.post(`${feedPath('for-you')}/explain`, { top_k: 0, seed: 'x' });
    const paths = body.errors.map(({ path }: Fields) => path).sort();
    expect(paths).toEqual(['/item_id', '/seed', '/top_k', '/user_id']);
    expect((await server.call('GET', `${feedPath('popular')}/explain`)).status).toBe(405);
    const told = await server.post(`${feedPath('popular')}/explain`, { item_id: 'a-01', colour: 'red' });
    expect(told.body.warnings).toEqual(["unknown field 'colour' was ignored"]);
    const gone = await server.post(`${feedPath('popular')}/explain`, { item_id: 'a-01', feed_id: 'feed_99' });
    expect([gone.status, gone.body.code]).toEqual([404, 'not_found']);
  });
});
