import { describe, expect, test } from 'bun:test';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import type { Reached, RequestContext } from '../../src/plugin/index.ts';
import { builtIn, engineOn, requestOn } from '../support/scene.ts';
import { base, expectBlamed, expectFailing, fail, failure, meta, SCENE } from './plugin-failure-support.ts';

/** Lists of items that plugins return: lists, postings, and items that a signal reaches. */

describe('a list of items', () => {
  const endless = function* () {
    for (;;) yield 0;
  };
  test.each([
    ['a number that is no ordinal', () => [0, 0.5], 'it lists 0.5'],
    ['an identifier', () => ['one'], 'it lists one'],
    ['NaN', () => [Number.NaN], 'it lists NaN'],
    ['nothing to iterate', () => 5, 'it lists 5, which is not a list of items'],
    ['no end', endless, 'more than 1000000 items'],
  ])('with %s fails the request', (_, list, reason) => {
    expectFailing('visibility_rules', { compile: () => () => () => true, allows: () => list }, reason);
  });

  test('may contain NONE and duplicates', () => {
    const registry = builtIn();
    const allows = () => (request: RequestContext) =>
      ['nowhere', 'two', 'two'].map((id) => request.item.find(id));
    const rule = { ...base, compile: () => () => () => true, allows };
    registry.add({ meta, visibility_rules: { 'acme/v_v1.0.0': rule } }, 'acme.ts');
    const feed = compileFeed(registry, 'for-you', { visibility_rules: { 'acme/v_v1.0.0': {} } });
    const page = buildList(feed, requestOn(engineOn(SCENE.state, { registry })));
    expect(page.map(({ item }) => SCENE.state.items.names.id(item))).toEqual(['two']);
  });
});

test.each([null, 0, '', false])('a rule whose allows returns %p is named', (allowed) => {
  const rule = { compile: () => () => () => true, allows: () => () => allowed };
  expectFailing('visibility_rules', rule, `it lists ${allowed}, which is not a list of items`);
});

describe('the postings of a filter', () => {
  test.each([
    ['null', null, 'its postings are null'],
    ['a promise', Promise.resolve({ column: 'author', values: [] }), 'the column undefined'],
    ['a column that is none', { column: 'mood', values: [1] }, 'the column mood'],
    ['a column of any object', { column: 'toString', values: [1] }, 'the column toString'],
    ['without values', { column: 'author' }, 'not a list'],
    ['a single value', { column: 'author', values: 5 }, 'not a list'],
    ['a value as text', { column: 'channel', values: [0, 'https://c'] }, 'the value https://c'],
    ['half a value', { column: 'author', values: [0.5] }, 'the value 0.5'],
    ['a value below all', { column: 'author', values: [-2] }, 'the value -2'],
    ['a time as text', { created_since: '2026-01-01' }, '2026-01-01, which is not a time'],
    ['no number as a time', { created_since: Number.NaN }, 'begin at NaN, which is not a time'],
    ['no number as an end', { created_until: Number.NaN }, 'end at NaN, which is not a time'],
  ])('that are %s fail the request', (_, postings, reason) =>
    expectFailing('filters', { compile: () => () => () => true, postings: () => () => postings }, reason),
  );
});

test('a filter whose postings name a value without items is narrow', () => {
  const registry = builtIn();
  const postings = () => (request: RequestContext) => ({
    column: 'channel',
    values: [request.item.code('channel', 'nowhere')],
  });
  const filter = { ...base, kind: 'inclusion', compile: () => () => () => true, postings };
  registry.add({ meta, filters: { 'acme/f': filter } }, 'acme.ts');
  const feed = compileFeed(registry, 'popular', { filters: { 'acme/f': {} } });
  expect(buildList(feed, requestOn(engineOn(SCENE.state, { registry })))).toEqual([]);
});

/** Makes a `Reached` as a plugin would. */
function reachedOf(weights: [number, number][]): Reached {
  const known = new Map(weights);
  return {
    size: known.size,
    max: Math.max(0, ...known.values()),
    weight: (item: number) => known.get(item) ?? 0,
    forEach(visit: (item: number, weight: number) => void) {
      for (const [item, weight] of known) visit(item, weight);
    },
  };
}

describe('reaches of a signal', () => {
  const listed = (reaches: (request: RequestContext) => unknown) => ({
    signals: { 'acme/m': { ...base, proposes: { per_item: 1, always: true }, reaches: () => reaches } },
  });

  test.each([
    ['weights', reachedOf],
    ['a map', (weights: [number, number][]) => new Map(weights)],
  ])('as %s may contain NONE, which is left out', (_, made) => {
    const registry = builtIn();
    const reaches = (request: RequestContext) =>
      made([
        [request.item.find('nowhere'), 3],
        [request.item.find('two'), 2],
        [request.item.find('one'), 1],
      ]);
    registry.add({ meta, ...listed(reaches) }, 'acme.ts');
    const request = requestOn(engineOn(SCENE.state, { registry }), { viewer: 'viewer' });
    const best = request.best('acme/m', 5);
    expect(best.map((item) => SCENE.state.items.names.id(item))).toEqual(['two', 'one']);
    expect(best.map(request.signal('acme/m'))).toEqual([1, 0.5]);
  });

  test('are computed once per page and feed', () => {
    const registry = builtIn();
    let computed = 0;
    const reaches = () => new Map([[0, ++computed]]);
    registry.add({ meta, ...listed(reaches) }, 'acme.ts');
    const scoring = { name: 'weighted_v0.0.1', options: { weights: { 'acme/m': 1 } } };
    const context = requestOn(engineOn(SCENE.state, { registry }), { viewer: 'viewer' });
    buildList(compileFeed(registry, 'for-you', { scoring }), context);
    expect(computed).toBe(1);
  });

  /** The signal is named if it reaches the items of `reached`. */
  const expectNamed = (reached: unknown, reason: string) => {
    const parts = listed(() => reached);
    expectBlamed(failure(parts, {}), 'acme/m', reason);
  };

  test.each([[null], [5], [Promise.resolve(reachedOf([]))], [[1, 2]], [new Set([1])], [{ weight: () => 0 }]])(
    'that returns %p fails the request and names the signal',
    (reached) => expectNamed(reached, 'it reaches'),
  );

  test.each<[unknown, unknown, string]>([
    ['17', 1, 'it reaches 17, which is not an item'],
    ['0xab', 1, 'it reaches 0xab, which is not an item'],
    [1.5, 1, 'it reaches 1.5, which is not an item'],
    [-2, 1, 'it reaches -2, which is not an item'],
    [0, Number.NaN, 'with weight NaN, which is not a finite number above 0'],
    [0, Infinity, 'with weight Infinity, which is not a finite number above 0'],
    [0, -1, 'with weight -1, which is not a finite number above 0'],
    [0, '1', 'with weight 1, which is not a finite number above 0'],
  ])('is %p of weight %p: the signal is named', (item, weight, reason) =>
    expectNamed(reachedOf([[item as number, weight as number]]), reason),
  );

  test('with a duplicate item, or that cannot be iterated, fails the request and names the signal', () => {
    const twice = (visit: (item: number, weight: number) => void) => {
      for (const weight of [2, 2]) visit(0, weight);
    };
    expectNamed({ ...reachedOf([[0, 2]]), size: 2, forEach: twice }, 'it reaches item 0 twice');
    expectNamed({ ...reachedOf([[-1, 1]]), forEach: () => fail() }, 'out of luck');
  });
});
