import { describe, expect, test } from 'bun:test';
import type { RequestContext } from '../../src/plugin/index.ts';
import { ON_TRUST } from '../../src/plugin/testing/known-signals.ts';
import type { Kind } from '../../src/plugin/testing/subject.ts';
import { broken, kitOf, perItem } from './kit-support.ts';

/** Faults that only extensions of one kind can have. */

describe('what a kind says of itself', () => {
  const one = async (kind: Kind, extension: object) =>
    Object.entries(await broken(kitOf(kind, extension), kind));

  test('parts that do not add up are found', async () => {
    const score = perItem(() => (item) => item);
    expect(
      await one('scoring_functions', { ...score, parts: () => () => (item: number) => ({ item }) }),
    ).toEqual([]);
    const [[name, reason]] = await one('scoring_functions', {
      ...score,
      parts: () => () => () => ({ half: 0.5 }),
    });
    expect(name).toBe('has parts that add up to the score');
    expect(reason).toContain('0.5');
  });

  test('signals that leave one out are found', async () => {
    const score = perItem((request) => request.signal('popular'));
    expect(await one('scoring_functions', { ...score, signals: () => ['popular', 'trending'] })).toEqual([]);
    const [[name, reason]] = await one('scoring_functions', { ...score, signals: () => ['trending'] });
    expect(name).toBe('asks for no signals but those that it names');
    expect(reason).toContain("'popular'");
  });

  test('a source that proposes for what is no signal is found', async () => {
    const source = { compile: () => () => [], proposes_for: 'fresh' };
    const knowing = kitOf('candidate_sources', source, (signal) =>
      signal === 'fresh' ? ON_TRUST : undefined,
    );
    expect(await broken(knowing, 'candidate_sources')).toEqual({});
    const kit = kitOf('candidate_sources', source, () => undefined);
    const [[name, reason]] = Object.entries(await broken(kit, 'candidate_sources'));
    expect(name).toBe('proposes for a signal that there is');
    expect(reason).toContain("'fresh'");
  });

  test('postings that leave something out are found', async () => {
    const postings = () => (request: RequestContext) => ({
      column: 'channel',
      values: [request.code('channel', 'nowhere')],
    });
    const keep = { kind: 'inclusion', ...perItem(() => () => true), postings };
    expect((await one('filters', keep))[0][0]).toBe('keeps nothing that its postings leave out');
    const recent = {
      ...keep,
      postings:
        () =>
        ({ now }: RequestContext) => ({ created_since: now - 5 }),
    };
    expect((await one('filters', recent))[0][0]).toBe('keeps nothing that its postings leave out');
    const old = {
      ...keep,
      postings:
        () =>
        ({ now }: RequestContext) => ({ created_until: now - 5e9 }),
    };
    expect((await one('filters', old))[0][0]).toBe('keeps nothing that its postings leave out');
    const drop = { ...keep, ...perItem(() => () => false) };
    expect(await one('filters', drop)).toEqual([]);
  });

  test('named values that are no such list are found', async () => {
    const keep = { kind: 'inclusion', ...perItem(() => () => true) };
    const named = (given: unknown) => one('filters', { ...keep, named_values: () => given });
    expect(await named([{ column: 'channel', given: 'Music', values: ['music'] }])).toEqual([]);
    for (const given of [
      'music',
      ['music'],
      [{ column: 'chanel', given: 'a', values: [] }],
      [{ column: 'app', given: 1, values: ['1'] }],
    ])
      expect((await named(given))[0][0]).toBe('names values as a list of {column, given, values}');
  });

  test('a filter that depends on more than it says is found', async () => {
    const followed = perItem((request) => (item) => request.follows(request.viewer, request.author(item)));
    const recent = perItem((request) => (item) => request.created_at(item) > request.now - 7200);
    const liked = perItem((request) => (item) => request.likes_count(item) > 1000);
    const other = perItem((request) => () => request.author(request.item('other')) < 0);
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
      const filter = { kind: 'inclusion', ...keep, depends_on: () => depends_on };
      const found = (await one('filters', filter)).map(([name]) => name);
      expect([depends_on, found]).toEqual([depends_on, fine ? [] : ['depends on nothing but what it says']]);
    }
  });

  test('a rule that shows what it does not list is found', async () => {
    const rule = { ...perItem(() => () => true), allows: () => () => [] };
    expect((await one('visibility_rules', rule))[0][0]).toBe(
      'lets nothing through that it does not list as allowed',
    );
  });

  test.each([null, 0, ''])('a rule that allows %p and a source that lists it are found', async (list) => {
    const reason = `it lists ${list}, which is no list of items`;
    const rule = { ...perItem(() => () => false), allows: () => () => list };
    expect((await one('visibility_rules', rule))[0][1]).toContain(reason);
    expect((await one('candidate_sources', { compile: () => () => list }))[0][1]).toContain(reason);
  });

  test('a signal that depends on more than it says is found', async () => {
    const viewer = perItem((request) => () => (request.viewer < 0 ? 0 : 1));
    const time = perItem(
      ({ now }) =>
        () =>
          (now % 7) / 7,
    );
    const other = perItem((request) => () => (request.author(request.item('other')) < 0 ? 0 : 1));
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

  test('a signal that reaches too little is found', async () => {
    const signal = { depends_on: 'viewer', ...perItem(() => () => 1) };
    const reaches = () => (request: RequestContext) => request.social_proof();
    expect((await one('signals', { ...signal, reaches }))[0][0]).toBe(
      'reaches every item for which it is not 0',
    );
  });

  test.each([
    ['what is no item', () => [0.5], 'lists items'],
    [
      'an item twice',
      (request: RequestContext) => [...request.newest(3), ...request.newest(1)],
      'lists items',
    ],
    ['no end', endless, 'lists items'],
    ['the clock', (request: RequestContext) => request.newest(Date.now() > 0 ? 3 : 2), 'asks neither'],
  ])('a source that lists %s is found', async (_, list, name) => {
    expect((await one('candidate_sources', { compile: () => list }))[0][0]).toStartWith(name);
  });

  test('a source that lists something else each time is found, one that draws from the seed is not', async () => {
    let turn = 0;
    const turning = { compile: () => (request: RequestContext) => request.newest(++turn) };
    expect((await one('candidate_sources', turning))[0][0]).toBe('lists the same again from the same seed');
    const drawing = (request: RequestContext) => request.newest(1 + Math.floor(request.random() * 9));
    expect(await one('candidate_sources', { compile: () => drawing })).toEqual([]);
    const unknown = (request: RequestContext) => [request.item('nowhere')];
    expect(await one('candidate_sources', { compile: () => unknown })).toEqual([]);
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
    ['a stranger', () => [{ item: 999, promoted: false }], 'not handed in'],
    [
      'a promoted item that is none',
      ({ main }: Mixing) => main.slice(0, 1).map((item) => ({ item, promoted: true })),
      'not handed in',
    ],
    ['nothing', () => [], 'could fill them'],
    [
      'less than the main list has, as some of it is promoted',
      ({ main, promoted, page }: Mixing & { promoted: { item: number }[]; page: number }) => {
        const rest = main.filter((item) => !promoted.some((each) => each.item === item));
        return rest.slice(0, page).map((item) => ({ item, promoted: false }));
      },
      '0 slots, although 3 items could fill them',
    ],
    ['slots that were never filled', ({ page }: Mixing) => new Array(page), 'slot 1 holds undefined'],
    ['what only looks like a list', () => ({ length: 0, map: () => [] }), 'which is no list of slots'],
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

  test.each([
    ['too few answers', () => [], '0 answers for 3'],
    ['null', (ids: string[]) => ids.map(() => null), 'no plain JSON'],
    ['a date', (ids: string[]) => ids.map(() => ({ created_date: new Date(0) })), 'no plain JSON'],
    ['no list', () => 'none', 'no list'],
  ])('a provider that gives %s is found', async (_, provide, reason) => {
    const found = await one('metadata_providers', { compile: () => async (ids: string[]) => provide(ids) });
    expect(found[0][1]).toContain(reason);
  });
});

interface Mixing {
  main: number[];
  page: number;
}

function* endless(): Generator<number> {
  for (;;) yield 0;
}
