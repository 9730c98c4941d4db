import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Diversity } from '../../src/feeds/compiled-feed.ts';
import { diversify } from '../../src/page/diversity.ts';
import type { PageItem } from '../../src/page/page-item.ts';
import { NONE } from '../../src/plugin/index.ts';
import { check } from '../support/long.ts';

interface Post {
  author: number;
  channel: number;
}

/** The definition of a page: at each slot, the best permitted item of all remaining ones. */
function reference(
  posts: readonly Post[],
  length: number,
  {
    max_posts_per_author = Infinity,
    max_posts_per_channel = Infinity,
    min_distance_between_posts_from_same_author = 0,
  }: Diversity,
  before: readonly Post[],
): number[] {
  const chosen: number[] = [];
  const slots = [...before];
  const left = posts.map((_, item) => item);
  const mayFollow = ({ author, channel }: Post): boolean => {
    const of_channel = slots.filter((other) => other.channel === channel).length;
    if (channel !== NONE && of_channel >= max_posts_per_channel) return false;
    if (author === NONE) return true;
    const last = slots.findLastIndex((other) => other.author === author);
    const of_author = slots.filter((other) => other.author === author).length;
    const is_distant = last < 0 || slots.length - last > min_distance_between_posts_from_same_author;
    return of_author < max_posts_per_author && is_distant;
  };
  while (slots.length < before.length + length) {
    const at = left.findIndex((item) => mayFollow(posts[item]));
    if (at < 0) break;
    const [item] = left.splice(at, 1);
    chosen.push(item);
    slots.push(posts[item]);
  }
  return chosen;
}

const pageItem = (item: number) => ({ item }) as PageItem;

test('diversify places the best item that all limits permit at each slot', () => {
  const group = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 5 }) },
    { weight: 1, arbitrary: fc.constant(NONE) },
  );
  const post = fc.record({ author: group, channel: group });
  check(
    1000,
    [
      fc.array(post, { maxLength: 60 }),
      fc.array(post, { maxLength: 12 }),
      fc.nat({ max: 30 }),
      fc.record(
        {
          max_posts_per_author: fc.integer({ min: 1, max: 5 }),
          max_posts_per_channel: fc.integer({ min: 1, max: 5 }),
          min_distance_between_posts_from_same_author: fc.nat({ max: 8 }),
        },
        { requiredKeys: [] },
      ),
    ],
    (posts, before, length, diversity) => {
      const all = [...posts, ...before];
      const ranked = posts.map((_, item) => pageItem(item));
      const list = before.map((_, at) => pageItem(posts.length + at));
      const grouping = {
        author: (item: number) => all[item].author,
        channel: (item: number) => all[item].channel,
      };
      const page = diversify(ranked, length, diversity, grouping, list);
      expect(page.map(({ item }) => item)).toEqual(reference(posts, length, diversity, before));
    },
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
  const grouping = { author: authorOf, channel: () => NONE };
  expect(diversify(ranked, 50_000, limits, grouping)).toHaveLength(50_000);
  expect(asked).toBeLessThan(4 * ranked.length);
});
