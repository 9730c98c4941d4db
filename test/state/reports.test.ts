import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { SortedNumbers } from '../../src/columns/sorted-numbers.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import { applyChange } from '../../src/state/apply.ts';
import type { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { fold, RECYCLING, randomChanges } from '../support/random-changes.ts';

/** Keys of items ordered by hides and reports, computed from the users' logs: the open and the dismissed ones. */
function counted({ interactions, users, items, reports }: State): Record<'open' | 'dismissed', number[]> {
  const totals = new Map<number, number>();
  const log = interactions.by_user;
  for (let user = 0; user < users.size; user++) {
    if (users.hidden(user)) continue;
    for (let at = log.start(user); at < log.end(user); at++) {
      const type = log.event_type(at);
      if (log.removed(at) || (type !== EVENT_CODE.hide && type !== EVENT_CODE.report)) continue;
      const key = items.names.key(log.other(at));
      totals.set(key, (totals.get(key) ?? 0) + 1);
    }
  }
  const sorted = [...totals].sort(([key, total], [other_key, other]) => other - total || key - other_key);
  const isOpen = ([key, total]: [number, number]) => total > reports.dismissedOf(items.names.ordinal(key));
  const keysOf = (entries: [number, number][]) => entries.map(([key]) => key);
  return { open: keysOf(sorted.filter(isOpen)), dismissed: keysOf(sorted.filter((entry) => !isOpen(entry))) };
}

test('items are ordered by hides and reports after any history, whenever the order was built', () => {
  check(150, [randomChanges(RECYCLING), fc.nat(120)], (changes, cut) => {
    const state = fold(changes.slice(0, cut));
    state.reports.arrange();
    for (const change of changes.slice(cut)) applyChange(state, change);
    const { open, dismissed } = counted(state);
    const { reports } = state;
    expect(reports.mostReported(0, Number.POSITIVE_INFINITY)).toEqual(open);
    expect(reports.mostReported(1, 2)).toEqual(open.slice(1, 3));
    expect(reports.open_count).toBe(open.length);
    expect(reports.mostReported(0, Number.POSITIVE_INFINITY, true)).toEqual(dismissed);
    expect(reports.mostReported(1, 2, true)).toEqual(dismissed.slice(1, 3));
    expect(reports.dismissed_count).toBe(dismissed.length);
  });
});

test('sorted numbers stay sorted in any number', () => {
  const number = fc.nat(20_000);
  const first = fc.uniqueArray(number, { maxLength: 3_000, size: 'max' });
  const steps = fc.array(number, { maxLength: 6_000, size: 'max' });
  check(20, [first, steps], (numbers, changes) => {
    const sorted = new SortedNumbers(Float64Array.from(numbers));
    const expected = new Set(numbers);
    for (const each of changes) {
      if (expected.delete(each)) sorted.delete(each);
      else {
        expected.add(each);
        sorted.add(each);
      }
    }
    const all = [...expected].sort((one, other) => one - other);
    expect(sorted.slice(0, Number.POSITIVE_INFINITY)).toEqual(all);
    expect(sorted.slice(700, 900)).toEqual(all.slice(700, 1_600));
    expect(sorted.size).toBe(all.length);
  });
});
