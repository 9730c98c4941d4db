import { describe, expect, test } from 'bun:test';
import { YoungGarbage } from '../../src/http/young-garbage.ts';

/** A collector that counts, the requests that it is told are waited for, and what it has put off. */
function watched() {
  const seen = { waiting: 0, collections: 0, later: [] as (() => void)[] };
  const garbage = new YoungGarbage({
    waiting: () => seen.waiting,
    collect: () => seen.collections++,
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
  test('is collected after 500 requests, once the answer has gone out', () => {
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

  test('waits for a moment without a request', () => {
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

  test('is collected after large bodies, too', () => {
    const { seen, answer, goOn } = watched();
    answer(100, 100);
    answer(1, 1_000_000);
    goOn();
    expect(seen.collections).toBe(0);
    answer(2, 1_000_000);
    goOn();
    expect(seen.collections).toBe(1);
  });

  test('is collected once for several answers of one turn', () => {
    const { seen, answer, goOn } = watched();
    answer(700);
    expect(seen.later).toHaveLength(1);
    goOn();
    expect(seen.collections).toBe(1);
  });
});
