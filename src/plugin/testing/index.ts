/**
 * `feedloom/plugin/testing`: tests one extension of a plugin under `bun:test`.
 *
 * Each function registers, under the extension's id, the invariants of its kind and the author's own cases.
 *
 * Example: `testFilter(plugin, 'acme/liked', { cases: [{ name: 'keeps what is liked', options: 5,
 * items: [{ item_id: 'a', likes_count: 5 }, { item_id: 'b' }], keeps: ['a'] }], refuses: [0, 'five'] });`
 */
import type {
  ConnectorCase,
  FilterCase,
  MetadataCase,
  PromotionCase,
  ScoringCase,
  SignalCase,
  SourceCase,
  Test,
  VisibilityCase,
  WebhookCase,
} from './case-types.ts';
import { testFunctions } from './test-functions.ts';

export type * from './case-types.ts';
export * from './world.ts';

const TESTS = testFunctions();

export const testScoringFunction: Test<ScoringCase> = TESTS.testScoringFunction;
export const testFilter: Test<FilterCase> = TESTS.testFilter;
export const testVisibilityRule: Test<VisibilityCase> = TESTS.testVisibilityRule;
export const testPromotionStrategy: Test<PromotionCase> = TESTS.testPromotionStrategy;
export const testSignal: Test<SignalCase> = TESTS.testSignal;
export const testCandidateSource: Test<SourceCase> = TESTS.testCandidateSource;
export const testMetadataProvider: Test<MetadataCase> = TESTS.testMetadataProvider;
export const testConnector: Test<ConnectorCase> = TESTS.testConnector;
export const testWebhook: Test<WebhookCase> = TESTS.testWebhook;
