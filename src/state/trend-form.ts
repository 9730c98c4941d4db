import { WINDOWS } from './activity.ts';

export const FEATURES = WINDOWS.length + 7;

/** The contents of a `Trend` in plain form. Times in seconds. */
export interface TrendForm {
  /** Infinity before the first engagement. */
  begun_at: number;
  events: number;
  next_list: number;
  next_minute: number;
  lists: number;
  /** The latest engagements, oldest first. */
  recent: { item: number; time: number }[];
  /** Lists with a pending outcome, oldest first: `FEATURES` numbers an item. */
  noted: { time: number; items: number[]; features: Float64Array; expected: Float64Array }[];
  /** As in `ListLearner.numbers`. */
  learner: Float64Array;
}

export function withItems(form: TrendForm, as: (item: number) => number): TrendForm {
  return {
    ...form,
    recent: form.recent.map(({ item, time }) => ({ item: as(item), time })),
    noted: form.noted.map((noted) => ({ ...noted, items: noted.items.map(as) })),
  };
}

export function toNumbers({ recent, noted, learner, ...known }: TrendForm): Float64Array {
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

export function fromNumbers(numbers: Float64Array): TrendForm {
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
