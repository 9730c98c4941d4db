import { expect, test } from 'bun:test';
import { temporaryFolder } from '../../support/folder.ts';
import { START } from '../../support/service.ts';
import { LoggedCommunity } from '../logged-community.ts';
import { KEY } from '../support.ts';

test('an item counts as shown on each page of a viewer, also when nothing is recorded as seen', async () => {
  await using community = await LoggedCommunity.filled();
  await community.answer({ user_id: 'v', top_k: 2 });
  await community.answer({ user_id: 'w', top_k: 1, impression_count: 1 });
  expect([await community.timesShown('e'), await community.timesShown('d')]).toEqual([2, 1]);
  expect(await community.timesShown('a')).toBe(0);
});

test('pages without a viewer, repeated answers and pages with mark_seen false do not count as shown', async () => {
  await using community = await LoggedCommunity.filled();
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
    await using community = await LoggedCommunity.filled({ data });
    await community.answer({ user_id: 'v', top_k: 1 });
    expect(await community.timesShown('e')).toBe(1);
    return community.server.clock;
  })();
  for (const days of [0, 8, 1]) {
    clock.advance(days * 86_400);
    await using community = await LoggedCommunity.open({ data, clock });
    expect(await community.timesShown('e')).toBe(1);
    await community.addItem('another');
  }
});

test('an erased viewer is not in the log of shown pages, although each page counts', async () => {
  const data = temporaryFolder('shown');
  await using community = await LoggedCommunity.filled({ data });
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
  await using community = await LoggedCommunity.filled({ data });
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
  await using community = await LoggedCommunity.filled();
  const { page_id } = await community.answer({ user_id: 'v' });
  expect(page_id).toBeString();
  expect((await community.answer({ user_id: 'v' })).page_id).not.toBe(page_id);
  expect((await community.answer({})).page_id).toBeUndefined();
  const asked = { feed_type: 'popular', config: {}, user_id: 'v' };
  const preview = await community.server.post('/api/feed/preview', asked);
  expect([preview.status, preview.body.page_id]).toEqual([200, undefined]);
});
