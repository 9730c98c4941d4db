import { describe, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { imageOf } from '../../src/columns/image.ts';
import { Postings } from '../../src/columns/postings.ts';
import { check } from '../support/long.ts';

function list(postings: Postings, value: number): number[] {
  const items: number[] = [];
  for (let at = postings.start(value); at < postings.end(value); at++) items.push(postings.item(at));
  return items;
}

describe('postings', () => {
  test('postings are ordered by creation and then by arrival, through additions and removals', () => {
    const step = fc.record({ value: fc.nat(2), item: fc.nat(30), remove: fc.boolean() });
    check(100, [fc.array(step, { maxLength: 150, size: 'max' })], (steps) => {
      const created_at = (item: number) => (item * 7) % 5;
      const postings = new Postings(created_at);
      const model = [0, 1, 2].map((): number[] => []);
      for (const { value, item, remove } of steps) {
        const listed = model[value].includes(item);
        if (remove || listed) {
          postings.remove(value, item);
          model[value] = model[value].filter((other) => other !== item);
        } else {
          postings.add(value, item);
          model[value].push(item);
        }
      }
      for (const [value, items] of model.entries()) {
        const ordered = items.toSorted((one, other) => created_at(one) - created_at(other));
        expect(list(postings, value)).toEqual(ordered);
      }
    });
  });

  test('postings keep every one of 10,000 items while the lists outgrow their regions', () => {
    const postings = new Postings((item) => item);
    for (let item = 0; item < 10_000; item++) postings.add(item % 3, item);
    for (const value of [0, 1, 2]) {
      const expected = Array.from({ length: 10_000 }, (_, item) => item).filter((item) => item % 3 === value);
      expect(list(postings, value)).toEqual(expected);
    }
  });

  test('postings do not grow while the oldest items leave and new ones arrive', () => {
    const postings = new Postings((item) => item);
    const model: number[] = [];
    for (let item = 0; item < 20_000; item++) {
      postings.add(0, item);
      model.push(item);
      if (model.length <= 300) continue;
      // Usually the oldest, sometimes the newest or one in between.
      const [gone] = model.splice(item % 7 === 0 ? model.length - 1 : item % 5 === 0 ? 100 : 0, 1);
      postings.remove(0, gone);
    }
    expect(list(postings, 0)).toEqual(model);
    expect(postings.length(0)).toBe(300);
    const { columns } = imageOf(postings);
    expect(Math.max(...columns.map(({ length }) => length))).toBeLessThan(4096);
    for (const item of model) postings.remove(0, item);
    expect([postings.length(0), postings.start(0) - postings.end(0)]).toEqual([0, 0]);
  });

  test('postings remove items with equal times without scanning all of them, from either end', () => {
    for (const order of ['first', 'last']) {
      const postings = new Postings(() => 7);
      const items = Array.from({ length: 2000 }, (_, item) => item);
      for (const item of items) postings.add(0, item);
      const looks = spyOn(postings, 'item');
      for (const item of order === 'first' ? items : items.toReversed()) postings.remove(0, item);
      expect(postings.length(0)).toBe(0);
      expect(looks.mock.calls.length).toBeLessThan(2000 * 2 * Math.log2(2000) * 2);
    }
  });

  test('postings end after the last item that is not newer than a time', () => {
    const time = fc.integer({ min: -1, max: 6 });
    check(100, [fc.array(fc.nat(5), { maxLength: 20 }), time], (times, until) => {
      const postings = new Postings((item) => times[item]);
      for (const item of times.keys()) postings.add(0, item);
      const listed = postings.until(0, until) - postings.start(0);
      expect(listed).toBe(times.filter((each) => each <= until).length);
    });
  });
});
