import { describe, expect, test } from 'bun:test';
import { reasonsOf } from '../../src/errors.ts';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { InvalidOptions, type RequestContext } from '../../src/plugin/index.ts';
import { builtIn, engineOn, requestOn } from '../support/scene.ts';
import {
  base,
  expectBlamed,
  expectFailing,
  fail,
  failure,
  failureOf,
  meta,
  SCENE,
} from './plugin-failure-support.ts';

type Broken = (request: RequestContext) => (item: number) => unknown;

const STAGES: Record<string, (options: unknown) => Broken> = {
  'when the configuration is compiled': () => fail(),
  'when the request begins': () => () => fail(),
  'at an item': () => () => () => fail(),
};

describe.each(Object.entries(STAGES))('an extension that throws %s', (_, compile) => {
  test.each(['scoring_functions', 'filters', 'visibility_rules'] as const)(
    'fails the request and is named: %s',
    (kind) => expectFailing(kind, { compile }, 'out of luck'),
  );
});

describe('a scoring function', () => {
  const one = () => () => () => 1;
  test.each([
    ['acme/unknown', "no plugin registered a signal named 'acme/unknown'"],
    ['interest_all', "the signal 'interest_all' depends on the viewer"],
  ])('that is ranked by %s fails the request', (ranked_by, reason) =>
    expectFailing('scoring_functions', { ranked_by, compile: one }, reason),
  );

  test.each([Number.NaN, -1, -0.0001, Infinity, -Infinity, undefined, 'high'])(
    'that returns %p fails the request',
    (score) => {
      const reason = `score ${score} is not a finite number`;
      expectFailing('scoring_functions', { compile: () => () => () => score }, reason);
    },
  );

  test.each([['popular'], [[5]], [{}], [null]])(
    'that declares %p as its signals fails the request',
    (named) =>
      expectFailing('scoring_functions', { signals: () => named, compile: one }, 'not a list of names'),
  );

  test('that uses an unregistered signal is named', () => {
    const compile = () => (request: RequestContext) => request.signal('no such signal');
    expectFailing('scoring_functions', { compile }, "'no such signal'");
  });
});

describe('an error of a plugin', () => {
  const reasonsFor = (thrown: unknown) => {
    const compile = () => {
      throw thrown;
    };
    return reasonsOf(failureOf('filters', { compile })).slice(1);
  };

  test.each([
    ['no such city', 'no such city'],
    [null, 'null'],
    [{ code: 7 }, '[object Object]'],
  ])('is told as it is when it is no Error: %p', (thrown, told) => {
    expect(reasonsFor(thrown)).toEqual(['plugin acme/f failed', told]);
  });

  test('is reported once if its causes form a cycle', () => {
    const one = new Error('one');
    one.cause = new Error('another', { cause: one });
    expect(reasonsFor(one)).toEqual(['plugin acme/f failed', 'one', 'another']);
  });
});

/** A plugin's signal, used by a scoring function of the same plugin. */
function withSignal(signal: object): Record<string, unknown> {
  const compile = () => (request: RequestContext) => request.signal('acme/m');
  return {
    signals: { 'acme/m': { ...base, depends_on: 'viewer', ...signal } },
    scoring_functions: { 'acme/s_v1.0.0': { ...base, compile } },
  };
}

describe('a signal', () => {
  test.each(Object.entries(STAGES))('that throws %s is named instead of its caller', (_, compile) => {
    expectBlamed(failure(withSignal({ compile }), { scoring: 'acme/s_v1.0.0' }), 'acme/m', 'out of luck');
  });

  test.each([Number.NaN, -0.1, 1.1, Infinity, undefined, '0.5'])('that returns %p is named', (value) => {
    const error = failure(withSignal({ compile: () => () => () => value }), { scoring: 'acme/s_v1.0.0' });
    expectBlamed(error, 'acme/m', `value ${value} is not a number from 0 to 1`);
  });

  test('whose reaches throws is named', () => {
    const signal = { ...base, proposes: { per_item: 1, always: true }, reaches: () => () => fail() };
    expectBlamed(failure({ signals: { 'acme/m': signal } }, {}), 'acme/m', 'out of luck');
  });
});

/** Signals of the same plugin, each of which uses the next, and the last uses the first. */
function ring(kind: string, ...names: string[]): Record<string, unknown> {
  const asking: Record<string, (next: string) => object> = {
    request: (next) => ({ compile: () => (request: RequestContext) => request.signal(next) }),
    item: (next) => ({
      compile: () => (request: RequestContext) => (item: number) => request.signal(next)(item),
    }),
    reach: (next) => ({
      reaches: () => (request: RequestContext) => new Map([[0, 1 + request.greatest(next, () => 1)]]),
    }),
  };
  const signals = names.map((name, at) => [
    name,
    { ...base, ...asking[kind](names[(at + 1) % names.length]) },
  ]);
  const compile = () => (request: RequestContext) =>
    kind === 'reach' ? () => request.greatest(names[0], () => 1) : request.signal(names[0]);
  return {
    signals: Object.fromEntries(signals),
    scoring_functions: { 'acme/s_v1.0.0': { ...base, compile } },
  };
}

describe('signals that use each other', () => {
  test.each([
    ['request', ['acme/a'], 'acme/a', "the signal 'acme/a' asks for itself"],
    [
      'request',
      ['acme/a', 'acme/b', 'acme/c'],
      'acme/c',
      "the signal 'acme/a' asks for itself by way of the signal 'acme/b' by way of the signal 'acme/c'",
    ],
    ['item', ['acme/a', 'acme/b'], 'acme/a', 'it requests its own value of the same item'],
    ['reach', ['acme/a', 'acme/b'], 'acme/b', "'acme/a' asks for itself by way of the reach of 'acme/b'"],
  ])('at the %s are named: %p', (kind, names, blamed, reason) => {
    expectBlamed(failure(ring(kind, ...names), { scoring: 'acme/s_v1.0.0' }), blamed, reason);
  });

  test('may use values of other items', () => {
    const registry = builtIn();
    const item = SCENE.state.items.names.find('one');
    const compile = () => (request: RequestContext) => (asked: number) =>
      asked === item ? 0.5 : request.signal('acme/m')(item) / 2;
    registry.add({ meta, ...withSignal({ compile }) }, 'acme.ts');
    const feed = compileFeed(registry, 'for-you', { scoring: 'acme/s_v1.0.0' });
    const page = buildList(feed, requestOn(engineOn(SCENE.state, { registry }), { viewer: 'viewer' }));
    expect(page.map(({ score }) => score)).toEqual([0.5, 0.25]);
  });
});

test.each([undefined, 1, 'yes', Promise.resolve(false), Object.create(null)])(
  'a filter or rule that returns %p fails the request and shows no item',
  (said) => {
    for (const kind of ['filters', 'visibility_rules'] as const)
      expectFailing(kind, { compile: () => () => () => said }, 'neither true nor false');
  },
);

describe('a plugin', () => {
  test('that throws a value without a text form is named', () => {
    const compile = () => () => () => {
      throw Object.create(null);
    };
    const error = failureOf('filters', { compile });
    const reasons = ['plugin acme/f failed', '[object Object]'];
    expect([error.code, reasonsOf(error.cause)]).toEqual(['plugin_failed', reasons]);
  });

  test('whose compile does not return a function fails when the feed is compiled', () => {
    const reason = 'its compile returns [object Promise], which is not a function';
    expectFailing('filters', { compile: async () => () => () => true }, reason);
  });

  test('that rejects its options causes an error of the caller, with the text of the plugin', () => {
    const compile = () => {
      throw new InvalidOptions('must be even');
    };
    const { code, errors } = failureOf('filters', { compile });
    const fault = { path: '/filters/acme~1f', message: 'must be even' };
    expect([code, errors]).toEqual(['invalid_value', [fault]]);
  });
});
