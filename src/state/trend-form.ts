import { WINDOWS } from './activity.ts';

/** What is known of an item when it is noted. */
export const FEATURES = WINDOWS.length + 7;

/** What a `Trend` knows, taken apart; `Item` is what stands for an item. Times in seconds. */
export interface TrendForm<Item> {
  /** Infinity before the first engagement. */
  begun_at: number;
  events: number;
  next_list: number;
  next_minute: number;
  lists: number;
  /** The latest engagements, oldest first. */
  recent: { item: Item; time: number }[];
  /** Lists whose outcome is not known yet, oldest first: `FEATURES` numbers an item. */
  noted: { time: number; items: Item[]; features: Float64Array; expected: Float64Array }[];
  /** As of `ListLearner.numbers`. */
  learner: Float64Array;
}

/** The same with other things in the place of items. */
export function withItems<From, To>(form: TrendForm<From>, as: (item: From) => To): TrendForm<To> {
  return {
    ...form,
    recent: form.recent.map(({ item, time }) => ({ item: as(item), time })),
    noted: form.noted.map((noted) => ({ ...noted, items: noted.items.map(as) })),
  };
}

/** All of it as numbers, for `takenApart`. */
export function joined({ recent, noted, learner, ...known }: TrendForm<number>): Float64Array {
  return Float64Array.from([
    known.begun_at,
    known.events,
    known.next_list,
    known.next_minute,
    known.lists,
    recent.length,
    ...recent.flatMap(({ item, time }) => [item, time]),
    noted.length,
    ...noted.flatMap(({ time, items, features, expected }) => [
      time,
      items.length,
      ...items,
      ...features,
      ...expected,
    ]),
    ...learner,
  ]);
}

export function takenApart(numbers: Float64Array): TrendForm<number> {
  let at = 0;
  const next = (): number => numbers[at++];
  const take = (count: number): Float64Array => {
    at += count;
    return numbers.slice(at - count, at);
  };
  return {
    begun_at: next(),
    events: next(),
    next_list: next(),
    next_minute: next(),
    lists: next(),
    recent: Array.from({ length: next() }, () => ({ item: next(), time: next() })),
    noted: Array.from({ length: next() }, () => {
      const time = next();
      const items = [...take(next())];
      return { time, items, features: take(items.length * FEATURES), expected: take(items.length) };
    }),
    learner: numbers.slice(at),
  };
}
