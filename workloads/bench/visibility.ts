import { monotonicMs } from '../../src/clock.ts';
import { median, quantile } from '../../src/statistics.ts';
import type { Acts } from './acts.ts';
import { Arrivals, arrived } from './arrivals.ts';
import { postRecords } from './built-world.ts';
import type { Bench } from './context.ts';
import { feedText } from './requests.ts';
import { WORLD_NOW } from './worlds.ts';

/** An interaction that others do not see within this time counts with this time. */
const PATIENCE_MS = 10_000;
const AUTHOR = 'bench-author';
const MARKERS = ['bench-marker-0', 'bench-marker-1'] as const;

/**
 * Measures when an acknowledged interaction shows in other users' pages, while 20,000 interactions arrive per second:
 * `visible_to_others_ms_p99`.
 *
 * Two items lead the popular feed with equal engagement. Each probe is two likes that put the second item first. The
 * time counts from the acknowledgement until another user's answer shows the new order. The bound does not depend on
 * the load, so the measure is judged at any load.
 */
export async function measureVisibility(bench: Bench, acts: Acts): Promise<void> {
  const { world, progress, results, service } = bench;
  const probes = world.effort.visibility_probes;
  progress.begin('how soon others see an act', probes);
  await placeMarkers(bench);
  const arrivals = new Arrivals(service.address, acts, { records: 1_000, ahead_ms: 0 });
  let times_ms: number[] = [];
  let share = 0;
  try {
    times_ms = await timesToOthers(bench, { probes });
  } finally {
    share = await arrivals.stop();
  }
  results.set('visible_to_others_ms_p99', quantile(times_ms, 0.99));
  const lost = times_ms.filter((ms) => ms >= PATIENCE_MS).length;
  results.note('an acknowledged act in the pages of others, while 20,000 interactions/s arrive', [
    ['p50', `${median(times_ms).toFixed(2)} ms`],
    arrived([share]),
    [`not seen within ${PATIENCE_MS / 1000} s`, `${lost} of ${probes}`],
  ]);
}

/** What a probe needs: the service that takes the acts, and connections to the one that shows them. */
type Probed = Pick<Bench, 'service' | 'driver' | 'progress'>;

interface Probing {
  probes: number;
  /** Begins the identifiers of the users who act. Different for each series of probes. */
  voters?: string;
  /** Further parameters of the page. */
  page?: object;
}

/**
 * The time from the acknowledgement of each act until another user's page shows it, in milliseconds. The markers must be
 * placed.
 */
export async function timesToOthers(
  bench: Probed,
  { probes, voters = 'bench-voter', page = {} }: Probing,
): Promise<number[]> {
  const times_ms: number[] = [];
  for (let probe = 0; probe < probes; probe++) {
    const leader = await firstOfPopular(bench, page);
    const rising = MARKERS[leader === MARKERS[0] ? 1 : 0];
    const likes = [0, 1].map((voter) => ({
      user_id: `${voters}-${probe}-${voter}`,
      item_id: rising,
      event_type: 'like',
    }));
    await postRecords(bench.service.address, 'interactions', JSON.stringify(likes));
    times_ms.push(await timeUntilFirst(bench, rising, page));
    bench.progress.advance();
  }
  return times_ms;
}

/** Stores the two items that lead the popular feed, and waits until they do. */
export async function placeMarkers(bench: Probed): Promise<void> {
  const [best] = JSON.parse(
    await bench.driver.ask(feedText('popular', { top_k: 1, return_metadata: true })),
  ).body;
  const { likes_count, comments_count, shares_count } = best.metadata;
  // Far ahead, but near enough that one more like changes the rounded score.
  const ahead = 4 * (likes_count + comments_count + shares_count) + 1_000;
  const markers = MARKERS.map((item_id, index) => ({
    item_id,
    author_id: AUTHOR,
    created_at: WORLD_NOW - 60 - index,
    likes_count: ahead,
  }));
  await postRecords(bench.service.address, 'items', JSON.stringify(markers));
  await timeUntilFirst(bench, MARKERS[0]);
}

async function timeUntilFirst(bench: Probed, item_id: string, page: object = {}): Promise<number> {
  const start_ms = monotonicMs();
  let waited_ms = 0;
  while (waited_ms < PATIENCE_MS) {
    const first = await firstOfPopular(bench, page);
    waited_ms = monotonicMs() - start_ms;
    if (first === item_id) break;
  }
  return Math.min(waited_ms, PATIENCE_MS);
}

async function firstOfPopular({ driver }: Probed, page: object): Promise<string> {
  return JSON.parse(await driver.ask(feedText('popular', { top_k: 1, ...page }))).body[0].item_id;
}
