import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { AnswerItem } from '../../../src/answer/item-fields.ts';
import type { AnswerTrace } from '../../../src/answer/page-answer.ts';
import { definePlugin, defineScoringFunction, Type } from '../../../src/plugin/index.ts';
import { fillWithDemo } from '../../support/demo.ts';
import { forFile, openTestServer } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { FEED_TYPES, type Fields, feedPath } from '../support.ts';

const PLUGIN = join(import.meta.dir, '..', 'acme-plugin.ts');
const CHANNEL = 'https://example.community/channel/music';
const server = await forFile(openTestServer({ settings: { plugins: PLUGIN } }));
await fillWithDemo(server.service);

interface Explained {
  body: Required<AnswerItem>[];
  trace: AnswerTrace;
  warnings?: string[];
}

async function ask(feed_type: string, request: Fields): Promise<Explained> {
  const { status, body } = await server.post(feedPath(feed_type), { user_id: '1000', ...request });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}

/** Steps of a trace as `stage plugin`. */
const named = ({ stages }: AnswerTrace) => stages.map(({ stage, plugin }) => `${stage} ${plugin}`);

const REQUESTS: [string, Fields][] = [
  ['a plain request', {}],
  [
    'filters and decay',
    { filters: { start_timestamp: 'days_ago:20', languages: ['en'] }, time_decay: 'low' },
  ],
  ['a narrow feed', { filters: { channels: [CHANNEL] }, top_k: 60 }],
  ['social proof', { return_only_posts_with_social_proof: true }],
  ['diversity', { feed_diversity_config: { max_posts_per_author: 1 } }],
  ['a long page', { top_k: 400 }],
  ['a fallback', { filters: { channels: [CHANNEL] }, return_global_fallback: true, top_k: 300 }],
  [
    'a promotion',
    {
      promotion_filters: [
        {
          promotion_type: 'feed',
          promotion_name: 'ad',
          percent: 20,
          filters: { channels: [CHANNEL] },
        },
      ],
    },
  ],
];

describe('explain', () => {
  for (const feed_type of FEED_TYPES) {
    for (const [name, request] of REQUESTS) {
      test(`explain only adds fields to a ${feed_type} page: ${name}`, async () => {
        const wanted = { ...request, seed: 5, return_metadata: true };
        const plain = await ask(feed_type, wanted);
        const { body, trace } = await ask(feed_type, { ...wanted, explain: true });
        expect(body.map(({ explain: _, ...item }) => item)).toEqual(plain.body);
        expect(JSON.stringify(plain)).not.toMatch(/"(explain|trace)"/);
        expect(body.length).toBeGreaterThan(10);
        expect(Object.keys(trace)).toEqual([
          'stages',
          'candidates',
          'cold_start',
          'cold_start_reason',
          'config_revision',
          'learning',
          'effort',
        ]);
        for (const { explain, score, source_feed } of body) {
          const sum = Object.values(explain.score_parts).reduce((one, other) => one + other, 0);
          expect(Math.abs(sum - score)).toBeLessThanOrEqual(1e-12);
          expect(explain.sources.length).toBeGreaterThan(0);
          for (const value of Object.values(explain.signals)) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
          // A feed of everybody's is inside a for-you feed only as its fallback.
          const asked = Object.keys(explain.signals);
          const own = feed_type === 'for-you' && source_feed !== 'fallback_global:popular';
          const whole = [
            'interest_all',
            'profile',
            'semantic_interest',
            'momentum',
            'affinity_all',
            'dislike',
          ];
          if (own) expect(asked).toEqual(whole);
          else expect(asked).toHaveLength(1);
        }
      });

      test(`the counts of a trace add up: ${feed_type}, ${name}`, async () => {
        const { trace } = await ask(feed_type, { ...request, explain: true });
        const of_main = trace.stages.filter(({ source_feed }) => source_feed === `main:${feed_type}`);
        for (const step of of_main) {
          expect(step.out).toBeLessThanOrEqual(step.in);
          expect(step.microseconds).toBeGreaterThanOrEqual(0);
          expect(step.microseconds).toBeLessThan(10_000_000);
        }
        const filters = Object.keys((request.filters as object | undefined) ?? {});
        const chains = [
          of_main.filter(({ plugin }) => filters.includes(plugin)),
          of_main.filter(({ stage }) => stage === 'visibility'),
        ];
        // What one lets through is what the next looks at.
        for (const chain of chains)
          for (const [index, { out }] of chain.slice(0, -1).entries()) expect(chain[index + 1].in).toBe(out);
        const ranking = of_main.find(({ stage }) => stage === 'ranking');
        expect(ranking?.in).toBe(Number(ranking?.out));
        const kept = chains[0].at(-1)?.out;
        if (kept !== undefined) expect(ranking?.in).toBeLessThanOrEqual(kept);
      });
    }
  }

  test('the counts of a trace follow the order of the stages', async () => {
    const filters = { languages: ['en'], start_timestamp: 'days_ago:25' };
    const request = { explain: true, filters, feed_diversity_config: { max_posts_per_author: 2 } };
    expect(named((await ask('for-you', request)).trace)).toEqual([
      'candidates walk',
      'candidates profile',
      'candidates following',
      'candidates trending',
      'candidates popular',
      'candidates exploration',
      'candidates languages',
      'candidates start_timestamp',
      'ranking balanced_feed_v0.0.1',
      'visibility blocked',
      'visibility hidden',
      'visibility muted',
      'visibility seen',
      'visibility interacted',
      'mixing diversity',
    ]);
    expect(named((await ask('trending', { explain: true, page_size: 5 })).trace)).toEqual([
      'candidates trending',
      'ranking trending_v0.0.1',
      'visibility blocked',
      'visibility hidden',
      'visibility muted',
      'visibility interacted',
    ]);
  });

  test('the explanation of an item names the sources that proposed it', async () => {
    const sources = async (feed_type: string, request: Fields) => {
      const { body } = await ask(feed_type, { explain: true, ...request });
      return [...new Set(body.flatMap(({ explain }) => explain.sources))].sort();
    };
    expect(await sources('popular', {})).toEqual(['popular']);
    expect(await sources('trending', {})).toEqual(['trending']);
    expect(await sources('popular', { scoring: '1day' })).toEqual(['popular_1day']);
    const one_each = { user_id: 'newcomer', feed_diversity_config: { max_posts_per_author: 1 }, top_k: 400 };
    expect(await sources('for-you', one_each)).toEqual(['popular', 'tail', 'trending']);
    expect(await sources('popular', { filters: { channels: [CHANNEL] } })).toEqual(['postings']);
    expect(await sources('popular', { return_only_posts_with_social_proof: true })).toEqual(['social_proof']);
    const of_viewer = await sources('for-you', { top_k: 500 });
    expect(of_viewer).toEqual(['following', 'popular', 'profile', 'trending', 'walk']);
    const { body } = await ask('for-you', { explain: true });
    expect(body.some(({ explain }) => explain.sources.length > 1)).toBe(true);
    for (const { explain, interest_score, affinity_score } of body) {
      if (explain.sources.includes('walk')) expect(interest_score).toBeGreaterThan(0);
      if (explain.sources.includes('following')) expect(affinity_score).toBeGreaterThan(0);
    }
  });

  test('a trace contains the steps of every feed and of the promotion', async () => {
    const promoted = { promotion_type: 'items', promotion_name: 'ad', promoted_items: [] };
    const { trace } = await ask('for-you', {
      explain: true,
      filters: { channels: [CHANNEL] },
      top_k: 400,
      return_global_fallback: true,
      promotion_filters: [promoted],
    });
    const feeds = [...new Set(trace.stages.map(({ source_feed }) => source_feed))];
    expect(feeds).toEqual(['main:for-you', 'fallback_global:popular']);
    const last = trace.stages.at(-1);
    expect([last?.stage, last?.plugin, last?.source_feed]).toEqual(['mixing', 'items', 'main:for-you']);
    expect(last?.out).toBe(400);
  });

  test('the parts of a score are empty if the scoring function does not name them', async () => {
    const { body } = await ask('popular', { explain: true, scoring: 'acme/oldest_v1.0.0' });
    for (const { explain } of body) expect([explain.signals, explain.score_parts]).toEqual([{}, {}]);
  });

  test('a trace names the revision of the saved feed, and whether the viewer is a cold-start viewer', async () => {
    const account = defaultAccount(server);
    const cold_start_feed = await account.add({ endpoint: 'casts/feed/popular' });
    const feed_id = await account.add({ config: { cold_start_feed } });
    await account.set(feed_id, { description: 'again' });
    const known = await ask('for-you', { feed_id, explain: true });
    expect(known.trace).toMatchObject({ cold_start: false, cold_start_reason: null, config_revision: 2 });
    const cold = await ask('for-you', { feed_id, explain: true, user_id: 'newcomer' });
    expect(cold.trace).toMatchObject({
      cold_start: true,
      cold_start_reason: 'the service knows nothing of this viewer',
      config_revision: 2,
    });
    expect(cold.trace.stages[0].source_feed).toBe(`cold_start:${cold_start_feed}`);
    expect(cold.body[0].explain.signals).toEqual({ popular: cold.body[0].score });
    expect((await ask('for-you', { explain: true })).trace.config_revision).toBeNull();
  });

  test('explain is off when it is false, null or empty', async () => {
    for (const value of [false, null, '']) {
      const { status, body } = await server.post(feedPath('popular'), { explain: value });
      expect([status, body.trace]).toEqual([200, undefined]);
    }
  });

  test('a third-party scoring function names its parts, and signals that it reads late are listed', async () => {
    const options = Type.Object({
      factor: Type.Number({ default: 2 }),
      wrong: Type.Boolean({ default: false }),
    });
    const late = defineScoringFunction({
      summary: 'Popular, several times.',
      options,
      compile:
        ({ factor }) =>
        (request) =>
        (item) =>
          factor * request.signal('popular')(item) + (request.item.likes_count(item) > 0 ? 1 : 0),
      parts:
        ({ factor, wrong }) =>
        (request) =>
        (item) => ({
          popular: wrong ? Number.NaN : factor * request.signal('popular')(item),
          liked: request.item.likes_count(item) > 0 ? 1 : 0,
        }),
    });
    const meta = { name: 'late', version: '1.0.0', api: 2 };
    const plugin = definePlugin({ meta, scoring_functions: { 'late/times_v1.0.0': late } });
    server.service.registry.add(plugin, 'late.ts');
    const scoring = { name: 'late/times_v1.0.0', options: { factor: 3 } };
    const { body } = await ask('trending', { explain: true, scoring });
    for (const { explain, score, popular_score } of body) {
      expect(explain.signals).toEqual({ popular: popular_score });
      expect(explain.score_parts).toEqual({ popular: 3 * popular_score, liked: 1 });
      expect(explain.score_parts.popular + explain.score_parts.liked).toBe(score);
    }
    const wrong = { name: 'late/times_v1.0.0', options: { wrong: true } };
    expect(await ask('trending', { scoring: wrong })).toHaveProperty('body');
    const failed = await server.post(feedPath('trending'), { explain: true, scoring: wrong });
    expect([failed.status, failed.body.code]).toEqual([500, 'plugin_failed']);
  });

  test('an explained request fails if the plugin fails', async () => {
    const { status, body } = await server.post(feedPath('popular'), {
      explain: true,
      scoring: 'acme/broken_v1.0.0',
    });
    expect([status, body.code]).toEqual([500, 'plugin_failed']);
  });
});
