import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { type PageItem, pageItem } from '../../src/page/page-item.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { SEMANTIC_CHOICE, spreadMeanings } from '../../src/page/semantic-diversity.ts';
import { check } from '../support/long.ts';
import { builtIn, engineOn, requestOn, Scene } from '../support/scene.ts';

/** Items with a topic: similar items have the same one. */
interface Post {
  score: number;
  topic: number;
}

const itemsOf = (posts: readonly Post[], from = 0): PageItem[] =>
  posts
    .map(({ score }, at) => pageItem(from + at, score, score))
    .toSorted((one, other) => other.adjusted_score - one.adjusted_score);

/** The definition, computed by full scans. */
function reference(
  ranked: readonly PageItem[],
  lambda: number,
  horizon: number,
  similarity: (one: number, other: number) => number,
  list: readonly PageItem[],
): number[] {
  const greatest = Math.max(0, ...[...list, ...ranked].map(({ adjusted_score }) => adjusted_score));
  const left = [...ranked];
  const placed = list.map(({ item }) => item);
  while (left.length > 0) {
    const marginal = left.slice(0, SEMANTIC_CHOICE).map(({ item, adjusted_score }) => {
      const near = placed.slice(-horizon).map((before) => similarity(item, before));
      const share = greatest > 0 ? adjusted_score / greatest : 0;
      return lambda * share - (1 - lambda) * Math.max(0, ...near);
    });
    const [{ item }] = left.splice(marginal.indexOf(Math.max(...marginal)), 1);
    placed.push(item);
  }
  return placed.slice(list.length);
}

const posts = (maxLength: number) =>
  fc.array(fc.record({ score: fc.constantFrom(0, 0.1, 0.5, 0.9, 1), topic: fc.nat(3) }), { maxLength });

describe('semantic diversity', () => {
  test('gives each slot the item with the greatest marginal relevance', () => {
    check(
      100,
      [posts(50), posts(6), fc.constantFrom(0, 0.3, 0.7, 0.99), fc.integer({ min: 1, max: 8 })],
      (ranked, before, lambda, horizon) => {
        const all = [...before, ...ranked];
        const similarity = (one: number, other: number) => (all[one].topic === all[other].topic ? 0.9 : 0.1);
        const list = itemsOf(before);
        const items = itemsOf(ranked, before.length);
        const spread = spreadMeanings(items, { lambda, horizon }, similarity, list);
        expect(spread.map(({ item }) => item)).toEqual(reference(items, lambda, horizon, similarity, list));
      },
    );
  });
});

/** Items of two topics; those of the first have more likes. */
function scene(embedded = true): Scene {
  const scene = new Scene();
  for (let item = 0; item < 12; item++) {
    const topic = item < 6 ? 0 : 1;
    const vector = Int8Array.from({ length: 16 }, (_, at) => (at === topic ? 100 : (item * at) % 5));
    const embedding = embedded ? Buffer.from(vector.buffer).toString('base64') : undefined;
    scene
      .item(`${topic}-${item}`, { author: `author ${item}`, embedding })
      .count(`${topic}-${item}`, 100 - item);
  }
  return scene;
}

function page({ state }: Scene, feed_diversity_config: FeedSettings['feed_diversity_config'], length = 6) {
  const feed = compileFeed(builtIn(), 'popular', { feed_diversity_config });
  const built = buildList(feed, requestOn(engineOn(state), { page_length: length }));
  return built.map(({ item }) => state.items.names.id(item));
}

describe('a page with semantic diversity', () => {
  test('mixes topics, and begins with the best item', () => {
    const usual = page(scene(), undefined);
    expect(usual.every((id) => id.startsWith('0-'))).toBe(true);
    const mixed = page(scene(), { semantic: { lambda: 0.5, horizon: 3 } });
    expect(mixed[0]).toBe(usual[0]);
    expect(mixed.filter((id) => id.startsWith('1-')).length).toBeGreaterThanOrEqual(2);
    expect(page(scene(), { semantic: {} })).not.toEqual(usual);
  });

  test('has all items if it is long enough, and keeps the limits of authors', () => {
    expect(page(scene(), { semantic: { lambda: 0.5 } }, 20).toSorted()).toEqual(
      page(scene(), {}, 20).toSorted(),
    );
    const same = scene();
    for (let item = 0; item < 12; item++) same.item(`${item < 6 ? 0 : 1}-${item}`, { author: 'one' });
    expect(page(same, { max_posts_per_author: 2, semantic: {} }, 6)).toHaveLength(2);
  });

  test('compares a bounded number of items if limits refuse most of them', () => {
    const comparisons = (items: number): number => {
      const same = new Scene();
      for (let item = 0; item < items; item++) {
        const vector = Int8Array.from({ length: 16 }, (_, at) => ((item * (at + 1)) % 90) + 1);
        same.item(`${item}`, { author: 'one', embedding: Buffer.from(vector.buffer).toString('base64') });
      }
      const { embeddings } = same.state;
      const similarity = embeddings.similarity.bind(embeddings);
      let count = 0;
      embeddings.similarity = (one, other) => {
        count++;
        return similarity(one, other);
      };
      const limits = { min_distance_between_posts_from_same_author: 3, semantic: { horizon: 100 } };
      expect(page(same, limits)).toHaveLength(1);
      return count;
    };
    expect(comparisons(4_000)).toBeLessThan(2 * comparisons(1_000));
  });

  test('is the usual one with lambda 1, and without embeddings', () => {
    expect(page(scene(), { semantic: { lambda: 1 } })).toEqual(page(scene(), undefined));
    const without = scene(false);
    expect(page(without, { semantic: { lambda: 0 } })).toEqual(page(without, undefined));
  });
});
