import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';

export type Totals = AnswerOf<'GET', '/api/totals'>['data'];
type FeedDay = Totals['days'][number];
type Counts = Pick<FeedDay, 'shown' | 'acts'>;

/** Feeds with a line of their own; the others share one. */
const FEEDS_SHOWN_MAX = 3;
const THOUSAND = 1000;
const NOTHING: Counts = { shown: 0, acts: 0 };

export interface DayCharts {
  /** The beginning of each day in UTC, in seconds. */
  times: number[];
  shown: { name: string; values: number[] }[];
  /** Acts per thousand shown items. null: nothing was shown. */
  rates: { name: string; values: (number | null)[] }[];
}

/** Lines by feed, of which the one that showed most is first. @param nameOf the name of a saved feed by its id */
export function chartsOf(days: readonly FeedDay[], nameOf: (feed_id: string) => string): DayCharts {
  const dates = allDates(days.map(({ day }) => day));
  const by_feed = Map.groupBy(days, ({ feed_id }) => feed_id);
  const saved = [...by_feed].filter(([feed_id]) => feed_id !== null);
  const ranked = saved.sort(([, one], [, other]) => totalOf(other).shown - totalOf(one).shown);
  const others = [
    ...ranked.slice(FEEDS_SHOWN_MAX).flatMap(([, entries]) => entries),
    ...(by_feed.get(null) ?? []),
  ];
  const lines = ranked
    .slice(0, FEEDS_SHOWN_MAX)
    .map(([feed_id, entries]) => ({ name: nameOf(feed_id ?? ''), entries }));
  if (others.length > 0) lines.push({ name: 'all other pages', entries: others });
  const counted = lines.map(({ name, entries }) => {
    const by_day = Map.groupBy(entries, ({ day }) => day);
    return { name, counts: dates.map((date) => totalOf(by_day.get(date) ?? [])) };
  });
  return {
    times: dates.map((date) => Date.parse(date) / 1000),
    shown: counted.map(({ name, counts }) => ({ name, values: counts.map(({ shown }) => shown) })),
    rates: counted.map(({ name, counts }) => ({
      name,
      values: counts.map(({ shown, acts }) => (shown === 0 ? null : (acts / shown) * THOUSAND)),
    })),
  };
}

function totalOf(entries: readonly Counts[]): Counts {
  return entries.reduce(
    (sum, { shown, acts }) => ({ shown: sum.shown + shown, acts: sum.acts + acts }),
    NOTHING,
  );
}

/** Every date from the first to the last. */
function allDates(dates: readonly string[]): string[] {
  const all: string[] = [];
  const last = Date.parse(dates.at(-1) ?? '');
  const date = new Date(dates[0]);
  while (date.getTime() <= last) {
    all.push(date.toISOString().slice(0, 'yyyy-mm-dd'.length));
    date.setUTCDate(date.getUTCDate() + 1);
  }
  return all;
}
