import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import type { TrendChange } from '../../src/model/changes/trend.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { purged } from '../support/purged.ts';
import { fold, randomChanges, settled } from '../support/random-changes.ts';

const RUNS = 40;
/** Hours in which items are engaged with, deleted and erased repeatedly, so that there is much to learn. */
const CHANGES = randomChanges({ longest: 150, waits: [0, 0.001, 60, 600, 900] });
const PART = fc.double({ min: 0, max: 1, noNaN: true });

/** A history in which the trained trend is stored, some changes after it was read. */
interface WithTrend {
  changes: Change[];
  trend: TrendChange;
}

function withTrend(changes: readonly Change[], part: number, later: number): WithTrend {
  const written_at = Math.floor(changes.length * part);
  const stored_at = Math.min(changes.length, written_at + later);
  const numbers = fold(changes.slice(0, written_at)).trend.numbers();
  const seq = (changes[stored_at - 1]?.seq ?? 0) + 1;
  const applied_at = changes[stored_at - 1]?.applied_at ?? 0;
  const trend: TrendChange = { kind: 'trend', numbers, seq, applied_at };
  const after = changes.slice(stored_at).map((change) => ({ ...change, seq: change.seq + 1 }));
  return { changes: [...changes.slice(0, stored_at), trend, ...after], trend };
}

/** As the service starts. */
function resumed(changes: readonly Change[], { seq }: Pick<TrendChange, 'seq'>): State {
  const state = new State({ learns_from: seq });
  for (const change of changes) applyChange(state, change);
  return settled(state);
}

/** The changes left by a purge after the trend was stored and before later changes. */
function leftBy({ changes, trend }: WithTrend): Change[] {
  const before = changes.filter(({ seq }) => seq <= trend.seq);
  return [...purged(before), ...changes.slice(before.length)];
}

function rates(state: State): Record<string, number> {
  const items = Array.from({ length: state.items.size }, (_, item) => item).filter((item) =>
    state.items.described(item),
  );
  return Object.fromEntries(
    items.map((item) => [state.items.names.id(item), state.trend.rate(item, state.applied_at)]),
  );
}

function expectSame(one: State, other: State): void {
  expect(one.trend.numbers()).toEqual(other.trend.numbers());
  expect(rates(one)).toEqual(rates(other));
}

describe('a fold that continues a stored trend', () => {
  test('a fold that continues a stored trend equals the live state to the last bit', () => {
    check(RUNS, [CHANGES, PART, fc.nat(5)], (changes, part, later) => {
      const history = withTrend(changes, part, later);
      expectSame(resumed(history.changes, history.trend), fold(history.changes));
    });
  });

  test('a fold that continues a stored trend equals the live state also after a purge', () => {
    check(RUNS, [CHANGES, PART, fc.nat(5)], (changes, part, later) => {
      const history = withTrend(changes, part, later);
      expectSame(resumed(leftBy(history), history.trend), fold(history.changes));
    });
  });

  test('a fold that continues a stored trend equals the live state after a second purge, without the first trend', () => {
    check(RUNS, [CHANGES, PART, PART], (changes, part, second_part) => {
      const first = withTrend(changes, part, 0);
      const rest = first.changes.length - first.trend.seq;
      const until = first.trend.seq + Math.floor(rest * second_part);
      const head = first.changes.slice(0, until);
      const numbers = fold(head).trend.numbers();
      const last = { ...first.trend, numbers, seq: until + 1, applied_at: head[until - 1].applied_at };
      const tail = first.changes.slice(until).map((change) => ({ ...change, seq: change.seq + 1 }));
      const left = leftBy({ changes: [...leftBy({ ...first, changes: head }), last], trend: last });
      const single = left.filter(({ kind, seq }) => kind !== 'trend' || seq === last.seq);
      expectSame(resumed([...single, ...tail], last), fold([...head, last, ...tail]));
    });
  });

  test('a fold that continues a stored trend does not learn from earlier changes', () => {
    check(RUNS, [CHANGES], (changes) => {
      const state = resumed(changes, { seq: changes.length + 1 });
      expect(state.trend.numbers()).toEqual(new State().trend.numbers());
    });
  });

  test('a fold without the stored trend misses what was learned from purged changes', () => {
    const differs = (changes: readonly Change[]) => {
      const history = withTrend(changes, 1, 0);
      const without = fold(leftBy(history).filter(({ kind }) => kind !== 'trend')).trend.numbers();
      return !Bun.deepEquals(without, history.trend.numbers);
    };
    expect(fc.sample(CHANGES, { numRuns: 20, seed: 1 }).some(differs)).toBe(true);
  });
});
