import { monotonicMs } from '../../src/clock.ts';
import { median, quantile } from '../../src/statistics.ts';
import type { Acts } from './acts.ts';
import { type Arriving, arrived } from './arrivals.ts';
import { postRecords } from './built-world.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { keptUp } from './load.ts';

/** Bodies under way at the same time when ingest is driven as fast as it goes. */
const BODIES_IN_FLIGHT = 8;
const BODY_RECORDS = 1_000;
/** Interactions of a body that arrives while pages are read. */
const ARRIVING = { small: 1_000, large: 10_000 };
/** When less than this share of them has arrived, it was not measured what is to be measured. */
const ARRIVED_MIN = 0.75;
/** Share of the peak at which pages are read meanwhile. */
const READING_SHARE = 0.25;
/** Interactions acknowledged as durable in a second: `ingest_per_s`. */
export async function measureIngest({ world, progress, results, service }: Bench, acts: Acts): Promise<void> {
  const { rounds, ingest_bodies } = world.effort;
  progress.begin('ingest', rounds);
  const values = await inTurns(progress, rounds, {
    ingest: async () => {
      const bodies = Array.from({ length: ingest_bodies }, () => acts.body(BODY_RECORDS));
      const start_ms = monotonicMs();
      const sender = async (): Promise<void> => {
        for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
          await postRecords(service.address, 'interactions', body);
        }
      };
      await Promise.all(Array.from({ length: BODIES_IN_FLIGHT }, sender));
      return (ingest_bodies * BODY_RECORDS) / ((monotonicMs() - start_ms) / 1000);
    },
  });
  results.set('ingest_per_s', median(values.ingest));
}

/**
 * How much longer for-you requests take while interactions arrive: `ingest_read_p99_ratio`. Where there is a bound
 * to judge it by, it is left out when far less than that arrived.
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
    const reason = 'left out, as far less arrived than 20,000 interactions/s';
    progress.tell(`ingest_read_p99_ratio: ${reason}`);
    lines.push(['ingest_read_p99_ratio', reason]);
  }
  results.note(`for-you p99 at ${Math.round(asked_per_s)} requests/s`, lines);
}

function ms(name: string, values: readonly number[], ratio?: number): [string, string] {
  return [name, `${median(values).toFixed(2)} ms${ratio === undefined ? '' : `, ${ratio.toFixed(2)} ×`}`];
}
