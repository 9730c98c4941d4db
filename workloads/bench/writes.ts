import { monotonicMs } from '../../src/clock.ts';
import { median, quantile } from '../../src/statistics.ts';
import type { Acts } from './acts.ts';
import { type Arriving, arrived } from './arrivals.ts';
import { postRecords } from './built-world.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { keptUp } from './load.ts';

/** The number of concurrent bodies at maximum ingest rate. */
const BODIES_IN_FLIGHT = 8;
const BODY_RECORDS = 1_000;
/** Interactions per body that arrives while pages are read. */
const ARRIVING = { small: 1_000, large: 10_000 };
/** Below this share of arrived interactions the measurement is invalid. */
const ARRIVED_MIN = 0.75;
/** The rate of page requests meanwhile, as a share of the peak. */
const READING_SHARE = 0.25;

/** Measures the interactions per second that are acknowledged as durable: `ingest_per_s`. */
export async function measureIngest({ world, progress, results, service }: Bench, acts: Acts): Promise<void> {
  const { rounds, ingest_bodies } = world.effort;
  progress.begin('ingest', rounds);
  const values = await inTurns(progress, rounds, {
    ingest: () => ingestAt([service.address], acts, ingest_bodies),
  });
  results.set('ingest_per_s', median(values.ingest));
}

/**
 * Sends bodies of 1,000 interactions, several at a time.
 * @param addresses services that get equal shares of what is under way
 * @returns acknowledged interactions per second
 */
export async function ingestAt(
  addresses: readonly string[],
  acts: Acts,
  body_count: number,
): Promise<number> {
  const bodies = Array.from({ length: body_count }, () => acts.body(BODY_RECORDS));
  const start_ms = monotonicMs();
  const send = async (_: unknown, sender: number): Promise<void> => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
      await postRecords(addresses[sender % addresses.length], 'interactions', body);
    }
  };
  await Promise.all(Array.from({ length: BODIES_IN_FLIGHT }, send));
  return (body_count * BODY_RECORDS) / ((monotonicMs() - start_ms) / 1000);
}

/**
 * Measures the slowdown of for-you requests while interactions arrive: `ingest_read_p99_ratio`.
 *
 * If the world has a bound and far fewer interactions arrived than required, the measure is left out.
 * @param arriving interactions of the world
 */
export async function measureReadsDuringIngest(
  bench: Bench,
  arriving: Arriving,
  peak_per_s: number,
): Promise<void> {
  const { world, progress, results, driver, viewers } = bench;
  const { rounds, turn_ms } = world.effort;
  const duration_ms = 2 * turn_ms;
  const asked_per_s = peak_per_s * READING_SHARE;
  progress.begin('reading while interactions arrive', rounds * 3);
  const answered: Record<'idle' | keyof typeof ARRIVING, number[]> = { idle: [], small: [], large: [] };
  const shares: Record<keyof typeof ARRIVING, number[]> = { small: [], large: [] };
  const p99 = (name: keyof typeof answered) => async () => {
    const load = await driver.paced(duration_ms, asked_per_s, viewers.shown('for-you'));
    answered[name].push(load.per_s);
    return quantile(load.latencies_ms, 0.99);
  };
  const during = (name: keyof typeof shares) => async () => {
    await arriving.begin({ records: ARRIVING[name], ahead_ms: duration_ms });
    try {
      return await p99(name)();
    } finally {
      shares[name].push(await arriving.stop());
    }
  };
  const contenders = { idle: p99('idle'), small: during('small'), large: during('large') };
  const values = await inTurns(progress, rounds, contenders);
  const lines = [ms('idle', values.idle), keptUp(answered.idle, asked_per_s)];
  const worst = { ratio: 0, share: 1 };
  for (const name of ['small', 'large'] as const) {
    const ratio = median(ratios(values[name], values.idle));
    const title = `20,000 interactions/s in bodies of ${ARRIVING[name].toLocaleString('en-US')}`;
    lines.push(ms(title, values[name], ratio), keptUp(answered[name], asked_per_s), arrived(shares[name]));
    worst.ratio = Math.max(worst.ratio, ratio);
    worst.share = Math.min(worst.share, median(shares[name]));
  }
  if (worst.share >= ARRIVED_MIN || !results.judges('ingest_read_p99_ratio')) {
    results.set('ingest_read_p99_ratio', worst.ratio);
  } else {
    const reason = 'left out, because far fewer than 20,000 interactions/s arrived';
    progress.print(`ingest_read_p99_ratio: ${reason}`);
    lines.push(['ingest_read_p99_ratio', reason]);
  }
  results.note(`for-you p99 at ${Math.round(asked_per_s)} requests/s`, lines);
}

function ms(name: string, values: readonly number[], ratio?: number): [string, string] {
  return [name, `${median(values).toFixed(2)} ms${ratio === undefined ? '' : `, ${ratio.toFixed(2)} ×`}`];
}
