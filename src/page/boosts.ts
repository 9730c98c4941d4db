import type { Seconds } from '../clock.ts';
import type { Key } from '../model/key.ts';
import type { WeightedEntry } from '../model/records/preferences.ts';
import type { Ordinal } from '../plugin/index.ts';
import { type Codes, codesOf, hasAnyOf, type ItemValues } from '../state/item-values.ts';
import type { Engine } from './engine.ts';

/** What multiplies the score of an item that matches any entry of the list. */
const FACTORS = { more: 2, less: 0.5 };
type List = keyof typeof FACTORS;

/** What a viewer wants to see more and less of, at the time of a page. */
export interface Boosts {
  /** The factors of scores. Only those of lists that an item can match. */
  readonly factors: Readonly<Partial<Record<List, (item: Ordinal) => number>>>;
  /** The values that the viewer wants more of. */
  readonly wanted: Codes;
}

/** Compiles the preferences of a viewer. Undefined, after one lookup, for viewers who set none. @throws WordsIncomplete */
export function boostsOf(engine: Engine, viewer: Ordinal, now: Seconds): Boosts | undefined {
  const preferences = engine.state.preferences.of(viewer);
  if (preferences === undefined) return undefined;
  const more = currentValues(preferences.more, now);
  const less = currentValues(preferences.less, now);
  const factors = { ...factorOf(engine, 'more', more), ...factorOf(engine, 'less', less) };
  return Object.keys(factors).length === 0 ? undefined : { factors, wanted: codesOf(engine.state, more) };
}

function factorOf({ state, defaults }: Engine, list: List, values: ItemValues): Boosts['factors'] {
  const matches = hasAnyOf(state, values, defaults.ai_label_threshold);
  return matches === undefined ? {} : { [list]: (item: Ordinal) => (matches(item) ? FACTORS[list] : 1) };
}

function currentValues(entries: readonly WeightedEntry<Key>[], now: Seconds): ItemValues {
  const current = entries.filter(({ until = Number.POSITIVE_INFINITY }) => now < until);
  const of = (wanted: WeightedEntry['kind']) =>
    current.flatMap(({ kind, value }) => (kind === wanted && typeof value === 'string' ? value : []));
  return {
    author: current.flatMap((entry) => (entry.kind === 'author' ? entry.value : [])),
    channel: of('channel'),
    label: of('label'),
    word: of('word'),
  };
}
