import { describe, expect, test } from 'bun:test';
import { jsonl } from '../interchange/support.ts';
import { plantedBursts, plantedHoldout, plantedReplay } from './planted.ts';
import { evaluated, START } from './support.ts';

const WEIGHTED = { name: 'weighted_v0.0.1', options: { weights: { interest_all: 1, popular: 0.2 } } };

/** Saved feeds with these configurations: `feed_1` and so on. */
function feeds(...configs: object[]): { 'feeds.jsonl': string } {
  const lines = configs.map((config, index) => ({ config_id: `feed_${index + 1}`, name: 'A feed', config }));
  return { 'feeds.jsonl': jsonl(lines) };
}

const { data, test: held_out } = plantedHoldout();
const ASK = ['holdout', '--test', '{}/test.csv', '--top-k', '10'];

function measured(configs: object[], ...args: string[]) {
  return evaluated({ ...data, 'test.csv': held_out, ...feeds(...configs) }, ...ASK, ...args);
}

const figuresOf = ({ name: _, p50_us: _p50, p99_us: _p99, ...figures }: object & Record<string, unknown>) =>
  figures;

describe('feedloom evaluate --feed', () => {
  test('a saved feed has a row of its id, with the figures of its scoring function and options', async () => {
    const { rows, row, verdict } = await measured(
      [{ scoring: 'user_interest_all_v0.0.1' }, { scoring: WEIGHTED }],
      ...['--feed', 'feed_2,feed_1', '--scoring', `user_interest_all_v0.0.1,${JSON.stringify(WEIGHTED)}`],
    );
    expect(rows.slice(0, 5).map(({ name }) => name)).toEqual([
      'feed_2',
      'feed_1',
      'user_interest_all_v0.0.1',
      'weighted_v0.0.1',
      'random',
    ]);
    expect(figuresOf({ ...row('feed_1') })).toEqual(figuresOf({ ...row('user_interest_all_v0.0.1') }));
    expect(figuresOf({ ...row('feed_2') })).toEqual(figuresOf({ ...row('weighted_v0.0.1') }));
    expect(verdict).toContain('feed_2');
  });

  test('only the named feeds are measured, and an interval contains each figure', async () => {
    const { rows } = await measured([{}, { scoring: WEIGHTED }], '--feed', 'feed_2');
    expect(rows.map(({ name }) => name).slice(0, 2)).toEqual(['feed_2', 'random']);
    for (const { recall = -1, recall_ci: [low, high] = [0, 0], baseline } of rows.slice(0, 3)) {
      expect([baseline, low <= recall && recall <= high]).toEqual([baseline, true]);
      expect(high).toBeGreaterThan(low);
    }
  });

  test('filters, rules and decay of a feed apply, and its promotions, cold start and fallbacks do not', async () => {
    const others = {
      promotion_filters: [{ promotion_type: 'feed', promotion_name: 'more', percent: 90, feed_id: 'feed_1' }],
      cold_start: { feed_id: 'feed_1', min_interactions: 1000 },
      fallback_feeds: [{ feed_id: 'feed_1' }],
      return_global_fallback: true,
      top_k: 3,
      return_metadata: true,
    };
    const { row } = await measured(
      [{ scoring: 'newest_v0.0.1' }, {}, others, { filters: { author_ids: ['nobody'] }, ...others }],
      ...['--feed', 'feed_1,feed_2,feed_3,feed_4'],
    );
    expect(figuresOf({ ...row('feed_3') })).toEqual(figuresOf({ ...row('feed_2') }));
    expect(row('feed_1').recall).toBeLessThan(row('feed_2').recall ?? 0);
    expect(row('feed_4')).toMatchObject({ recall: 0, coverage: 0 });
  });

  test('the first feed is compared with the best of the others, better or not', async () => {
    const nothing = { filters: { author_ids: ['nobody'] } };
    const better = await measured([nothing, nothing, {}], '--feed', 'feed_1,feed_2,feed_3');
    expect(better.verdict).toMatch(
      /^feed_3 finds more of what people did next than feed_1: \+\.\d+ \(\+\.\d+ to \+\.\d+\)$/,
    );
    const same = await measured([{}, {}], '--feed', 'feed_1,feed_2');
    expect(same.verdict).toBe(
      'It is not known whether feed_1 finds more of what people did next than feed_2: their pages are equally good here',
    );
  });

  test('replays measure saved feeds, of their type if no other is named', async () => {
    const popular = { config_id: 'feed_7', name: 'Popular', endpoint: 'feeds/popular', config: {} };
    const files = { ...plantedReplay(), 'feeds.jsonl': jsonl([popular]) };
    const { row } = await evaluated(files, 'replay', '--feed', 'feed_7', '--scoring', 'popular_v0.0.1');
    expect(figuresOf({ ...row('feed_7') })).toEqual(figuresOf({ ...row('popular_v0.0.1') }));
    expect(row('feed_7').hit_rate_ci).toBeArrayOfSize(2);
    const wrong = evaluated(files, 'replay', '--feed', 'feed_7', '--type', 'for-you');
    await expect(wrong).rejects.toThrow("'feed_7' is a popular feed, and these pages are for-you feeds");
  });

  test('trending protocols measure trending feeds with their filters, among the active items', async () => {
    const config = { scoring: { name: 'weighted_v0.0.1', options: { weights: { popular: 1 } } } };
    const line = (config_id: string, own: object) => ({
      config_id,
      name: 'T',
      endpoint: 'feeds/trending',
      config: own,
    });
    const lines = [
      line('feed_1', config),
      line('feed_2', {}),
      line('feed_3', { filters: { author_ids: ['no'] } }),
    ];
    const files = { ...plantedBursts(), 'feeds.jsonl': jsonl(lines) };
    const steps = [
      '--from',
      String(START + 5 * 3600),
      '--every',
      '1h',
      '--horizon',
      '1h',
      '--active-within',
      '2h',
    ];
    const { row, verdict } = await evaluated(files, 'trending', ...steps, '--feed', 'feed_1,feed_2,feed_3');
    expect(row('feed_2').ndcg).toBeGreaterThan(row('feed_1').ndcg);
    expect(row('feed_3').ndcg).toBe(0);
    expect(verdict).toMatch(/^feed_2 ranks what gains most higher than feed_1: \+/);
  });

  test.each<[string, string[], string]>([
    [
      'a feed that is not there',
      ['--feed', 'feed_9'],
      "there is no feed 'feed_9' in feeds.jsonl; it has feed_1, feed_2",
    ],
    [
      'a feed whose plugin is not loaded',
      ['--feed', 'feed_2'],
      "'feed_2' uses acme/best, which is not loaded",
    ],
    ['no feed', ['--feed', ','], '--feed names no feed'],
    [
      'a scoring function that is no complete object',
      ['--scoring', 'newest_v0.0.1,{"name":"weighted_v0.0.1","options":{"weights":{"a":1}'],
      `--scoring must be ids or objects like {"name":"weighted_v0.0.1","options":{…}}, not '{"name":"weighted_v0.0.1"`,
    ],
    [
      'a scoring function without a name',
      ['--scoring', '{"options":{"a":1}}'],
      'must be ids or objects like',
    ],
    [
      'options that a scoring function does not have',
      ['--scoring', '{"name":"weighted_v0.0.1","options":{"weights":{"charm":1}}}'],
      "--scoring: options 'charm' is not a known signal; known are",
    ],
  ])('evaluate refuses %s', async (_what, args, message) => {
    await expect(measured([{}, { scoring: 'acme/best' }], ...args)).rejects.toThrow(message);
  });

  test('evaluate refuses a feed if the data has no saved feeds', async () => {
    const asked = evaluated(plantedReplay(), 'replay', '--feed', 'feed_1');
    await expect(asked).rejects.toThrow('there is no feeds.jsonl in the folder of --data');
  });
});
