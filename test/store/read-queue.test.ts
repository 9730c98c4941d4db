import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';

import { ReadQueue } from '../../src/store/read-queue.ts';
import type { Reading } from '../../src/store/reading.ts';
import { editAt } from '../support/edit.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { START } from '../support/service.ts';
import { ENGINES, type Place, refusal, withPlace } from './engines.ts';
import { asked, get, lockItems, openOn, stored, unreadable } from './reads-of-a-server.ts';

const [, postgres] = ENGINES;
const PATIENCE = LIMITS.store_patience_seconds;
const ENDING = 5;

/** A queue for a pool of two connections, with their sent reads. `end` and `fail` end a read. */
function queueOfTwo() {
  const timers = new ManualTimers();
  const sent = new Map<string, { end(): void; fail(): void }>();
  let renewals = 0;
  const renew = () => {
    renewals++;
    for (const { fail } of [...sent.values()]) fail();
  };
  const queue = new ReadQueue({ connections_max: 2, reading: {} as Reading, renew }, timers);
  const read = (name: string) => {
    const given_up = new AbortController();
    const query = () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const ended = (end: () => void) => () => {
        sent.delete(name);
        end();
      };
      sent.set(name, { end: ended(() => resolve(name)), fail: ended(() => reject(new Error('lost'))) });
      return promise;
    };
    return { ends: queue.read(query, given_up.signal), giveUp: () => given_up.abort() };
  };
  const end = async (name: string) => {
    sent.get(name)?.end();
    await settled();
  };
  const names = () => [...sent.keys()].join(' ');
  return { queue, timers, read, end, sent: names, renewals: () => renewals };
}

test('at most one read per connection is sent, and the others follow in order', async () => {
  const { read, end, sent } = queueOfTwo();
  const reads = ['a', 'b', 'c', 'd'].map((name) => read(name).ends);
  expect(sent()).toBe('a b');
  await end('b');
  expect(sent()).toBe('a c');
  await end('a');
  expect(sent()).toBe('c d');
  await end('c');
  await end('d');
  expect(await Promise.all(reads)).toEqual(['a', 'b', 'c', 'd']);
});

test('a cancelled read that waits is never sent, and a sent one keeps its connection until it ends', async () => {
  const { read, end, sent } = queueOfTwo();
  const [a, , c, d] = ['a', 'b', 'c', 'd', 'e'].map(read);
  for (const { giveUp } of [a, c, d]) giveUp();
  await settled();
  expect(sent()).toBe('a b');
  await end('a');
  expect(sent()).toBe('b e');
  await end('b');
  await end('e');
  expect(sent()).toBe('');
});

test('a pool without any finished read well after the timeout is renewed, and the queue continues', async () => {
  const { queue, timers, read, end, sent, renewals } = queueOfTwo();
  const lost = ['a', 'b'].map((name) => refusal(read(name).ends));
  await timers.pass(PATIENCE);
  const { ends } = read('c');
  await timers.pass(ENDING - 1);
  expect([sent(), renewals()]).toEqual(['a b', 0]);
  await timers.pass(1);
  expect([sent(), renewals()]).toEqual(['c', 1]);
  expect((await Promise.all(lost)).map(({ message }) => message)).toEqual(['lost', 'lost']);
  await end('c');
  expect([await ends, timers.count]).toEqual(['c', 0]);
  read('d');
  read('e');
  await timers.pass(PATIENCE);
  await end('d');
  read('f');
  // Since then one read has ended.
  await timers.pass(PATIENCE + ENDING - 1);
  expect([sent(), renewals(), timers.count]).toEqual(['e f', 1, 1]);
  queue.end();
  expect(timers.count).toBe(0);
  await end('f');
  read('g');
  expect([sent(), timers.count]).toEqual(['e g', 0]);
});

const OF_THIS_DATABASE =
  "from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

/** The number of reads that wait for a lock, once there are at least `at_least`. */
async function waitingForLock(place: Place, at_least: number): Promise<number> {
  for (;;) {
    const [[count]] = await place.run(`select count(*) ${OF_THIS_DATABASE}`);
    if (Number(count) >= at_least) return Number(count);
  }
}

test('a locked table blocks only its own readers, and no cancelled ones', () =>
  withPlace(postgres, async (place) => {
    const { server, timers } = await openOn(place);
    await server.post('/v2/farcaster/users', [{ user_id: 'a', display_name: 'A' }]);
    const { keys } = server.service.store;
    const { key, key_id } = await keys.create('x', ['feed:read'], editAt(START));
    await server.keys.refresh();
    const popular = () =>
      server.call(
        'POST',
        '/v2/farcaster/casts/feed/popular',
        { top_k: 1 },
        { authorization: `Bearer ${key}` },
      );
    expect((await popular()).status).toBe(200);
    const unlock = await lockItems(place);
    const readings = Array.from({ length: 20 }, () => stored(server));
    expect(await waitingForLock(place, 3)).toBe(3);
    expect((await get(server, '/v2/farcaster/users/a')).body.display_name).toBe('A');
    await keys.revoke(key_id, editAt(START));
    await server.keys.refresh();
    expect((await popular()).status).toBe(401);
    await timers.pass(PATIENCE);
    for (const answer of readings) unreadable(await answer);
    // As the server itself does after the timeout.
    await place.run(`select pg_cancel_backend(pid) ${OF_THIS_DATABASE}`);
    const { answer } = await asked(() => stored(server));
    expect(await waitingForLock(place, 1)).toBe(1);
    await unlock();
    expect((await answer).body.text).toBe('hello');
    await server.close();
  }));
