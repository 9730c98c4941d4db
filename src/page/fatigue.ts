import { consume } from '../consume.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import type { Scratch } from '../signals/scratch.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

/** The number of the viewer's latest shown items that count, of at least the last 48 hours. */
const HISTORY = 100;
/** An item that was shown so long ago counts half. */
const HALF_LIFE_SECONDS = 12 * 3600;
/** An item that the viewer acted on makes up for so many ignored ones. */
const IGNORED_PER_ACT = 4;
/** The number of ignored items at which the signal is 0.5. */
const HALF_IGNORED = 10;

/**
 * How often a viewer was shown similar items without acting on them, in [0, 1): the greatest value among the author, the
 * channel and the labels of the item.
 *
 * A value of which n items were ignored, those that were acted on set off, counts n / (n + 10). Undefined without shown
 * items. O(shown items), then O(the item's values) per item.
 */
export function fatigueOf(
  state: State,
  viewer: Ordinal,
  row: Pick<SeenRow, 'pages'> | undefined,
  now: number,
  { accumulators }: Pick<Scratch, 'accumulators'>,
): ((item: Ordinal) => number) | undefined {
  if (row === undefined || row.pages.length === 0) return undefined;
  const { items, groups, interactions } = state;
  const acted = viewer === NONE ? undefined : interactions.touched.of(viewer);
  const [by_author, by_channel, by_label] = [accumulators.take(), accumulators.take(), accumulators.take()];
  const shown: Ordinal[] = [];
  const weights: number[] = [];
  for (let at = row.pages.length - 1; at >= 0 && shown.length < HISTORY; at--) {
    const { time, keys } = row.pages[at];
    const fresh = 2 ** (-Math.max(0, now - time) / HALF_LIFE_SECONDS);
    for (let place = 0; place < keys.length && shown.length < HISTORY; place++) {
      shown.push(items.names.ordinal(keys[place]));
      weights.push(fresh);
    }
  }
  readValuesAhead(state, shown);
  let weight = 0;
  const addLabel = (label: number, score: number) => by_label.add(label, weight * score);
  for (let at = 0; at < shown.length; at++) {
    const item = shown[at];
    if (item === NONE) continue;
    const is_acted = acted !== undefined && (acted.flags(item) & TOUCHED.interacted) !== 0;
    weight = is_acted ? -IGNORED_PER_ACT * weights[at] : weights[at];
    addTo(by_author, items.author(item), weight);
    addTo(by_channel, groups.channel.of(item), weight);
    groups.label.forEach(item, addLabel);
  }
  let most = 0;
  const checkLabel = (label: number): void => {
    most = Math.max(most, by_label.weight(label));
  };
  return (item) => {
    most = Math.max(0, by_author.weight(items.author(item)), by_channel.weight(groups.channel.of(item)));
    groups.label.forEach(item, checkLabel);
    return most / (most + HALF_IGNORED);
  };
}

function addTo(weights: Accumulator, code: number, weight: number): void {
  if (code !== NONE) weights.add(code, weight);
}

/** Reads the values of items into the processor's cache. Such a short loop fetches many at once. */
function readValuesAhead({ items, groups: { channel, label } }: State, of: readonly Ordinal[]): void {
  let read = 0;
  for (const item of of)
    if (item !== NONE) read |= items.author(item) ^ channel.of(item) ^ label.prefetch(item);
  for (const item of of) if (item !== NONE) read |= label.prefetchFirst(item);
  consume(read);
}
