import { expect, test } from 'bun:test';
import { takeSubmissions } from '../../src/store/submission-queue.ts';
import { follow } from './changes.ts';

const queueOf = (...sizes: number[]) =>
  sizes.map((size) => {
    const changes = Array.from({ length: size }, () => follow(1, 2));
    return { changes, records: size, resolve() {}, reject() {} };
  });

test.each<[string, number[], number[][]]>([
  [
    'whole submissions in order up to the maximum',
    [500, 500, 500, 600, 400],
    [[500, 500, 500], [600, 400], []],
  ],
  ['a submission above the maximum alone', [500, 2_500, 500], [[500], [2_500], [500], []]],
])('the queue of the writer gives %s', (_, sizes, expected) => {
  const queue = queueOf(...sizes);
  const taken = expected.map(() => takeSubmissions(queue, 2_000).map(({ changes }) => changes.length));
  expect(taken).toEqual(expected);
});
