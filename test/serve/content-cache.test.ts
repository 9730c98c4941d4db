import { expect, test } from 'bun:test';
import { ContentCache } from '../../src/serve/content-cache.ts';

interface Text {
  text: string;
}

function cacheOf(capacity: number, bytes_max: number) {
  const read: number[] = [];
  const cache = new ContentCache<Text>(
    capacity,
    async (seqs) => {
      read.push(...seqs);
      return new Map(seqs.map((seq) => [seq, { text: 'x'.repeat(989) }]));
    },
    bytes_max,
  );
  /** The contents that were read. */
  const ask = async (...seqs: number[]) => {
    read.length = 0;
    const found = await cache.get(seqs);
    expect([...found.keys()].toSorted()).toEqual(seqs.toSorted());
    return [...read];
  };
  return { cache, ask };
}

test('a content is read once while the cache has room', async () => {
  const { ask } = cacheOf(10, 100_000);
  expect(await ask(1, 2)).toEqual([1, 2]);
  expect(await ask(1, 2, 3)).toEqual([3]);
});

test('the cache is bounded in number and bytes, and evicts the least recently used contents', async () => {
  for (const [capacity, bytes_max] of [
    [2, 100_000],
    [10, 2_500],
  ]) {
    const { ask } = cacheOf(capacity, bytes_max);
    await ask(1, 2);
    await ask(1);
    await ask(3);
    expect(await ask(1, 3)).toEqual([]);
    expect(await ask(2)).toEqual([2]);
  }
});

test('a content that is larger than the cache is read each time', async () => {
  const { ask } = cacheOf(10, 500);
  expect(await ask(1)).toEqual([1]);
  expect(await ask(1)).toEqual([1]);
});

test('the bytes of a content are those of its JSON in UTF-8', () => {
  const { cache } = cacheOf(1, 1);
  expect(cache.bytesOf({ text: 'aü' })).toBe('{"text":"a??"}'.length);
});
