import { describe, expect, spyOn, test } from 'bun:test';
import { freshRandom, seededRandom } from '../src/clock.ts';

describe('fresh randomness', () => {
  test('is another sequence each time', () => {
    const [one, other] = [freshRandom(), freshRandom()].map((random) => Array.from({ length: 4 }, random));
    expect(one).not.toEqual(other);
  });

  test('goes on, from 0 up to but not 1', () => {
    const random = freshRandom();
    const numbers = Array.from({ length: 10_000 }, random);
    expect(numbers.filter((number) => !(number >= 0 && number < 1))).toEqual([]);
    // A few of them may be equal by chance.
    expect(new Set(numbers).size).toBeGreaterThan(9_980);
    const mean = numbers.reduce((sum, number) => sum + number) / numbers.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.03);
  });

  test('asks the machine once, when the first number is drawn', () => {
    const asked = spyOn(crypto, 'getRandomValues');
    try {
      const [random, idle] = [freshRandom(), freshRandom()];
      expect(asked).toHaveBeenCalledTimes(0);
      const numbers = Array.from({ length: 50 }, random);
      expect(asked).toHaveBeenCalledTimes(1);
      const [seed] = asked.mock.results[0].value as Uint32Array;
      expect(numbers).toEqual(Array.from({ length: 50 }, seededRandom(seed)));
      idle();
      expect(asked).toHaveBeenCalledTimes(2);
    } finally {
      asked.mockRestore();
    }
  });
});
