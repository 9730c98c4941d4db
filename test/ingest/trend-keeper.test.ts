import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { purgeCommunity } from '../../src/community.ts';
import type { Change } from '../../src/model/change.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestService, START } from '../support/service.ts';

/** How often `save` stored what was learnt, which is two changes: once or not at all. */
async function saved({ service }: Awaited<ReturnType<typeof openTestService>>): Promise<number> {
  const { seq } = service.state;
  await service.ingest.trend.save();
  return (service.state.seq - seq) / 2;
}

test('trends are stored if there is something new or something to purge', async () => {
  await using opened = await openTestService();
  const { ingest } = opened.service;
  const act = (user_id: string, event_type: string) =>
    ingest.ingest('interactions', [{ user_id, item_id: 'a', event_type }]);
  expect(await saved(opened)).toBe(0);
  await ingest.ingest('items', [{ item_id: 'a', author_id: 'ann', created_at: START - 60 }]);
  expect(await saved(opened)).toBe(0);
  await act('bob', 'like');
  expect(await saved(opened)).toBe(1);
  expect(await saved(opened)).toBe(0);
  await act('bob', 'view');
  expect(await saved(opened)).toBe(0);
  await ingest.deleteUser('bob');
  expect(await saved(opened)).toBe(1);
  await ingest.deleteItem('a');
  expect(await saved(opened)).toBe(1);
  expect(await saved(opened)).toBe(0);
  const users = (count: number) => Array.from({ length: count }, (_, user) => ({ user_id: `u${user}` }));
  await ingest.ingest('users', users(999));
  expect(await saved(opened)).toBe(0);
  await ingest.ingest('users', [{ user_id: 'u0', display_name: 'The thousandth profile' }]);
  expect(await saved(opened)).toBe(1);
  expect(await saved(opened)).toBe(0);
});

/**
 * A copy of the data folder as a killed process would leave it. Another process copies it, as closing files drops
 * locks.
 */
function asKilled({ dir }: { dir: string }): string {
  const copy = join(temporaryFolder('trend'), 'copy');
  expect(Bun.spawnSync(['cp', '-r', dir, copy]).exitCode).toBe(0);
  return copy;
}

/** Kinds of the stored changes, and the names among them. */
async function storedBy({ service }: Awaited<ReturnType<typeof openTestService>>) {
  const changes: Change[] = [];
  await service.store.replay((change) => changes.push(change));
  const names = changes.flatMap((change) => (change.kind === 'name' ? [change.id] : []));
  return { names, kinds: new Set(changes.map(({ kind }) => kind)) };
}

test('an erasure before a process was killed is purged by the next one, even without any trends', async () => {
  await using killed = await openTestService();
  const { ingest, state } = killed.service;
  const acts = ['first', 'second'].flatMap((user_id) =>
    ['view', 'bookmark'].map((event_type) => ({ user_id, item_id: 'a', event_type })),
  );
  await ingest.ingest('items', [{ item_id: 'a', author_id: 'ann', created_at: START - 60 }]);
  expect((await ingest.ingest('interactions', acts)).accepted).toBe(acts.length);
  await ingest.deleteUser('first');
  await purgeCommunity(killed.service);
  await ingest.deleteUser('second');
  expect(state.trend.events).toBe(0);
  expect((await storedBy(killed)).names).toContain('second');
  const copy = asKilled(killed);
  await using next = await openTestService({ data: copy });
  await purgeCommunity(next.service);
  const { names, kinds } = await storedBy(next);
  expect(names.sort()).toEqual(['a', 'ann']);
  expect(kinds).toEqual(new Set(['name', 'item', 'erasure', 'tombstone', 'learning', 'trend']));
  expect(await saved(next)).toBe(0);
});

test('an empty community stores nothing at repeated starts', async () => {
  const data = temporaryFolder('trend');
  for (let start = 0; start < 3; start++) {
    await using opened = await openTestService({ data });
    expect(await saved(opened)).toBe(0);
  }
});
