import { expect, test } from 'bun:test';
import { Results } from '../../../workloads/bench/measures.ts';
import { tableReport } from '../../../workloads/bench/report.ts';
import { WORLDS } from '../../../workloads/bench/worlds.ts';

test.each([
  ['S', 'p99_over_p50', null, null],
  ['M', 'p99_over_p50', 6, 3],
  ['L', 'p99_over_p50', null, null],
  ['M', 'for_you_ratio', null, null],
  ['M', 'for_you_cpu_us', null, null],
  ['M', 'replay_per_s', 500_000, 1_500_000],
  ['L', 'replay_per_s', 400_000, 1_500_000],
  ['M', 'ready_s', null, null],
  ['L', 'ready_s', 30, 10],
  ['L', 'first_feed_ms', 500, 150],
  ['S', 'executable_mb', 140, null],
] as const)('what world %s must and should reach in %s is its own', (world, name, must, aim) => {
  const results = new Results(world);
  results.set(name, 1);
  expect(results.measures()).toMatchObject([{ name, value: 1, must, aim }]);
});

test('the table shows whether a bound of the world is kept', () => {
  const results = new Results('L');
  results.set('ready_s', 31);
  results.set('replay_per_s', 400_000);
  results.set('first_feed_ms', 150);
  const verdicts = tableReport(results)
    .split('\n')
    .slice(2)
    .map((line) => line.split(/ {2,}/).at(-1));
  expect(verdicts).toEqual(['pass', 'FAIL', 'aim reached']);
});

test('world L is built by the importer, and worlds for comparison with earlier versions over HTTP', () => {
  expect(Object.values(WORLDS).map(({ name, built_by }) => [name, built_by])).toEqual([
    ['S', 'http'],
    ['M', 'http'],
    ['L', 'import'],
  ]);
});
