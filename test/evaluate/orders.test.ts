import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Orders } from '../../src/evaluate/orders.ts';
import { check } from '../support/long.ts';

const ASKED = fc.record({ held: fc.uniqueArray(fc.nat(39)), length: fc.nat(12) });

test('a page is the start of the whole order without held items, whatever was requested before', () => {
  check(
    100,
    [fc.array(fc.nat(5), { maxLength: 40 }), fc.array(ASKED, { maxLength: 6 }), fc.boolean()],
    (scores, asked, is_everybodys) => {
      const items = [...scores.keys()];
      const whole = items.toSorted((one, other) => scores[other] - scores[one] || other - one);
      const orders = new Orders<string>(items);
      for (const { held, length } of asked) {
        const name = is_everybodys ? 'popular' : undefined;
        const page = orders.page(name, () => (item) => scores[item], new Set(held), length);
        expect(page).toEqual(whole.filter((item) => !held.includes(item)).slice(0, length));
      }
    },
  );
});

test('a shared order is computed once for equal lengths, and again after a change', () => {
  const items = [0, 1, 2, 3, 4, 5, 6, 7];
  const orders = new Orders<string>(items);
  let made = 0;
  const ask = (...held: number[]) => {
    const scoring = () => {
      made++;
      return (item: number) => item;
    };
    return orders.page('new', scoring, new Set(held), 2);
  };
  expect([ask(), ask(7), ask(6, 7)]).toEqual([
    [7, 6],
    [6, 5],
    [5, 4],
  ]);
  expect(made).toBe(1);
  expect(ask(3, 4, 5, 6, 7)).toEqual([2, 1]);
  expect(made).toBe(2);
  items.push(8);
  orders.clear();
  expect(ask()).toEqual([8, 7]);
});
