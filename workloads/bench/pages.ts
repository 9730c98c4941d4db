import { median } from '../../src/statistics.ts';
import { withBareHandler } from './bare-server.ts';
import type { Server } from './children.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { withCpuMs } from './cpu-time.ts';
import type { Driver } from './load.ts';
import { feedText } from './requests.ts';

/** CPU time is counted in steps of 10 ms, which must be little beside that of a turn. */
const TURN_REQUESTS_MIN = 500;

/** Requests a second at most. */
export interface Peaks {
  for_you: number;
  bare: number;
}

/** What one turn of full load has shown. */
interface Turn {
  per_s: number;
  /** CPU time of all threads of the server; undefined where the system does not tell. */
  cpu_us: number | undefined;
}

/** Measures by the feed type of their pages. */
const PAGES = {
  'for-you': { ratio: 'for_you_ratio', cpu_us: 'for_you_cpu_us' },
  trending: { ratio: 'trending_ratio', cpu_us: 'trending_cpu_us' },
  popular: { ratio: 'popular_ratio', cpu_us: 'popular_cpu_us' },
} as const;

/**
 * Pages of each feed type under full load, in turns with the bare handler, which answers the same requests with one
 * real page: CPU time of a page (`for_you_cpu_us`, …) and rates over the bare handler's (`for_you_ratio`, …).
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
  for (const feed_type of ['for-you', 'trending', 'popular'] as const) {
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

/** The peak rates alone, for measures that only need a pace. */
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

function turn({ world }: Bench, server: Server, driver: Driver, next: () => string): () => Promise<Turn> {
  return async () => {
    const drive = () => driver.full(world.effort.turn_ms, next, TURN_REQUESTS_MIN);
    const [load, cpu_ms] = await withCpuMs(server.pid, drive);
    return { per_s: load.per_s, cpu_us: cpu_ms === undefined ? undefined : (1000 * cpu_ms) / load.requests };
  };
}

function rates(turns: readonly Turn[]): number[] {
  return turns.map(({ per_s }) => per_s);
}

/** CPU time of a request in each turn; undefined where the system does not tell. */
function cpuTimes(turns: readonly Turn[]): number[] | undefined {
  const known = turns.flatMap(({ cpu_us }) => (cpu_us === undefined ? [] : [cpu_us]));
  return known.length === turns.length ? known : undefined;
}

/** The rate, the CPU time of a request with its least and most, and that of the bare handler over it. */
function turnText(turns: readonly Turn[], bare: readonly Turn[]): string {
  const rate = `${Math.round(median(rates(turns))).toLocaleString('en-US')}/s`;
  const [own_us, bare_us] = [cpuTimes(turns), cpuTimes(bare)];
  if (own_us === undefined || bare_us === undefined) return rate;
  const spread = `(${Math.min(...own_us).toFixed(0)} to ${Math.max(...own_us).toFixed(0)})`;
  const share = (median(bare_us) / median(own_us)).toFixed(3);
  return `${rate}  ${median(own_us).toFixed(0).padStart(6)} µs ${spread}  ${share}`;
}
