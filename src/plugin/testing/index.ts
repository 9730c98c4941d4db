/**
 * `feedloom/plugin/testing`: checks one extension of a plugin under `bun:test`. Each function registers, under
 * the extension's id, what must hold for every extension of its kind, and the author's own cases.
 *
 * Example: `testFilter(plugin, 'acme/liked', { cases: [{ name: 'keeps what is liked', options: 5,
 * items: [{ item_id: 'a', likes_count: 5 }, { item_id: 'b' }], keeps: ['a'] }], refuses: [0, 'five'] });`
 */
import { afterAll, beforeAll, describe, test } from 'bun:test';
import type { Plugin } from '../kinds.ts';
import type {
  CaseOf,
  FilterCase,
  MetadataCase,
  PromotionCase,
  ScoringCase,
  SignalCase,
  SourceCase,
  Tests,
  VisibilityCase,
} from './case-types.ts';
import { Kit } from './kit.ts';
import type { Kind } from './subject.ts';

export type * from './case-types.ts';
export * from './world.ts';

export function testScoringFunction(plugin: Plugin, id: string, tests: Tests<ScoringCase> = {}): void {
  register(plugin, 'scoring_functions', id, tests);
}

export function testFilter(plugin: Plugin, id: string, tests: Tests<FilterCase> = {}): void {
  register(plugin, 'filters', id, tests);
}

export function testVisibilityRule(plugin: Plugin, id: string, tests: Tests<VisibilityCase> = {}): void {
  register(plugin, 'visibility_rules', id, tests);
}

export function testPromotionStrategy(plugin: Plugin, id: string, tests: Tests<PromotionCase> = {}): void {
  register(plugin, 'promotion_strategies', id, tests);
}

export function testSignal(plugin: Plugin, id: string, tests: Tests<SignalCase> = {}): void {
  register(plugin, 'signals', id, tests);
}

export function testCandidateSource(plugin: Plugin, id: string, tests: Tests<SourceCase> = {}): void {
  register(plugin, 'candidate_sources', id, tests);
}

export function testMetadataProvider(plugin: Plugin, id: string, tests: Tests<MetadataCase> = {}): void {
  register(plugin, 'metadata_providers', id, tests);
}

function register<K extends Kind>(plugin: Plugin, kind: K, id: string, tests: Tests<CaseOf[K]>): void {
  const kit = new Kit(plugin);
  describe(id, () => {
    beforeAll(() => kit.setUp());
    afterAll(() => kit.tearDown());
    for (const { name, run } of kit.invariants(kind, id)) test(name, run);
    for (const { name, run } of kit.cases(kind, id, tests)) test(name, run);
  });
}
