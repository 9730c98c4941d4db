import { describe, expect, test } from 'bun:test';
import type { Metadata } from '../../src/plugin/index.ts';
import { ids, DeskScene as Scene } from './desk-scene.ts';

const nameOf = (known: (id: string) => Metadata | undefined, id: string) => known(id)?.name;

describe('the metadata desk', () => {
  test('answers what comes in time, and remembers it', async () => {
    const scene = new Scene();
    const described = scene.desk.describe(ids(2));
    await scene.settle();
    scene.answer(0);
    expect(nameOf(await described, 'item 1')).toBe('name of item 1');
    expect(nameOf(await scene.desk.describe(ids(2)), 'item 0')).toBe('name of item 0');
    expect(scene.calls.length).toBe(1);
  });

  test('goes without an answer that leaves items out: nobody knows which entry is whose', async () => {
    const scene = new Scene();
    const described = scene.desk.describe(ids(3));
    await scene.settle();
    scene.calls[0].resolve([{ name: 'A' }, { name: 'B' }]);
    const known = await described;
    expect(ids(3).map((id) => nameOf(known, id))).toEqual([undefined, undefined, undefined]);
    const cause = 'the answer has 2 entries for 3 items; it must have one for each, in their order';
    expect(scene.logged).toEqual([{ provider: 'acme/metadata', cause }]);
  });

  test('goes without what does not come within 50 ms, and has it the next time', async () => {
    const scene = new Scene();
    const described = scene.desk.describe(ids(1));
    await scene.settle();
    await scene.timers.pass(0.05);
    expect((await described)('item 0')).toBe(undefined);
    scene.answer(0);
    await scene.settle();
    expect(nameOf(await scene.desk.describe(ids(1)), 'item 0')).toBe('name of item 0');
  });

  test('asks about an item once, however many want it', async () => {
    const scene = new Scene();
    const all = [scene.desk.describe(ids(3)), scene.desk.describe(ids(3)), scene.desk.describe(ids(1))];
    await scene.settle();
    expect(scene.calls.map(({ item_ids }) => item_ids)).toEqual([ids(3)]);
    scene.answer(0);
    expect((await Promise.all(all)).map((known) => nameOf(known, 'item 0'))).toEqual(
      all.map(() => 'name of item 0'),
    );
  });

  test('makes at most four calls at a time, of eight items each', async () => {
    const scene = new Scene();
    void scene.desk.describe(ids(100));
    await scene.settle();
    expect(scene.calls.map(({ item_ids }) => item_ids.length)).toEqual([8, 8, 8, 8]);
    scene.answer(0);
    await scene.settle();
    expect(scene.calls.length).toBe(5);
  });

  test('uses what is old while it asks anew', async () => {
    const scene = new Scene();
    const described = scene.desk.describe(ids(1));
    await scene.settle();
    scene.answer(0);
    await described;
    scene.now_ms += 301_000;
    expect(nameOf(await scene.desk.describe(ids(1)), 'item 0')).toBe('name of item 0');
    await scene.settle();
    expect(scene.calls.length).toBe(2);
    scene.calls[1].reject(new Error('gone'));
    await scene.settle();
    expect(nameOf(await scene.desk.describe(ids(1)), 'item 0')).toBe('name of item 0');
  });

  test('does not ask again for a minute about what is not known', async () => {
    const scene = new Scene();
    const described = scene.desk.describe(ids(1));
    await scene.settle();
    scene.calls[0].resolve([{}]);
    expect((await described)('item 0')).toEqual({});
    await scene.desk.describe(ids(1));
    expect(scene.calls.length).toBe(1);
    scene.now_ms += 61_000;
    await scene.desk.describe(ids(1));
    await scene.settle();
    expect(scene.calls.length).toBe(2);
  });

  test('leaves a provider alone that failed five times, tries once after ten seconds, and then goes on', async () => {
    const scene = new Scene();
    for (let call = 0; call < 5; call++) {
      const described = scene.desk.describe(ids(1, call));
      await scene.settle();
      scene.calls[call].reject(new Error('down'));
      await described;
    }
    await scene.desk.describe(ids(20, 100));
    await scene.settle();
    expect(scene.calls.length).toBe(5);
    scene.now_ms += 10_000;
    const tried = scene.desk.describe(ids(20, 100));
    await scene.settle();
    expect(scene.calls.length).toBe(6);
    scene.answer(5);
    await scene.settle();
    await scene.timers.pass(0.05);
    await tried;
    void scene.desk.describe(ids(20, 100));
    await scene.settle();
    expect(scene.calls.length).toBeGreaterThan(6);
    expect(scene.logged).toEqual([{ provider: 'acme/metadata', cause: 'down' }]);
  });

  test('takes a call that does not end for a failure', async () => {
    const scene = new Scene();
    void scene.desk.describe(ids(1));
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
    const described = scene.desk.describe(ids(1));
    await scene.settle();
    scene.calls[0].resolve(answer);
    expect((await described)('item 0')).toEqual({});
  });

  test('remembers a copy: what a plugin changes afterwards is not seen', async () => {
    const scene = new Scene();
    const described = scene.desk.describe(ids(1));
    await scene.settle();
    const answer = { name: 'before' };
    scene.calls[0].resolve([answer]);
    await described;
    answer.name = 'after';
    expect(nameOf(await scene.desk.describe(ids(1)), 'item 0')).toBe('before');
  });

  test('counts calls, failures, where items came from, and answers that did not wait', async () => {
    const scene = new Scene();
    const { figures } = scene.desk;
    const described = scene.desk.describe(ids(2));
    await scene.settle();
    scene.answer(0);
    await described;
    expect(figures).toMatchObject({ calls: 1, failed_calls: 0, late_answers: 0 });
    expect(figures.items).toEqual({ remembered: 0, in_time: 2, without: 0 });
    const late = scene.desk.describe(ids(3));
    await scene.settle();
    await scene.timers.pass(0.05);
    await late;
    expect(figures).toMatchObject({ calls: 2, late_answers: 1 });
    expect(figures.items).toEqual({ remembered: 2, in_time: 2, without: 1 });
    scene.calls[1].reject(new Error('down'));
    await scene.settle();
    expect(figures.failed_calls).toBe(1);
    expect(scene.desk.remembered_items).toBe(3);
  });

  test('counts items as without as long as nothing but failed calls was about them', async () => {
    const scene = new Scene();
    const { items } = scene.desk.figures;
    const failing = scene.desk.describe(ids(2));
    await scene.settle();
    scene.calls[0].reject(new Error('down'));
    await failing;
    expect(items).toEqual({ remembered: 0, in_time: 0, without: 2 });
    await scene.desk.describe(ids(2));
    expect(scene.calls.length).toBe(1);
    expect(items).toEqual({ remembered: 0, in_time: 0, without: 4 });
    scene.now_ms += 61_000;
    await scene.desk.describe(ids(2));
    await scene.settle();
    scene.calls[1].resolve([{ name: 'known' }, {}]);
    await scene.settle();
    expect(items).toEqual({ remembered: 0, in_time: 0, without: 6 });
    await scene.desk.describe(ids(2));
    expect(items).toEqual({ remembered: 2, in_time: 0, without: 6 });
    expect(scene.desk.figures).toMatchObject({ calls: 2, failed_calls: 1, late_answers: 0 });
  });

  test('counts as remembered what was known before a call failed', async () => {
    const scene = new Scene();
    const described = scene.desk.describe(ids(2));
    await scene.settle();
    scene.calls[0].resolve([{ name: 'known' }, {}]);
    await described;
    scene.now_ms += 301_000;
    await scene.desk.describe(ids(2));
    await scene.settle();
    scene.calls[1].reject(new Error('down'));
    await scene.settle();
    await scene.desk.describe(ids(2));
    expect(scene.desk.figures.items).toEqual({ remembered: 4, in_time: 2, without: 0 });
  });

  test('says whether it leaves the provider alone, and that such answers are not late', async () => {
    const scene = new Scene();
    for (let call = 0; call < 5; call++) {
      expect(scene.desk.is_left_alone).toBe(false);
      const described = scene.desk.describe(ids(1, call));
      await scene.settle();
      scene.calls[call].reject(new Error('down'));
      await described;
    }
    expect(scene.desk.is_left_alone).toBe(true);
    await scene.desk.describe(ids(1, 100));
    expect(scene.desk.figures).toMatchObject({ calls: 5, failed_calls: 5, late_answers: 0 });
    expect(scene.desk.figures.items.without).toBe(6);
    scene.now_ms += 10_000;
    const tried = scene.desk.describe(ids(1, 100));
    await scene.settle();
    scene.answer(5);
    await tried;
    expect(scene.desk.is_left_alone).toBe(false);
  });
});
