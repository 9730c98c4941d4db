import { describe, expect, test } from 'bun:test';
import { bestOf, type Effort, type RequestContext } from '../../src/plugin/index.ts';
import { refusedOptions } from '../support/extensions.ts';
import { builtIn } from '../support/scene.ts';

/** The number of items that a source requests for a page of 10. */
function asked(per_item: number, effort: Effort): number {
  let count = 0;
  const request = {
    effort,
    page_length: 10,
    best: (_: string, wanted: number) => {
      count = wanted;
      return [];
    },
  } as Partial<RequestContext> as RequestContext;
  bestOf('popular', 1).compile({ per_item })(request);
  return count;
}

describe('bestOf', () => {
  test.each([
    [4, [40, 20, 10]],
    [1.5, [15, 10, 10]],
    [1, [10, 10, 10]],
    [0.5, [5, 5, 5]],
    [0.25, [3, 3, 3]],
  ])('%d for each item of the page are fewer under load, but a page of them', (per_item, counts) => {
    expect(([1, 0.5, 0.25] as const).map((effort) => asked(per_item, effort))).toEqual(counts);
  });

  test.each(builtIn().ids('candidate_sources'))('accepts only its own option in %s', (id) =>
    refusedOptions('candidate_sources', id, [{ x: 1 }, { per_item: 1, x: 1 }, 1, [], null]),
  );
});
