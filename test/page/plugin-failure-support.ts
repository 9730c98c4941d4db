import { expect } from 'bun:test';
import { ServiceError } from '../../src/errors.ts';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { Type } from '../../src/plugin/index.ts';
import { builtIn, engineOn, requestOn, Scene } from '../support/scene.ts';

/** Pages with one failing extension of a plugin. */

export const SCENE = new Scene().item('one').item('two').act('viewer', 'like', 'elsewhere');
export const base = { summary: 'For tests.', options: Type.Object({}) };
export const meta = { name: 'acme', version: '1.0.0', api: 2 };

export function fail(): never {
  throw new Error('out of luck');
}

/** Serves a page with one extension of a plugin, and returns the error. */
export function failure(parts: Record<string, unknown>, settings: FeedSettings): ServiceError {
  const registry = builtIn();
  registry.add({ meta, ...parts }, 'acme.ts');
  let thrown: unknown;
  try {
    const feed = compileFeed(registry, 'for-you', settings);
    buildList(feed, requestOn(engineOn(SCENE.state, { registry }), { viewer: 'viewer' }));
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ServiceError);
  return thrown as ServiceError;
}

/** An id of each kind, and the settings of a feed that uses the extension. */
const USES = {
  filters: ['acme/f', { filters: { 'acme/f': {} } }],
  visibility_rules: ['acme/v_v1.0.0', { visibility_rules: { 'acme/v_v1.0.0': {} } }],
  scoring_functions: ['acme/s_v1.0.0', { scoring: 'acme/s_v1.0.0' }],
} as const;

/** The error of a page with an extension of the kind. */
export function failureOf(kind: keyof typeof USES, extension: object): ServiceError {
  const [id, settings] = USES[kind];
  const of_kind = kind === 'filters' ? { kind: 'inclusion' } : {};
  return failure({ [kind]: { [id]: { ...base, ...of_kind, ...extension } } }, settings);
}

/** A page with an extension of the kind fails, and the extension is named. */
export function expectFailing(kind: keyof typeof USES, extension: object, reason: string): void {
  expectBlamed(failureOf(kind, extension), USES[kind][0], reason);
}

/** The caller gets only the code. The chain of causes contains the plugin and then the reason. */
export function expectBlamed(error: ServiceError, id: string, reason: string): void {
  expect(error.code).toBe('plugin_failed');
  expect(error.status).toBe(500);
  expect(error.detail).not.toContain('acme');
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  const blamed = causes.findIndex((message) => message.includes(id));
  expect(blamed).toBeGreaterThanOrEqual(0);
  expect(causes[blamed + 1]).toContain(reason);
}
