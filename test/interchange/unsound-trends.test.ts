import { expect, test } from 'bun:test';
import { FEATURES } from '../../src/state/trend-form.ts';
import { START } from '../support/service.ts';
import { begin, exported, pages, trendsOf, withElsewhere } from './learnt-community.ts';
import { importInto, jsonl, withFolder, withService } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: damage of every kind
type Change = (line: Record<string, any>) => void;

const UNSOUND: [what: string, change: Change, reason: string][] = [
  [
    'another version',
    (line) => (line.version = 2),
    'version: expected 1, the version that this service supports; got 2',
  ],
  ['no time', (line) => delete line.applied_at, 'applied_at: is required'],
  ['a later time', (line) => (line.applied_at = START + 99), "applied_at: lies ahead of the service's clock"],
  ['an earlier time', (line) => (line.applied_at = 1000), 'learnt: expected no time after applied_at'],
  ['no numbers', (line) => delete line.learnt.learner, 'learnt/learner: is required'],
  ['one number less', (line) => line.learnt.learner.pop(), 'learnt/learner: not the numbers of a learner'],
  [
    'a number that is not finite',
    (line) => (line.learnt.learner[5] = 'x'),
    'learnt/learner/5: expected a finite number',
  ],
  [
    'too large a number',
    (line) => (line.learnt.learner[5] = 1e300),
    'learnt/learner: not the numbers of a learner',
  ],
  [
    'a count below 0',
    (line) => (line.learnt.learner[1] = -1),
    'learnt/learner: not the numbers of a learner',
  ],
  [
    'a square below 0',
    (line) => (line.learnt.learner[20] = -1),
    'learnt/learner: not the numbers of a learner',
  ],
  ['half a step', (line) => (line.learnt.learner[34] = 0.5), 'learnt/learner: not the numbers of a learner'],
  [
    'a last square below 0',
    (line) => line.learnt.learner.splice(-1, 1, -1),
    'learnt/learner: not the numbers',
  ],
  [
    'fewer events',
    (line) => line.learnt.recent.pop(),
    'learnt: recent: expected the latest 1024 of all events',
  ],
  [
    'an event without an item',
    (line) => (line.learnt.recent[1] = 'a'),
    'learnt/recent/1: expected an item and a time',
  ],
  [
    'an event without a time',
    (line) => (line.learnt.recent[1][1] = -1),
    'learnt/recent/1/1: expected a time not before',
  ],
  [
    'a next list far in the future',
    (line) => (line.learnt.next_list += 9999),
    'learnt: next_minute, next_list: expected',
  ],
  [
    'a missing feature',
    (line) => line.learnt.noted[0].features.pop(),
    'learnt: noted: expected 16 features and one',
  ],
  [
    'a feature of any size',
    (line) => (line.learnt.noted[0].features[0] = 1e9),
    'learnt/noted/0/features/0: expected',
  ],
  [
    'too many lists',
    (line) => line.learnt.noted.push(...Array(9).fill(line.learnt.noted[0])),
    'learnt/noted: expected',
  ],
];

test('invalid trends are reported and left out, and trends that the import learnt itself stay', async () => {
  const { files, expected } = await withService(async (original) => {
    await begin(original);
    const files = await exported(original);
    const { 'trends.jsonl': _, ...without } = files;
    const expected = await withElsewhere(without, START, (elsewhere) => pages(elsewhere));
    return { files, expected };
  });
  for (const [what, change, reason] of UNSOUND) {
    const line = trendsOf(files);
    change(line);
    await withElsewhere({ ...files, 'trends.jsonl': jsonl([line]) }, START, async (elsewhere, lines) => {
      expect({ what, lines }).toEqual({
        what,
        lines: [expect.stringContaining(`trends.jsonl:1: ${reason}`)],
      });
      expect(elsewhere.service.state.trend.events).toBeGreaterThan(100);
      if (what === 'one number less') expect(await pages(elsewhere)).toEqual(expected);
    });
  }
  const twice = `${files['trends.jsonl']}${files['trends.jsonl']}`;
  await withElsewhere({ ...files, 'trends.jsonl': twice }, START, async (_, lines) =>
    expect(lines).toEqual(['trends.jsonl:2: expected one line']),
  );
}, 60_000);

test('numbers of an implausible size leave all scores finite', async () => {
  const files = await withService(async (original) => {
    await begin(original);
    return exported(original);
  });
  const line = trendsOf(files);
  const { learner } = line.learnt;
  // The numbers are, in order: items, lists, means, squares, steps, weights, and means of weights, which give the
  // answers.
  const steps = 2 + 2 * FEATURES;
  const weights = (learner.length - steps - 1) / 4;
  learner.fill(1000, steps + 1 + weights, steps + 1 + 2 * weights);
  await withElsewhere({ ...files, 'trends.jsonl': jsonl([line]) }, START, async (elsewhere, lines) => {
    expect(lines).toEqual([]);
    const page = await elsewhere.service.feeds.serve('trending', { top_k: 30, impression_count: 0 });
    expect(page.items.length).toBe(30);
    for (const { score } of page.items) expect(score).toBeFinite();
  });
});

test('an invalid file ends a strict import before anything is stored', async () => {
  const files = {
    'items.jsonl': jsonl([{ item_id: 'a', author_id: 'b', created_at: 1 }]),
    'trends.jsonl': '{}\n',
  };
  await withFolder(files, (folder) =>
    withService(async (opened) => {
      await expect(importInto(opened, folder, true)).rejects.toThrow('trends.jsonl:1: version: is required');
      expect(opened.service.state.seq).toBe(0);
    }),
  );
});
