import { median, quantile } from '../../src/statistics.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { withCpuMs } from './cpu-time.ts';
import { Driver, keptUp, type Load } from './load.ts';
import { feedText, PAGE_LENGTH } from './requests.ts';
import { fullEffort, totalsOf } from './totals.ts';

/** Requests a second at most. */
export interface Peaks {
  for_you: number;
  bare: number;
}

/**
 * Requests a second of each feed type against those of the bare handler, which answers the same requests
 * with one real page: `for_you_ratio`, `trending_ratio`, `popular_ratio`.
 */
export async function measureFeedRates(bench: Bench): Promise<Peaks> {
  const { world, children, progress, results, service, viewers } = bench;
  const { rounds, turn_ms } = world.effort;
  const page = await fullPage(bench);
  const bare_server = await children.bareHandler(page);
  const bare = await Driver.connect(bare_server.address);
  await bare.full(turn_ms, viewers.shown('for-you'));
  progress.begin('feeds and the bare handler in turns', rounds * 6);
  const cpu = new CpuShares();
  const rate = (name: string, next: () => string) => async () => {
    const [server, driver] = name === 'bare' ? [bare_server, bare] : [service, bench.driver];
    return (await cpu.watch(name, server.pid, () => driver.full(turn_ms, next))).per_s;
  };
  const contenders = {
    bare: viewers.shown('for-you'),
    'for-you': viewers.shown('for-you'),
    trending: viewers.shown('trending'),
    popular: viewers.shown('popular'),
    'for-you, nothing recorded': viewers.unseen('for-you', {}),
    'popular, no viewer': () => feedText('popular', {}),
  };
  const before = await totalsOf(service.address);
  const values = await inTurns(
    progress,
    rounds,
    Object.fromEntries(Object.entries(contenders).map(([name, next]) => [name, rate(name, next)])),
  );
  const effort = fullEffort(before, await totalsOf(service.address));
  bare.close();
  await bare_server.kill();
  results.set('for_you_ratio', median(ratios(values['for-you'], values.bare)));
  results.set('trending_ratio', median(ratios(values.trending, values.bare)));
  results.set('popular_ratio', median(ratios(values.popular, values.bare)));
  results.note(`requests a second, and CPU time of all threads (a page of ${page.length} bytes)`, [
    ...Object.entries(values).map(([name, per_s]): [string, string] => {
      const rate_text = Math.round(median(per_s)).toLocaleString('en-US');
      return [name, `${rate_text}/s${cpu.text(name, 'bare')}`];
    }),
    effort,
  ]);
  return { for_you: median(values['for-you']), bare: median(values.bare) };
}

/** CPU time of the serving process for each contender. */
class CpuShares {
  private readonly spent = new Map<string, { ms: number; requests: number }>();

  async watch(name: string, pid: number, drive: () => Promise<Load>): Promise<Load> {
    const [load, cpu_ms] = await withCpuMs(pid, drive);
    if (cpu_ms === undefined) return load;
    const { ms, requests } = this.spent.get(name) ?? { ms: 0, requests: 0 };
    this.spent.set(name, { ms: ms + cpu_ms, requests: requests + load.requests });
    return load;
  }

  /** Time of a request, and what another's is of it; '' where it is not known. */
  text(name: string, other: string): string {
    const [own_us, other_us] = [this.requestUs(name), this.requestUs(other)];
    if (own_us === undefined || other_us === undefined) return '';
    return `${own_us.toFixed(0).padStart(6)} µs  ${(other_us / own_us).toFixed(3)}`;
  }

  private requestUs(name: string): number | undefined {
    const spent = this.spent.get(name);
    return spent && (1000 * spent.ms) / spent.requests;
  }
}

/** A real answer with a full page, the first of some viewers'. */
async function fullPage({ driver, viewers }: Bench): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const text = await driver.ask(feedText('for-you', { user_id: viewers.next() }));
    if (JSON.parse(text).body.length === PAGE_LENGTH) return text;
  }
  throw new Error(`no viewer's page has ${PAGE_LENGTH} items`);
}

/** Latencies in rounds of paced load. */
class Latencies {
  readonly p50: number[] = [];
  readonly p99: number[] = [];
  private readonly answered: number[] = [];
  private readonly late: number[] = [];

  /** @param per_s the pace */
  constructor(private readonly per_s: number) {}

  /** @returns requests answered a second */
  async drive(driver: Driver, duration_ms: number, next: () => string): Promise<number> {
    const load = await driver.paced(duration_ms, this.per_s, next);
    this.p50.push(median(load.latencies_ms));
    this.p99.push(quantile(load.latencies_ms, 0.99));
    this.late.push(quantile(load.late_ms, 0.99));
    this.answered.push(load.per_s);
    return load.per_s;
  }

  get ratio(): number {
    return median(ratios(this.p99, this.p50));
  }

  rows(): [string, string][] {
    return [
      ['p50', `${median(this.p50).toFixed(2)} ms`],
      ['p99', `${median(this.p99).toFixed(2)} ms`],
      keptUp(this.answered, this.per_s),
      ['the generator itself was late, p99', `${median(this.late).toFixed(2)} ms`],
    ];
  }
}

/**
 * How much longer than usual a for-you request may take at half of the peak load: `p99_over_p50`. The bare handler at
 * half of its own tells what framework and machine leave of that.
 */
export async function measureLatency(bench: Bench, peaks: Peaks): Promise<void> {
  const { world, children, progress, results, driver, viewers, service } = bench;
  const { rounds, turn_ms } = world.effort;
  const bare_server = await children.bareHandler(await fullPage(bench));
  const bare_driver = await Driver.connect(bare_server.address);
  await bare_driver.full(turn_ms, viewers.shown('for-you'));
  progress.begin('latency at half of the peak load', rounds * 2);
  const [half, bare] = [new Latencies(peaks.for_you / 2), new Latencies(peaks.bare / 2)];
  const before = await totalsOf(service.address);
  await inTurns(progress, rounds, {
    half: () => half.drive(driver, 2 * turn_ms, viewers.shown('for-you')),
    bare: () => bare.drive(bare_driver, 2 * turn_ms, viewers.shown('for-you')),
  });
  bare_driver.close();
  await bare_server.kill();
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

/** How the time of a for-you request grows from a tenth of the world's items to all: `scale_ratio`. */
export async function measureScale(bench: Bench, tenth: Driver, of_tenth: Bench['viewers']): Promise<void> {
  const { world, progress, results, driver, viewers } = bench;
  const { rounds, turn_ms, warm_up_ms } = world.effort;
  progress.begin('growth with the community', rounds * 2);
  await tenth.full(warm_up_ms, of_tenth.shown('for-you'));
  const time_us = async (server: Driver, next: () => string) =>
    1e6 / (await server.full(turn_ms, next)).per_s;
  const values = await inTurns(progress, rounds, {
    all: () => time_us(driver, viewers.shown('for-you')),
    tenth: () => time_us(tenth, of_tenth.shown('for-you')),
  });
  results.set('scale_ratio', median(ratios(values.all, values.tenth)));
  results.note('time of a for-you request under full load', [
    [`${world.size.items.toLocaleString('en-US')} items`, `${median(values.all).toFixed(0)} µs`],
    [`${world.tenth.items.toLocaleString('en-US')} items`, `${median(values.tenth).toFixed(0)} µs`],
  ]);
}
