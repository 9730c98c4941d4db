import { describe, expect, test } from 'bun:test';
import { InvalidOptions, type Plugin, type RequestContext, Type } from '../../src/plugin/index.ts';
import type { CaseOf } from '../../src/plugin/testing/case-types.ts';
import { Kit } from '../../src/plugin/testing/kit.ts';
import type { Kind } from '../../src/plugin/testing/subject.ts';
import { base, broken, kitOf, meta, perItem } from './kit-support.ts';

interface Mixing {
  main: number[];
}

describe('a case of an author', () => {
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

  test('there are no candidates yet where a filter or rule asks', async () => {
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

  test('holds, or says what it gives instead', async () => {
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
      'Error: expected {"b":0.2}, it gives {"b":0.1}',
      "Error: 'b' scores 0.1, 'a' 0.2",
      "Error: 'b' scores 0.1, 'nowhere' NaN",
      'holds',
      'Error: expected ["b"], it gives ["a"]',
      'Error: expected ["a","b"], it gives ["a"]',
      'holds',
      'Error: expected {"b":0.2}, it gives {"b":0.1}',
      'holds',
      'Error: expected [], it gives ["a"]',
      'holds',
      'Error: expected ["a","*b"], it gives ["a"]',
      'holds',
      'Error: expected [{}], it gives [{"name":"A"}]',
    ]);
  });

  test('has the default of the whole where it says nothing of options', async () => {
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

  test('has its options checked as a feed has', async () => {
    const options = Type.Object({ n: Type.Integer({ minimum: 1 }) });
    const keep = { options, ...perItem(() => () => true) };
    expect(await outcome('filters', keep, { name: 'x', items, keeps: ['a', 'b'], options: { n: 1 } })).toBe(
      'holds',
    );
    expect(
      await outcome('filters', keep, { name: 'x', items, keeps: ['a', 'b'], options: { n: 0 } }),
    ).toContain('/n');
  });

  test('of a refusal holds for the schema and for what compile refuses', async () => {
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
      'refuses {"n":2}: Error: it takes these options',
    ]);
  });
});

describe('a plugin that is set up', () => {
  test('has sets of ids that hold in every world, and what is refreshed once', async () => {
    let authors: { value: { has(user: number): boolean } };
    const plugin = {
      meta,
      setup: (host: Parameters<NonNullable<Plugin['setup']>>[0]) => {
        authors = host.refresh('authors', 5, async () => host.user_set(['ann', 'nobody']));
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

  test('fails with its setup, or with a first refresh that has nothing to go on with', async () => {
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
