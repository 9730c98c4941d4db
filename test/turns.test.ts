import { edenGC, fullGC } from 'bun:jsc';
import { expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../src/errors.ts';
import { FairTurns, Turns } from '../src/turns.ts';

test('tasks of one name run in order, even after failures, and tasks of other names run concurrently', async () => {
  const turns = new Turns('tasks');
  const told: string[] = [];
  const task =
    (name: string, fails = false) =>
    async () => {
      told.push(`${name} begins`);
      await nextTurn();
      told.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const outcomes = Promise.allSettled([
    turns.take('a', task('1', true)),
    turns.take('a', task('2')),
    turns.take('b', task('3')),
    turns.take('a', task('4')),
  ]);
  expect(told).toEqual(['1 begins', '3 begins']);
  expect((await outcomes).map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual([
    'failed',
    '2',
    '3',
    '4',
  ]);
  expect(told.filter((each) => !each.startsWith('3'))).toEqual([
    ...['1 begins', '1 ends', '2 begins', '2 ends', '4 begins', '4 ends'],
  ]);
  await turns.take('a', task('5'));
  expect(told.slice(-2)).toEqual(['5 begins', '5 ends']);
});

test('the queue of a name is bounded', async () => {
  const turns = new Turns('tasks', 2);
  const first = Promise.all([1, 2, 3].map(() => turns.take('a', () => nextTurn())));
  await expect(turns.take('a', () => nextTurn())).rejects.toBeInstanceOf(ServiceError);
  await turns.take('b', () => nextTurn());
  await first;
  await turns.take('a', () => nextTurn());
});

test('an aborted task in the queue never runs, frees its place, and the next one follows', async () => {
  const turns = new Turns('tasks', 2);
  const told: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const caller = new AbortController();
  const take = (name: string, given_up?: AbortSignal) =>
    turns.take('a', async () => told.push(name), given_up).catch((error) => told.push(error.message));
  const first = turns.take('a', () => held);
  const left = [take('left', caller.signal), take('left', caller.signal)];
  caller.abort(new Error('gone'));
  await Promise.all(left);
  expect(told).toEqual(['gone', 'gone']);
  const rest = ['b', 'c'].map((name) => take(name));
  await take('too many');
  await take('was gone', caller.signal);
  release();
  await Promise.all([first, ...rest]);
  expect(told.slice(3)).toEqual(['gone', 'b', 'c']);
  await take('d');
  expect(told.at(-1)).toBe('d');
});

test('results of tasks are not kept and can be collected immediately', async () => {
  const turns = new Turns('tasks');
  const alive: WeakRef<object>[] = [];
  const task = async () => {
    await nextTurn();
    const result = { made: alive.length };
    alive.push(new WeakRef(result));
    return result;
  };
  const serve = async (from: number) => {
    for (let round = 0; round < 60; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, at) => turns.take(`${from + round} ${at}`, task)));
    }
  };
  await serve(0);
  // From here on the object that contains the queues is old.
  fullGC();
  alive.length = 0;
  await serve(1000);
  await nextTurn();
  edenGC();
  // Objects that a concurrent collection encounters also count as old.
  expect(alive.filter((result) => result.deref() !== undefined).length).toBeLessThan(150);
});

test('accounts take turns however many tasks one of them has', async () => {
  const turns = new FairTurns('tasks');
  const ran: string[] = [];
  const take = (account: string) =>
    turns.take(account, async () => {
      ran.push(account);
      await nextTurn();
    });
  const tasks = [...Array.from({ length: 20 }, () => take('busy')), take('quiet'), take('other')];
  await Promise.all(tasks);
  expect(ran.indexOf('quiet')).toBeLessThanOrEqual(2);
  expect(ran.indexOf('other')).toBeLessThanOrEqual(3);
});
