import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { imageOf } from '../../src/columns/image.ts';
import { TOUCHED, Touched } from '../../src/state/touched.ts';
import { check } from '../support/long.ts';

const BITS = TOUCHED.logged | TOUCHED.viewed;

test('forgetting some items of a user keeps all others, of all users', () => {
  const items = fc.uniqueArray(fc.nat(200), { maxLength: 120 });
  check(100, [items, items, fc.integer({ min: 1, max: 7 })], (one, other, divisor) => {
    const touched = new Touched();
    for (const item of one) touched.set(1, item, TOUCHED.logged);
    for (const item of other) touched.set(2, item, BITS);
    touched.forget(1, (item) => item % divisor === 0);
    for (let item = 0; item <= 200; item++) {
      const stays = one.includes(item) && item % divisor !== 0;
      expect(touched.flags(1, item)).toBe(stays ? TOUCHED.logged : 0);
      expect(touched.flags(2, item)).toBe(other.includes(item) ? BITS : 0);
    }
    expect(touched.count(1)).toBe(one.filter((item) => item % divisor !== 0).length);
  });
});

test('the view of one user gives the same flags, and counts items with some bits, for a large set at least as many', () => {
  const flag = fc.constantFrom(...Object.values(TOUCHED));
  const items = fc.array(fc.tuple(fc.nat(200), flag), { maxLength: 120 });
  check(40, [items, fc.boolean()], (pairs, large) => {
    const touched = new Touched();
    for (const [item, bits] of pairs) touched.set(1, item, bits);
    if (large) for (let item = 1000; item < 6000; item++) touched.set(1, item, TOUCHED.logged);
    const of_user = touched.of(1);
    const all = [...touched.entries(1)];
    for (let item = 0; item <= 200; item++) expect(of_user.flags(item)).toBe(touched.flags(1, item));
    const any = all.reduce((bits, { flags }) => bits | flags, 0);
    expect(of_user.any & any).toBe(any);
    for (const bits of [...Object.values(TOUCHED), BITS]) {
      const count = all.filter(({ flags }) => (flags & bits) !== 0).length;
      if (large) expect(of_user.countWith(bits)).toBeGreaterThanOrEqual(count);
      else expect(of_user.countWith(bits)).toBe(count);
    }
    if (!large) expect(of_user.any).toBe(any);
  });
  expect(new Touched().of(3).flags(5)).toBe(0);
});

test('forgetting items also drops entries without remaining bits', () => {
  const touched = new Touched();
  for (let item = 0; item < 9; item++) touched.set(0, item, TOUCHED.viewed);
  touched.unset(0, 3, TOUCHED.viewed);
  touched.forget(0, () => false);
  expect(touched.count(0)).toBe(9);
  touched.forget(0, (item) => item === 5);
  expect([...touched.entries(0)].map(({ item }) => item).sort()).toEqual([0, 1, 2, 4, 6, 7, 8]);
});

test('the touched sets do not grow while items come and go', () => {
  const touched = new Touched();
  const sizeAfter = (round: number): number => {
    for (let user = 0; user < 20; user++) {
      for (let item = 0; item < 100; item++) touched.set(user, (round % 2) * 100 + item, TOUCHED.logged);
      touched.forget(user, (item) => Math.floor(item / 100) !== round % 2);
    }
    return imageOf(touched).columns.reduce((sum, { length }) => sum + length, 0);
  };
  const [, size] = [sizeAfter(0), sizeAfter(1)];
  for (let round = 2; round < 40; round++) expect(sizeAfter(round)).toBe(size);
});
