import { expect, test } from 'bun:test';
import { ManualClock } from '../../../src/clock.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { START } from '../../support/service.ts';
import { type Community, type Fields, testCommunity as it, openCommunity } from '../support.ts';

function reports(community: Community, query = '') {
  return community.server.get(`/v2/farcaster/reports${query}`);
}

/** Identifier, hides and reports of each item of a list. */
async function listed(community: Community, query = ''): Promise<unknown[]> {
  const { status, body } = await reports(community, query);
  expect(status).toBe(200);
  return body.reports.map((entry: Fields) => [entry.item_id, entry.hides_count, entry.reports_count]);
}

/** `a` to `d`, of which `b` and `c` were hidden or reported twice, `d` three times, and `a` once. */
async function fill(community: Community): Promise<void> {
  for (const item_id of ['a', 'b', 'c', 'd', 'liked'])
    await community.addItem(item_id, { text: `text ${item_id}` });
  await community.act('u1', 'like', 'liked');
  for (const [user_id, event_type, item_id] of [
    ['u1', 'hide', 'd'],
    ['u2', 'report', 'd'],
    ['u3', 'report', 'd'],
    ['u1', 'report', 'c'],
    ['u2', 'hide', 'c'],
    ['u1', 'hide', 'b'],
    ['u1', 'report', 'b'],
    ['u3', 'hide', 'a'],
  ])
    await community.act(user_id, event_type, item_id);
}

it('items are listed by hides and reports, most first, then by when they became known', async (community) => {
  await fill(community);
  expect(await listed(community)).toEqual([
    ['d', 1, 2],
    ['b', 1, 1],
    ['c', 1, 1],
    ['a', 1, 0],
  ]);
  const { body } = await reports(community, '?limit=1&offset=1');
  expect(body).toEqual({
    reports: [
      {
        item_id: 'b',
        hides_count: 1,
        reports_count: 1,
        hidden: false,
        item: {
          item_id: 'b',
          author_id: 'author',
          created_at: START,
          text: 'text b',
          likes_count: 0,
          comments_count: 0,
          shares_count: 0,
        },
      },
    ],
    total: 4,
    next_offset: 2,
  });
  expect(await listed(community, '?offset=3')).toEqual([['a', 1, 0]]);
  expect((await reports(community, '?offset=3')).body.next_offset).toBeNull();
  expect((await reports(community, '?offset=9')).body).toEqual({ reports: [], total: 4, next_offset: null });
});

it('removed acts, acts of erased users and deleted items do not count as reports', async (community) => {
  await fill(community);
  await community.act('u2', 'report', 'd', { action: 'remove' });
  await community.act('u2', 'hide', 'c', { timestamp: START - 9 });
  expect(await listed(community, '?limit=1')).toEqual([['b', 1, 1]]);
  await community.remove('users', 'u1');
  expect(await listed(community)).toEqual([
    ['a', 1, 0],
    ['c', 1, 0],
    ['d', 0, 1],
  ]);
  await community.remove('items', 'c');
  await community.act('u3', 'hide', 'a', { action: 'remove' });
  expect(await listed(community)).toEqual([['d', 0, 1]]);
  await community.remove('users', 'author');
  expect((await reports(community)).body).toEqual({ reports: [], total: 0, next_offset: null });
});

it('hides and reports of hidden users do not count until they are shown again', async (community) => {
  await fill(community);
  const before = await listed(community);
  await community.add('users', { user_id: 'u1', hidden: true });
  await community.act('u1', 'report', 'liked');
  expect(await listed(community)).toEqual([
    ['d', 0, 2],
    ['a', 1, 0],
    ['c', 1, 0],
  ]);
  await community.act('u1', 'report', 'liked', { action: 'remove' });
  await community.add('users', { user_id: 'u1', hidden: false });
  expect(await listed(community)).toEqual(before);
});

it('the list marks items that moderation hides, and has no item for undescribed ones', async (community) => {
  await fill(community);
  await community.act('u1', 'report', 'unknown');
  await community.add('items', { item_id: 'd', hidden: true });
  await community.add('items', { item_id: 'b', author_id: 'bad' });
  await community.add('users', { user_id: 'bad', hidden: true });
  const { body } = await reports(community);
  expect(body.reports.map(({ item_id, hidden, item }: Fields) => [item_id, hidden, item === null])).toEqual([
    ['d', true, false],
    ['b', true, false],
    ['c', false, false],
    ['a', false, false],
    ['unknown', false, true],
  ]);
});

it('an item leaves the list when its reports are dismissed, until it has more of them', async (community) => {
  await fill(community);
  const dismiss = (item_id: string, dismissed_reports_count: number) =>
    community.add('items', { item_id, dismissed_reports_count });
  await dismiss('d', 3);
  await dismiss('a', 1);
  expect(await listed(community)).toEqual([
    ['b', 1, 1],
    ['c', 1, 1],
  ]);
  expect((await reports(community)).body.total).toBe(2);
  expect(await listed(community, '?dismissed=true')).toEqual([
    ['d', 1, 2],
    ['a', 1, 0],
  ]);
  const { body } = await reports(community, '?dismissed=true&offset=1');
  expect([body.total, body.next_offset, body.reports[0].item.dismissed_reports_count]).toEqual([2, null, 1]);
  // One that is taken back makes room for another one.
  await community.act('u3', 'report', 'd', { action: 'remove' });
  await community.act('u4', 'report', 'd');
  expect(await listed(community, '?dismissed=true&limit=1')).toEqual([['d', 1, 2]]);
  await community.act('u5', 'hide', 'd');
  expect((await listed(community))[0]).toEqual(['d', 2, 2]);
  await dismiss('a', 0);
  expect(await listed(community)).toContainEqual(['a', 1, 0]);
  expect(await listed(community, '?dismissed=true')).toEqual([]);
});

it('a change of an item keeps what was dismissed, and its deletion forgets it', async (community) => {
  await fill(community);
  await community.add('items', { item_id: 'd', dismissed_reports_count: 3 });
  await community.add('items', { item_id: 'd', text: 'another text' });
  expect(await listed(community, '?dismissed=true')).toEqual([['d', 1, 2]]);
  await community.remove('items', 'd');
  expect(await listed(community, '?dismissed=true')).toEqual([]);
  await community.addItem('d', { revive: true });
  await community.act('u9', 'report', 'd');
  expect(await listed(community)).toContainEqual(['d', 0, 1]);
});

test('the list of reports is the same after a restart, from tables and from a checkpoint', async () => {
  const data = temporaryFolder('test');
  const opening = { writes_checkpoints: true, timers: new ManualTimers() };
  const open = () => openCommunity({ data, clock: new ManualClock(START), opening });
  let before: unknown;
  {
    await using community = await open();
    await fill(community);
    await community.remove('users', 'u2');
    await community.add('items', { item_id: 'b', dismissed_reports_count: 2 });
    before = await listed(community);
  }
  for (let run = 0; run < 2; run++) {
    await using community = await open();
    expect(await listed(community)).toEqual(before as unknown[]);
    expect(await listed(community, '?dismissed=true')).toEqual([['b', 1, 1]]);
    await community.server.service.checkpoints?.writeNow();
    await community.act('u9', 'report', 'a');
    expect((await listed(community))[0]).toEqual(['a', 1, 1]);
    await community.act('u9', 'report', 'a', { action: 'remove' });
  }
});

it('the list of reports ends before it is too large, and continues at next_offset', async (community) => {
  for (let index = 0; index < 40; index++) {
    const metadata = { filler: 'x'.repeat(60_000) };
    await community.addItem(`i${index}`, { text: 'y'.repeat(100_000), metadata });
    await community.act('u', 'report', `i${index}`);
  }
  const found: unknown[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const { body } = await reports(community, `?limit=100&offset=${offset}`);
    expect(body.reports.length).toBeGreaterThan(0);
    found.push(...body.reports.map(({ item_id }: Fields) => item_id));
    offset = body.next_offset;
  }
  expect(found).toEqual(Array.from({ length: 40 }, (_, index) => `i${index}`));
});
