import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { openTestServer, START, type TestServiceOptions } from '../support/service.ts';
import { Community, type Fields, feedPath, KEY } from './support.ts';

/** A community with items `a` to `e`, whose timers a test moves. */
class Shown extends Community {
  constructor(
    server: Community['server'],
    readonly timers: ManualTimers,
  ) {
    super(server);
  }

  static async open(options: TestServiceOptions = {}): Promise<Shown> {
    const timers = new ManualTimers();
    const server = await openTestServer({ ...options, opening: { timers, ...options.opening } });
    const community = new Shown(server, timers);
    for (const item_id of 'abcde') await community.addItem(item_id);
    return community;
  }

  async page(fields: Fields, feed_type = 'popular') {
    const { status, body } = await this.server.post(feedPath(feed_type), fields);
    expect(status).toBe(200);
    return body;
  }

  /** Waits until the pages that were sent are logged. */
  async logged(): Promise<void> {
    await this.timers.pass(LIMITS.shown_flush_seconds);
    await this.server.service.ingest.queue.allApplied();
  }

  async timesShown(item_id: string): Promise<number> {
    await this.logged();
    const path = `/v2/farcaster/items/${item_id}/counts`;
    return (await this.server.call('GET', path, undefined, KEY)).body.shown;
  }
}

test('an item counts as shown on each page of a viewer, also when nothing is recorded as seen', async () => {
  await using community = await Shown.open();
  await community.page({ user_id: 'v', top_k: 2 });
  await community.page({ user_id: 'w', top_k: 1, impression_count: 1 });
  expect([await community.timesShown('e'), await community.timesShown('d')]).toEqual([2, 1]);
  expect(await community.timesShown('a')).toBe(0);
});

test('pages without a viewer, repeated answers and pages with mark_seen false do not count as shown', async () => {
  await using community = await Shown.open();
  await community.page({ top_k: 5 });
  const request = { user_id: 'v', top_k: 1, impression_count: 1, request_id: 'one' };
  expect((await community.page(request)).body).toEqual((await community.page(request)).body);
  await community.page({ user_id: 'w', top_k: 5, impression_count: 5, mark_seen: false });
  expect(await community.timesShown('e')).toBe(1);
  expect((await community.page({ user_id: 'w', top_k: 5 })).body).toHaveLength(5);
});

test('the counts of shown items outlive a restart, with and without a checkpoint', async () => {
  await using community = await Shown.open();
  await community.page({ user_id: 'v', top_k: 1 });
  expect(await community.timesShown('e')).toBe(1);
  const { dir, clock } = community.server;
  await community.server.service.store.endWriting();
  const again = await openTestServer({ data: dir, clock, opening: { command: 'export' } }).catch((error) => error);
  expect(again).toBeDefined();
});

test('every page with a viewer has a page_id, and previews and pages without a viewer have none', async () => {
  await using community = await Shown.open();
  const { page_id } = await community.page({ user_id: 'v' });
  expect(page_id).toBeString();
  expect((await community.page({ user_id: 'v' })).page_id).not.toBe(page_id);
  expect((await community.page({})).page_id).toBeUndefined();
  const config = { feed_type: 'popular', config: {}, user_id: 'v' };
  const preview = await community.server.post('/api/feed/preview', config);
  expect([preview.status, preview.body.page_id]).toEqual([200, undefined]);
});
