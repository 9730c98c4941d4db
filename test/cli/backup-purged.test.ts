import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '../../src/clock.ts';
import { purgeCommunity } from '../../src/community.ts';
import { CHANGE_TABLES } from '../../src/store/tables.ts';
import { token, wallet } from '../alpha/support.ts';
import { allPages, Contention } from '../simulation/support/contention.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Rounds } from '../support/rounds.ts';
import { openTestService, START, type TestService, type TestServiceOptions } from '../support/service.ts';
import { run } from './run.ts';

const DAY = 86_400;

let root: string;
let clock: ManualClock;
let opened: TestService[];
beforeEach(() => {
  root = temporaryFolder('backup-purged');
  clock = new ManualClock(START);
  opened = [];
});
afterEach(async () => {
  for (const each of opened) await each.close();
});

async function open(name: string, options: TestServiceOptions = {}): Promise<TestService['service']> {
  const each = await openTestService({ data: join(root, name), clock, ...options });
  opened.push(each);
  return each.service;
}

/** Stops the service that was opened last. */
async function close(): Promise<void> {
  await opened.pop()?.close();
}

const FILE = 'restored/feedloom.sqlite';
const backup = () => run('backup', join(root, FILE), '--data', join(root, 'data'));

/** The rows of every table of changes, without learned data and the records of purges. */
function rows(file: string): Record<string, unknown> {
  const database = new Database(join(root, file), { readonly: true });
  const all = (query: string) => database.query(query).values();
  try {
    const tables = CHANGE_TABLES.filter(({ kind }) => kind !== 'trend');
    return {
      ...Object.fromEntries(tables.map(({ table }) => [table, all(`select * from ${table} order by seq`)])),
      meta: all(`select * from meta where name like '%purged%' or name like 'next%' order by name`),
    };
  } finally {
    database.close();
  }
}

describe('a backup', () => {
  test('a backup contains nothing that was erased, deleted or retired right before it', async () => {
    const rounds = new Rounds();
    const opening = { retires_items: true, timers: rounds };
    const service = await open('data', { settings: { retention_days: 10 }, opening });
    const item = (item_id: string, author_id: string, age_days: number) => ({
      item_id,
      author_id,
      created_at: START - age_days * DAY,
      text: `text of ${item_id}`,
    });
    await service.ingest.ingest('items', [item('kept-post', 'kept-user', 0)]);
    await service.ingest.ingest('interactions', [
      { user_id: 'kept-user', item_id: 'kept-post', event_type: 'like', timestamp: START },
    ]);
    // Learned data is stored, because a purge goes no further than it.
    await purgeCommunity(service);
    expect(await service.store.latestTrend()).toBeGreaterThan(0);
    await service.ingest.ingest('users', [{ user_id: 'erased-user', username: 'erased-name' }]);
    await service.ingest.ingest('items', [
      item('erased-post', 'erased-user', 0),
      item('deleted-post', 'kept-user', 0),
      item('retired-post', 'kept-user', 11),
    ]);
    const like = (user_id: string, item_id: string, event_id: string) => ({
      ...{ user_id, item_id, event_id },
      ...{ event_type: 'like', timestamp: START },
    });
    await service.ingest.ingest('interactions', [
      like('kept-user', 'kept-post', 'kept-event'),
      like('erased-user', 'kept-post', 'event of the erased'),
      like('kept-user', 'retired-post', 'event of the retired-post'),
      { user_id: 'erased-user', event_id: 'erased-removal', action: 'remove' },
    ]);
    await rounds.retire();
    await service.ingest.deleteItem('deleted-post');
    await service.ingest.deleteUser('erased-user');
    await service.alpha.recordEvent({
      wallet_address: wallet(1),
      item_id: token(1),
      event_type: 'buy',
      timestamp: START,
    });
    expect((await backup()).code).toBe(0);
    const bytes = readFileSync(join(root, FILE));
    const kept = ['kept-user', 'kept-post', 'kept-event'];
    const found = ['erased-', 'of the erased', 'text of deleted-post', 'retired-post', ...kept];
    expect(found.filter((text) => bytes.includes(text))).toEqual(kept);
  });

  test('a backup equals the data after a purge, and its pages are the same', async () => {
    await new Contention(await open('data'), clock, seededRandom(5)).run(10);
    await close();
    const service = await open('data');
    await new Contention(service, clock, seededRandom(6)).run(15);
    const pages = await allPages(service);
    const learnt = service.state.trend.numbers();
    expect((await backup()).code).toBe(0);
    await purgeCommunity(service);
    expect(rows(FILE)).toEqual(rows('data/feedloom.sqlite'));
    const restored = await open('restored');
    expect(await allPages(restored)).toEqual(pages);
    expect(restored.state.trend.numbers()).toEqual(learnt);
  });
});
