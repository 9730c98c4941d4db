import { describe, expect, test } from 'bun:test';
import type { RequestContext } from '../../src/plugin/index.ts';
import type { Kind } from '../../src/registry/kinds.ts';
import { broken, kitOf, perItem } from './support.ts';

/** Faults that only extensions of one kind can have. */

describe('the testing kit', () => {
  const one = async (kind: Kind, extension: object) =>
    Object.entries(await broken(kitOf(kind, extension), kind));

  test('finds parts that do not add up to the score', async () => {
    const score = perItem(() => (item) => item);
    expect(
      await one('scoring_functions', { ...score, parts: () => () => (item: number) => ({ item }) }),
    ).toEqual([]);
    const [[name, reason]] = await one('scoring_functions', {
      ...score,
      parts: () => () => () => ({ half: 0.5 }),
    });
    expect(name).toBe('returns parts that add up to the score');
    expect(reason).toContain('0.5');
  });

  test('finds a used signal that is missing in signals', async () => {
    const score = perItem((request) => request.signal('popular'));
    expect(await one('scoring_functions', { ...score, signals: () => ['popular', 'trending'] })).toEqual([]);
    const [[name, reason]] = await one('scoring_functions', { ...score, signals: () => ['trending'] });
    expect(name).toBe('uses only the signals that it declares');
    expect(reason).toContain("'popular'");
  });

  test('finds postings that leave out a kept item', async () => {
    const postings = () => (request: RequestContext) => ({
      column: 'channel',
      values: [request.item.code('channel', 'nowhere')],
    });
    const keep = { kind: 'inclusion', ...perItem(() => () => true), postings };
    expect((await one('filters', keep))[0][0]).toBe('keeps the same items in a feed');
    const recent = {
      ...keep,
      postings:
        () =>
        ({ now }: RequestContext) => ({ created_since: now - 5 }),
    };
    expect((await one('filters', recent))[0][0]).toBe('keeps the same items in a feed');
    const old = {
      ...keep,
      postings:
        () =>
        ({ now }: RequestContext) => ({ created_until: now - 5e9 }),
    };
    expect((await one('filters', old))[0][0]).toBe('keeps the same items in a feed');
    const drop = { ...keep, ...perItem(() => () => false) };
    expect(await one('filters', drop)).toEqual([]);
  });

  test('finds malformed named values', async () => {
    const keep = { kind: 'inclusion', ...perItem(() => () => true) };
    const named = (given: unknown) => one('filters', { ...keep, named_values: () => given });
    expect(await named([{ column: 'channel', given: 'Music', values: ['music'] }])).toEqual([]);
    for (const given of [
      'music',
      ['music'],
      [{ column: 'chanel', given: 'a', values: [] }],
      [{ column: 'app', given: 1, values: ['1'] }],
    ])
      expect((await named(given))[0][1]).toMatch(/its named value.* (not a list|of the form)/);
  });

  test('finds a filter that depends on more than it declares', async () => {
    const followed = perItem(
      (request) => (item) => request.user.following(request.viewer.user).includes(request.item.author(item)),
    );
    const recent = perItem((request) => (item) => request.item.created_at(item) > request.now - 7200);
    const liked = perItem((request) => (item) => request.item.likes_count(item) > 1000);
    const other = perItem((request) => () => request.item.author(request.item.find('other')) < 0);
    for (const [depends_on, keep, fine] of [
      [undefined, followed, true],
      ['item', followed, false],
      ['content', recent, false],
      ['item', recent, false],
      ['content', liked, false],
      ['item', liked, true],
      ['content', other, false],
      [undefined, other, true],
    ] as const) {
      const filter = { kind: 'inclusion', ...keep, depends_on };
      const found = (await one('filters', filter)).map(([name]) => name);
      expect([depends_on, found]).toEqual([
        depends_on,
        fine ? [] : ['depends only on what depends_on declares'],
      ]);
    }
  });

  test('finds a rule that allows an item missing in allows', async () => {
    const rule = { ...perItem(() => () => true), allows: () => () => [] };
    expect((await one('visibility_rules', rule))[0][0]).toBe('shows the same items in a feed');
  });

  test.each([null, 0, ''])('finds a rule that lists %p', async (list) => {
    const reason = `it lists ${list}, which is not a list of items`;
    const rule = { ...perItem(() => () => false), allows: () => () => list };
    expect((await one('visibility_rules', rule))[0][1]).toContain(reason);
  });

  test('finds a signal that depends on more than it declares', async () => {
    const viewer = perItem((request) => () => (request.viewer.user < 0 ? 0 : 1));
    const time = perItem(
      ({ now }) =>
        () =>
          (now % 7) / 7,
    );
    const other = perItem((request) => () => (request.item.author(request.item.find('other')) < 0 ? 0 : 1));
    const chance = perItem((request) => {
      const drawn = request.random();
      return () => drawn;
    });
    for (const [depends_on, signal, fine] of [
      ['viewer', viewer, true],
      ['time', viewer, false],
      ['item', viewer, false],
      ['time', time, true],
      ['item', time, false],
      ['viewer', chance, true],
      ['item', chance, false],
      ['viewer', other, true],
      ['time', other, false],
    ] as const) {
      expect([depends_on, (await one('signals', { depends_on, ...signal })).length === 0]).toEqual([
        depends_on,
        fine,
      ]);
    }
  });

  test.each([
    [
      'too many slots',
      ({ main }: Mixing) => main.map((item) => ({ item, promoted: false })),
      'slots for a page',
    ],
    [
      'an item twice',
      ({ main }: Mixing) =>
        [...main.slice(0, 1), ...main.slice(0, 1)].map((item) => ({ item, promoted: false })),
      'twice',
    ],
    ['a stranger', () => [{ item: 999, promoted: false }], 'not in the input'],
    [
      'an item that is not promoted as promoted',
      ({ main }: Mixing) => main.slice(0, 1).map((item) => ({ item, promoted: true })),
      'not in the input',
    ],
    ['nothing', () => [], 'could fill them'],
    [
      'fewer slots than the main list could fill',
      ({ main, promoted, page }: Mixing & { promoted: { item: number }[]; page: number }) => {
        const rest = main.filter((item) => !promoted.some((each) => each.item === item));
        return rest.slice(0, page).map((item) => ({ item, promoted: false }));
      },
      '0 slots, although 3 items could fill them',
    ],
    ['slots that were never filled', ({ page }: Mixing) => new Array(page), 'slot 1 holds undefined'],
    ['what only looks like a list', () => ({ length: 0, map: () => [] }), 'which is not a list of slots'],
    [
      'sorted input',
      ({ main, page }: Mixing) =>
        main
          .sort()
          .slice(0, page)
          .map((item) => ({ item, promoted: false })),
      '',
    ],
  ])('a strategy that gives %s is found', async (_, mix, reason) => {
    const found = await one('promotion_strategies', { compile: () => mix });
    expect(found[0][1]).toContain(reason);
  });

  test('a strategy that uses the clock when it is compiled is found', async () => {
    const compile = () => {
      const since = Date.now();
      return ({ main, page }: Mixing) =>
        main.slice(0, since < 0 ? 0 : page).map((item) => ({ item, promoted: false }));
    };
    const found = await one('promotion_strategies', { compile });
    expect(found.map(([name]) => name)).toContain('uses neither the clock nor Math.random');
  });

  test.each([
    ['too few answers', () => [], '0 answers for 3'],
    ['null', (ids: string[]) => ids.map(() => null), 'not a plain JSON'],
    ['a date', (ids: string[]) => ids.map(() => ({ created_date: new Date(0) })), 'not plain JSON'],
    ['no list', () => 'none', 'not a list'],
  ])('a provider that gives %s is found', async (_, provide, reason) => {
    const found = await one('integrations', { describe: () => async (ids: string[]) => provide(ids) });
    expect(found[0][1]).toContain(reason);
  });
});

interface Mixing {
  main: number[];
  page: number;
}
