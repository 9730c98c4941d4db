import { expect, test } from 'bun:test';
import { Repeats } from '../../src/state/repeats.ts';

const [LIKE, COMMENT, VIEW] = [0, 3, 15];
const bits = (...codes: number[]) => codes.reduce((sum, code) => sum | (1 << code), 0);

/** For each act, by ordinal and type, whether it is a repeat. */
function repeated(repeats: Repeats, ...acts: [ordinal: number, kind: number][]): boolean[] {
  return acts.map(([ordinal, kind]) => repeats.again(ordinal, kind));
}

test('repeats are further acts of the same set of types by the same user since the start', () => {
  const repeats = new Repeats([bits(LIKE, COMMENT), bits(VIEW)]);
  for (let time = 0; time < 3; time++) {
    repeats.begin(1000);
    const acts: [number, number][] = [
      [999, LIKE],
      [999, VIEW],
      [999, COMMENT],
      [0, COMMENT],
      [999, VIEW],
    ];
    expect(repeated(repeats, ...acts)).toEqual([false, false, true, false, true]);
  }
});

test('types outside all sets never repeat', () => {
  const repeats = new Repeats([bits(COMMENT)]);
  repeats.begin(1);
  expect(repeated(repeats, [0, LIKE], [0, LIKE], [0, COMMENT], [0, LIKE])).toEqual(Array(4).fill(false));
  expect(repeats.kinds).toBe(bits(COMMENT));
  const none = new Repeats([]);
  none.begin(1);
  expect(repeated(none, [0, LIKE], [0, LIKE])).toEqual([false, false]);
});

test('repeats are correct after any number of passes', () => {
  const repeats = new Repeats([bits(LIKE), bits(VIEW)], 2 ** 31 - 12);
  for (let time = 0; time < 5; time++) {
    repeats.begin(2);
    expect(repeated(repeats, [1, VIEW], [1, LIKE], [1, VIEW], [0, LIKE])).toEqual([
      false,
      false,
      true,
      false,
    ]);
  }
});
