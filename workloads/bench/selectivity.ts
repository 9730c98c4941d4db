import { median } from '../../src/statistics.ts';
import type { Community } from '../community/community.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { feedText, PAGE_LENGTH } from './requests.ts';
import { WORLD_NOW } from './worlds.ts';

/** Filters that keep a known number of the world's items. */
export interface Sieve {
  name: string;
  filters: Record<string, unknown>;
  /** Items kept. */
  matching: number;
}

/** Shares of the items that the sieves keep, about. */
const SHARES = [1, 0.1, 0.01, 0.001, 0.0001];
/** Viewers without history whose pages are looked at for each sieve. */
const CHECKED_VIEWERS = 5;

/** Sieves by each kind of filter there is, for each share that the kind can reach. */
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

/** Values with the number of their items, ordinary ones first: neither hubs nor authors of a single item. */
function usualFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  const middle = total / counts.size;
  const distance = (count: number) => Math.abs(Math.log(count / middle));
  return [...counts].sort(
    (one, other) => distance(one[1]) - distance(other[1]) || (one[0] < other[0] ? -1 : 1),
  );
}

/** Values taken in their order until they have `wanted` items. */
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
 * Every page is full while enough items match. Asked for viewers who have neither done nor seen anything,
 * of whom that can be told from outside.
 * @throws Error naming the sieve whose page is short
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

/** Time of a filtered for-you request over an unfiltered one, the worst of the sieves: `selectivity_worst_ratio`. */
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
