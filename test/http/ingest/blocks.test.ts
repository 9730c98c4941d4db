import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ManualClock } from '../../../src/clock.ts';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { testPlace } from '../../store/engines.ts';
import { checkAsync } from '../../support/long.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { forFile, START } from '../../support/service.ts';
import { type Community, type Fields, openCommunity } from '../support.ts';

let emitted_count = 0;
const community = await forFile(openCommunity());
await community.addItem('item');

const PAIR = { user_id: 'viewer', target_user_id: 'author' };

/** Whether the viewer does not get the author's item. */
async function isBlocked(of: Community, user_id = PAIR.user_id): Promise<boolean> {
  return !(await of.ids('popular', { user_id })).includes('item');
}

async function emit({ server }: Community, records: readonly ConnectorRecord[]): Promise<void> {
  const cursor = { connector: 'test', cursor: String(++emitted_count) };
  expect(await server.service.ingest.ordered(records, cursor)).toMatchObject({ rejected: [] });
}

/** The records of a user who blocks the author several times, and unblocks before each further block. */
function recordsOf(user_id: string, blocks: number, stays: boolean): ConnectorRecord[] {
  return Array.from({ length: blocks }, (_, at) => {
    const event = { user_id, event_id: `block/${at}` };
    const timestamp = START - 100 + at;
    const done = { kind: 'block', record: { ...event, target_user_id: 'author', timestamp } } as const;
    const undone = { kind: 'block', record: { ...event, action: 'unblock' } } as const;
    return stays && at === blocks - 1 ? [done] : [done, undone];
  }).flat();
}

test('blocks and their removals have the same effect in every order, also when they are repeated', async () => {
  let run = 0;
  await checkAsync(
    100,
    [
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
    ],
    async (blocks, stays, moves, batch_size) => {
      const user_id = `viewer-${++run}`;
      const records = recordsOf(user_id, blocks, stays);
      for (const [from, to] of moves) {
        const moved = records[from % records.length];
        // Either a repeated record or another order.
        if (to % 3 > 0) records.splice(from % records.length, 1);
        records.splice(to % (records.length + 1), 0, moved);
      }
      for (let at = 0; at < records.length; at += batch_size)
        await emit(community, records.slice(at, at + batch_size));
      expect(await isBlocked(community, user_id)).toBe(stays);
    },
  );
});

test('of blocks and unblocks without an event the latest timestamp wins in every order', async () => {
  let run = 0;
  await checkAsync(
    50,
    [
      fc.uniqueArray(fc.record({ age: fc.nat(20), blocks: fc.boolean() }), {
        minLength: 1,
        maxLength: 6,
        selector: ({ age }) => age,
      }),
    ],
    async (messages) => {
      const user_id = `dated-${++run}`;
      const records = messages.map(({ age, blocks }): Fields => {
        const action = blocks ? 'block' : 'unblock';
        return { user_id, target_user_id: 'author', timestamp: START - age, action };
      });
      for (const record of [...records, ...records]) await community.add('blocks', record);
      const latest = messages.toSorted((one, other) => one.age - other.age)[0];
      expect(await isBlocked(community, user_id)).toBe(latest.blocks);
    },
  );
});

test('one event_id may name a follow and a block, each of which is taken back alone', async () => {
  await using own = await openCommunity();
  await own.addItem('item');
  await own.follow('viewer', 'author', { event_id: 'e1' });
  await own.block('viewer', 'author', { event_id: 'e1' });
  await own.add('follows', { user_id: 'viewer', event_id: 'e1', action: 'unfollow' });
  expect(await own.stored('users', 'viewer')).toMatchObject({ follows: [] });
  expect(await isBlocked(own)).toBe(true);
  await own.add('blocks', { user_id: 'viewer', event_id: 'e1', action: 'unblock' });
  expect(await isBlocked(own)).toBe(false);
});

testPlace(
  'a block that was taken back or erased does not return after restarts, a checkpoint and a purge',
  async ({ data, database_url }) => {
    const clock = new ManualClock(START);
    const opening = { writes_checkpoints: true, timers: new ManualTimers() };
    const open = () => openCommunity({ data, clock, opening, settings: { database_url } });
    const named = (event_id: string, ago: number) => ({ ...PAIR, event_id, timestamp: START - ago });
    const unnamed = { user_id: 'other', target_user_id: 'author' };
    {
      await using first = await open();
      await first.addItem('item');
      await first.add('blocks', named('b1', 50), { ...unnamed, timestamp: START - 20 });
      await first.add('blocks', { user_id: 'viewer', event_id: 'b1', action: 'unblock' });
      await first.add('blocks', { ...unnamed, timestamp: START - 10, action: 'unblock' });
      await first.block('erased', 'author', { timestamp: START - 5 });
      clock.advance(1);
      await first.remove('users', 'erased');
      await first.server.service.store.purge();
    }
    for (const has_checkpoint of [false, true]) {
      await using next = await open();
      expect(next.server.service.loaded.checkpoint_seq > 0).toBe(has_checkpoint);
      await next.add('blocks', named('b1', 50), named('b1', 5), { ...unnamed, timestamp: START - 20 });
      await next.block('erased', 'author', { timestamp: START - 5 });
      for (const user_id of ['viewer', 'other', 'erased'])
        expect([user_id, await isBlocked(next, user_id)]).toEqual([user_id, false]);
      if (!has_checkpoint) await next.server.service.checkpoints?.writeNow();
    }
    await using last = await open();
    await last.add('blocks', named('b2', 40));
    expect(await isBlocked(last)).toBe(true);
    await last.add('blocks', { user_id: 'viewer', event_id: 'b2', action: 'unblock' });
    expect(await isBlocked(last)).toBe(false);
  },
);
