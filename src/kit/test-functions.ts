import { afterAll, beforeAll, describe, test } from 'bun:test';
import type { Kind } from '../registry/kinds.ts';
import { CallSite } from './call-site.ts';
import type { CaseOf, Test } from './case-types.ts';
import { Kit } from './kit.ts';

/** Makes the function that registers the tests of one extension of a kind. */
export function testOf<K extends Kind>(kind: K): Test<CaseOf[K]> {
  return (plugin, id, tests) => {
    const site = new CallSite();
    describe(id, () => {
      try {
        const kit = new Kit(plugin);
        const all = [...kit.invariants(kind, id), ...kit.cases(kind, id, tests)];
        beforeAll(() => site.run(() => kit.setUp()));
        afterAll(() => kit.tearDown());
        for (const { name, run } of all) test(name, () => site.run(run));
      } catch (error) {
        test('can be tested', () => site.run(() => Promise.reject(error)));
      }
    });
  };
}
