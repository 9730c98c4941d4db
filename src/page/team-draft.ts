import { seededRandom } from '../clock.ts';
import type { Diversity } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import { diversify } from './diversity.ts';
import type { PageContext } from './page-context.ts';
import type { SourcedItem } from './page-item.ts';
import { spreader } from './semantic-diversity.ts';

/** An item of a drafted list: the team is 0, 1, or undefined if the other list had ended. */
export interface Drafted<T> {
  item: T;
  team: 0 | 1 | undefined;
}

/**
 * Interleaves two lists by team draft (Radlinski, Kurup, Joachims, "How does clickthrough data reflect retrieval quality?",
 * CIKM 2008): in each round a coin decides which team chooses first, and each chooses the best item of its list that is
 * not taken yet.
 *
 * Once a list has ended, the rest of the other follows without a team: otherwise the longer list would get more credit
 * for being longer. O(items).
 */
export function teamDraft<T extends { item: Ordinal }>(
  lists: readonly [readonly T[], readonly T[]],
  random: () => number,
): Drafted<T>[] {
  const taken = new Set<Ordinal>();
  const next = [0, 0];
  const nextOf = (team: 0 | 1): T | undefined => {
    const list = lists[team];
    while (next[team] < list.length && taken.has(list[next[team]].item)) next[team]++;
    return list[next[team]];
  };
  const drafted: Drafted<T>[] = [];
  while (nextOf(0) !== undefined && nextOf(1) !== undefined) {
    for (const team of random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)) {
      const item = nextOf(team);
      if (item === undefined) break;
      taken.add(item.item);
      drafted.push({ item, team });
    }
  }
  return [...drafted, ...restOf(lists, taken)];
}

/** What is left of both lists, without a team. At least one has ended. */
function restOf<T extends { item: Ordinal }>(
  lists: readonly (readonly T[])[],
  taken: ReadonlySet<Ordinal>,
): Drafted<T>[] {
  return lists.flatMap((list) =>
    list.filter(({ item }) => !taken.has(item)).map((item) => ({ item, team: undefined })),
  );
}

interface DraftOptions {
  /** Number of items. */
  wanted: number;
  diversity: Diversity | undefined;
  context: PageContext;
}

/**
 * The first items of two lists that are drafted by teams, then kept apart by diversity.
 *
 * If diversity leaves too few items, longer lists are drafted anew. Coins come from the page's randomness, so a page with
 * the same seed has the same teams.
 * @param listsOf builds both lists with at most so many items
 */
export function draftedList(
  teams: readonly [string, string],
  listsOf: (length: number) => readonly [SourcedItem[], SourcedItem[]],
  { wanted, diversity, context }: DraftOptions,
): SourcedItem[] {
  const coins = seededRandom(Math.floor(context.random() * 2 ** 32));
  for (let length = diversity === undefined ? wanted : 2 * wanted; ; length *= 2) {
    const lists = listsOf(length);
    const drafted = teamDraft(lists, coins).map(({ item, team }) => ({
      ...item,
      team: team === undefined ? undefined : teams[team],
    }));
    const spread = spreadOut(drafted, wanted, diversity, context);
    const list = diversify(spread, wanted, diversity, context.grouping);
    if (list.length === wanted || lists.every((each) => each.length < length)) return list;
  }
}

/** Moves similar items apart. Scores of two feeds cannot be compared, so the places of the draft count instead. */
function spreadOut(
  drafted: readonly SourcedItem[],
  wanted: number,
  diversity: Diversity | undefined,
  { similarity, engine }: PageContext,
): readonly SourcedItem[] {
  const { length } = engine.state.embeddings;
  if (diversity?.semantic === undefined || length === 0) return drafted;
  const by_item = new Map(drafted.map((item) => [item.item, item]));
  const by_place = drafted.map((item, at) => ({ ...item, adjusted_score: drafted.length - at }));
  const spread = spreader(diversity.semantic, wanted, length, similarity, [])(by_place);
  return spread.flatMap(({ item }) => by_item.get(item) ?? []);
}
