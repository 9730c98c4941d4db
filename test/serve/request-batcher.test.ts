import { expect, test } from 'bun:test';
import { RequestBatcher } from '../../src/serve/request-batcher.ts';

function batcherScene() {
  const planned: (() => void)[] = [];
  const settled: string[] = [];
  const batcher = new RequestBatcher((run) => planned.push(run));
  const arrive = (name: string, given_up?: AbortSignal) =>
    batcher.wait(given_up).then(
      () => settled.push(name),
      (error) => settled.push(`${name} ${error.message}`),
    );
  const endTurn = async () => {
    for (const run of planned.splice(0)) run();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { arrive, endTurn, planned, settled };
}

test('requests of one turn are processed together, in order of arrival', async () => {
  const { arrive, endTurn, planned, settled } = batcherScene();
  for (const name of ['one', 'two', 'three']) arrive(name);
  await Promise.resolve();
  expect(settled).toEqual([]);
  expect(planned).toHaveLength(1);
  await endTurn();
  expect(settled).toEqual(['one', 'two', 'three']);
});

test('requests of the next turn do not wait for others', async () => {
  const { arrive, endTurn, settled } = batcherScene();
  arrive('early');
  await endTurn();
  arrive('late');
  expect(settled).toEqual(['early']);
  await endTurn();
  expect(settled).toEqual(['early', 'late']);
});

test('a resumed request may wait again in the same turn', async () => {
  const { arrive, endTurn, settled } = batcherScene();
  const again = arrive('first').then(() => arrive('again'));
  await endTurn();
  expect(settled).toEqual(['first']);
  await endTurn();
  await again;
  expect(settled).toEqual(['first', 'again']);
});

test('a crowd waits for another turn, and its last requests come before later ones', async () => {
  const { arrive, endTurn, planned, settled } = batcherScene();
  const names = Array.from({ length: 80 }, (_, at) => `${at}`);
  for (const name of names) arrive(name);
  const turns: number[] = [];
  await endTurn();
  arrive('late');
  while (planned.length > 0) {
    turns.push(settled.length);
    await endTurn();
  }
  expect(settled).toEqual([...names, 'late']);
  expect(turns).toEqual([0, 32, 64, 80]);
});

test('a disconnected request is removed in the next turn from any position, and delays no other', async () => {
  const { arrive, endTurn, planned, settled } = batcherScene();
  const caller = new AbortController();
  const stayed = Array.from({ length: 40 }, (_, at) => `${at}`);
  for (const name of stayed) arrive(name);
  for (let at = 0; at < 100; at++) arrive('left', caller.signal);
  arrive('last');
  await endTurn();
  expect(settled).toEqual([]);
  caller.abort(new Error('gone'));
  await endTurn();
  expect(settled.filter((name) => name === 'left gone')).toHaveLength(100);
  expect(settled.filter((name) => name !== 'left gone')).toEqual(stayed.slice(0, 32));
  await endTurn();
  expect(settled.slice(132)).toEqual([...stayed.slice(32), 'last']);
  expect(planned).toHaveLength(0);
});

test('disconnected requests do not count as a crowd', async () => {
  const { arrive, endTurn, settled } = batcherScene();
  const caller = new AbortController();
  for (let at = 0; at < 100; at++) arrive('left', caller.signal);
  arrive('last');
  caller.abort(new Error('gone'));
  await endTurn();
  expect(settled).toContain('last');
});

test('a request that disconnects before or in its turn is not resumed', async () => {
  const { arrive, endTurn, settled } = batcherScene();
  const [before, later] = [new AbortController(), new AbortController()];
  before.abort(new Error('was gone'));
  arrive('a', before.signal);
  arrive('b', later.signal);
  arrive('c');
  later.abort(new Error('went'));
  await endTurn();
  expect(settled.toSorted()).toEqual(['a was gone', 'b went', 'c']);
});
