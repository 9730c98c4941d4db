import { describe, expect, test } from 'bun:test';
import { ServiceError } from '../../src/errors.ts';
import { compileFeed, type FeedSettings } from '../../src/feed/compile-feed.ts';
import { buildPage } from '../../src/pipeline/pipeline.ts';
import { InvalidOptions, PLUGIN_API, type RequestContext, Type } from '../../src/plugin/index.ts';
import { builtIn, engineOn, requestOn, Scene } from '../support/scene.ts';

const SCENE = new Scene().item('one').item('two').act('viewer', 'like', 'elsewhere');
const base = { summary: 'For tests.', options: Type.Object({}) };
const meta = { name: 'acme', version: '1.0.0', api: PLUGIN_API };

function fail(): never {
  throw new Error('out of luck');
}

/** Serves a page with one extension of a third party, and gives back what it threw. */
function failure(parts: Record<string, unknown>, settings: FeedSettings): ServiceError {
  const registry = builtIn();
  registry.add({ meta, ...parts }, 'acme.ts');
  let thrown: unknown;
  try {
    const feed = compileFeed(registry, 'for-you', settings);
    buildPage(feed, requestOn(engineOn(SCENE.state, { registry }), { viewer: 'viewer' }));
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ServiceError);
  return thrown as ServiceError;
}

/** The caller learns nothing but the code; along the causes stand the plugin and then the reason. */
function expectBlamed(error: ServiceError, id: string, reason: string): void {
  expect(error.code).toBe('plugin_failed');
  expect(error.status).toBe(500);
  expect(error.detail).not.toContain('acme');
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  const blamed = causes.findIndex((message) => message.includes(id));
  expect(blamed).toBeGreaterThanOrEqual(0);
  expect(causes[blamed + 1]).toContain(reason);
}

type Broken = (request: RequestContext) => (item: number) => unknown;

const STAGES: Record<string, (options: unknown) => Broken> = {
  'when the configuration is compiled': () => fail(),
  'when the request begins': () => () => fail(),
  'at an item': () => () => () => fail(),
};

describe.each(Object.entries(STAGES))(
  'a plugin that throws %s fails the request and is named',
  (_, compile) => {
    test('scoring function', () => {
      const parts = { scoring_functions: { 'acme/s_v1.0.0': { ...base, compile } } };
      expectBlamed(failure(parts, { scoring: 'acme/s_v1.0.0' }), 'acme/s_v1.0.0', 'out of luck');
    });

    test('filter', () => {
      const parts = { filters: { 'acme/f': { ...base, kind: 'exclusion', compile } } };
      expectBlamed(failure(parts, { filters: { 'acme/f': {} } }), 'acme/f', 'out of luck');
    });

    test('visibility rule', () => {
      const parts = { visibility_rules: { 'acme/v_v1.0.0': { ...base, compile } } };
      expectBlamed(
        failure(parts, { visibility_rules: { 'acme/v_v1.0.0': {} } }),
        'acme/v_v1.0.0',
        'out of luck',
      );
    });
  },
);

describe('a scoring function', () => {
  test.each([Number.NaN, -1, -0.0001, Infinity, -Infinity, undefined, 'high'])(
    'that says %p fails the request',
    (score) => {
      const parts = { scoring_functions: { 'acme/s_v1.0.0': { ...base, compile: () => () => () => score } } };
      const error = failure(parts, { scoring: 'acme/s_v1.0.0' });
      expectBlamed(error, 'acme/s_v1.0.0', `score ${score} is not a finite number`);
    },
  );

  test('that asks for a signal nobody registered is named', () => {
    const compile = () => (request: RequestContext) => request.signal('no such signal');
    const parts = { scoring_functions: { 'acme/s_v1.0.0': { ...base, compile } } };
    expectBlamed(failure(parts, { scoring: 'acme/s_v1.0.0' }), 'acme/s_v1.0.0', "'no such signal'");
  });
});

describe('a candidate source', () => {
  test('that throws when it is asked fails the request', () => {
    const parts = { candidate_sources: { 'acme/c_v1.0.0': { ...base, compile: () => () => fail() } } };
    expectBlamed(failure(parts, {}), 'acme/c_v1.0.0', 'out of luck');
  });
});

describe('options that a plugin itself refuses', () => {
  test('are the fault of who sent them, with the words of the plugin', () => {
    const compile = () => {
      throw new InvalidOptions('must be even');
    };
    const parts = { filters: { 'acme/f': { ...base, kind: 'exclusion', compile } } };
    const error = failure(parts, { filters: { 'acme/f': {} } });
    expect(error.code).toBe('invalid_value');
    expect(error.errors).toEqual([{ path: '/filters/acme~1f', message: 'must be even' }]);
  });
});
