import { describe, expect, test } from 'bun:test';
import type { ExperimentContent } from '../../src/model/experiment-content.ts';
import type { Store } from '../../src/store/store.ts';
import { EXPERIMENT } from './any-change.ts';
import { ENGINES, stored, withServing } from './engines.ts';

/** Stores a version of an experiment that runs, and gives the kept ones as `[revision, name]`. */
async function change(store: Store, at: number, given: Partial<ExperimentContent>): Promise<unknown[]> {
  const content: ExperimentContent = { ...EXPERIMENT, status: 'running', updated_at: at, ...given };
  await store.submit([{ kind: 'experiment', experiment: 1, content, seq: 0, applied_at: at }]);
  const changes = await stored(store);
  return changes.flatMap((each) =>
    each.kind === 'experiment' ? [[each.content.revision, each.content.name]] : [],
  );
}

const armed = (arm: number) => EXPERIMENT.variants.map((variant, at) => ({ ...variant, arm: arm + at }));

describe.each([...ENGINES])('former versions of experiments on $name', (engine) => {
  test('of each minute are the last one, without details', () =>
    withServing(engine, async ({ store }) => {
      const name = 'n';
      for (const [at, time] of [60, 61, 62, 63].entries())
        await change(store, time, { name, revision: at + 1, variants: armed(1) });
      const next = await change(store, 120, { name, revision: 5, variants: armed(1) });
      expect(next).toEqual([
        [4, name],
        [5, name],
      ]);
      await change(store, 121, { name, revision: 6, variants: armed(11) });
      await change(store, 122, { name, revision: 7, variants: armed(21) });
      const later = await change(store, 123, { name, revision: 8, variants: armed(21) });
      expect(later).toEqual([
        [4, ''],
        [7, name],
        [8, name],
      ]);
    }));
});
