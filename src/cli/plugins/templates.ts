import type { Kind } from '../../registry/kinds.ts';

export interface Template {
  kind: Kind;
  /** Names of the contract's `define…` and the testing kit's `test…`. */
  define: string;
  test: string;
  /** Whether ids end with a version. */
  versioned: boolean;
  /** Further names to import from `feedloom/plugin`. */
  imports: readonly string[];
  body: string;
  tests: string;
}

const NO_OPTIONS = 'options: Type.Object({}, { additionalProperties: false }),';

/** An options schema with one integer of at least 1. */
function countOption(name: string, by_default: number): string {
  return `options: Type.Object(
  { ${name}: Type.Integer({ minimum: 1, default: ${by_default}, description: 'an integer of at least 1' }) },
  { additionalProperties: false },
),`;
}

/** Templates by the word that `feedloom plugins new` takes. */
export const TEMPLATES: Record<string, Template> = {
  filter: {
    kind: 'filters',
    define: 'defineFilter',
    test: 'testFilter',
    versioned: false,
    imports: ['Type'],
    body: `
summary: 'Only items with a minimum number of likes.',
kind: 'inclusion',
${countOption('at_least', 5)}
// The outer function runs per feed, the middle one per request, the inner one per item: keep it?
compile:
  ({ at_least }) =>
  (request) =>
  (item) =>
    request.item.likes_count(item) >= at_least,`,
    tests: `
items: { a: { likes_count: 2 }, b: { likes_count: 1 } },
cases: [{ name: 'keeps an item with enough likes', options: { at_least: 2 }, expect: ['a'] }],
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
// Runs once per feed, with the options.
compile:
  ({ bonus }) =>
  (request) => {
    // Runs once per request: reads signals and facts about the viewer.
    const interest = request.signal('interest_all');
    // Runs once per item: a finite number of at least 0, higher is better.
    return (item) => {
      const age_hours = Math.max(0, request.now - request.item.created_at(item)) / 3600;
      return (1 - bonus) * interest(item) + bonus / (1 + age_hours);
    };
  },`,
    tests: `
items: { old: { created_at: TEST_NOW - 36_000 }, new: { created_at: TEST_NOW } },
cases: [
  { name: 'ranks a new item before an old one of the same interest', expect: ['new', 'old'] },
  {
    name: 'ranks by interest alone without a bonus',
    options: { bonus: 0 },
    signals: { interest_all: { old: 0.25 } },
    expect: { old: 0.25, new: 0 },
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
summary: 'Hides items with few likes of authors whom the viewer does not follow.',
${countOption('likes', 3)}
compile:
  ({ likes }) =>
  (request) => {
    const followed = new Set(request.user.following(request.viewer.user));
    // Runs once per item: may this viewer see it?
    return (item) => followed.has(request.item.author(item)) || request.item.likes_count(item) >= likes;
  },`,
    tests: `
viewer: 'vera',
users: { vera: { follows: ['ann'] } },
items: {
  friendly: { author_id: 'ann' },
  unliked: { author_id: 'bob', likes_count: 1 },
  liked: { author_id: 'bob', likes_count: 2 },
},
cases: [
  {
    name: 'shows items with enough likes and items of followed users',
    options: { likes: 2 },
    expect: ['friendly', 'liked'],
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
// The value is the same for every viewer, and changes only with the item's own record.
depends_on: 'item',
${NO_OPTIONS}
// Runs once per item: a number from 0 to 1.
compile: () => (request) => (item) => {
  const comments = request.item.comments_count(item);
  return comments / (comments + 5);
},`,
    tests: `
items: { discussed: { comments_count: 5 }, quiet: {} },
cases: [{ name: 'is a half at five comments', expect: { discussed: 0.5, quiet: 0 } }],`,
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
// Runs once per page: returns its slots from the given items, without duplicates.
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
    expect: ['*p', 'a', 'b'],
  },
],
refuses: [{ at_most: 0 }],`,
  },
  metadata: {
    kind: 'integrations',
    define: 'defineIntegration',
    test: 'testMetadataProvider',
    versioned: true,
    imports: ['type Metadata', 'Type'],
    body: `
summary: 'Names of a few tokens.',
${NO_OPTIONS}
describe: () => {
  const known = new Map<string, Metadata>([['base.0x1', { name: 'One' }]]);
  // For each id, in the same order: its metadata; {} if it is unknown.
  return async (item_ids) => item_ids.map((id) => known.get(id) ?? {});
},`,
    tests: `
cases: [
  {
    name: 'knows some',
    item_ids: ['base.0x0', 'base.0x1'],
    expect: [{}, { name: 'One' }],
  },
],`,
  },
  connector: {
    kind: 'integrations',
    define: 'defineIntegration',
    test: 'testConnector',
    versioned: true,
    imports: ['Type', 'fetchBounded'],
    body: `
summary: 'The posts of a JSON list, read once.',
options: Type.Object(
  { url: Type.String({ minLength: 1, description: 'the address of the list' }) },
  { additionalProperties: false, examples: [{ url: 'https://forum.example/posts.json' }] },
),
// Runs again after a failure, from the stored cursor. Here the cursor is the number of posts read so far.
connect:
  ({ url }) =>
  async (host) => {
    // Ends for an answer that is late, too long, or a redirect to another address.
    const bounds = { timeout_ms: 30_000, bytes_max: 1_000_000 };
    const answer = await fetchBounded(url, { ...bounds, signal: host.signal });
    if (!answer.ok) throw new Error(\`the list answered \${answer.status}\`);
    const posts = (await answer.json()) as { id: string; author: string; text: string; time: number }[];
    for (let read = Number(host.cursor ?? 0); read < posts.length; read++) {
      const { id, author, text, time } = posts[read];
      if (typeof id !== 'string') {
        host.log.warn(\`post \${read} has no id and is skipped\`);
        continue;
      }
      const record = { item_id: id, author_id: author, text, created_at: time };
      // Stores the record and the cursor together. Await it, to read no faster than the store.
      await host.emit([{ kind: 'item', record }], String(read + 1));
    }
  },`,
    tests: `
cases: [
  {
    name: 'reads all posts, and skips one without an id',
    options: {
      url: \`data:application/json,\${encodeURIComponent(
        JSON.stringify([
          { id: 'a', author: 'ann', text: 'one', time: 1700000000 },
          { author: 'ann', text: 'two', time: 1700000001 },
          { id: 'c', author: 'ben', text: 'three', time: 1700000002 },
        ]),
      )}\`,
    },
    open: () => ({}),
    expect: [
      { kind: 'item', record: { item_id: 'a', author_id: 'ann', text: 'one', created_at: 1700000000 } },
      { kind: 'item', record: { item_id: 'c', author_id: 'ben', text: 'three', created_at: 1700000002 } },
    ],
    warns: ['post 1 has no id'],
  },
],
refuses: [{ url: 5 }],`,
  },
  webhook: {
    kind: 'integrations',
    define: 'defineIntegration',
    test: 'testWebhook',
    versioned: true,
    imports: ['Type'],
    body: `
summary: 'Posts that a forum announces.',
${NO_OPTIONS}
// The header that carries the HMAC of the raw body. The service verifies it.
signature: { header: 'X-Forum-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
// Runs once per delivery: its JSON becomes records. A throw answers 400 with the message.
receive: () => (delivery) => {
  const { post } = delivery as { post?: { id: string; author: string; text: string; time: number } };
  if (post === undefined) throw new Error('the delivery has no post');
  const record = { item_id: post.id, author_id: post.author, text: post.text, created_at: post.time };
  return [{ kind: 'item', record }];
},`,
    tests: `
cases: [
  {
    name: 'stores a post',
    delivery: { post: { id: 'a', author: 'ann', text: 'one', time: 1700000000 } },
    expect: [
      { kind: 'item', record: { item_id: 'a', author_id: 'ann', text: 'one', created_at: 1700000000 } },
    ],
  },
  {
    name: 'refuses a delivery without a post',
    delivery: {},
    expect: { error: 'the delivery has no post' },
  },
],`,
  },
};

/** The plugin file of a template. @param id `<namespace>/<name>`, with a version if the kind has versions */
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

/** The test file of a template. @param file name of the plugin file without its extension */
export function testText({ test, tests }: Template, file: string, id: string): string {
  const names = tests.includes('TEST_NOW') ? `TEST_NOW, ${test}` : test;
  return `import { ${names} } from 'feedloom/plugin/testing';
import plugin from './${file}';

// The rules for every extension of this kind, and your own cases.
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
