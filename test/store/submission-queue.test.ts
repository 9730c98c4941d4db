import { describe, expect, test } from 'bun:test';
import { type Priority, SubmissionQueue } from '../../src/store/submission-queue.ts';
import { follow } from './changes.ts';

/** A queue with submissions of the given sizes. `take` returns the sizes of the taken ones. */
function queueOf(sizes: Partial<Record<Priority, number[]>>): {
  queue: SubmissionQueue;
  take(rows_max: number): number[];
} {
  const queue = new SubmissionQueue();
  for (const priority of ['bulk', 'express'] as const) {
    for (const size of sizes[priority] ?? []) {
      const changes = Array.from({ length: size }, () => follow(1, 2));
      queue.add(priority, { changes, records: size, resolve() {}, reject() {} });
    }
  }
  return { queue, take: (rows_max) => queue.take(rows_max).map(({ changes }) => changes.length) };
}

describe('the submission queue', () => {
  test('returns whole submissions in order up to the maximum', () => {
    const { queue, take } = queueOf({ bulk: [500, 500, 500, 600, 400] });
    expect(take(2_000)).toEqual([500, 500, 500]);
    expect(take(2_000)).toEqual([600, 400]);
    expect(queue.empty).toBe(true);
    expect(take(2_000)).toEqual([]);
  });

  test('returns a submission above the maximum alone', () => {
    const { take } = queueOf({ bulk: [500, 2_500, 500] });
    expect([take(2_000), take(2_000), take(2_000)]).toEqual([[500], [2_500], [500]]);
  });

  test('returns express before bulk submissions', () => {
    const { take } = queueOf({ express: [1, 2], bulk: [5, 6] });
    expect(take(8)).toEqual([1, 2, 5]);
    expect(take(8)).toEqual([6]);
  });

  test('holds small bulk submissions back while express ones wait', () => {
    const { take } = queueOf({ express: [5, 5], bulk: [1] });
    expect(take(6)).toEqual([5]);
    expect(take(6)).toEqual([5, 1]);
  });

  test('returns everything at once when it is refused', () => {
    const { queue } = queueOf({ express: [1], bulk: [2, 3] });
    expect(queue.takeAll().map(({ changes }) => changes.length)).toEqual([1, 2, 3]);
    expect(queue.empty).toBe(true);
  });
});
