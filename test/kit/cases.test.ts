import { describe, expect, test } from 'bun:test';
import { type CaseOf, TEST_NOW, type Tests } from '../../src/kit/index.ts';
import { Kit } from '../../src/kit/kit.ts';
import {
  InvalidOptions,
  type MixInput,
  type Plugin,
  type PluginHost,
  type RequestContext,
  Type,
} from '../../src/plugin/index.ts';
import type { Kind } from '../../src/registry/kinds.ts';
import { base, broken, idOf, kitOf, meta, outcomeOf, perItem } from './support.ts';

/** The first is newer and has more likes. */
const items = { a: { likes_count: 2, created_at: TEST_NOW }, b: { likes_count: 1 } };
const likes = perItem((request) => (item) => request.item.likes_count(item) / 10);
const liked = perItem((request) => (item) => request.item.likes_count(item) > 1);
const first = {
  compile:
    () =>
    ({ main }: MixInput) => [{ item: main[0], promoted: false }],
};
const named = { describe: () => async () => [{ name: 'A' }] };

/** How a case of an extension ends. */
async function outcome<K extends Kind>(kind: K, extension: object, given: CaseOf[K]): Promise<string> {
  const kit = kitOf(kind, kind === 'signals' ? { depends_on: 'viewer', ...extension } : extension);
  await kit.setUp();
  const [check] = kit.cases(kind, idOf(kind), { cases: [given] } as unknown as Tests<CaseOf[K]>);
  return outcomeOf(check);
}

describe('a case', () => {
  const mixed = { main: ['a'], promoted: ['b'], page: 1 };
  test.each<[Kind, object, object, string]>([
    ['scoring_functions', likes, { items, expect: { a: 0.2 } }, 'holds'],
    ['scoring_functions', likes, { items, expect: ['a', 'b'] }, 'holds'],
    ['scoring_functions', likes, { items, expect: { b: 0.2 } }, 'expected {"b":0.2}, got {"b":0.1}'],
    ['scoring_functions', likes, { items, expect: ['b', 'a'] }, "expected 'b' before 'a', got 0.1 and 0.2"],
    [
      'scoring_functions',
      likes,
      { items, expect: ['b', 'nowhere'] },
      "expected 'b' before 'nowhere', got 0.1 and undefined",
    ],
    ['filters', liked, { items, expect: ['a'] }, 'holds'],
    ['filters', liked, { items, expect: ['b'] }, 'expected ["b"], got ["a"]'],
    ['visibility_rules', liked, { items, expect: ['a', 'b'] }, 'expected ["a","b"], got ["a"]'],
    ['signals', likes, { items, expect: { a: 0.2, b: 0.1 } }, 'holds'],
    ['signals', likes, { items, expect: { b: 0.2 } }, 'expected {"b":0.2}, got {"b":0.1}'],
    ['promotion_strategies', first, { ...mixed, expect: ['a'] }, 'holds'],
    ['promotion_strategies', first, { ...mixed, expect: ['*b'] }, 'expected ["*b"], got ["a"]'],
    ['integrations', named, { item_ids: ['x'], expect: [{ name: 'A' }] }, 'holds'],
    ['integrations', named, { item_ids: ['x'], expect: [{}] }, 'expected [{}], got [{"name":"A"}]'],
  ])('of %s %p with %j ends with: %s', async (kind, extension, given, expected) => {
    expect(await outcome(kind, extension, given as CaseOf[Kind])).toBe(expected);
  });

  test('fails for a record that the service would reject, and for a signal that does not exist', async () => {
    const wrong = { a: { created_at: -1 } };
    expect(await outcome('filters', liked, { items: wrong, expect: [] })).toStartWith(
      "item 'a': created_at: ",
    );
    const records = [{ kind: 'like' as never, record: { item_id: 'a' } }];
    expect(await outcome('filters', liked, { records, expect: [] })).toContain("unknown kind 'like'");
    const signals = { populer: { a: 1 } };
    expect(await outcome('filters', liked, { items, signals, expect: [] })).toContain("named 'populer'");
  });

  test('has the greatest value of the best item by a signal', async () => {
    const best = (request: RequestContext) =>
      request.greatest('popular', (item) => request.item.likes_count(item));
    const ofCandidates = perItem((request) => {
      const greatest = best(request);
      return (item) => request.item.likes_count(item) >= greatest;
    });
    for (const kind of ['filters', 'visibility_rules'] as const)
      expect(await outcome(kind, ofCandidates, { items, expect: ['a'] })).toBe('holds');
    const share = perItem((request) => {
      const greatest = best(request);
      return (item) => request.item.likes_count(item) / greatest;
    });
    expect(await outcome('signals', share, { items, expect: { a: 1, b: 0.5 } })).toBe('holds');
  });

  test('uses the default of the options if it gives none, and has its options checked like those of a feed', async () => {
    const options = Type.Object({ n: Type.Integer({ minimum: 1, default: 2 }) });
    const compile =
      ({ n }: { n: number }) =>
      (request: RequestContext) =>
      (item: number) =>
        request.item.likes_count(item) >= n;
    const given = (value?: unknown) =>
      outcome('filters', { options, compile }, { items, options: value, expect: ['a'] });
    expect(await given()).toBe('holds');
    expect(await given({ n: 2 })).toBe('holds');
    expect(await given({ n: 0 })).toContain('/filters/acme~1x/n: ');
  });

  test('shares what stands beside all cases, unless it has its own', async () => {
    const kit = kitOf('filters', liked);
    const cases = [{ expect: ['a'] }, { items: { c: { likes_count: 3 } }, expect: ['c'] }];
    for (const check of kit.cases('filters', idOf('filters'), { items, cases }))
      expect(await outcomeOf(check)).toBe('holds');
  });

  test('of a rejection holds if the schema or compile rejects the options', async () => {
    const compile = ({ n }: { n: number }) => {
      if (n % 2 === 1) throw new InvalidOptions('must be even');
      return () => () => true;
    };
    const kit = kitOf('filters', { options: Type.Object({ n: Type.Integer({ minimum: 1 }) }), compile });
    const checks = kit.cases('filters', idOf('filters'), { refuses: [{ n: 0 }, { n: 3 }, {}, { n: 2 }] });
    const outcomes = await Promise.all(checks.map(async (one) => `${one.name}: ${await outcomeOf(one)}`));
    expect(outcomes).toEqual([
      'refuses {"n":0}: holds',
      'refuses {"n":3}: holds',
      'refuses {}: holds',
      'refuses {"n":2}: these options are accepted',
    ]);
  });
});

describe('a plugin under test', () => {
  test('has sets of ids that work in every world, and refreshes once', async () => {
    let authors: { value: { has(user: number): boolean } };
    const plugin: Plugin = {
      meta,
      setup(host: PluginHost) {
        authors = host.refresh('authors', 5, async () => host.user_set(['ann', 'unknown']));
      },
      filters: {
        'acme/x': {
          ...base,
          kind: 'inclusion',
          compile: () => (request) => (item) => authors.value.has(request.item.author(item)),
        },
      },
    };
    const kit = new Kit(plugin);
    await kit.setUp();
    const world = { a: { author_id: 'bob' }, b: { author_id: 'ann' }, c: {} };
    const cases = [
      { items: world, expect: ['b'] },
      { items: { z: { author_id: 'cat' }, ...world }, expect: ['b'] },
    ];
    for (const check of kit.cases('filters', 'acme/x', { cases }))
      expect(await outcomeOf(check)).toBe('holds');
    expect(await broken(kit, 'filters')).toEqual({});
  });

  test('fails if its setup fails, or a first refresh without an initial value', async () => {
    const failing = () => {
      throw new Error('out of luck');
    };
    const kit = (setup: Plugin['setup']) => kitOf('filters', liked, undefined, { setup });
    await expect(kit(failing).setUp()).rejects.toThrow('out of luck');
    await expect(kit((host) => void host.refresh('list', 5, failing)).setUp()).rejects.toThrow(
      "refresh 'list': out of luck",
    );
    await kit((host) => void host.refresh('list', 5, failing, 1)).setUp();
  });
});
