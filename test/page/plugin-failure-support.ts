import { expect } from 'bun:test';
import { ServiceError } from '../../src/errors.ts';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { PLUGIN_API, Type } from '../../src/plugin/index.ts';
import { builtIn, engineOn, requestOn, Scene } from '../support/scene.ts';

/** Pages with one failing extension of a plugin. */

export const SCENE = new Scene().item('one').item('two').act('viewer', 'like', 'elsewhere');
export const base = { summary: 'For tests.', options: Type.Object({}) };
export const meta = { name: 'acme', version: '1.0.0', api: PLUGIN_API };

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
