import { expect, test } from 'bun:test';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { ObjectPool } from '../../src/signals/object-pool.ts';

test('a pool never lends an object twice within a request, and lends it empty to the next', () => {
  const pool = new ObjectPool(() => new Accumulator());
  const first = [pool.take(), pool.take(), pool.take()];
  expect(new Set(first).size).toBe(3);
  for (const accumulator of first) accumulator.add(1, 1);
  pool.takeBack();
  const second = [pool.take(), pool.take(), pool.take()];
  expect(new Set([...first, ...second]).size).toBe(3);
  for (const accumulator of second) expect(accumulator.size).toBe(0);
});
