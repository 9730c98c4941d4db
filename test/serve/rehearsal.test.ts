import { expect, test } from 'bun:test';
import { openTestService, START } from '../support/service.ts';

const USERS = 200;

/** Users who like items in groups, and a user without acts. */
async function filled(derived_lag_ms: number) {
  const running = await openTestService({ settings: { derived_lag_ms } });
  const { ingest } = running.service;
  const items = Array.from({ length: 50 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: 'author',
    created_at: START - 1_000,
  }));
  await ingest.ingest('items', items);
  const likes = Array.from({ length: USERS * 3 }, (_, at) => ({
    user_id: `user-${at % USERS}`,
    item_id: `item-${(at * 7) % 50}`,
    event_type: 'like',
    timestamp: START - 500 + at / 2,
  }));
  await ingest.ingest('interactions', likes);
  await ingest.ingest('users', [{ user_id: 'silent' }]);
  return running;
}

test('a service that prepares builds rankings and pages, and records and counts nothing', async () => {
  await using running = await filled(100);
  const { feeds, state } = running.service;
  const { seq } = state;
  let slices = 0;
  const slice = async () => {
    slices++;
  };
  await feeds.upkeep.buildRankings(['popular'], slice);
  await feeds.rehearse(slice);
  expect(slices).toBeGreaterThan(1);
  // Pages build the lists that they need.
  expect(feeds.upkeep.lists.kept).toBeGreaterThan(0);
  expect([feeds.meter.pages.size, feeds.timing.totals.size, state.seq]).toEqual([0, 0, seq]);
});

test('a service that prepares ends when it is stopped', async () => {
  await using running = await filled(100);
  const { feeds } = running.service;
  const stop = () => Promise.reject(new Error('stopped'));
  await expect(feeds.upkeep.buildRankings(['popular'], stop)).rejects.toThrow('stopped');
  await expect(feeds.rehearse(stop)).rejects.toThrow('stopped');
});

test('a service whose pages must be repeatable prepares nothing', async () => {
  await using running = await filled(0);
  const never = () => Promise.reject(new Error('not expected'));
  await running.service.feeds.upkeep.buildRankings(['popular'], never);
  await running.service.feeds.rehearse(never);
  expect(running.service.feeds.upkeep.lists.kept).toBe(0);
});
