import { describe, expect, test } from 'bun:test';
import type { OutcomeChange } from '../../src/model/changes/outcome.ts';
import { NONE } from '../../src/model/key.ts';
import type { CountedPage, SeenWrite } from '../../src/seen/seen-store.ts';
import type { Store } from '../../src/store/store.ts';
import { EXPERIMENT } from './any-change.ts';
import { ENGINES, withServing } from './engines.ts';

const NOW = 1_700_000_000;
const [A, B] = ['1', 'e'].map((digit) => digit.repeat(32));
const FIRST = { viewer: '', number: 0, seq: 0 };

/** The first write of a viewer's row, with a page under an arm. */
function write(viewer: string, arm: number, page: Partial<CountedPage> = {}): SeenWrite {
  const about = { is_short: false, items: Uint32Array.of(3), teams: new Uint8Array(), point: 0 };
  const counted = { arm, timestamp: NOW, ...about, ...page };
  const row = { built_from: 0, number: 1, updated_at: NOW, content: new Uint8Array(1), parts: [] };
  return { viewer, ...row, counted };
}

const outcome = (viewer: string, arm: number, timestamp = NOW): OutcomeChange => ({
  ...{ kind: 'outcome', viewer, arm, item: 3, event_type: 1, timestamp, seq: 0, applied_at: NOW },
});

/** The stored rows of two arms: viewers of pages, and of outcomes. */
function rowsOf({ experiment_rows }: Store): Promise<string[][][]> {
  return Promise.all(
    [1, 2].map(async (arm) => [
      (await experiment_rows.pages(arm, FIRST, 10)).map(({ viewer }) => viewer),
      (await experiment_rows.outcomes(arm, FIRST, 'f'.repeat(32), 10)).map(({ viewer }) => viewer),
    ]),
  );
}

async function fillWith({ seen }: Store, ...writes: SeenWrite[]): Promise<void> {
  for (const each of writes) await seen.write([each]);
}

describe.each([...ENGINES])('rows that experiments count, on $name,', (engine) => {
  test('are stored with the viewer’s row, or not at all', () =>
    withServing(engine, async ({ store }) => {
      const page = {
        ...{ timestamp: NOW + 0.25, is_short: true, items: Uint32Array.of(9, 0, 2 ** 31 - 1) },
        ...{ teams: Uint8Array.of(2, 0, 1), point: 2 ** 32 - 1 },
      };
      const rest = { built_from: 5, number: 6 };
      expect(await store.seen.write([write(A, 1, page), { ...write(B, 1), ...rest }])).toEqual([A]);
      expect(await store.experiment_rows.pages(1, FIRST, 10)).toEqual([
        { viewer: A, number: 1, continues: false, ...page },
      ]);
      const next = { built_from: 1, number: 2 };
      await fillWith(store, { ...write(A, 1), ...next }, { ...write(A, 1), ...next });
      const numbers = (await store.experiment_rows.pages(1, FIRST, 10)).map(({ number }) => number);
      expect(numbers).toEqual([1, 2]);
      expect(await store.experiment_rows.pages(1, { viewer: A, number: 1 }, 10)).toHaveLength(1);
    }));

  test('go with the erasure of their viewer', () =>
    withServing(engine, async ({ store }) => {
      await fillWith(store, write(A, 1), write(B, 1), { ...write(A, 2), built_from: 1, number: 2 });
      await store.submit([outcome(A, 1), outcome(B, 1), outcome(A, 2)]);
      await store.submit([{ kind: 'erasure', user: NONE, viewer: A, seq: 0, applied_at: NOW }]);
      expect(await rowsOf(store)).toEqual([
        [[B], [B]],
        [[], []],
      ]);
    }));

  test('go in a purge when the period of their arm has ended', () =>
    withServing(engine, async ({ store }) => {
      const experiment = (arm: number) => {
        const [control, other] = EXPERIMENT.variants;
        const variants = [
          { ...control, arm },
          { ...other, arm: arm + 5 },
        ];
        const content = { ...EXPERIMENT, variants };
        return { kind: 'experiment', experiment: 1, content, seq: 0, applied_at: NOW } as const;
      };
      await fillWith(store, write(A, 1), { ...write(A, 2), built_from: 1, number: 2 }, write(B, 1));
      await store.submit([experiment(1), outcome(A, 1), outcome(B, 1), outcome(A, 2)]);
      await store.purge();
      expect(await rowsOf(store)).toEqual([
        [
          [A, B],
          [A, B],
        ],
        [[], []],
      ]);
      await store.submit([experiment(2)]);
      await store.purge();
      expect(await rowsOf(store)).toEqual([
        [[], []],
        [[], []],
      ]);
    }));
});
