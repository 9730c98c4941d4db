import { describe, expect, test } from 'bun:test';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import type { RequestContext } from '../../src/plugin/index.ts';
import { Registry } from '../../src/registry/registry.ts';
import { builtIn, engineOn, requestOn, Scene } from '../support/scene.ts';
import { base, expectFailing, meta } from './plugin-failure-support.ts';

/** How many items a source is asked for, beside another one that says whether it applies. */
function wanted(applies: (() => (request: RequestContext) => boolean) | undefined): (number | undefined)[] {
  const asked: (number | undefined)[] = [undefined, undefined];
  const source = (at: number) => ({
    ...base,
    compile: () => (_: RequestContext, count: number) => {
      asked[at] = count;
      return [];
    },
  });
  const registry = new Registry();
  registry.addBuiltIn({
    ...builtInOf('visibility_rules'),
    ...builtInOf('signals'),
    ...builtInOf('scoring_functions'),
  });
  const sources = { 'acme/one_v1.0.0': source(0), 'acme/two_v1.0.0': { ...source(1), applies } };
  registry.add({ meta, candidate_sources: sources }, 'acme.ts');
  const scene = new Scene();
  for (let item = 0; item < 5_000; item++) scene.item(`i${item}`);
  const feed = compileFeed(registry, 'for-you', { candidate_limit: 100 });
  buildList(feed, requestOn(engineOn(scene.state, { registry })));
  return asked;
}

function builtInOf<K extends 'visibility_rules' | 'signals' | 'scoring_functions'>(kind: K) {
  const all = builtIn().all(kind);
  return { [kind]: Object.fromEntries(all.map(({ id, extension }) => [id, extension])) };
}

describe('a source that says whether it applies', () => {
  test('is not asked if it does not, and its share goes to the others', () => {
    expect(wanted(undefined)).toEqual([50, 50]);
    expect(wanted(() => () => true)).toEqual([50, 50]);
    expect(wanted(() => () => false)).toEqual([100, undefined]);
  });

  test('must say so with true or false', () => {
    const source = { compile: () => () => [], applies: () => () => 1 };
    const reason = 'its applies returned 1, which is neither true nor false';
    expectFailing('candidate_sources', source, reason);
  });
});
