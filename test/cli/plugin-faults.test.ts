import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { type Ran, runIn } from './run.ts';

/** `plugins check` and `plugins test` find the same faults, and the service accepts what passes them. */

interface Tried {
  /** Member that contains the extension, its `test…` function, and its fields besides summary and options. */
  kind: string;
  test: string;
  id: string;
  extension: string;
  /** Further members of the plugin. */
  rest?: string;
}

const scoring = (name: string, compile: string, more = ''): Tried => ({
  kind: 'scoring_functions',
  test: 'testScoringFunction',
  id: `${name}/x_v1.0.0`,
  extension: `${more} compile: ${compile}`,
});
const filter = (name: string, compile: string, more = ''): Tried => ({
  kind: 'filters',
  test: 'testFilter',
  id: `${name}/x`,
  extension: `kind: 'inclusion', ${more} compile: ${compile}`,
});
const rule = (name: string, compile: string, rest: string): Tried => ({
  kind: 'visibility_rules',
  test: 'testVisibilityRule',
  id: `${name}/x_v1.0.0`,
  extension: `compile: ${compile}`,
  rest,
});
const signal = (name: string, depends_on: string, more: string): Tried => ({
  kind: 'signals',
  test: 'testSignal',
  id: `${name}/x`,
  extension: `depends_on: '${depends_on}', ${more}`,
});
const MUTES = '() => () => (item) => !muted.value.has(item)';

/** The fault by name of the plugin, in the words of the check or the test. */
const FAULTY: Record<string, [Tried, string]> = {
  mom: [
    scoring('mom', "() => (r) => (item) => 1 / (1 + r.greatest('momentum', () => 1))"),
    "the signal 'momentum' depends on the viewer and does not say what it reaches",
  ],
  weights: [
    signal('weights', 'viewer', 'reaches: () => (r) => new Map([[0, -1]])'),
    'it reaches an item with weight -1, which is not a finite number above 0',
  ],
  typo: [
    scoring('typo', "() => (r) => r.signal('intrest_all')"),
    "no plugin registered a signal named 'intrest_all'",
  ],
  unranked: [
    scoring('unranked', "() => (r) => r.signal('popular')", "ranked_by: 'populer',"),
    "no plugin registered a signal named 'populer'",
  ],
  viewed: [
    scoring('viewed', "() => (r) => r.signal('interest_all')", "ranked_by: 'interest_all',"),
    "the signal 'interest_all' depends on the viewer",
  ],
  inverse: [
    scoring('inverse', "() => (r) => (item) => 1 - r.signal('popular')(item)", "ranked_by: 'popular',"),
    "by 'popular' the first is not before the second",
  ],
  tier: [
    signal(
      'tier',
      'item',
      `reads: ['user.metadata.tier'],
       compile: () => (r) => (item) => (r.user.field(r.item.author(item), 'metadata.tier') === 1 ? 1 : 0),`,
    ),
    'it looks at a field of a user, which its depends_on leaves out',
  ],
  nothing: [
    filter('nothing', '() => () => () => true', 'postings: () => () => null,'),
    'its postings are null',
  ],
  priced: [
    filter(
      'priced',
      "() => (r) => (item) => { const shop = r.item.field(item, 'metadata.shop'); return typeof shop === 'object' && shop.price > 1; }",
      "reads: ['item.metadata.shop'],",
    ),
    'null is not an object',
  ],
  numbers: [
    rule('numbers', MUTES, "setup(host) { muted = host.refresh('list', 60, () => host.user_set([1, 2])); },"),
    "refresh 'list': identifiers must be texts",
  ],
  never: [
    rule('never', MUTES, "setup(host) { muted = host.refresh('list', 0, () => host.user_set([])); },"),
    "refresh 'list' needs a number of seconds above 0",
  ],
};

const SOUND: Record<string, Tried> = {
  parent: scoring(
    'parent',
    `() => (r) => (item) => {
      const parent = r.item.field(item, 'parent_item_id');
      return r.item.likes_count(item) + (typeof parent === 'string' ? r.item.likes_count(r.item.find(parent)) / 2 : 0);
    }`,
    "reads: ['item.parent_item_id'],",
  ),
  dated: {
    ...filter('dated', '() => () => () => true'),
    extension: `kind: 'inclusion', compile: () => () => () => true,
      options: Type.Object({ day: Type.String({ format: 'date', default: '2026-01-01' }) }),`,
  },
  apart: rule(
    'apart',
    MUTES,
    `setup({ refresh, user_set, log: { info } }) {
      muted = refresh('list', 60, () => user_set(['1']));
      info('apart');
    },`,
  ),
  others: scoring('others', "() => (r) => r.signal('another/mood')"),
  // A signal of another file in the same namespace.
  shared: scoring('shared', "() => (r) => r.signal('shared/x')"),
  emoji: {
    ...filter('emoji', '() => () => () => true'),
    extension: `kind: 'inclusion', compile: () => () => () => true, options: Type.Object({
      mark: Type.String({ maxLength: 3, default: '👍👍' }) }, { examples: [{ mark: '👍👍👍' }] }),`,
  },
  // Checked before and after the plugin whose signal it is ranked by.
  early: scoring('early', "() => (r) => r.signal('good/items')", "ranked_by: 'good/items',"),
  late: scoring('late', "() => (r) => r.signal('good/items')", "ranked_by: 'good/items',"),
  good: {
    ...signal('good', 'item', 'compile: () => () => (item) => (muted.has(item) ? 1 : 0)'),
    id: 'good/items',
    rest: "setup(host) { muted = host.item_set(['1']); }, dispose() { muted = undefined; },",
  },
  own: scoring('own', '(_) => (r) => (item) => 3 * r.item.likes_count(item)', "ranked_by: 'own/likes',"),
};
SOUND.own.rest = `signals: { 'own/likes': { summary: 'x', depends_on: 'item', options: Type.Object({}),
  compile: () => (r) => (item) => r.item.likes_count(item) / (1 + r.item.likes_count(item)) } },`;

function pluginText(name: string, { kind, id, extension, rest = '' }: Tried): string {
  return `
    import { Type } from 'feedloom/plugin';
    let muted;
    export default {
      meta: { name: '${name}', version: '1.0.0', api: 2 },
      ${kind}: { '${id}': { summary: 'x', options: Type.Object({}), ${extension} } },
      ${rest}
    };`;
}
let checked: Ran;
let tested: Ran;

const folder = temporaryFolder('faults');
const all = {
  ...Object.fromEntries(Object.entries(FAULTY).map(([name, [tried]]) => [name, tried])),
  ...SOUND,
};
for (const [name, tried] of Object.entries(all)) {
  writeFileSync(join(folder, `${name}.ts`), pluginText(name, tried));
  const text = `import { ${tried.test} } from 'feedloom/plugin/testing';
      import plugin from './${name}';
      ${tried.test}(plugin, '${tried.id}');`;
  writeFileSync(join(folder, `${name}.test.ts`), text);
}
const likes = 'compile: () => (r) => (item) => r.item.likes_count(item) / (1 + r.item.likes_count(item))';
writeFileSync(join(folder, 'likes.ts'), pluginText('shared', signal('shared', 'item', likes)));
[checked, tested] = await Promise.all([
  runIn(folder, 'plugins', 'check', '.'),
  runIn(folder, 'plugins', 'test'),
]);

/** Output of `plugins check`, by plugin. */
function sections(): Map<string, string> {
  const parts = checked.stdout.split(/^(?=\S+\.ts \()|^(?= {4}FAIL {2}refused)/m);
  return new Map(parts.map((part) => [/(\w+)\.ts/.exec(part)?.[1] ?? '', part]));
}

/** Output of `plugins test`, by test file. */
function filesTested(): Map<string, string> {
  return new Map(
    tested.stderr
      .split(/^(?=\w+\.test\.ts:$)/m)
      .map((part) => [/^(\w+)\.test\.ts:/.exec(part)?.[1] ?? '', part]),
  );
}

describe.each(Object.entries(FAULTY))('of the plugin %s', (name, [, reason]) => {
  test('plugins check reports the fault', () => {
    expect(sections().get(name)).toContain('FAIL');
    expect(sections().get(name)).toContain(reason);
  });

  test('plugins test reports the fault', () => {
    expect(filesTested().get(name)).toContain(reason);
  });
});

test.each(Object.keys(SOUND))('the plugin %s passes its tests', (name) => {
  expect(filesTested().get(name)).not.toContain('(fail)');
  expect(filesTested().get(name)).toContain('(pass)');
});

test.each(Object.keys(SOUND).filter((name) => name !== 'others'))(
  'the plugin %s passes the check',
  (name) => {
    expect(sections().get(name)).toContain('ok');
    expect(sections().get(name)).not.toContain('FAIL');
  },
);

test('a signal of another plugin is assumed to exist in tests, and must be loaded for the check', () => {
  expect(sections().get('others')).toContain("no plugin registered a signal named 'another/mood'");
});
