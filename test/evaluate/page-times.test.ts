import { expect, test } from 'bun:test';
import { PageTimes } from '../../src/evaluate/page-times.ts';

/** Builds pages on a clock of its own: the first after records were applied takes 26 ms, every other one 0.3 ms. */
function machine() {
  let now_ms = 0;
  let is_stale = true;
  return {
    nowMs: () => now_ms,
    applyRecords: () => {
      is_stale = true;
    },
    build: async () => {
      now_ms += is_stale ? 26 : 0.3;
      is_stale = false;
      return now_ms;
    },
  };
}

async function timesOf(functions: number, pages: number): Promise<PageTimes[]> {
  const { nowMs, applyRecords, build } = machine();
  const all = Array.from({ length: functions }, () => new PageTimes(functions, nowMs));
  for (let index = 0; index < pages; index++) {
    applyRecords();
    for (const times of all) await times.measure(build, { index, total: pages });
  }
  return all;
}

test.each([
  [1, 1],
  [1, 300],
  [14, 20],
  [3, 2500],
])(
  'the time of a page is that of current caches, whether %d functions share the refresh or %d pages are built',
  async (functions, pages) => {
    for (const { row } of await timesOf(functions, pages)) expect(row).toEqual({ p50_us: 300, p99_us: 300 });
  },
);

test('the page that is returned is the first that was built, and only a part of many pages is built again', async () => {
  const built: number[] = [];
  const times = new PageTimes(1, () => 0);
  let count = 0;
  for (let index = 0; index < 10_000; index++)
    built.push(await times.measure(async () => count++, { index, total: 10_000 }));
  expect(built.slice(0, 1)).toEqual([0]);
  expect(count).toBeLessThan(12_000);
});

test('without a page there is no time', () => {
  expect(new PageTimes(1).row).toEqual({});
});
