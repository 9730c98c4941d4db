import type { Kind } from '../../registry/kinds.ts';

/** A starting file of one kind. */
export interface Template {
  kind: Kind;
  /** `define…` of the contract, and `test…` of the testing kit. */
  define: string;
  test: string;
  /** Ids end with a version. */
  versioned: boolean;
  /** Further names that the body takes from `feedloom/plugin`. */
  imports: readonly string[];
  /** The members of the extension. */
  body: string;
  /** What the tests are given. */
  tests: string;
}

const NO_OPTIONS = 'options: Type.Object({}, { additionalProperties: false }),';

/** The options of an extension that has one, an integer of at least 1. */
function countOption(name: string, by_default: number): string {
  return `options: Type.Object(
  { ${name}: Type.Integer({ minimum: 1, default: ${by_default}, description: 'an integer of at least 1' }) },
  { additionalProperties: false },
),`;
}

/** By the word that `feedloom plugins new` takes. */
export const TEMPLATES: Record<string, Template> = {
  filter: {
    kind: 'filters',
    define: 'defineFilter',
    test: 'testFilter',
    versioned: false,
    imports: ['Type'],
    body: `
summary: 'Only items with at least so many likes.',
kind: 'inclusion',
${countOption('at_least', 5)}
// Once for a feed, once for a request, once for an item: keep it?
compile:
  ({ at_least }) =>
  (request) =>
  (item) =>
    request.likes_count(item) >= at_least,`,
    tests: `
cases: [
  {
    name: 'keeps what is liked enough',
    options: { at_least: 2 },
    items: [
      { item_id: 'a', likes_count: 2 },
      { item_id: 'b', likes_count: 1 },
    ],
    keeps: ['a'],
  },
],
refuses: [{ at_least: 0 }, { at_least: 'many' }],`,
  },
  scoring: {
    kind: 'scoring_functions',
    define: 'defineScoringFunction',
    test: 'testScoringFunction',
    versioned: true,
    imports: ['Type'],
    body: `
summary: 'Interest, with a bonus for new items.',
options: Type.Object(
  { bonus: Type.Number({ minimum: 0, maximum: 1, default: 0.3, description: 'a share from 0 to 1' }) },
  { additionalProperties: false },
),
// Once for a feed: the options.
compile:
  ({ bonus }) =>
  (request) => {
    // Once for a request: signals and what concerns the viewer.
    const interest = request.signal('interest_all');
    // Once for an item: a finite number of at least 0, higher is better.
    return (item) => {
      const age_hours = Math.max(0, request.now - request.created_at(item)) / 3600;
      return (1 - bonus) * interest(item) + bonus / (1 + age_hours);
    };
  },`,
    tests: `
cases: [
  {
    name: 'puts the new before the old where interest is the same',
    items: [
      { item_id: 'old', created_at: TEST_NOW - 36_000 },
      { item_id: 'new', created_at: TEST_NOW },
    ],
    order: ['new', 'old'],
  },
  {
    name: 'follows interest alone without a bonus',
    options: { bonus: 0 },
    items: [{ item_id: 'a' }, { item_id: 'b' }],
    signals: { interest_all: { a: 0.25 } },
    scores: { a: 0.25, b: 0 },
  },
],
refuses: [{ bonus: 2 }],`,
  },
  visibility: {
    kind: 'visibility_rules',
    define: 'defineVisibilityRule',
    test: 'testVisibilityRule',
    versioned: true,
    imports: ['Type'],
    body: `
summary: 'Hides items of authors whom the viewer does not follow and whom few like.',
${countOption('likes', 3)}
compile:
  ({ likes }) =>
  (request) => {
    const followed = new Set(request.following(request.viewer));
    // Once for an item: may this viewer see it?
    return (item) => followed.has(request.author(item)) || request.likes_count(item) >= likes;
  },`,
    tests: `
cases: [
  {
    name: 'shows what is liked, and what followed people post',
    options: { likes: 2 },
    viewer: 'vera',
    users: [{ user_id: 'vera', follows: ['ann'] }],
    items: [
      { item_id: 'a', author_id: 'ann' },
      { item_id: 'b', author_id: 'bob', likes_count: 1 },
      { item_id: 'c', author_id: 'bob', likes_count: 2 },
    ],
    shows: ['a', 'c'],
  },
],
refuses: [{ likes: 0 }],`,
  },
  signal: {
    kind: 'signals',
    define: 'defineSignal',
    test: 'testSignal',
    versioned: false,
    imports: ['Type'],
    body: `
summary: 'Comments c as c / (c + 5).',
// The same for every viewer, and changing with the item's own record alone.
depends_on: 'item',
${NO_OPTIONS}
// Once for an item: a number from 0 to 1.
compile: () => (request) => (item) => {
  const comments = request.comments_count(item);
  return comments / (comments + 5);
},`,
    tests: `
cases: [
  {
    name: 'is a half at five comments',
    items: [{ item_id: 'a', comments_count: 5 }, { item_id: 'b' }],
    values: { a: 0.5, b: 0 },
  },
],`,
  },
  source: {
    kind: 'candidate_sources',
    define: 'defineCandidateSource',
    test: 'testCandidateSource',
    versioned: true,
    imports: ['Type'],
    body: `
summary: 'The newest items, so that everybody is seen once.',
${countOption('per_page_item', 2)}
// Once for a request: items worth scoring. Every for-you feed asks for them.
compile:
  ({ per_page_item }) =>
  (request) =>
    request.newest(request.page_length * per_page_item),`,
    tests: `
cases: [
  {
    name: 'proposes the newest first',
    items: [
      { item_id: 'old', created_at: TEST_NOW - 60 },
      { item_id: 'new', created_at: TEST_NOW },
    ],
    proposes: ['new', 'old'],
  },
],`,
  },
  promotion: {
    kind: 'promotion_strategies',
    define: 'definePromotionStrategy',
    test: 'testPromotionStrategy',
    versioned: true,
    imports: ['type Slot', 'Type'],
    body: `
summary: 'Promoted items first, then the feed.',
${countOption('at_most', 3)}
// Once for a page: its slots, from what is handed in, no item twice.
compile:
  ({ at_most }) =>
  ({ main, promoted, page }) => {
    const first = promoted.slice(0, at_most).map(({ item }): Slot => ({ item, promoted: true }));
    const used = new Set(first.map(({ item }) => item));
    const rest = main.filter((item) => !used.has(item));
    return [...first, ...rest.map((item): Slot => ({ item, promoted: false }))].slice(0, page);
  },`,
    tests: `
cases: [
  {
    name: 'puts promoted items first',
    options: { at_most: 1 },
    main: ['a', 'b', 'c'],
    promoted: ['p', 'q'],
    page: 3,
    slots: ['*p', 'a', 'b'],
  },
],
refuses: [{ at_most: 0 }],`,
  },
  metadata: {
    kind: 'metadata_providers',
    define: 'defineMetadataProvider',
    test: 'testMetadataProvider',
    versioned: true,
    imports: ['type Metadata', 'Type'],
    body: `
summary: 'Names of a few tokens.',
${NO_OPTIONS}
compile: () => {
  const known = new Map<string, Metadata>([['base.0x1', { name: 'One' }]]);
  // For each id, in their order: what is known of it; {} when nothing is.
  return async (item_ids) => item_ids.map((id) => known.get(id) ?? {});
},`,
    tests: `
cases: [
  {
    name: 'knows some',
    item_ids: ['base.0x0', 'base.0x1'],
    metadata: [{}, { name: 'One' }],
  },
],`,
  },
};

/** The plugin file of a template. @param id `<namespace>/<name>`, with a version where the kind has one */
export function pluginText({ kind, define, imports, body }: Template, namespace: string, id: string): string {
  const names = [define, 'definePlugin', 'PLUGIN_API', ...imports].sort((one, other) =>
    bare(one).localeCompare(bare(other)),
  );
  return `import { ${names.join(', ')} } from 'feedloom/plugin';

export default definePlugin({
  meta: { name: '${namespace}', version: '1.0.0', api: PLUGIN_API },
  ${kind}: {
    '${id}': ${define}({${indented(body, 6)}
    }),
  },
});
`;
}

/** Its test. @param file the name of the plugin file without its ending */
export function testText({ test, tests }: Template, file: string, id: string): string {
  const names = tests.includes('TEST_NOW') ? `TEST_NOW, ${test}` : test;
  return `import { ${names} } from 'feedloom/plugin/testing';
import plugin from './${file}';

// What must hold for every extension of this kind, and your own cases.
${test}(plugin, '${id}', {${indented(tests, 2)}
});
`;
}

function bare(name: string): string {
  return name.replace(/^type /, '').toLowerCase();
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
