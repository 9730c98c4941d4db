import { describe, expect, test } from 'bun:test';
import type { Effort } from '../../src/plugin/index.ts';
import { usuallyWanted } from '../../src/plugin/wanted.ts';

/** The number of items that a source should propose for a page of 10. */
const wanted = (per_item: number, effort: Effort): number =>
  usuallyWanted(per_item, { effort, page_length: 10 });

describe('sources that propose the best items of a signal', () => {
  test.each([
    [4, [40, 20, 10]],
    [1.5, [15, 10, 10]],
    [1, [10, 10, 10]],
    [0.5, [5, 5, 5]],
    [0.25, [3, 3, 3]],
  ])('%d for each item of the page are fewer under load, but a page of them', (per_item, counts) => {
    expect(([1, 0.5, 0.25] as const).map((effort) => wanted(per_item, effort))).toEqual(counts);
  });
});
