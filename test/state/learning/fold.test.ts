import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { learntChanges } from '../../../src/ingest/trend-keeper.ts';
import type { Change } from '../../../src/model/change.ts';
import { applyChange } from '../../../src/state/apply.ts';
import { State } from '../../../src/state/state.ts';
import { check } from '../../support/long.ts';
import { purged, purgedOfRetired } from '../../support/purged.ts';
import { fold, type HistoryOptions, randomChanges } from '../../support/random-changes.ts';
import { viewerOf } from '../../support/random-history.ts';

const RUNS = 60;
/** Hours with many pages and acts on them, so that there is much to learn. */
const LEARNING: HistoryOptions = { longest: 150, shown: 15, waits: [0, 0.001, 1, 30, 90, 4000] };
const CHANGES = randomChanges(LEARNING);
const PART = fc.double({ min: 0, max: 1, noNaN: true });

/** Everything that is learnt, to the bit. */
function learnt({ learning }: State): object {
  const models = [0, 7].map((feed) => {
    const model = learning.modelOf('for-you', feed);
    const weights = model?.keys.map((key) => [key, model.weightOf(key), model.learntOf(key)]);
    return model && { ...model, weights, weightOf: 0, learntOf: 0, priorOf: 0 };
  });
  return { bytes: learning.bytes(), models };
}

/** Also what depends on the rest of the state. */
function rates(state: State): Record<string, number> {
  const items = Array.from({ length: state.items.size }, (_, item) => item).filter((item) =>
    state.items.described(item),
  );
  return Object.fromEntries(
    items.map((item) => [state.items.names.id(item), state.learning.clickRate(item, state.applied_at)]),
  );
}

function expectSame(one: State, other: State): void {
  expect(learnt(one)).toEqual(learnt(other));
  expect(rates(one)).toEqual(rates(other));
}

function applied(state: State, changes: readonly Change[]): State {
  for (const change of changes) applyChange(state, change);
  return state;
}

/** As a service starts that finds what was learnt up to a `seq`. */
function resumed(changes: readonly Change[], learns_from: number): State {
  return applied(new State({ learns_from, viewerOf }), changes);
}

/** A history with what was learnt up to a part of it, stored some changes later. */
function stored(changes: readonly Change[], part: number, later: number) {
  const read_at = Math.floor(changes.length * part);
  const stored_at = Math.min(changes.length, read_at + later);
  const before = changes.slice(0, stored_at);
  const last = before.at(-1);
  const rows = learntChanges(fold(changes.slice(0, read_at))).map((change, at) => ({
    ...change,
    seq: (last?.seq ?? 0) + at + 1,
    applied_at: last?.applied_at ?? 0,
  }));
  const after = changes.slice(stored_at).map((change) => ({ ...change, seq: change.seq + rows.length }));
  const head = [...before, ...rows];
  return { head, after, learns_from: head[head.length - 1].seq };
}

describe('what was learnt from shown pages', () => {
  test('is the same in a fold that continues what was stored, to the last bit', () => {
    check(RUNS, [CHANGES, PART, fc.nat(5)], (changes, part, later) => {
      const { head, after, learns_from } = stored(changes, part, later);
      expectSame(resumed([...head, ...after], learns_from), fold([...head, ...after]));
    });
  });

  test('is the same after purges', () => {
    check(RUNS, [CHANGES, PART, fc.nat(5)], (changes, part, later) => {
      const { head, after, learns_from } = stored(changes, part, later);
      const left = [...purgedOfRetired(purged(head)), ...after];
      expectSame(resumed(left, learns_from), fold([...head, ...after]));
    });
  });

  test('is learnt from in random histories, by models of feeds and of feed types', () => {
    const pages = fc
      .sample(CHANGES, { numRuns: 60, seed: 1 })
      .map((changes) => [0, 7].map((feed) => fold(changes).learning.modelOf('for-you', feed)?.pages ?? 0));
    expect(pages.filter(([network]) => network > 0).length).toBeGreaterThan(5);
    expect(pages.filter(([, feed]) => feed > 0).length).toBeGreaterThan(5);
  });
});
