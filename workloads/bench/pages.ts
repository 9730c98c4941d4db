import { FEED_TYPES } from '../../src/plugin/index.ts';
import { median } from '../../src/statistics.ts';
import { withBareHandler } from './bare-server.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { feedText } from './requests.ts';
import { cpuTimes, rates, turn, turnText } from './turns.ts';

/** Peak rates in requests per second. */
export interface Peaks {
  for_you: number;
  bare: number;
}

/** Measures by feed type. */
const PAGES = {
  'for-you': { ratio: 'for_you_ratio', cpu_us: 'for_you_cpu_us' },
  trending: { ratio: 'trending_ratio', cpu_us: 'trending_cpu_us' },
  popular: { ratio: 'popular_ratio', cpu_us: 'popular_cpu_us' },
} as const;

/**
 * Measures pages of each feed type under full load, in turns with the bare handler.
 *
 * The bare handler answers the same requests with one real page. The measures are the CPU time of a page
 * (`for_you_cpu_us`, …) and rates divided by those of the bare handler (`for_you_ratio`, …).
 */
export async function measurePages(bench: Bench): Promise<Peaks> {
  const { progress, results, service, viewers } = bench;
  const { turns, page_bytes } = await withBareHandler(bench, async ({ server, driver, page_bytes }) => {
    const served = (next: () => string) => turn(bench, service, bench.driver, next);
    const contenders = {
      bare: turn(bench, server, driver, viewers.shown('for-you')),
      'for-you': served(viewers.shown('for-you')),
      trending: served(viewers.shown('trending')),
      popular: served(viewers.shown('popular')),
      'for-you, nothing recorded': served(viewers.unseen('for-you', {})),
      'popular, no viewer': served(() => feedText('popular', {})),
    };
    const { page_rounds } = bench.world.effort;
    progress.begin('pages and the bare handler in turns', page_rounds * Object.keys(contenders).length);
    return { turns: await inTurns(progress, page_rounds, contenders), page_bytes };
  });
  for (const feed_type of FEED_TYPES) {
    results.set(PAGES[feed_type].ratio, median(ratios(rates(turns[feed_type]), rates(turns.bare))));
    const cpu_us = cpuTimes(turns[feed_type]);
    if (cpu_us !== undefined) results.set(PAGES[feed_type].cpu_us, median(cpu_us));
  }
  results.note(`requests a second, and CPU time of all threads (a page of ${page_bytes} bytes)`, [
    ...Object.entries(turns).map(([name, of_name]): [string, string] => [
      name,
      turnText(of_name, turns.bare),
    ]),
  ]);
  return { for_you: median(rates(turns['for-you'])), bare: median(rates(turns.bare)) };
}

/** Measures only the peak rates, for measures that need a rate. */
export async function measurePeaks(bench: Bench): Promise<Peaks> {
  const { progress, service, viewers } = bench;
  const { rounds } = bench.world.effort;
  progress.begin('the peak load', rounds * 2);
  const next = viewers.shown('for-you');
  const turns = await withBareHandler(bench, ({ server, driver }) =>
    inTurns(progress, rounds, {
      for_you: turn(bench, service, bench.driver, next),
      bare: turn(bench, server, driver, next),
    }),
  );
  return { for_you: median(rates(turns.for_you)), bare: median(rates(turns.bare)) };
}
