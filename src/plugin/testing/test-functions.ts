import { afterAll, beforeAll, describe, test } from 'bun:test';
import type { Plugin } from '../kinds.ts';
import { CallSite } from './call-site.ts';
import type { CaseOf, Test, Tests } from './case-types.ts';
import { Kit } from './kit.ts';
import type { KnownSignals } from './known-signals.ts';
import type { Kind } from './subject.ts';

/**
 * Makes the functions that test one extension of a plugin under `bun:test`.
 *
 * Each registers, under the extension's id, the invariants of its kind and the author's own cases.
 * @param known the signals of other plugins; default: any name
 */
export function testFunctions(known?: KnownSignals) {
  const of =
    <K extends Kind>(kind: K): Test<CaseOf[K]> =>
    (plugin: Plugin, id: string, tests: Tests<CaseOf[K]> = {}) => {
      const site = new CallSite();
      const kit = new Kit(plugin, known);
      const invariants = () => {
        try {
          return [...kit.invariants(kind, id), ...kit.cases(kind, id, tests)];
        } catch (error) {
          return [{ name: 'can be tested', run: () => Promise.reject(error) }];
        }
      };
      describe(id, () => {
        beforeAll(() => site.run(() => kit.setUp()));
        afterAll(() => kit.tearDown());
        for (const { name, run } of invariants()) test(name, () => site.run(run));
      });
    };
  return {
    testScoringFunction: of('scoring_functions'),
    testFilter: of('filters'),
    testVisibilityRule: of('visibility_rules'),
    testPromotionStrategy: of('promotion_strategies'),
    testSignal: of('signals'),
    testCandidateSource: of('candidate_sources'),
    testMetadataProvider: of('metadata_providers'),
    testConnector: of('connectors'),
    testWebhook: of('webhooks'),
  };
}
