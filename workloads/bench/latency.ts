import { median, quantile } from '../../src/statistics.ts';
import { withBareHandler } from './bare-server.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { type Driver, keptUp } from './load.ts';
import type { Peaks } from './pages.ts';
import { fullEffort, totalsOf } from './totals.ts';

/** Latencies in rounds of paced load. */
class Latencies {
  readonly p50: number[] = [];
  readonly p99: number[] = [];
  private readonly answered: number[] = [];
  private readonly late: number[] = [];

  /** @param per_s requests per second */
  constructor(private readonly per_s: number) {}

  async drive(driver: Driver, duration_ms: number, next: () => string): Promise<void> {
    const load = await driver.paced(duration_ms, this.per_s, next);
    this.p50.push(median(load.latencies_ms));
    this.p99.push(quantile(load.latencies_ms, 0.99));
    this.late.push(quantile(load.late_ms, 0.99));
    this.answered.push(load.per_s);
  }

  get ratio(): number {
    return median(ratios(this.p99, this.p50));
  }

  rows(): [string, string][] {
    return [
      ['p50', `${median(this.p50).toFixed(2)} ms`],
      ['p99', `${median(this.p99).toFixed(2)} ms`],
      keptUp(this.answered, this.per_s),
      ['delay of the generator itself, p99', `${median(this.late).toFixed(2)} ms`],
    ];
  }
}

/**
 * Measures the slowest for-you requests at half of the peak load: `p99_over_p50`.
 *
 * The bare handler at half of its own peak shows how much of that is due to framework and machine.
 */
export async function measureLatency(bench: Bench, peaks: Peaks): Promise<void> {
  const { progress, results, driver, viewers, service } = bench;
  const { rounds, turn_ms } = bench.world.effort;
  const [half, bare] = [new Latencies(peaks.for_you / 2), new Latencies(peaks.bare / 2)];
  const before = await totalsOf(service.address);
  await withBareHandler(bench, async (bare_handler) => {
    progress.begin('latency at half of the peak load', rounds * 2);
    await inTurns(progress, rounds, {
      half: () => half.drive(driver, 2 * turn_ms, viewers.shown('for-you')),
      bare: () => bare.drive(bare_handler.driver, 2 * turn_ms, viewers.shown('for-you')),
    });
  });
  results.set('p99_over_p50', half.ratio);
  results.note(`for-you at ${Math.round(peaks.for_you / 2)} requests/s`, [
    ...half.rows(),
    fullEffort(before, await totalsOf(service.address)),
  ]);
  results.note(`the bare handler at ${Math.round(peaks.bare / 2)} requests/s`, [
    ...bare.rows(),
    ['p99 over p50', bare.ratio.toFixed(1)],
  ]);
}
