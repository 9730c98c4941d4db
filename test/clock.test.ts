import { describe, expect, test } from 'bun:test';
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
    const seeds: number[] = [];
    const draw = crypto.getRandomValues;
    const value = (into: Uint32Array) => {
      draw.call(crypto, into);
      seeds.push(into[0]);
      return into;
    };
    // An own property that can go again: a spy would stay one that nobody can set aside, and others must.
    Object.defineProperty(crypto, 'getRandomValues', { value, configurable: true });
    try {
      const [random, idle] = [freshRandom(), freshRandom()];
      expect(seeds).toHaveLength(0);
      const numbers = Array.from({ length: 50 }, random);
      expect(seeds).toHaveLength(1);
      expect(numbers).toEqual(Array.from({ length: 50 }, seededRandom(seeds[0])));
      idle();
      expect(seeds).toHaveLength(2);
    } finally {
      Reflect.deleteProperty(crypto, 'getRandomValues');
    }
    expect(Object.hasOwn(crypto, 'getRandomValues')).toBe(false);
  });
});
