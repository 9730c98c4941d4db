import { describe, expect, test } from 'bun:test';
import type { Metadata } from '../../src/plugin/index.ts';
import { ids, FetcherScene as Scene } from './fetcher-scene.ts';

const nameOf = (known: (id: string) => Metadata | undefined, id: string) => known(id)?.name;

describe('the metadata fetcher', () => {
  test('returns results that arrive in time, and caches them', async () => {
    const scene = new Scene();
    expect(nameOf(await scene.describe(ids(2)), 'item 1')).toBe('name of item 1');
    expect(nameOf(await scene.fetcher.describe(ids(2)), 'item 0')).toBe('name of item 0');
    expect(scene.calls.length).toBe(1);
  });

  test('ignores an answer with missing entries, since the others cannot be assigned to items', async () => {
    const scene = new Scene();
    const known = await scene.describe(ids(3), [{ name: 'A' }, { name: 'B' }]);
    expect(ids(3).map((id) => nameOf(known, id))).toEqual([undefined, undefined, undefined]);
    const cause = 'the answer has 2 entries for 3 items; it must have one for each, in their order';
    expect(scene.logged).toEqual([{ provider: 'acme/metadata', cause }]);
  });

  test('does not wait longer than 50 ms, and has the result the next time', async () => {
    const scene = new Scene();
    const described = scene.fetcher.describe(ids(1));
    await scene.settle();
    await scene.timers.pass(0.05);
    expect((await described)('item 0')).toBe(undefined);
    scene.answer(0);
    await scene.settle();
    expect(nameOf(await scene.fetcher.describe(ids(1)), 'item 0')).toBe('name of item 0');
  });

  test('requests an item once, for any number of concurrent answers', async () => {
    const scene = new Scene();
    const all = [
      scene.fetcher.describe(ids(3)),
      scene.fetcher.describe(ids(3)),
      scene.fetcher.describe(ids(1)),
    ];
    await scene.settle();
    expect(scene.calls.map(({ item_ids }) => item_ids)).toEqual([ids(3)]);
    scene.answer(0);
    expect((await Promise.all(all)).map((known) => nameOf(known, 'item 0'))).toEqual(
      all.map(() => 'name of item 0'),
    );
  });

  test('makes at most four calls at a time, of eight items each', async () => {
    const scene = new Scene();
    void scene.fetcher.describe(ids(100));
    await scene.settle();
    expect(scene.calls.map(({ item_ids }) => item_ids.length)).toEqual([8, 8, 8, 8]);
    scene.answer(0);
    await scene.settle();
    expect(scene.calls.length).toBe(5);
  });

  test('uses stale entries while they are fetched again', async () => {
    const scene = new Scene();
    await scene.describe(ids(1));
    scene.now_ms += 301_000;
    expect(nameOf(await scene.fetcher.describe(ids(1)), 'item 0')).toBe('name of item 0');
    await scene.settle();
    expect(scene.calls.length).toBe(2);
    scene.calls[1].reject(new Error('gone'));
    await scene.settle();
    expect(nameOf(await scene.fetcher.describe(ids(1)), 'item 0')).toBe('name of item 0');
  });

  test('does not request unknown items again for a minute', async () => {
    const scene = new Scene();
    expect((await scene.describe(ids(1), [{}]))('item 0')).toEqual({});
    await scene.fetcher.describe(ids(1));
    expect(scene.calls.length).toBe(1);
    scene.now_ms += 61_000;
    await scene.fetcher.describe(ids(1));
    await scene.settle();
    expect(scene.calls.length).toBe(2);
  });

  test('stops calling a provider after five failures, tries once after ten seconds, and then continues', async () => {
    const scene = new Scene();
    for (let call = 0; call < 5; call++) {
      await scene.describe(ids(1, call), new Error('down'));
    }
    await scene.fetcher.describe(ids(20, 100));
    await scene.settle();
    expect(scene.calls.length).toBe(5);
    scene.now_ms += 10_000;
    const tried = scene.fetcher.describe(ids(20, 100));
    await scene.settle();
    expect(scene.calls.length).toBe(6);
    scene.answer(5);
    await scene.settle();
    await scene.timers.pass(0.05);
    await tried;
    void scene.fetcher.describe(ids(20, 100));
    await scene.settle();
    expect(scene.calls.length).toBeGreaterThan(6);
    expect(scene.logged).toEqual(Array(5).fill({ provider: 'acme/metadata', cause: 'down' }));
  });

  test('treats a call that does not end as a failure', async () => {
    const scene = new Scene();
    void scene.fetcher.describe(ids(1));
    await scene.settle();
    await scene.timers.pass(3);
    await scene.settle();
    expect(scene.logged).toEqual([{ provider: 'acme/metadata', cause: 'no answer within 3 s' }]);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a text', 'x'],
    ['an object', {}],
    ['a list of nothing', [undefined]],
    ['a list of null', [null]],
    ['a list of numbers', [7]],
    ['a list of lists', [[]]],
    ['a list of what is too long', [{ name: 'x'.repeat(100_000) }]],
  ])('makes nothing of %s', async (_, answer) => {
    const scene = new Scene();
    expect((await scene.describe(ids(1), answer))('item 0')).toEqual({});
  });

  test('caches a copy, so that later changes by a plugin have no effect', async () => {
    const scene = new Scene();
    const described = scene.fetcher.describe(ids(1));
    await scene.settle();
    const answer = { name: 'before' };
    scene.calls[0].resolve([answer]);
    await described;
    answer.name = 'after';
    expect(nameOf(await scene.fetcher.describe(ids(1)), 'item 0')).toBe('before');
  });

  test('counts calls, failures, sources of items, and late answers', async () => {
    const scene = new Scene();
    const { figures } = scene.fetcher;
    await scene.describe(ids(2));
    expect(figures).toMatchObject({ calls: 1, failed_calls: 0, late_answers: 0 });
    expect(figures.items).toEqual({ remembered: 0, in_time: 2, without: 0 });
    const late = scene.fetcher.describe(ids(3));
    await scene.settle();
    await scene.timers.pass(0.05);
    await late;
    expect(figures).toMatchObject({ calls: 2, late_answers: 1 });
    expect(figures.items).toEqual({ remembered: 2, in_time: 2, without: 1 });
    scene.calls[1].reject(new Error('down'));
    await scene.settle();
    expect(figures.failed_calls).toBe(1);
    expect(scene.fetcher.remembered_items).toBe(3);
  });

  test('counts items as without metadata if all their calls failed', async () => {
    const scene = new Scene();
    const { items } = scene.fetcher.figures;
    await scene.describe(ids(2), new Error('down'));
    expect(items).toEqual({ remembered: 0, in_time: 0, without: 2 });
    await scene.fetcher.describe(ids(2));
    expect(scene.calls.length).toBe(1);
    expect(items).toEqual({ remembered: 0, in_time: 0, without: 4 });
    scene.now_ms += 61_000;
    await scene.fetcher.describe(ids(2));
    await scene.settle();
    // Items of a failed call are requested alone.
    scene.calls[1].resolve([{ name: 'known' }]);
    scene.calls[2].resolve([{}]);
    await scene.settle();
    expect(items).toEqual({ remembered: 0, in_time: 0, without: 6 });
    await scene.fetcher.describe(ids(2));
    expect(items).toEqual({ remembered: 2, in_time: 0, without: 6 });
    expect(scene.fetcher.figures).toMatchObject({ calls: 3, failed_calls: 1, late_answers: 0 });
  });

  test('counts items as remembered that were known before a call failed', async () => {
    const scene = new Scene();
    await scene.describe(ids(2), [{ name: 'known' }, {}]);
    scene.now_ms += 301_000;
    await scene.fetcher.describe(ids(2));
    await scene.settle();
    scene.calls[1].reject(new Error('down'));
    await scene.settle();
    await scene.fetcher.describe(ids(2));
    expect(scene.fetcher.figures.items).toEqual({ remembered: 4, in_time: 2, without: 0 });
  });

  test('reports an open circuit, and does not count its answers as late', async () => {
    const scene = new Scene();
    for (let call = 0; call < 5; call++) {
      expect(scene.fetcher.is_circuit_open).toBe(false);
      await scene.describe(ids(1, call), new Error('down'));
    }
    expect(scene.fetcher.is_circuit_open).toBe(true);
    await scene.fetcher.describe(ids(1, 100));
    expect(scene.fetcher.figures).toMatchObject({ calls: 5, failed_calls: 5, late_answers: 0 });
    expect(scene.fetcher.figures.items.without).toBe(6);
    scene.now_ms += 10_000;
    const tried = scene.fetcher.describe(ids(1, 100));
    await scene.settle();
    scene.answer(5);
    await tried;
    expect(scene.fetcher.is_circuit_open).toBe(false);
  });
});
