import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { openTestServer, START, type TestServiceOptions } from '../support/service.ts';
import { Community, type Fields, feedPath, KEY } from './support.ts';

/** A community whose timers a test moves. */
class Shown extends Community {
  constructor(
    server: Community['server'],
    readonly timers: ManualTimers,
  ) {
    super(server);
  }

  static async open(options: TestServiceOptions = {}): Promise<Shown> {
    const timers = new ManualTimers();
    return new Shown(await openTestServer({ ...options, opening: { timers, logs_shown: true } }), timers);
  }

  /** With items `a` to `e`, of which popular pages show `e` first. */
  static async filled(options: TestServiceOptions = {}): Promise<Shown> {
    const community = await Shown.open(options);
    for (const [at, item_id] of [...'abcde'].entries())
      await community.addItem(item_id, { created_at: START - 10 + at });
    return community;
  }

  async answer(fields: Fields) {
    const { status, body } = await this.server.post(feedPath('popular'), fields);
    expect(status).toBe(200);
    return body;
  }

  async timesShown(item_id: string): Promise<number> {
    await this.timers.pass(LIMITS.shown_flush_seconds);
    await this.server.service.ingest.queue.allApplied();
    const path = `/v2/farcaster/items/${item_id}/counts`;
    return (await this.server.get(path)).body.shown;
  }
}

test('an item counts as shown on each page of a viewer, also when nothing is recorded as seen', async () => {
  await using community = await Shown.filled();
  await community.answer({ user_id: 'v', top_k: 2 });
  await community.answer({ user_id: 'w', top_k: 1, impression_count: 1 });
  expect([await community.timesShown('e'), await community.timesShown('d')]).toEqual([2, 1]);
  expect(await community.timesShown('a')).toBe(0);
});

test('pages without a viewer, repeated answers and pages with mark_seen false do not count as shown', async () => {
  await using community = await Shown.filled();
  await community.answer({ top_k: 5 });
  const request = { user_id: 'v', top_k: 1, impression_count: 1, request_id: 'one' };
  expect(await community.answer(request)).toEqual(await community.answer(request));
  await community.answer({ user_id: 'w', top_k: 5, impression_count: 5, mark_seen: false });
  expect(await community.timesShown('e')).toBe(1);
  expect((await community.answer({ user_id: 'w', top_k: 5 })).body).toHaveLength(5);
});

test('items keep their counts through restarts, also when the pages have been removed after a week', async () => {
  const data = temporaryFolder('shown');
  const clock = await (async () => {
    await using community = await Shown.filled({ data });
    await community.answer({ user_id: 'v', top_k: 1 });
    expect(await community.timesShown('e')).toBe(1);
    return community.server.clock;
  })();
  for (const days of [0, 8, 1]) {
    clock.advance(days * 86_400);
    await using community = await Shown.open({ data, clock });
    expect(await community.timesShown('e')).toBe(1);
    await community.addItem('another');
  }
});

test('an erased viewer is not in the log of shown pages, although each page counts', async () => {
  const data = temporaryFolder('shown');
  await using community = await Shown.filled({ data });
  const viewers = async () => {
    const found: string[] = [];
    await community.server.service.store.replay(
      (change) => change.kind === 'shown' && found.push(change.viewer),
    );
    return found;
  };
  await community.answer({ user_id: 'v', top_k: 1 });
  expect(await community.timesShown('e')).toBe(1);
  expect(await viewers()).toEqual([community.server.service.seen.viewerOf('v')]);
  await community.answer({ user_id: 'v', top_k: 1, impression_count: 1 });
  expect((await community.server.remove('/v2/farcaster/users/v')).status).toBe(200);
  expect(await community.timesShown('e')).toBe(2);
  await community.server.service.ingest.trend.save();
  await community.server.service.store.purge();
  expect(await viewers()).toEqual(['', '']);
});

test('a viewer of whom only shown pages are kept is exported and erased, also before these are logged', async () => {
  const data = temporaryFolder('shown');
  await using community = await Shown.filled({ data });
  await community.answer({ user_id: 'w', top_k: 2 });
  expect((await community.server.remove('/v2/community/users/w')).status).toBe(200);
  await community.answer({ user_id: 'v', top_k: 2 });
  const path = '/v2/farcaster/users/v';
  const lines = (await community.server.get(`${path}/export`)).body.split('\n');
  expect(lines.slice(0, -2).map(JSON.parse)).toEqual([
    { kind: 'profile', user_id: 'v' },
    { kind: 'shown', timestamp: START, feed_type: 'popular', item_ids: ['e', 'd'] },
  ]);
  expect((await community.server.remove(path)).status).toBe(200);
  for (const [method, gone] of [
    ['GET', path],
    ['GET', `${path}/export`],
    ['DELETE', path],
  ])
    expect((await community.server.call(method, gone, undefined, KEY)).status).toBe(404);
  expect((await community.server.remove('/v2/farcaster/users/w')).status).toBe(404);
});

test('every page with a viewer has a page_id, and previews and pages without a viewer have none', async () => {
  await using community = await Shown.filled();
  const { page_id } = await community.answer({ user_id: 'v' });
  expect(page_id).toBeString();
  expect((await community.answer({ user_id: 'v' })).page_id).not.toBe(page_id);
  expect((await community.answer({})).page_id).toBeUndefined();
  const asked = { feed_type: 'popular', config: {}, user_id: 'v' };
  const preview = await community.server.post('/api/feed/preview', asked);
  expect([preview.status, preview.body.page_id]).toEqual([200, undefined]);
});
