import type { Seconds } from '../clock.ts';
import type { Key } from '../model/key.ts';
import type { WeightedEntry } from '../model/records/preferences.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { Engine } from './engine.ts';
import { type Codes, codesOf, hasAnyOf, type ItemValues } from './item-values.ts';

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

/** Compiles the preferences of a viewer. Undefined, after one lookup, for viewers who set none. */
export function boostsOf(engine: Engine, viewer: Ordinal, now: Seconds): Boosts | undefined {
  const preferences = engine.state.preferences.of(viewer);
  if (preferences === undefined) return undefined;
  const more = codesOf(engine, currentValues(preferences.more, now));
  const less = codesOf(engine, currentValues(preferences.less, now));
  const factors = { ...factorOf(engine, 'more', more), ...factorOf(engine, 'less', less) };
  return Object.keys(factors).length === 0 ? undefined : { factors, wanted: more };
}

function factorOf(engine: Engine, list: List, codes: Codes): Boosts['factors'] {
  const matches = hasAnyOf(engine, codes);
  return matches === undefined ? {} : { [list]: (item: Ordinal) => (matches(item) ? FACTORS[list] : 1) };
}

function currentValues(entries: readonly WeightedEntry<Key>[], now: Seconds): ItemValues {
  const values: { [K in keyof ItemValues]: ItemValues[K][number][] } = { author: [], channel: [], label: [] };
  for (const entry of entries) {
    if (entry.until !== undefined && entry.until <= now) continue;
    if (entry.kind === 'author') values.author.push(entry.value);
    else if (entry.kind !== 'word') values[entry.kind].push(entry.value);
  }
  return values;
}
