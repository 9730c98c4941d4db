import { describe, expect, test } from 'bun:test';
import type { SourceCase } from '../../src/kit/index.ts';
import type { Reached, RequestContext } from '../../src/plugin/index.ts';
import type { Kind } from '../../src/registry/kinds.ts';
import { base, broken, idOf, kitOf, outcomeOf, perItem } from './support.ts';

/** Faults that the testing kit finds in signals that an extension uses, lists by, or is ranked by. */

function weighing(request: RequestContext, weights: Record<string, number>): Reached {
  const known = new Map(Object.entries(weights).map(([id, weight]) => [request.item(id), weight]));
  return {
    size: known.size,
    max: Math.max(...known.values()),
    weight: (item) => known.get(item) ?? 0,
    forEach(visit) {
      for (const [item, weight] of known) visit(item, weight);
    },
  };
}

describe('request.best', () => {
  const listing = (signal: string) => ({
    compile: () => (request: RequestContext) => request.best(signal, 2),
  });
  const items = { a: {}, b: {}, c: {}, d: {} };
  const listed = (
    signal: string,
    given: SourceCase,
    own: object = { depends_on: 'item', ...perItem(() => () => 0) },
  ) => {
    const more = { signals: { 'acme/own': { ...base, ...own } } };
    const kit = kitOf('candidate_sources', listing(signal), undefined, more);
    const [check] = kit.cases('candidate_sources', idOf('candidate_sources'), { items, cases: [given] });
    return outcomeOf(check);
  };
  const viewer = { depends_on: 'viewer', ...perItem(() => () => 0.5) };

  test('lists the items that a viewer signal reaches, by weight', async () => {
    const reaches = () => (request: RequestContext) => weighing(request, { d: 1, b: 2, nowhere: 3 });
    expect(await listed('acme/own', { expect: ['b', 'd'] }, { ...viewer, reaches })).toBe('holds');
    const signals = { interest_all: { c: 0.1, a: 0.2 } };
    expect(await listed('interest_all', { signals, expect: ['a', 'c'] })).toBe('holds');
    expect(await listed('interest_all', { expect: [] })).toBe('holds');
  });

  test('lists from all items by a signal that does not depend on the viewer', async () => {
    expect(await listed('popular', { signals: { popular: { c: 0.1 } }, expect: ['c', 'a'] })).toBe('holds');
  });

  test('rejects a viewer signal without reaches and an unregistered signal', async () => {
    for (const [signal, reason] of [
      ['acme/own', 'does not say what it reaches'],
      ['momentum', 'does not say what it reaches'],
      ['populer', 'no plugin registered'],
    ]) {
      expect(await listed(signal, { signals: { [signal]: { a: 1 } }, expect: [] }, viewer)).toContain(reason);
    }
  });
});

describe('the testing kit', () => {
  const found = async (kind: Kind, extension: object, more: object = {}) =>
    Object.entries(
      await broken(
        kitOf(kind, extension, () => undefined, more),
        kind,
      ),
    );
  const likes = perItem((request) => (item) => request.likes_count(item));

  test.each([
    ['the signal itself', 'popular', perItem((request) => request.signal('popular')), ''],
    [
      'a formula that increases with the signal',
      'popular',
      perItem((request) => {
        const popular = request.signal('popular');
        return (item) => popular(item) ** 2 + 1;
      }),
      '',
    ],
    [
      'a step function of the signal',
      'popular',
      perItem((request) => {
        const popular = request.signal('popular');
        return (item) => Math.floor(3 * popular(item));
      }),
      '',
    ],
    [
      'the parts of the signal, without the signal itself',
      'popular',
      perItem(
        (request) => (item) =>
          request.likes_count(item) + request.comments_count(item) + request.shares_count(item),
      ),
      '',
    ],
    [
      'a signal that also changes with time',
      'popular_7day',
      perItem((request) => (item) => request.engagement_since(item, request.now - 7 * 86_400)),
      '',
    ],
    ['a part of it', 'popular', likes, 'is not before'],
    [
      'its reverse',
      'popular',
      perItem((request) => {
        const popular = request.signal('popular');
        return (item) => 1 - popular(item);
      }),
      'is not before',
    ],
    ['an unregistered signal', 'populer', likes, "no plugin registered a signal named 'populer'"],
    ['what depends on the viewer', 'profile', likes, "the signal 'profile' depends on the viewer"],
  ])('a score that is %s', async (_, ranked_by, score, reason) => {
    const faults = await found('scoring_functions', { ...score, ranked_by });
    const found_faults = faults.map(([, message]) => message);
    if (reason === '') expect(found_faults).toEqual([]);
    else expect(found_faults.at(-1)).toContain(reason);
  });

  test('finds a signal that is called for NONE', async () => {
    for (const asking of [
      perItem((request) => {
        const parent = request.signal('popular')(request.item('nowhere'));
        return () => parent;
      }),
      perItem((request) => {
        const parent = request.expected_rates()(request.item('nowhere'));
        return () => parent;
      }),
    ]) {
      const [[, reason]] = await found('scoring_functions', asking);
      expect(reason).toContain('was called for NONE, which is not an item');
    }
  });

  test('finds a filter or signal with depends_on that reads a field of a user', async () => {
    const named = {
      reads: ['user.username'],
      ...perItem((request) => (item) => request.user_field(request.author(item), 'username') === 5),
    };
    const filter = { kind: 'inclusion', ...named };
    expect(await found('filters', filter)).toEqual([]);
    for (const depends_on of ['content', 'item']) {
      const [[name, reason]] = await found('filters', { ...filter, depends_on: () => depends_on });
      expect(name).toBe('depends only on what depends_on declares');
      expect(reason).toContain('a field of a user');
    }
    const score = { ...named, ...perItem((request) => (item) => Number(named.compile()(request)(item))) };
    expect(await found('signals', { ...score, depends_on: 'viewer' })).toEqual([]);
    for (const depends_on of ['item', 'time']) {
      const [[name]] = await found('signals', { ...score, depends_on });
      expect(name).toBe(`depends only on what depends_on declares: ${depends_on}`);
    }
    // Also through another signal of the plugin.
    const signals = { 'acme/named': { ...base, ...score, depends_on: 'viewer' } };
    const asking = { kind: 'inclusion', depends_on: () => 'item' };
    const [[, reason]] = await found(
      'filters',
      { ...asking, ...perItem((request) => (item) => request.signal('acme/named')(item) > 0) },
      { signals },
    );
    expect(reason).toContain('a field of a user');
  });

  test.each([
    ['at the request', (name: string) => perItem((request) => request.signal(name))],
    ['at the item', (name: string) => perItem((request) => (item) => request.signal(name)(item))],
  ])('signals that ask for each other %s are found', async (_, asking) => {
    const own = (next: string) => ({ ...base, depends_on: 'item', ...asking(next) });
    const signals = { 'acme/a': own('acme/b'), 'acme/b': own('acme/a') };
    const [[, reason]] = await found('scoring_functions', asking('acme/a'), { signals });
    expect(reason).toMatch(
      /'acme\/a' asks for itself by way of the signal 'acme\/b'|requests its own value of the same item/,
    );
  });

  test('finds weights that differ between weight and forEach', async () => {
    const signal = { depends_on: 'viewer', ...perItem(() => () => 0) };
    const reaches = (listed: number) => () => (request: RequestContext) => ({
      ...weighing(request, { loved: 1 }),
      forEach: (visit: (item: number, weight: number) => void) => visit(request.item('loved'), listed),
    });
    expect(await found('signals', { ...signal, reaches: reaches(1) })).toEqual([]);
    for (const listed of [0, 2, Number.NaN]) {
      const [[name]] = await found('signals', { ...signal, reaches: reaches(listed) });
      expect(name).toBe('reaches every item with a value above 0');
    }
  });

  test.each([['0'], [0.5], [7_000_000]])('finds a reached value that is not an item: %p', async (item) => {
    const reached = {
      size: 1,
      max: 1,
      weight: (asked: unknown) => (asked === item ? 1 : 0),
      forEach: (visit: (item: never, weight: number) => void) => visit(item as never, 1),
    };
    const reaches = () => () => reached;
    const signal = { depends_on: 'viewer', ...perItem(() => () => 0), reaches };
    expect(await found('signals', signal)).toEqual([
      [
        'reaches every item with a value above 0',
        expect.stringContaining(`it reaches ${item}, which is not an item`),
      ],
    ]);
  });

  test.each([
    ['nothing', undefined, 'its postings are undefined'],
    ['a column that is none', { column: 'mood', values: [] }, 'the column mood'],
  ])('postings that are %s are found', async (_, postings, reason) => {
    const keep = { kind: 'inclusion', ...perItem(() => () => true), postings: () => () => postings };
    expect((await found('filters', keep))[0][1]).toContain(reason);
  });
});
