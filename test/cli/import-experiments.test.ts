import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { folderWith, jsonl } from '../interchange/support.ts';
import { run } from './run.ts';

const FEEDS = [
  { config_id: 'feed_1', name: 'Own' },
  { config_id: 'feed_2', name: 'Private', account: 'other' },
  { config_id: 'feed_3', name: 'Public', account: 'other', visibility: 'public' },
].map((feed) => ({ endpoint: 'feeds/popular', config: {}, ...feed }));

const [CONTROL, OTHER] = [
  { name: 'control', feed_id: 'feed_1', percent: 50 },
  { name: 'other', feed_id: 'feed_3', percent: 50 },
];
const TOTALS = { viewers: 0, impressions: 0, pages: 0, short_pages: 0 };
const METRICS = [
  ...['interactions', 'interactions_per_impression', 'like', 'comment', 'share', 'bookmark', 'view'],
  ...['next_day_return', 'hide', 'report', 'short_pages'],
];
const totals = {
  ...TOTALS,
  metrics: Object.fromEntries(METRICS.map((name) => [name, { viewers: 0, sum: 0, sum_squares: 0 }])),
};
const period = (name: string) => ({
  ...{ period: 1, started_at: 1, ended_at: 2 },
  variants: [CONTROL, { ...OTHER, name }].map((variant) => ({ ...variant, totals })),
});

const line = (number: number, fields: object = {}) => ({
  ...{ experiment_id: `exp_${number}`, account: 'default', name: 'Own or public', feed_id: 'feed_1' },
  ...{ metric: 'like', attribution_hours: 24, status: 'stopped', salt: 's', variants: [CONTROL, OTHER] },
  ...{ period: 2, ended: [period('other')], revision: 3, created_at: 1, updated_at: 2, ...fields },
});

test('an import refuses experiments with unfit ids, feeds of other accounts and control characters, by their lines', async () => {
  const root = folderWith({});
  const lines = [
    line(1),
    line(999_999_999),
    line(3, { feed_id: 'feed_2' }),
    line(4, { variants: [CONTROL, { ...OTHER, feed_id: 'feed_2' }] }),
    line(5, { feed_id: 'feed_9', status: 'running' }),
    line(6, { name: 'a\u001b[2Jb' }),
    line(7, { variants: [CONTROL, { ...OTHER, name: 'a\nexperiments.jsonl:9: forged' }] }),
    line(8, { ended: [period('a\u202eb')] }),
    line(9, { feed_id: 'feed_9', status: 'stopped' }),
  ];
  const files = { 'feeds.jsonl': jsonl(FEEDS), 'experiments.jsonl': jsonl(lines) };
  const folder = folderWith(files);
  const { code, stdout, stderr } = await run('import', folder, '--data', join(root, 'data'));
  const unclean = 'expected no line breaks and other control characters';
  expect(stderr.split('\n').filter((text) => text.startsWith('experiments.jsonl:'))).toEqual([
    'experiments.jsonl:2: experiment_id: expected an id from exp_1 to exp_100000000; got "exp_999999999"',
    'experiments.jsonl:3: feed_id: feed_2 is a feed of another account here',
    'experiments.jsonl:4: variants/1/feed_id: feed_2 is a private feed of another account here',
    'experiments.jsonl:5: feed_id: there is no feed feed_9 here',
    `experiments.jsonl:6: name: ${unclean}`,
    `experiments.jsonl:7: variants/1/name: ${unclean}`,
    `experiments.jsonl:8: ended/0/variants/1/name: ${unclean}`,
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/experiments\.jsonl +2 accepted \(0 unchanged\), 7 rejected/);
});
