import { describe, expect, test } from 'bun:test';
import { InvalidOptions, type Plugin, type RequestContext, Type } from '../../src/plugin/index.ts';
import type { CaseOf } from '../../src/plugin/testing/case-types.ts';
import { Kit } from '../../src/plugin/testing/kit.ts';
import type { Kind } from '../../src/plugin/testing/subject.ts';
import { base, broken, kitOf, meta, perItem } from './kit-support.ts';

interface Mixing {
  main: number[];
}

describe('a test case', () => {
  const items = [
    { item_id: 'a', likes_count: 2 },
    { item_id: 'b', likes_count: 1 },
  ];
  const likes = perItem((request) => (item) => request.likes_count(item) / 10);
  const liked = perItem((request) => (item) => request.likes_count(item) > 1);
  const keepFirst = ({ main }: Mixing) => [{ item: main[0], promoted: false }];

  async function outcome<K extends Kind>(kind: K, extension: object, given: CaseOf[K]): Promise<string> {
    const kit = kitOf(kind, extension);
    await kit.setUp();
    const [{ run }] = kit.cases(kind, 'acme/x', { cases: [given] });
    try {
      await run();
      return 'holds';
    } catch (error) {
      return String(error);
    }
  }

  test('has no candidates yet when a filter or rule runs', async () => {
    const ofCandidates = perItem((request) => {
      const greatest = request.greatest_of_candidates((item) => request.likes_count(item));
      return (item) => request.likes_count(item) >= greatest;
    });
    const given = { name: 'a case', items };
    expect(await outcome('filters', ofCandidates, { ...given, keeps: ['a', 'b'] })).toBe('holds');
    expect(await outcome('visibility_rules', ofCandidates, { ...given, shows: ['a', 'b'] })).toBe('holds');
    const share = perItem((request) => {
      const greatest = request.greatest_of_candidates((item) => request.likes_count(item));
      return (item) => request.likes_count(item) / greatest;
    });
    expect(await outcome('signals', share, { ...given, values: { a: 1, b: 0.5 } })).toBe('holds');
  });

  test('holds, or fails with the expected and the actual result', async () => {
    const name = 'a case';
    const outcomes = [
      await outcome('scoring_functions', likes, { name, items, scores: { a: 0.2 }, order: ['a', 'b'] }),
      await outcome('scoring_functions', likes, { name, items, scores: { b: 0.2 } }),
      await outcome('scoring_functions', likes, { name, items, order: ['b', 'a'] }),
      await outcome('scoring_functions', likes, { name, items, order: ['b', 'nowhere'] }),
      await outcome('filters', liked, { name, items, keeps: ['a'] }),
      await outcome('filters', liked, { name, items, keeps: ['b'] }),
      await outcome('visibility_rules', liked, { name, items, shows: ['a', 'b'] }),
      await outcome('signals', likes, { name, items, values: { a: 0.2, b: 0.1 } }),
      await outcome('signals', likes, { name, items, values: { b: 0.2 } }),
      await outcome(
        'candidate_sources',
        { compile: () => (r: RequestContext) => r.newest(1) },
        { name, items, proposes: ['a'] },
      ),
      await outcome(
        'candidate_sources',
        { compile: () => (r: RequestContext) => r.newest(1) },
        { name, items, proposes: [] },
      ),
      await outcome(
        'promotion_strategies',
        { compile: () => keepFirst },
        { name, main: ['a'], promoted: ['b'], page: 2, slots: ['a'] },
      ),
      await outcome(
        'promotion_strategies',
        { compile: () => keepFirst },
        { name, main: ['a'], promoted: ['b'], page: 2, slots: ['a', '*b'] },
      ),
      await outcome(
        'metadata_providers',
        { compile: () => async () => [{ name: 'A' }] },
        { name, item_ids: ['x'], metadata: [{ name: 'A' }] },
      ),
      await outcome(
        'metadata_providers',
        { compile: () => async () => [{ name: 'A' }] },
        { name, item_ids: ['x'], metadata: [{}] },
      ),
    ];
    expect(outcomes).toEqual([
      'holds',
      'Error: expected {"b":0.2}, got {"b":0.1}',
      "Error: 'b' scores 0.1, 'a' 0.2",
      "Error: 'b' scores 0.1, 'nowhere' NaN",
      'holds',
      'Error: expected ["b"], got ["a"]',
      'Error: expected ["a","b"], got ["a"]',
      'holds',
      'Error: expected {"b":0.2}, got {"b":0.1}',
      'holds',
      'Error: expected [], got ["a"]',
      'holds',
      'Error: expected ["a","*b"], got ["a"]',
      'holds',
      'Error: expected [{}], got [{"name":"A"}]',
    ]);
  });

  test('uses the default of the options if it gives none', async () => {
    const options = Type.Integer({ minimum: 1, default: 2 });
    const atLeast = {
      options,
      compile: (least: number) => (request: RequestContext) => (item: number) =>
        request.likes_count(item) >= least,
    };
    expect(await outcome('filters', atLeast, { name: 'x', items, keeps: ['a'] })).toBe('holds');
    const own = { ...base, options, depends_on: 'item', compile: (n: number) => () => () => 1 / n };
    const kit = new Kit({
      meta,
      signals: { 'acme/half': own },
      scoring_functions: {
        'acme/x': { ...base, ...perItem((request) => request.signal('acme/half') as never) },
      },
    } as unknown as Plugin);
    await kit.setUp();
    const [{ run }] = kit.cases('scoring_functions', 'acme/x', {
      cases: [{ name: 'x', items, scores: { a: 0.5 } }],
    });
    expect(run).not.toThrow();
  });

  test('has its options checked like those of a feed', async () => {
    const options = Type.Object({ n: Type.Integer({ minimum: 1 }) });
    const keep = { options, ...perItem(() => () => true) };
    expect(await outcome('filters', keep, { name: 'x', items, keeps: ['a', 'b'], options: { n: 1 } })).toBe(
      'holds',
    );
    expect(
      await outcome('filters', keep, { name: 'x', items, keeps: ['a', 'b'], options: { n: 0 } }),
    ).toContain('/n');
  });

  test('of a rejection holds if the schema or compile rejects the options', async () => {
    const compile = ({ n }: { n: number }) => {
      if (n % 2 === 1) throw new InvalidOptions('must be even');
      return () => () => true;
    };
    const kit = kitOf('filters', { options: Type.Object({ n: Type.Integer({ minimum: 1 }) }), compile });
    const outcomes = kit
      .cases('filters', 'acme/x', { refuses: [{ n: 0 }, { n: 3 }, {}, { n: 2 }] })
      .map(({ name, run }) => {
        try {
          run();
          return `${name}: holds`;
        } catch (error) {
          return `${name}: ${error}`;
        }
      });
    expect(outcomes).toEqual([
      'refuses {"n":0}: holds',
      'refuses {"n":3}: holds',
      'refuses {}: holds',
      'refuses {"n":2}: Error: these options are accepted',
    ]);
  });
});

describe('a plugin under test', () => {
  test('has sets of ids that work in every world, and refreshes once', async () => {
    let authors: { value: { has(user: number): boolean } };
    const plugin = {
      meta,
      setup: (host: Parameters<NonNullable<Plugin['setup']>>[0]) => {
        authors = host.refresh('authors', 5, async () => host.user_set(['ann', 'unknown']));
      },
      filters: {
        'acme/x': {
          ...base,
          kind: 'inclusion' as const,
          compile: () => (request: RequestContext) => (item: number) =>
            authors.value.has(request.author(item)),
        },
      },
    };
    const kit = new Kit(plugin);
    await kit.setUp();
    for (const before of [[], [{ item_id: 'z', author_id: 'cat' }]]) {
      const items = [
        ...before,
        { item_id: 'a', author_id: 'bob' },
        { item_id: 'b', author_id: 'ann' },
        { item_id: 'c' },
      ];
      const [{ run }] = kit.cases('filters', 'acme/x', { cases: [{ name: 'x', items, keeps: ['b'] }] });
      await run();
    }
    expect(await broken(kit, 'filters')).toEqual({});
  });

  test('fails if its setup fails, or a first refresh without an initial value', async () => {
    const failing = () => {
      throw new Error('out of luck');
    };
    const kit = (setup: Plugin['setup']) => new Kit({ meta, setup, filters: {} });
    await expect(kit(failing).setUp()).rejects.toThrow('out of luck');
    await expect(kit((host) => void host.refresh('list', 5, failing)).setUp()).rejects.toThrow(
      "refresh 'list': out of luck",
    );
    await kit((host) => void host.refresh('list', 5, failing, 1)).setUp();
  });
});
