import { describe, expect, test } from 'bun:test';
import type { Postings } from '../../src/columns/postings.ts';
import { ServiceError } from '../../src/errors.ts';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { DEFAULT_PER_ITEM, usuallyWanted } from '../../src/plugin/wanted.ts';
import type { Kind, KindMap } from '../../src/registry/kinds.ts';
import type { Registered } from '../../src/registry/registry.ts';
import { postingsOf } from '../../src/signals/tastes.ts';
import { walletRegistry } from '../../src/wallets.ts';
import { builtIn, itemIds, type RequestOptions, requestIn, type Scene } from './scene.ts';

/** Results of single built-in extensions in a scene, by identifiers. */

const REGISTRY = builtIn();
/** The additional extensions of wallet feeds. */
const OF_WALLETS = walletRegistry();

function extensionOf<K extends Kind>(kind: K, id: string): Registered<KindMap[K]> {
  return (REGISTRY.get(kind, id) ?? OF_WALLETS.get(kind, id))!;
}

function allItems(scene: Scene): number[] {
  return Array.from({ length: scene.state.items.size }, (_, item) => item);
}

/**
 * The items that a filter keeps, in order of their first mention. If the filter names postings, they must contain every
 * kept item.
 */
export function kept(scene: Scene, filter: string, options: unknown, request: RequestOptions = {}): string[] {
  const feed = compileFeed(REGISTRY, 'popular', { filters: { [filter]: options } });
  const context = requestIn(scene, request);
  const [bound] = feed.filters;
  if (bound === undefined) return itemIds(scene.state, allItems(scene));
  const items = allItems(scene).filter(bound.bind(context));
  const named = bound.postings?.(context);
  if (named !== undefined) {
    const listed =
      'column' in named
        ? named.values.flatMap((value) => listedUnder(postingsOf(scene.state, named.column), value))
        : items.filter((item) => {
            const created_at = scene.state.items.created_at(item);
            return 'created_since' in named
              ? created_at >= named.created_since
              : created_at <= named.created_until;
          });
    expect(items.filter((item) => scene.state.items.described(item) && !listed.includes(item))).toEqual([]);
  }
  return itemIds(scene.state, items);
}

function listedUnder(postings: Postings, value: number): number[] {
  return Array.from({ length: postings.length(value) }, (_, index) =>
    postings.item(postings.start(value) + index),
  );
}

/** The described items that a visibility rule lets through. */
export function visible(
  scene: Scene,
  rule: string,
  request: RequestOptions = {},
  options: unknown = {},
): string[] {
  const { extension, options: checker } = REGISTRY.get('visibility_rules', rule)!;
  const checked = checker.check(options, '');
  if (!checked.ok) throw new Error(checked.faults[0].message);
  const test = extension.compile(checked.options)(requestIn(scene, request));
  const described = allItems(scene).filter((item) => scene.state.items.described(item));
  return itemIds(scene.state, described.filter(test));
}

/** The value of a signal for every described item. */
export function signalValues(
  scene: Scene,
  signal: string,
  request: RequestOptions = {},
): Record<string, number> {
  const value = requestIn(scene, request).signal(signal);
  const described = allItems(scene).filter((item) => scene.state.items.described(item));
  return Object.fromEntries(described.map((item) => [scene.state.items.names.id(item), value(item)]));
}

/** The score of every described item. */
export function scores(scene: Scene, scoring: string, request: RequestOptions = {}): Record<string, number> {
  const { extension, options } = extensionOf('scoring_functions', scoring);
  const score = extension.compile(options.defaults())(requestIn(scene, request));
  const described = allItems(scene).filter((item) => scene.state.items.described(item));
  return Object.fromEntries(described.map((item) => [scene.state.items.names.id(item), score(item)]));
}

/** The proposals of a candidate source, in its order. */
export function proposed(scene: Scene, source: string, request: RequestOptions = {}): string[] {
  const { extension, options } = extensionOf('candidate_sources', source);
  const context = requestIn(scene, request);
  const wanted = usuallyWanted(extension.per_item?.(options.defaults()) ?? DEFAULT_PER_ITEM, context);
  return itemIds(scene.state, extension.compile(options.defaults())(context, wanted));
}

/** Paths and messages of the faults of a feed. */
export function faults(
  settings: FeedSettings,
  feed_type: 'for-you' | 'trending' | 'popular' = 'for-you',
): string[] {
  try {
    compileFeed(REGISTRY, feed_type, settings);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors === undefined) throw error;
    return error.errors.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

/** Expects each value to be refused for a filter, with path and message. */
export function refused(filter: string, values: readonly unknown[]): void {
  for (const value of values) {
    const found = faults({ filters: { [filter]: value } });
    expect([value, found.length > 0]).toEqual([value, true]);
    for (const fault of found) {
      expect(fault).toStartWith(`/filters/${filter}`);
      expect(fault.length).toBeGreaterThan(`/filters/${filter}: must be`.length);
    }
  }
}

/** Expects each options value to be refused for a visibility rule, signal or source. */
export function refusedOptions(
  kind: 'visibility_rules' | 'signals' | 'candidate_sources' | 'scoring_functions',
  id: string,
  values: readonly unknown[],
): void {
  const { options } = extensionOf(kind, id);
  expect(options.check(options.defaults(), '').ok).toBe(true);
  for (const value of values) expect([value, options.check(value, '').ok]).toEqual([value, false]);
}

/** What a filter keeps of a scene: its options, the kept items or their number, and the request. */
type Kept = [options: unknown, ids: readonly string[] | number, request?: RequestOptions];

/** Tests a filter. @param keeps by sentence, what it keeps of the scene */
export function testFilter(
  id: string,
  scene: Scene,
  keeps: Record<string, Kept[]>,
  refuses: readonly unknown[],
): void {
  describe(id, () => {
    test.each(Object.entries(keeps))('%s', (_sentence, cases) => {
      for (const [options, ids, request] of cases) {
        const found = kept(scene, id, options, request);
        expect([options, typeof ids === 'number' ? found.length : found]).toEqual([options, ids]);
      }
    });

    test('rejects all other values', () => refused(id, refuses));
  });
}
