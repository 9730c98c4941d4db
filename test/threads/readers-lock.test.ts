import { expect, test } from 'bun:test';
import { ReadersLock } from '../../src/threads/readers-lock.ts';

/** A thread that adds two numbers up, `times` times, within the lock or outside of it, and says how often they differed. */
const READER = `
const { ReadersLock } = await import(${JSON.stringify(import.meta.resolve('../../src/threads/readers-lock.ts'))});
self.onmessage = ({ data: { words, reader, pair } }) => {
  const lock = new ReadersLock(words);
  let [read, torn] = [0, 0];
  self.postMessage('reading');
  while (pair[0] >= 0) {
    lock.enter(reader);
    const before = pair[0];
    for (let at = 0; at < 50; at++) if (pair[0] !== pair[1] || pair[0] !== before) torn++;
    read++;
    lock.leave(reader);
  }
  self.postMessage({ read, torn });
};
self.postMessage('here');
`;

test('nobody reads while something is written, and each reader goes on between two writings', async () => {
  const readers = 2;
  const lock = new ReadersLock(ReadersLock.wordsFor(readers));
  const pair = new Int32Array(new SharedArrayBuffer(8));
  const url = URL.createObjectURL(new Blob([READER], { type: 'text/javascript' }));
  const workers = Array.from({ length: readers }, () => new Worker(url));
  const next = (worker: Worker) =>
    new Promise<unknown>((resolve) =>
      worker.addEventListener('message', ({ data }) => resolve(data), { once: true }),
    );
  await Promise.all(workers.map(next));
  const began = workers.map(next);
  for (const [reader, worker] of workers.entries()) worker.postMessage({ words: lock.words, reader, pair });
  await Promise.all(began);
  for (let written = 1; written <= 3_000; written++) {
    const result = lock.write(() => {
      pair[0] = written;
      for (let at = 0; at < 100; at++) pair[1] = written + at;
      pair[1] = written;
      return written;
    });
    expect(result).toBe(written);
  }
  const told = workers.map(next);
  expect(() =>
    lock.write(() => {
      throw new Error('what is written');
    }),
  ).toThrow('what is written');
  // It is free again, for whoever writes and reads.
  lock.write(() => pair.fill(-1));
  const said = (await Promise.all(told)) as { read: number; torn: number }[];
  expect(said.map(({ torn }) => torn)).toEqual([0, 0]);
  expect(Math.min(...said.map(({ read }) => read))).toBeGreaterThan(0);
  for (const worker of workers) worker.terminate();
});
