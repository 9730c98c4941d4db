import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { Dictionary } from '../../src/columns/dictionary.ts';
import { arenaElementsMax, grown } from '../../src/columns/growable.ts';
import { listElementsFor, Slabs } from '../../src/columns/slabs.ts';
import { SubjectTables } from '../../src/columns/subject-tables.ts';
import { TABLE_KEYS_MAX, tableKeysFor } from '../../src/columns/table-arena.ts';
import { NONE } from '../../src/model/key.ts';
import { STATE_LIMITS } from '../../src/state/limits.ts';

const ARENA = 131_072;

/** Each length is more than two of the previous one leave free. */
const GROWING_LENGTHS = [300, 700, 1_600, 3_600, 8_000, 17_000];

/** Removes every other subject from a map and returns the removed ones. */
function everyOther(lists: Map<number, number>): number[] {
  const taken = [...lists.keys()].filter((_, index) => index % 2 === 0);
  for (const subject of taken) lists.delete(subject);
  return taken;
}

describe('lists in an arena that is nearly full', () => {
  test('lists in a nearly full arena hold all allowed elements, for any lengths', () => {
    const limits = { arena_elements_max: ARENA };
    const slabs = new Slabs({ small: new Uint16Array(1), large: new Float64Array(1) }, limits);
    const elements_max = listElementsFor(ARENA);
    const random = seededRandom(3);
    const lists = new Map<number, number[]>();
    let full = 0;
    for (let step = 0; step < 60_000; step++) {
      const subject = Math.floor(random() ** 3 * 400);
      const list = lists.get(subject) ?? [];
      lists.set(subject, list);
      if (random() < 0.002) {
        slabs.clear(subject);
        lists.delete(subject);
        continue;
      }
      const more = Math.ceil(random() ** 6 * 400);
      if (slabs.size + more > elements_max) {
        full++;
        expect(() => slabs.rewrite(subject, list.length + elements_max)).toThrow(RangeError);
        slabs.clear(subject);
        lists.delete(subject);
        continue;
      }
      const start = slabs.rewrite(subject, list.length + more);
      for (let added = 0; added < more; added++) {
        slabs.columns.small[start + list.length] = list.length;
        slabs.columns.large[start + list.length] = step;
        list.push(step);
      }
    }
    expect(full).toBeGreaterThan(50);
    expect(slabs.columns.small.length).toBeLessThanOrEqual(ARENA);
    for (const [subject, list] of lists) {
      const [start, end] = [slabs.start(subject), slabs.end(subject)];
      expect([...slabs.columns.large.subarray(start, end)]).toEqual(list);
      expect(slabs.columns.small[end - 1]).toBe(list.length - 1);
    }
  });

  test('lists are laid out again when the free memory is fragmented', () => {
    const slabs = new Slabs({ value: new Uint32Array(1) }, { arena_elements_max: ARENA });
    const lists = new Map<number, number>();
    let subject = 0;
    for (const length of GROWING_LENGTHS) {
      for (; slabs.size + length <= listElementsFor(ARENA); subject++) {
        const start = slabs.rewrite(subject, length);
        slabs.columns.value.fill(subject, start, start + length);
        lists.set(subject, length);
      }
      for (const each of everyOther(lists)) slabs.clear(each);
    }
    expect(slabs.columns.value.length).toBeLessThanOrEqual(ARENA);
    for (const [each, length] of lists) {
      const held = slabs.columns.value.subarray(slabs.start(each), slabs.end(each));
      expect([held.length, held.every((value) => value === each)]).toEqual([length, true]);
    }
  });

  test('a single list may hold all elements', () => {
    const slabs = new Slabs({ value: new Uint32Array(1) }, { arena_elements_max: ARENA });
    for (let value = 0; value < listElementsFor(ARENA); value++) {
      const at = slabs.insert(7, 0);
      slabs.columns.value[at] = value;
    }
    expect(() => slabs.insert(7, 0)).toThrow(RangeError);
    expect(slabs.columns.value.length).toBeLessThanOrEqual(ARENA);
    expect(slabs.columns.value[slabs.end(7) - 1]).toBe(listElementsFor(ARENA) - 1);
  });
});

describe('tables in an arena that is nearly full', () => {
  test('tables in a nearly full arena hold all allowed keys, for any tables', () => {
    const tables = new SubjectTables({ value: new Uint16Array(1) }, 5, undefined, { slots_max: ARENA });
    const keys_max = tableKeysFor(ARENA);
    const random = seededRandom(4);
    const model = new Map<number, Map<number, number>>();
    let full = 0;
    for (let step = 0; step < 150_000; step++) {
      const subject = Math.floor(random() ** 3 * 3_000);
      const table = model.get(subject) ?? new Map<number, number>();
      model.set(subject, table);
      const key = Math.floor(random() * 2 ** 26);
      if (tables.keys === keys_max) {
        full++;
        expect(() => tables.put(subject, key)).toThrow(RangeError);
        expect(tables.find(subject, key)).toBe(NONE);
      }
      if (tables.keys === keys_max || random() < 0.0005) {
        tables.clear(subject);
        model.delete(subject);
        continue;
      }
      const at = tables.put(subject, key);
      tables.columns.value[at] = step & 0xffff;
      table.set(key, step & 0xffff);
    }
    expect(full).toBeGreaterThan(50);
    expect(tables.slots.length).toBeLessThanOrEqual(ARENA);
    let wrong = 0;
    for (const [subject, table] of model) {
      if (tables.count(subject) !== table.size) wrong++;
      for (const [key, value] of table) {
        const at = tables.find(subject, key);
        if (at === NONE || tables.columns.value[at] !== value) wrong++;
      }
    }
    expect(wrong).toBe(0);
  });

  test('tables are laid out again when the free memory is fragmented', () => {
    const tables = new SubjectTables({ value: new Uint16Array(1) }, 5, undefined, { slots_max: ARENA });
    const counts = new Map<number, number>();
    let subject = 0;
    for (const count of GROWING_LENGTHS) {
      for (; tables.keys + count <= tableKeysFor(ARENA); subject++) {
        for (let key = 0; key < count; key++) {
          const at = tables.put(subject, key * 7 + subject);
          tables.setFlags(at, key & 31);
          tables.columns.value[at] = key;
        }
        counts.set(subject, count);
      }
      for (const each of everyOther(counts)) tables.clear(each);
    }
    expect(tables.slots.length).toBeLessThanOrEqual(ARENA);
    let wrong = 0;
    for (const [each, count] of counts) {
      if (tables.count(each) !== count) wrong++;
      for (let key = 0; key < count; key++) {
        const at = tables.find(each, key * 7 + each);
        if (at === NONE || tables.flags(at) !== (key & 31) || tables.columns.value[at] !== key) wrong++;
      }
    }
    expect(wrong).toBe(0);
  });

  test('a table holds no more keys of one subject than allowed', () => {
    const tables = new SubjectTables({}, 0, undefined, { subject_keys_max: 3 });
    for (const key of [5, 6, 7, 6]) tables.put(1, key);
    expect(() => tables.put(1, 8)).toThrow(RangeError);
    tables.put(2, 8);
    expect([tables.count(1), tables.count(2), tables.keys]).toEqual([3, 1, 4]);
  });
});

describe('a dictionary', () => {
  test('a dictionary larger than a chunk finds each string again', () => {
    const dictionary = new Dictionary();
    const idOf = (index: number) => `${index}`.padEnd(988, 'é').slice(0, 494 + (index % 7));
    for (let index = 0; index < 20_000; index++) dictionary.intern(idOf(index));
    expect(dictionary.live_bytes).toBeGreaterThan(17 * 2 ** 20);
    for (let index = 0; index < 20_000; index += 3) dictionary.remove(index);
    let wrong = 0;
    for (let index = 0; index < 20_000; index++) {
      const id = index % 3 === 0 ? '' : idOf(index);
      if (dictionary.id(index) !== id) wrong++;
      if (id !== '' && dictionary.find(id) !== index) wrong++;
    }
    expect(wrong).toBe(0);
  });

  test('a dictionary rejects strings beyond its limits and stays unchanged', () => {
    const by_count = new Dictionary(undefined, { count_max: 2 });
    by_count.intern('a');
    by_count.intern('b');
    expect(() => by_count.intern('c')).toThrow(RangeError);
    expect([by_count.intern('a'), by_count.find('c'), by_count.size]).toEqual([0, NONE, 2]);
    by_count.remove(0);
    expect(() => by_count.intern('c')).toThrow(RangeError);
    by_count.release(0);
    expect(by_count.intern('c')).toBe(0);
    const by_bytes = new Dictionary(undefined, { bytes_max: 8 });
    by_bytes.intern('12345');
    expect(() => by_bytes.intern('1')).toThrow(RangeError);
    expect(by_bytes.size).toBe(1);
  });
});

describe('the limits of a state', () => {
  test('the limits of a state fit into arrays', () => {
    const words = arenaElementsMax([new Uint32Array(0)]);
    expect(words).toBe(2 ** 30);
    // Two numbers of 4 bytes for each subject of a list or table, and 64 bytes for each item.
    expect(2 * STATE_LIMITS.users).toBeLessThanOrEqual(words);
    expect(16 * STATE_LIMITS.items).toBeLessThanOrEqual(words);
    // Items in tables with 5 flag bits, and dead postings beside the live ones.
    expect(STATE_LIMITS.items).toBeLessThan(2 ** 27);
    expect(1.25 * STATE_LIMITS.item_values).toBeLessThanOrEqual(listElementsFor(words));
    expect(STATE_LIMITS.per_subject).toBe(TABLE_KEYS_MAX);
  });

  test('a column that cannot grow throws and stays unchanged', () => {
    const column = new Float64Array(4);
    expect(() => grown(column, 2 ** 29 + 1)).toThrow(RangeError);
    expect(column).toHaveLength(4);
  });
});
