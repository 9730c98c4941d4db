import { median } from '../../src/statistics.ts';
import type { Community } from '../community/community.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { feedText, PAGE_LENGTH } from './requests.ts';
import { WORLD_NOW } from './worlds.ts';

/** Filters that keep a known number of the world's items. */
export interface Sieve {
  name: string;
  filters: Record<string, unknown>;
  /** The number of kept items. */
  matching: number;
}

/** Approximate shares of items that the filters keep. */
const SHARES = [1, 0.1, 0.01, 0.001, 0.0001];
/** The number of new viewers whose pages are checked per filter. */
const CHECKED_VIEWERS = 5;

/** Filters of each kind, for each share that the kind can reach. */
export function sievesOf(community: Community): Sieve[] {
  const created: number[] = [];
  const by_channel = new Map<string, number>();
  const by_author = new Map<string, number>();
  for (const { created_at, channel, author_id } of community.items()) {
    created.push(created_at);
    by_channel.set(channel, (by_channel.get(channel) ?? 0) + 1);
    by_author.set(author_id, (by_author.get(author_id) ?? 0) + 1);
  }
  created.sort((one, other) => other - one);
  const channels = usualFirst(by_channel);
  const authors = usualFirst(by_author);
  return SHARES.flatMap((share) => {
    const wanted = Math.max(1, Math.round(share * created.length));
    const name = `${Number((share * 100).toPrecision(1))} %`;
    const since = created[wanted - 1];
    const matching = created.filter((time) => time >= since && time <= WORLD_NOW).length;
    const sieves: Sieve[] = [{ name: `${name} by time`, filters: { start_timestamp: since }, matching }];
    if (share >= 0.1) sieves.push(sieveBy('channels', `${name} by channel`, channels, wanted));
    else sieves.push(sieveBy('author_ids', `${name} by author`, authors, wanted));
    return sieves;
  });
}

/** Values with their item counts, typical ones first: neither very large nor very small. */
function usualFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  const middle = total / counts.size;
  const distance = (count: number) => Math.abs(Math.log(count / middle));
  return [...counts].sort(
    (one, other) => distance(one[1]) - distance(other[1]) || (one[0] < other[0] ? -1 : 1),
  );
}

/** Takes values in order until they have `wanted` items. */
function sieveBy(
  filter: string,
  name: string,
  usual: readonly (readonly [string, number])[],
  wanted: number,
): Sieve {
  const values: string[] = [];
  let matching = 0;
  for (const [value, count] of usual) {
    if (matching >= wanted) break;
    if (values.length > 0 && matching + count > wanted * 1.5) continue;
    values.push(value);
    matching += count;
  }
  return { name, filters: { [filter]: values }, matching };
}

/**
 * Checks that every page is full while enough items match.
 *
 * It uses viewers without interactions and seen items, whose pages can be predicted from outside.
 * @throws Error that names the filter with a short page
 */
export async function checkFullPages({ driver, viewers }: Bench, sieves: readonly Sieve[]): Promise<void> {
  for (const { name, filters, matching } of sieves) {
    for (const user_id of viewers.newcomers.slice(0, CHECKED_VIEWERS)) {
      const answer = JSON.parse(await driver.ask(feedText('for-you', { user_id, filters })));
      const expected = Math.min(PAGE_LENGTH, matching);
      if (answer.body.length === expected) continue;
      throw new Error(`${name}: a page has ${answer.body.length} items although ${matching} match`);
    }
  }
}

/**
 * Measures `selectivity_worst_ratio`: the time of filtered for-you requests relative to unfiltered ones, the worst case.
 */
export async function measureSelectivity(bench: Bench, sieves: readonly Sieve[]): Promise<void> {
  const { world, progress, results, driver, viewers } = bench;
  const { rounds, turn_ms } = world.effort;
  progress.begin('filters that keep less and less', rounds * (sieves.length + 1));
  const time = (filters: object) => async () =>
    1e6 / (await driver.full(turn_ms / 2, viewers.unseen('for-you', filters))).per_s;
  const contenders: Record<string, () => Promise<number>> = { unfiltered: time({}) };
  for (const { name, filters } of sieves) contenders[name] = time(filters);
  const values = await inTurns(progress, rounds, contenders);
  const lines: [string, string][] = [];
  let worst = 0;
  for (const [name, times_us] of Object.entries(values)) {
    const ratio = median(ratios(times_us, values.unfiltered));
    worst = Math.max(worst, ratio);
    lines.push([name, `${median(times_us).toFixed(0)} µs, ${ratio.toFixed(2)} ×`]);
  }
  results.set('selectivity_worst_ratio', worst);
  results.note('time of a filtered for-you request', lines);
}
