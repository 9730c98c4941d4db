import { expect, test } from 'bun:test';
import { ServiceError } from '../../src/errors.ts';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { defineCandidateSource, PLUGIN_API, Type } from '../../src/plugin/index.ts';
import { builtIn } from '../support/scene.ts';

const base = { summary: 'For tests.', options: Type.Object({}) };
const source = (proposes_for?: string) =>
  defineCandidateSource({ ...base, proposes_for, compile: () => () => [] });
const REGISTRY = builtIn();
REGISTRY.add(
  {
    meta: { name: 'acme', version: '1.0.0', api: PLUGIN_API },
    scoring_functions: { 'acme/any_v1.0.0': { ...base, compile: () => () => () => 1 } },
    candidate_sources: {
      'acme/of-profile_v1.0.0': source('profile'),
      'acme/of-recent_v1.0.0': source('interest_recent'),
      'acme/of-nothing_v1.0.0': source(),
    },
  },
  'acme.ts',
);

const asked = (scoring: FeedSettings['scoring']) =>
  compileFeed(REGISTRY, 'for-you', { scoring }).sources.map(({ id }) => id);
const weighted = (weights: Record<string, number>) => ({ name: 'weighted_v0.0.1', options: { weights } });

test('sources that propose for an unused signal are skipped', () => {
  const always = ['trending', 'popular', 'acme/of-nothing_v1.0.0'];
  expect(asked('balanced_feed_v0.0.1').toSorted()).toEqual(
    ['walk', 'profile', 'semantic', 'following', 'acme/of-profile_v1.0.0', ...always].toSorted(),
  );
  expect(asked('user_interest_recent_v0.0.1').toSorted()).toEqual(
    ['recent', 'acme/of-recent_v1.0.0', ...always].toSorted(),
  );
  expect(asked(weighted({ popular: 1 }))).toEqual(always);
  expect(asked(weighted({ affinity_closest: 1 })).toSorted()).toEqual(['closest', ...always].toSorted());
});

test('every source is used if a scoring function does not declare its signals', () => {
  expect(asked('acme/any_v1.0.0').sort()).toEqual(REGISTRY.ids('candidate_sources').sort());
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
