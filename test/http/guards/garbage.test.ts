import { describe, expect, test } from 'bun:test';
import { Garbage } from '../../../src/http/guards/garbage.ts';

/** A collector with counters, the number of waiting requests, and its delayed work. */
function watched() {
  const seen = { waiting: 0, collections: 0, of_all: 0, left: 0, later: [] as (() => void)[] };
  const garbage = new Garbage({
    waiting: () => seen.waiting,
    collectYoung: () => {
      seen.collections++;
      return seen.left;
    },
    collectAll: () => {
      seen.of_all++;
      return seen.left;
    },
    later: (run) => seen.later.push(run),
  });
  const answer = (requests: number, body_bytes = 0) => {
    for (let left = requests; left > 0; left--) garbage.answered(body_bytes);
  };
  const goOn = () => {
    for (const run of seen.later.splice(0)) run();
  };
  return { seen, answer, goOn };
}

describe('young garbage', () => {
  test('young garbage is collected after 500 requests, when the answer has been sent', () => {
    const { seen, answer, goOn } = watched();
    answer(499);
    expect(seen.later).toHaveLength(0);
    answer(1);
    expect(seen.collections).toBe(0);
    goOn();
    expect(seen.collections).toBe(1);
    answer(499);
    goOn();
    expect(seen.collections).toBe(1);
    answer(1);
    goOn();
    expect(seen.collections).toBe(2);
  });

  test('a collection of young garbage waits for a moment without requests', () => {
    const { seen, answer, goOn } = watched();
    seen.waiting = 3;
    answer(600);
    expect(seen.later).toHaveLength(0);
    seen.waiting = 0;
    answer(1);
    seen.waiting = 1;
    goOn();
    expect(seen.collections).toBe(0);
    seen.waiting = 0;
    answer(1);
    goOn();
    expect(seen.collections).toBe(1);
  });

  test('young garbage is collected after large bodies too', () => {
    const { seen, answer, goOn } = watched();
    answer(100, 100);
    answer(1, 1_000_000);
    goOn();
    expect(seen.collections).toBe(0);
    answer(2, 1_000_000);
    goOn();
    expect(seen.collections).toBe(1);
  });

  test('several answers of one turn cause one collection of young garbage', () => {
    const { seen, answer, goOn } = watched();
    answer(700);
    expect(seen.later).toHaveLength(1);
    goOn();
    expect(seen.collections).toBe(1);
  });
});

describe('old garbage', () => {
  /** The collections, full or young, with the given sizes of the heap after each. */
  function collections(...left: number[]): string[] {
    const { seen, answer, goOn } = watched();
    return left.map((bytes) => {
      seen.left = bytes;
      const { collections } = seen;
      answer(500);
      goOn();
      return seen.collections > collections ? 'young' : 'all';
    });
  }

  test('a full collection runs if the heap is more than a sixteenth and 4 MB above its minimum', () => {
    const [much, more] = [160e6, 174e6];
    expect(collections(170e6, much, more, more, more)).toEqual(['young', 'all', 'young', 'young', 'young']);
    expect(collections(170e6, much, more + 1, more)).toEqual(['young', 'all', 'young', 'all']);
    expect(collections(170e6, much, more + 1, more, more)).toEqual(['young', 'all', 'young', 'all', 'young']);
  });

  test('a full collection is measured against the smallest heap since the last one', () => {
    expect(collections(400e6, 400e6, 100e6, 120e6, 90e6)).toEqual(['young', 'all', 'young', 'young', 'all']);
    expect(collections(400e6, 400e6, 100e6, 110e6, 110e6)).toEqual([
      'young',
      'all',
      'young',
      'young',
      'young',
    ]);
  });

  test('no collection runs while a request waits', () => {
    const { seen, answer, goOn } = watched();
    seen.left = 100e6;
    answer(500);
    goOn();
    seen.waiting = 1;
    answer(900);
    goOn();
    expect([seen.collections, seen.of_all]).toEqual([1, 0]);
    seen.waiting = 0;
    answer(1);
    goOn();
    expect([seen.collections, seen.of_all]).toEqual([1, 1]);
  });
});
