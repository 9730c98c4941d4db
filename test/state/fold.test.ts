import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import { check } from '../support/long.ts';
import { purged, purgedOfRetired } from '../support/purged.ts';
import { EVENT_IDS, fold, RECYCLING, randomChanges, WALLETS } from '../support/random-changes.ts';
import { digest } from '../support/state-digest.ts';

const RUNS = 40;
const PROBES = { wallets: WALLETS, event_ids: EVENT_IDS };
const PART = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);

/** Two equal pages are two pages. */
function isCounted(change: Change): boolean {
  return change.kind === 'shown';
}

const digestOf = (changes: readonly Change[]) => digest(fold(changes), PROBES);

for (const [histories, changes] of [
  ['', randomChanges()],
  [' whose ordinals are recycled', randomChanges(RECYCLING)],
] as const) {
  describe(`the fold over changes${histories}`, () => {
    test('a fold gives the same state each time', () => {
      check(RUNS, [changes], (changes) => {
        expect(digestOf(changes)).toEqual(digestOf(changes));
      });
    });

    test('a fold ignores a row that comes twice in a row, unless it counts as two', () => {
      check(RUNS, [changes], (changes) => {
        const twice = changes.flatMap((change) => (isCounted(change) ? [change] : [change, change]));
        const numbered = twice.map((change, index) => ({ ...change, seq: index + 1 }));
        expect(digestOf(numbered)).toEqual(digestOf(changes));
      });
    });

    test('a fold of the rows that a purge leaves gives the same state', () => {
      check(RUNS, [changes], (changes) => {
        const expected = digestOf(changes);
        expect(digestOf(purged(changes))).toEqual(expected);
        expect(digestOf(purgedOfRetired(changes))).toEqual(expected);
        expect(digestOf(purgedOfRetired(purged(changes)))).toEqual(expected);
      });
    });

    test('a fold continues identically after a purge and a restart, and purges again', () => {
      check(RUNS, [changes, PART, fc.boolean()], (changes, part, with_retired) => {
        const cut = Math.floor(changes.length * part);
        const some = purged(changes.slice(0, cut));
        const left = with_retired ? purgedOfRetired(some) : some;
        const resumed = [...left, ...changes.slice(cut)];
        const expected = digestOf(changes);
        expect(digestOf(resumed)).toEqual(expected);
        expect(digestOf(purged(resumed))).toEqual(expected);
        expect(digestOf(purgedOfRetired(resumed))).toEqual(expected);
      });
    });
  });
}
