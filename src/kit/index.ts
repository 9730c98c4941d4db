/**
 * `feedloom/plugin/testing`: tests one extension of a plugin under `bun:test`.
 *
 * Each function registers, under the extension's id, the invariants of its kind and the author's own cases. They run on
 * the engine of the service, in small worlds of items, users and what they did.
 *
 * Example: `testFilter(plugin, 'acme/liked', { items: { a: { likes_count: 5 }, b: {} },
 * cases: [{ name: 'keeps what is liked', options: 5, expect: ['a'] }], refuses: [0, 'five'] });`
 */
import type {
  ConnectorCase,
  FilterCase,
  MetadataCase,
  PromotionCase,
  ScoringCase,
  SignalCase,
  Test,
  VisibilityCase,
  WebhookCase,
} from './case-types.ts';
import { testOf } from './test-functions.ts';

export type * from './case-types.ts';
export * from './test-world.ts';

export const testScoringFunction: Test<ScoringCase> = testOf('scoring_functions');
export const testFilter: Test<FilterCase> = testOf('filters');
export const testVisibilityRule: Test<VisibilityCase> = testOf('visibility_rules');
export const testPromotionStrategy: Test<PromotionCase> = testOf('promotion_strategies');
export const testSignal: Test<SignalCase> = testOf('signals');
export const testMetadataProvider: Test<MetadataCase> = testOf('integrations');
export const testConnector: Test<ConnectorCase> = testOf('integrations');
export const testWebhook: Test<WebhookCase> = testOf('integrations');
