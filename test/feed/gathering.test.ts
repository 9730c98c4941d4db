import { expect, test } from 'bun:test';
import { Gathering } from '../../src/feed/gathering.ts';

function gathering() {
  const planned: (() => void)[] = [];
  const told: string[] = [];
  const gathered = new Gathering((run) => planned.push(run));
  const arrive = (name: string) => gathered.together().then(() => told.push(name));
  const endTurn = async () => {
    for (const run of planned.splice(0)) run();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { arrive, endTurn, planned, told };
}

test('requests of one turn go on together, in the order in which they came', async () => {
  const { arrive, endTurn, planned, told } = gathering();
  for (const name of ['one', 'two', 'three']) arrive(name);
  await Promise.resolve();
  expect(told).toEqual([]);
  expect(planned).toHaveLength(1);
  await endTurn();
  expect(told).toEqual(['one', 'two', 'three']);
});

test('those of the next turn do not wait for others', async () => {
  const { arrive, endTurn, told } = gathering();
  arrive('early');
  await endTurn();
  arrive('late');
  expect(told).toEqual(['early']);
  await endTurn();
  expect(told).toEqual(['early', 'late']);
});

test('one that goes on may ask again in the same turn', async () => {
  const { arrive, endTurn, told } = gathering();
  const again = arrive('first').then(() => arrive('again'));
  await endTurn();
  expect(told).toEqual(['first']);
  await endTurn();
  await again;
  expect(told).toEqual(['first', 'again']);
});

test('of very many the last wait for a later turn, behind none that came after them', async () => {
  const { arrive, endTurn, planned, told } = gathering();
  const names = Array.from({ length: 80 }, (_, at) => `${at}`);
  for (const name of names) arrive(name);
  const turns: number[] = [];
  await endTurn();
  arrive('late');
  while (planned.length > 0) {
    turns.push(told.length);
    await endTurn();
  }
  expect(told).toEqual([...names, 'late']);
  expect(turns).toEqual([32, 64]);
});
