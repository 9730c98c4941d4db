import { expect, test } from 'bun:test';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { contextForFeed } from '../../src/page/page-context.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { NO_TRACE, PageRecord, type Step } from '../../src/page/record.ts';
import { Registry } from '../../src/registry/registry.ts';
import { builtIn, engineOn, requestOn, Scene } from '../support/scene.ts';
import { base, fail, meta } from './plugin-failure-support.ts';

/** The steps of a page whose sources are a signal with many items and another one. */
function stepsOf(other: (() => unknown) | undefined, settings: FeedSettings = {}): readonly Step[] {
  const registry = new Registry();
  registry.addBuiltIn(withoutProposals());
  const many = () => () => new Map(Array.from({ length: 1_000 }, (_, item) => [item, 1]));
  const signal = (reaches: unknown) => ({ ...base, proposes: { per_item: 1 }, reaches });
  const signals = {
    'acme/many': signal(many),
    ...(other === undefined ? {} : { 'acme/other': signal(() => other) }),
  };
  const any = { 'acme/any_v1.0.0': { ...base, compile: () => () => () => 1 } };
  registry.add({ meta, signals, scoring_functions: any }, 'acme.ts');
  const scene = new Scene();
  for (let item = 0; item < 5_000; item++) scene.item(`i${item}`, { author: item < 5 ? 'ann' : 'ben' });
  const feed = compileFeed(registry, 'for-you', {
    candidate_limit: 100,
    scoring: 'acme/any_v1.0.0',
    ...settings,
  });
  const record = new PageRecord(NO_TRACE, () => 0).ofList(feed, 'main');
  const context = requestOn(engineOn(scene.state, { registry }));
  record.begin(context);
  buildList(feed, contextForFeed(context, context.page_length, record));
  return record.steps();
}

/** The proposals that are taken of the signal with many items. */
const taken = (other: (() => unknown) | undefined) =>
  stepsOf(other).find(({ plugin }) => plugin === 'acme/many')?.in;

/** The built-in plugins that a for-you feed needs, with signals that propose nothing. */
function withoutProposals() {
  const all = <K extends 'filters' | 'visibility_rules' | 'signals' | 'scoring_functions'>(kind: K) =>
    builtIn().all(kind);
  const of = (kind: 'filters' | 'visibility_rules' | 'scoring_functions') => ({
    [kind]: Object.fromEntries(all(kind).map(({ id, extension }) => [id, extension])),
  });
  const signals = all('signals').map(({ id, extension }) => [id, { ...extension, proposes: undefined }]);
  return {
    ...of('filters'),
    ...of('visibility_rules'),
    ...of('scoring_functions'),
    signals: Object.fromEntries(signals),
  };
}

test('the share of a signal without the data that it needs goes to the other signals', () => {
  expect(taken(undefined)).toBe(100);
  expect(taken(() => new Map([[7, 1]]))).toBe(50);
  expect(taken(() => new Map())).toBe(50);
  expect(taken(() => undefined)).toBe(100);
});

test('a page of the few items that the filters allow computes the reach of no signal', () => {
  const steps = stepsOf(fail, { filters: { author_ids: ['ann'] } });
  expect(steps.find(({ plugin }) => plugin === 'postings')?.out).toBe(5);
});
