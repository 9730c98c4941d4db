import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { solve } from '../../src/learner/solve.ts';
import { check } from '../support/long.ts';

const aNumber = fc.double({ min: -3, max: 3, noNaN: true });

describe('solve', () => {
  test('solves a system of equations by hand', () => {
    // (A + I) x = b with A = [[1, 1], [1, 2]], b = (3, 4), so x = (1, 1).
    for (const value of solve(Float64Array.of(1, 1, 1, 2), 1, Float64Array.of(3, 4)))
      expect(value).toBeCloseTo(1, 12);
  });

  test('gives back what the matrix was multiplied by', () => {
    const rows = fc.array(fc.array(aNumber, { minLength: 4, maxLength: 4 }), { maxLength: 6 });
    check(100, [rows, fc.array(aNumber, { minLength: 4, maxLength: 4 })], (points, wanted) => {
      const matrix = new Float64Array(16);
      for (let cell = 0; cell < 16; cell++)
        for (const point of points) matrix[cell] += point[cell >> 2] * point[cell & 3];
      const right = wanted.map((own, row) =>
        wanted.reduce((sum, each, column) => sum + matrix[4 * row + column] * each, 0.5 * own),
      );
      const found = solve(matrix, 0.5, Float64Array.from(right));
      for (const [at, value] of found.entries()) expect(value).toBeCloseTo(wanted[at], 6);
    });
  });

  test('stays finite when rounding leaves less than what was added', () => {
    const matrix = new Float64Array(9).fill(1e18);
    expect([...solve(matrix, 1, Float64Array.of(1, 2, 3))].every(Number.isFinite)).toBe(true);
  });
});
