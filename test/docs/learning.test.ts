import { expect, test } from 'bun:test';
import { Lab } from '../http/learning/support.ts';
import { blocksOf, document } from './markdown.ts';

type Values = Record<string, number>;

/** The formula of docs/ranking/learning.md, with `phi` as its text says. */
const FORMULA = blocksOf(document('docs/ranking/learning.md')).find(
  ({ kind }) => kind === 'js learned_v0.0.1',
);

function written(intercept: number, weights: Values, value: Values, default_score: number): number {
  const phi = (v: number): number => Math.log10(1 + 1000 * v);
  const names = Object.keys(weights).filter((name) => name !== 'default');
  const sum = names.reduce((total, name) => total + weights[name] * phi(value[name] ?? 0), 0);
  const text = FORMULA?.text.replace(/sum\(.*?\)(?=;)/, 'sum');
  const names_of = ['intercept', 'weights', 'default_score', 'sum'];
  return new Function(...names_of, `let score; ${text}; return score;`)(
    intercept,
    weights,
    default_score,
    sum,
  );
}

test('docs/ranking/learning.md has the formula of the score', async () => {
  await using lab = await Lab.open();
  for (let at = 0; at < 120; at++) await lab.show(`viewer${at % 30}`, `q${at % 6}`);
  await lab.pass();
  const { intercept, weights } = await lab.learning();
  const used: Values = Object.fromEntries(
    weights.map(({ signal, used }: { signal: string; used: number }) => [signal, used]),
  );
  const { body: by_default } = await lab.ask('somebody', { scoring: 'all' });
  const scores = new Map(
    by_default.map((item: { item_id: string; score: number }) => [item.item_id, item.score]),
  );
  const { body, trace } = await lab.ask('somebody', { explain: true });
  expect([trace.learning, body.length]).toEqual(['learned', 12]);
  for (const { item_id, score, explain } of body) {
    const expected = written(intercept, used, explain.signals, Number(scores.get(item_id)));
    // The values are rounded to 8 bits, as in the pages that are learnt from.
    expect(Math.abs(score / expected - 1)).toBeLessThan(0.05);
  }
});
