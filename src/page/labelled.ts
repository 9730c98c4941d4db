import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** A longer list of items is not worth its time. */
const ITEMS_MAX = 20_000;

/** Whether an item, or its author, has one of these labels at a time. See `ItemColumns.labelled`. */
export function labelledTest(
  state: State,
  labels: readonly string[],
  now: number,
): (item: Ordinal) => boolean {
  const codes = codesOf(state, labels);
  if (codes.size === 0) return () => false;
  return (item) =>
    state.labels.has('item', item, codes, now) ||
    (item >= 0 && state.labels.has('user', state.items.author(item), codes, now));
}

/** The items that may have one of these labels. Undefined if there are too many. */
export function labelledItems(state: State, labels: readonly string[]): Ordinal[] | undefined {
  const { by_author } = state;
  const codes = codesOf(state, labels);
  if (state.labels.usesOf(codes) > ITEMS_MAX) return undefined;
  const authors = state.labels.subjectsOf('user', codes);
  const items = new Set(state.labels.subjectsOf('item', codes));
  for (const author of authors) {
    for (let at = by_author.start(author); at < by_author.end(author); at++) items.add(by_author.item(at));
    if (items.size > ITEMS_MAX) return undefined;
  }
  return [...items];
}

function codesOf({ labels, users }: State, wanted: readonly string[]): Set<number> {
  const codes = wanted.flatMap((label) => {
    const at = label.lastIndexOf('/');
    const [labeler_id, value] = [label.slice(0, at), label.slice(at + 1)];
    if (labeler_id === '*') return labels.codesOf(value);
    const labeler = users.names.find(labeler_id);
    return labeler === NONE ? [] : labels.codesOf(value, labeler);
  });
  return new Set(codes);
}
