import { describe, expect, test } from 'bun:test';
import { InvalidOptions, type OptionFault, readEach } from '../../src/plugin/index.ts';

const even = (value: number): number => {
  if (value % 2 === 0) return value / 2;
  throw new InvalidOptions(`${value} is odd`);
};

function faultsOf(work: () => unknown): readonly OptionFault[] {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidOptions) return error.faults;
    throw error;
  }
  throw new Error('nothing is wrong');
}

describe('readEach', () => {
  test('reads each value', () => expect(readEach([2, 4], even)).toEqual([1, 2]));

  test('throws all faults, each with its path', () => {
    expect(faultsOf(() => readEach([1, 2, 3], even))).toEqual([
      { path: '/0', message: '1 is odd' },
      { path: '/2', message: '3 is odd' },
    ]);
    expect(faultsOf(() => readEach([[2], [4, 1]], (values) => readEach(values, even), '/near'))).toEqual([
      { path: '/near/1/1', message: '1 is odd' },
    ]);
  });

  test('stops after 100 faults', () => {
    let read = 0;
    const all = Array.from({ length: 5_000 }, (_, index) => 2 * index + 1);
    const faults = faultsOf(() =>
      readEach(all, (value) => {
        read++;
        return even(value);
      }),
    );
    expect([faults.length, read]).toEqual([100, 100]);
  });

  test('passes on other errors', () => {
    const fail = () => {
      throw new TypeError('broken');
    };
    expect(() => readEach([1], fail)).toThrow(TypeError);
  });
});

test('InvalidOptions without a fault is an error of the plugin', () => {
  expect(() => new InvalidOptions([])).toThrow('needs to say what is wrong');
  expect(new InvalidOptions('must be even')).toMatchObject({
    message: 'must be even',
    faults: [{ path: '', message: 'must be even' }],
  });
});
