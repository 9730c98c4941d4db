import { beforeEach, expect, test } from 'bun:test';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { compilePromotion } from '../../src/feeds/promotion.ts';
import { LIMITS } from '../../src/limits.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { type Filter, type RequestContext, Type } from '../../src/plugin/index.ts';
import { PluginTiming, SAMPLE_EVERY } from '../../src/serve/plugin-timing.ts';
import { builtIn, engineOn, NOW, requestOn, Scene } from '../support/scene.ts';

const SCENE = new Scene().item('one').item('two').item('three');
const base = { summary: 'For tests.', options: Type.Object({}) };

/** Milliseconds of the clock, which only the plugin moves. */
let clock_ms = 0;
/** The duration of each call of an extension's innermost function. */
let cost_ms = 0;
let warned: Record<string, unknown>[] = [];

function spend<T>(value: T): T {
  clock_ms += cost_ms;
  return value;
}

beforeEach(() => {
  clock_ms = 0;
  cost_ms = 1;
  warned = [];
});

/** A feed that uses every kind of plugin extension, and its timing. */
function slowFeed() {
  const registry = builtIn();
  const keep = () => () => () => spend(true);
  const plugin = {
    meta: { name: 'acme', version: '1.0.0', api: 2 },
    filters: { 'acme/f': { ...base, kind: 'exclusion', compile: keep } },
    visibility_rules: { 'acme/v_v1.0.0': { ...base, compile: keep } },
    signals: {
      'acme/m': { ...base, compile: () => () => () => spend(0.5) },
      'acme/c': { ...base, proposes: { per_item: 1, always: true }, reaches: () => () => spend(new Map()) },
    },
    scoring_functions: {
      'acme/s_v1.0.0': { ...base, compile: () => (request: RequestContext) => request.signal('acme/m') },
    },
    promotion_strategies: { 'acme/p_v1.0.0': { ...base, compile: () => () => spend([]) } },
  };
  registry.add(plugin, 'acme.ts');
  const compiled = compileFeed(registry, 'for-you', {
    filters: { 'acme/f': {}, languages: [] },
    visibility_rules: { 'acme/v_v1.0.0': {} },
    scoring: 'acme/s_v1.0.0',
  });
  const promotion = compilePromotion(
    registry,
    { promotion_name: 'p', promotion_type: 'acme/p_v1.0.0', promoted_items: [] },
    '',
    [],
  );
  const warn = (fields: object | string) => {
    if (typeof fields === 'object') warned.push({ ...fields });
  };
  const timing = new PluginTiming(registry, () => clock_ms, { info: warn, warn, error: warn });
  const engine = engineOn(SCENE.state, { registry });
  const page = (page_ms = 0) => {
    timing.begin();
    buildList(compiled, requestOn(engine));
    promotion?.mix({ main: [], promoted: [], page: 5, overfetch_factor: 2, random: () => 0 });
    timing.end(page_ms);
  };
  return { timing, page, registry };
}

const IDS = ['acme/c', 'acme/f', 'acme/m', 'acme/p_v1.0.0', 'acme/s_v1.0.0', 'acme/v_v1.0.0'];

/** The totals of an extension whose id occurs in one kind only. */
function totalsOf(timing: PluginTiming, id: string) {
  return [...timing.totals.values()].find(({ plugin }) => plugin === id);
}

test('one page in many is measured, with each kind of extension by name', () => {
  const { timing, page } = slowFeed();
  for (let at = 1; at < SAMPLE_EVERY; at++) page();
  expect(timing.totals.size).toBe(0);
  page();
  expect([...timing.totals.values()].map(({ plugin }) => plugin).sort()).toEqual(IDS);
  for (let at = 0; at < 2 * SAMPLE_EVERY; at++) page();
  for (const { pages } of timing.totals.values()) expect(pages).toBe(3);
  expect(totalsOf(timing, 'acme/p_v1.0.0')?.milliseconds).toBe(3);
  // The scoring function only calls the signal.
  expect(totalsOf(timing, 'acme/s_v1.0.0')?.milliseconds).toBe(totalsOf(timing, 'acme/m')?.milliseconds);
  expect(warned).toEqual([]);
});

test('the page after a slow one is measured, and an extension over its budget is named once a minute', () => {
  const { timing, page } = slowFeed();
  cost_ms = LIMITS.plugin_budget_ms + 1;
  page();
  expect(timing.totals.size).toBe(0);
  const slowPage = () => page(LIMITS.plugin_budget_ms + 1);
  slowPage();
  slowPage();
  expect(totalsOf(timing, 'acme/p_v1.0.0')).toEqual({
    plugin: 'acme/p_v1.0.0',
    kind: 'promotion_strategies',
    pages: 1,
    milliseconds: cost_ms,
    over_budget: 1,
  });
  expect(warned.map(({ plugin }) => plugin).sort()).toEqual(IDS);
  expect(warned[0]).toHaveProperty('budget_ms', LIMITS.plugin_budget_ms);
  slowPage();
  slowPage();
  expect(totalsOf(timing, 'acme/p_v1.0.0')?.over_budget).toBe(2);
  expect(warned).toHaveLength(IDS.length);
  clock_ms += LIMITS.plugin_warning_seconds * 1000;
  slowPage();
  slowPage();
  expect(warned).toHaveLength(2 * IDS.length);
});

test('a failed page is not counted and does not affect the next page', () => {
  const { timing, page } = slowFeed();
  for (let at = 0; at < SAMPLE_EVERY; at++) timing.begin();
  page();
  expect(timing.totals.size).toBe(0);
});

test('extensions of two kinds with the same id are measured and reported separately', () => {
  const registry = builtIn();
  const plugin = {
    meta: { name: 'acme', version: '1.0.0', api: 2 },
    scoring_functions: { 'acme/x_v1.0.0': { ...base, compile: () => () => () => 1 } },
    visibility_rules: { 'acme/x_v1.0.0': { ...base, compile: () => () => spend(() => true) } },
  };
  registry.add(plugin, 'acme.ts');
  const warn = (fields: object | string) => {
    if (typeof fields === 'object') warned.push({ ...fields });
  };
  const timing = new PluginTiming(registry, () => clock_ms, { info: warn, warn, error: warn });
  const compiled = compileFeed(registry, 'for-you', {
    scoring: 'acme/x_v1.0.0',
    visibility_rules: { 'acme/x_v1.0.0': {} },
  });
  cost_ms = LIMITS.plugin_budget_ms + 1;
  const engine = engineOn(SCENE.state, { registry });
  for (let at = 0; at < SAMPLE_EVERY; at++) {
    timing.begin();
    buildList(compiled, requestOn(engine));
    timing.end(0);
  }
  const common = { plugin: 'acme/x_v1.0.0', pages: 1 };
  const byKind = (one: { kind: string }, other: { kind: string }) => one.kind.localeCompare(other.kind);
  expect([...timing.totals.values()].sort(byKind)).toEqual([
    { ...common, kind: 'scoring_functions', milliseconds: 0, over_budget: 0 },
    { ...common, kind: 'visibility_rules', milliseconds: cost_ms, over_budget: 1 },
  ]);
  expect(warned.map(({ kind }) => kind)).toEqual(['visibility_rules']);
});

test('a measured page tests as many items as any other page', () => {
  const registry = builtIn();
  let asked = 0;
  const few: Filter = {
    ...base,
    kind: 'inclusion',
    depends_on: 'content',
    compile: () => (request) => (item) => {
      asked++;
      return request.item.created_at(item) % 100 === 0;
    },
  };
  const meta = { name: 'acme', version: '1.0.0', api: 2 };
  registry.add({ meta, filters: { 'acme/few': few } }, 'acme.ts');
  const scene = new Scene();
  for (let at = 0; at < 2_000; at++) scene.item(`item-${at}`, { created_at: NOW - at });
  const engine = engineOn(scene.state, { registry });
  const feed = compileFeed(registry, 'popular', { filters: { 'acme/few': {} } });
  const timing = new PluginTiming(registry, () => 0, { info() {}, warn() {}, error() {} });
  const page = (): number => {
    const before = asked;
    timing.begin();
    const found = buildList(feed, requestOn(engine));
    timing.end(0);
    engine.pools.takeBack();
    expect(found.length).toBeGreaterThan(0);
    return asked - before;
  };
  expect(page()).toBeGreaterThan(100);
  page();
  while (engine.pools.buildStep());
  // The pool answers for the filter.
  for (let at = 0; at < 2 * SAMPLE_EVERY; at++) expect(page()).toBe(0);
});

test('nothing is measured without plugins', () => {
  const { timing, registry } = slowFeed();
  registry.remove('acme.ts');
  for (let at = 0; at < 2 * SAMPLE_EVERY; at++) {
    timing.begin();
    expect(registry.watch).toBeUndefined();
  }
});
