import { describe, expect, test } from 'bun:test';
import type { Kind } from '../../src/registry/kinds.ts';
import { base, broken, kitOf, perItem } from './support.ts';

/** Faults that the testing kit finds in signals that an extension uses, lists by, or is ranked by. */

describe('the testing kit', () => {
  const found = async (kind: Kind, extension: object, more: object = {}) =>
    Object.entries(
      await broken(
        kitOf(kind, extension, () => undefined, more),
        kind,
      ),
    );
  const likes = perItem((request) => (item) => request.item.likes_count(item));

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
          request.item.likes_count(item) +
          request.item.comments_count(item) +
          request.item.shares_count(item),
      ),
      '',
    ],
    [
      'a signal that also changes with time',
      'popular_7day',
      perItem((request) => (item) => request.item.engagement_since(item, request.now - 7 * 86_400)),
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
        const parent = request.signal('popular')(request.item.find('nowhere'));
        return () => parent;
      }),
      perItem((request) => {
        const parent = request.trend.expected_rates()(request.item.find('nowhere'));
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
      ...perItem((request) => (item) => request.user.field(request.item.author(item), 'username') === 5),
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
    const asking = { kind: 'inclusion', depends_on: 'item' };
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

  test.each([
    ['0', 1, 'it reaches 0, which is not an item'],
    [0.5, 1, 'it reaches 0.5, which is not an item'],
    [0, Number.NaN, 'with weight NaN, which is not a finite number above 0'],
    [0, 0, 'with weight 0, which is not a finite number above 0'],
  ])('finds a signal that reaches %p with the weight %p', async (item, weight, reason) => {
    const faults = await found('signals', { reaches: () => () => new Map([[item, weight]]) });
    expect(faults[0][1]).toContain(reason);
  });

  test.each([
    ['nothing', null, 'its postings are null'],
    ['a column that is none', { column: 'mood', values: [] }, 'the column mood'],
  ])('postings that are %s are found', async (_, postings, reason) => {
    const keep = { kind: 'inclusion', ...perItem(() => () => true), postings: () => () => postings };
    expect((await found('filters', keep))[0][1]).toContain(reason);
  });
});
