import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Diversity } from '../../src/feeds/compiled-feed.ts';
import { diversify } from '../../src/page/diversity.ts';
import type { PageItem } from '../../src/page/page-item.ts';
import { NONE } from '../../src/plugin/index.ts';

/** The definition of a page: at each slot, the best permitted item of all remaining ones. */
function reference(
  authors: readonly number[],
  length: number,
  { max_posts_per_author = Infinity, min_distance_between_posts_from_same_author = 0 }: Diversity,
  before: readonly number[],
): number[] {
  const chosen: number[] = [];
  const slots = [...before];
  const left = authors.map((_, item) => item);
  while (slots.length < before.length + length) {
    const at = left.findIndex((item) => {
      const author = authors[item];
      if (author === NONE) return true;
      const since = slots.length - slots.lastIndexOf(author);
      const known = slots.includes(author);
      const posts = slots.filter((other) => other === author).length;
      return posts < max_posts_per_author && (!known || since > min_distance_between_posts_from_same_author);
    });
    if (at < 0) break;
    const [item] = left.splice(at, 1);
    chosen.push(item);
    slots.push(authors[item]);
  }
  return chosen;
}

const pageItem = (item: number) => ({ item }) as PageItem;

test('diversify places the best item that both limits permit at each slot', () => {
  const author = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 5 }) },
    { weight: 1, arbitrary: fc.constant(NONE) },
  );
  fc.assert(
    fc.property(
      fc.array(author, { maxLength: 60 }),
      fc.array(author, { maxLength: 12 }),
      fc.nat({ max: 30 }),
      fc.record(
        {
          max_posts_per_author: fc.integer({ min: 1, max: 5 }),
          min_distance_between_posts_from_same_author: fc.nat({ max: 8 }),
        },
        { requiredKeys: [] },
      ),
      (authors, before, length, diversity) => {
        const all = [...authors, ...before];
        const ranked = authors.map((_, item) => pageItem(item));
        const list = before.map((_, at) => pageItem(authors.length + at));
        const page = diversify(ranked, length, diversity, (item) => all[item], list);
        expect(page.map(({ item }) => item)).toEqual(reference(authors, length, diversity, before));
      },
    ),
    { numRuns: 1000 },
  );
});

test('diversify builds a page with mostly one author in one pass', () => {
  const ranked = Array.from({ length: 200_000 }, (_, item) => pageItem(item));
  let asked = 0;
  const authorOf = (item: number) => {
    asked++;
    return item % 3 === 0 ? item : 1;
  };
  const limits = { min_distance_between_posts_from_same_author: 2500 };
  expect(diversify(ranked, 50_000, limits, authorOf)).toHaveLength(50_000);
  expect(asked).toBeLessThan(4 * ranked.length);
});
