import { afterEach, expect, spyOn, test } from 'bun:test';
import { COLLECT_EVERY, garbageCollector } from '../../src/state/garbage.ts';

const gc = spyOn(Bun, 'gc');
afterEach(() => {
  gc.mockClear();
});

test('garbage is collected once per million changes, and never for few changes', () => {
  gc.mockImplementation(() => 0);
  const state = { seq: 700 };
  const collect = garbageCollector(state);
  for (let chunk = 0; chunk < 3 * COLLECT_EVERY; chunk += COLLECT_EVERY / 50) {
    collect();
    state.seq += COLLECT_EVERY / 50;
  }
  expect(gc).toHaveBeenCalledTimes(2);
  collect();
  expect(gc).toHaveBeenCalledTimes(3);
  gc.mockRestore();
});
