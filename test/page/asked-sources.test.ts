import { expect, test } from 'bun:test';
import { ServiceError } from '../../src/errors.ts';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { defineSignal, Type } from '../../src/plugin/index.ts';
import { builtIn } from '../support/scene.ts';

const base = { summary: 'For tests.', options: Type.Object({}) };
const signal = (always?: boolean) =>
  defineSignal({ ...base, proposes: { per_item: 1, always }, reaches: () => () => undefined });
const REGISTRY = builtIn();
REGISTRY.add(
  {
    meta: { name: 'acme', version: '1.0.0', api: 2 },
    scoring_functions: { 'acme/any_v1.0.0': { ...base, compile: () => () => () => 1 } },
    signals: { 'acme/used': signal(), 'acme/always': signal(true) },
  },
  'acme.ts',
);

const asked = (scoring: FeedSettings['scoring']) =>
  compileFeed(REGISTRY, 'for-you', { scoring }).sources.map(({ id }) => id);
const weighted = (weights: Record<string, number>) => ({ name: 'weighted_v0.0.1', options: { weights } });

test('signals that a scoring function does not use propose nothing, unless they always do', () => {
  const always = ['more_of', 'trending', 'popular', 'acme/always'];
  expect(asked('balanced_feed_v0.0.1').toSorted()).toEqual(
    ['walk', 'profile', 'semantic', 'following', ...always].toSorted(),
  );
  expect(asked('user_interest_recent_v0.0.1').toSorted()).toEqual(['recent', ...always].toSorted());
  expect(asked(weighted({ popular: 1 }))).toEqual(always);
  expect(asked(weighted({ affinity_closest: 1 })).toSorted()).toEqual(['closest', ...always].toSorted());
  expect(asked(weighted({ 'acme/used': 1 })).toSorted()).toEqual(['acme/used', ...always].toSorted());
});

test('every signal may propose if a scoring function does not declare its signals', () => {
  const sources = REGISTRY.all('signals').flatMap(({ id, extension: { proposes } }) =>
    proposes === undefined ? [] : (proposes.name ?? id),
  );
  expect(asked('acme/any_v1.0.0')).toEqual(sources);
});

test('an unknown signal in options is rejected by name', () => {
  let refused: unknown;
  try {
    asked(weighted({ interest_all: 1, moon_phase: 2 }));
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(ServiceError);
  const [fault, ...others] = (refused as ServiceError).errors ?? [];
  expect(others).toEqual([]);
  expect(fault.path).toBe('/scoring/options');
  expect(fault.message).toStartWith("'moon_phase' is not a known signal; known are interest_all, ");
});
