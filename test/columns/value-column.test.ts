import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { imageOf } from '../../src/columns/image.ts';
import { ValueColumn } from '../../src/columns/value-column.ts';
import { check } from '../support/long.ts';

const RUNS = 40;
const write = fc.record({
  ordinal: fc.nat(70),
  value: fc.option(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })), { nil: undefined }),
});

describe('a column of values', () => {
  test('a value column holds JSON values as the store would return them', () => {
    check(RUNS, [fc.array(write, { maxLength: 200 })], (writes) => {
      const column = new ValueColumn();
      const reference = new Map<number, string | undefined>();
      for (const { ordinal, value } of writes) {
        column.set(ordinal, value);
        reference.set(ordinal, JSON.stringify(value));
      }
      for (let ordinal = 0; ordinal <= 70; ordinal++) {
        const json = reference.get(ordinal);
        expect(column.get(ordinal)).toEqual(json === undefined ? undefined : JSON.parse(json));
      }
    });
  });

  test('a value column keeps nothing of a replaced number', () => {
    const column = new ValueColumn();
    const bytes = Buffer.from(Float64Array.of(52_000).buffer);
    const kept = () => imageOf(column).bytes.some((one) => Buffer.from(one).includes(bytes));
    column.set(3, 52_000);
    expect(kept()).toBe(true);
    column.set(3, 'secret');
    column.clear(3);
    expect(kept()).toBe(false);
  });

  const VALUES = [null, true, false, 0, 1.5, -3, '', 'text', '\ud800 alone', [], [1], {}, { a: { b: null } }];
  test.each(VALUES.map((value) => [value]))('a value column returns %j until it is cleared', (value) => {
    const column = new ValueColumn();
    column.set(3, value);
    expect(column.get(3)).toEqual(value);
    expect(column.get(2)).toBeUndefined();
    column.clear(3);
    expect(column.get(3)).toBeUndefined();
  });

  test('a value column converts -0 to 0, as the store has no -0', () => {
    const column = new ValueColumn();
    column.set(0, -0);
    expect(Object.is(column.get(0), 0)).toBe(true);
  });

  test('a value column returns a new object each time, so that callers cannot change the state', () => {
    const column = new ValueColumn();
    column.set(0, { list: [1] });
    (column.get(0) as { list: number[] }).list.push(2);
    expect(column.get(0)).toEqual({ list: [1] });
  });

  test('a value column has no value for unknown ordinals', () => {
    const column = new ValueColumn();
    for (const ordinal of [-1, 0, 64, 1e6]) expect(column.get(ordinal)).toBeUndefined();
    column.clear(1e6);
  });
});
