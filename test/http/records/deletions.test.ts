import { describe, expect } from 'bun:test';
import { ManualClock } from '../../../src/clock.ts';
import { type Place, testPlace } from '../../store/engines.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { START } from '../../support/service.ts';
import {
  type Community,
  type Fields,
  ingestPath,
  testCommunity as it,
  KEY,
  openCommunity,
} from '../support.ts';

const DAY = 86_400;
const item = (fields: Fields = {}) => ({
  item_id: 'post',
  author_id: 'author',
  created_at: START - 1000,
  text: 'first',
  ...fields,
});

/** Sends one record and returns its warnings; it must be accepted. */
async function send(community: Community, kind: Parameters<typeof ingestPath>[0], record: Fields) {
  const { status, body } = await community.server.post(ingestPath(kind), record);
  expect([status, body.accepted]).toEqual([200, 1]);
  return ((body.warnings ?? []) as string[]).join(' ');
}

function remove(community: Community, kind: 'items' | 'users', id: string, query = '') {
  return community.server.remove(`${ingestPath(kind)}/${id}${query}`);
}

describe('a deleted item', () => {
  it('after 90 days a deleted item is like one that was never sent', async (community) => {
    await community.add('items', item());
    await community.remove('items', 'post');
    community.server.clock.advance(90 * DAY - 1);
    expect(await send(community, 'items', item())).toContain('was deleted');
    community.server.clock.advance(1);
    expect(await send(community, 'items', item())).toBe('');
    expect(await community.stored('items', 'post')).toMatchObject({ text: 'first' });
  });

  it('acts that outlive a deletion are no new demand for trending', async (community) => {
    await community.add('items', item());
    for (const user_id of ['one', 'two', 'three'])
      await community.act(user_id, 'like', 'post', { timestamp: START - 50 });
    const { trend } = community.server.service.state;
    const before = trend.events;
    expect((await remove(community, 'items', 'post', `?timestamp=${START - 100}`)).status).toBe(200);
    expect(trend.events).toBe(before);
    await community.add('items', item({ created_at: START }));
    expect(await community.stored('items', 'post')).toMatchObject({ likes_count: 3 });
  });
});

it('an item that is deleted twice and posted again behind each deletion, all at once, is the last one', async (community) => {
  const { ingest } = community.server.service;
  const posted = (comments_count: number, updated_at?: number) =>
    ingest.ingest('items', [item({ revive: true, comments_count, updated_at })]);
  await posted(0);
  await Promise.all([
    ...[ingest.deleteItem('post'), posted(1)],
    ...[ingest.deleteItem('post'), posted(0, START - 1)],
  ]);
  expect((await community.stored('items', 'post'))?.comments_count).toBe(0);
});

describe('a deletion with a time', () => {
  it('a deletion accepts the same forms of time as records', async (community) => {
    for (const time of [
      String(START - 1000),
      `${START - 1000}.5`,
      '2025-12-31T23:59:00Z',
      '2026-01-01%2001:59:00%2B02:00',
      '2026-01-01T01:59:00+02:00',
      '2026-01-01+01:59:00+02',
    ]) {
      await community.add('items', item({ revive: true }));
      const { status, body } = await community.server.remove(
        `${ingestPath('items')}?item_id=post&timestamp=${time}`,
      );
      expect([time, status, body.detail]).toEqual([time, 200, undefined]);
    }
  });

  it('a deletion with an invalid time is refused with the allowed forms', async (community) => {
    await community.add('items', item());
    for (const [query, message] of [
      ['timestamp=yesterday', 'expected seconds since 1970 as a number, or an ISO 8601 date'],
      ['timestamp=2026-02-30', 'this date or time of day does not exist'],
      ['timestamp=1767225600000', 'milliseconds'],
    ]) {
      const { status, body } = await remove(community, 'items', 'post', `?${query}`);
      expect([query, status, body.errors?.[0].path]).toEqual([query, 400, '/timestamp']);
      expect(body.detail).toContain(message);
    }
    expect(await community.stored('items', 'post')).toBeDefined();
  });

  it('a deletion in the future counts as now, with a warning', async (community) => {
    await community.add('items', item());
    const { body } = await remove(community, 'items', 'post', '?timestamp=2050-01-01');
    expect(body.warnings).toEqual(["timestamp: lies ahead of the service's clock; it counts as now"]);
    community.server.clock.advance(10);
    expect(await send(community, 'items', item({ updated_at: START + 5 }))).toBe('');
  });
});

it('a record or deletion that comes too late is answered with the reason', async (community) => {
  await community.add(
    'items',
    item({ updated_at: START - 100 }),
    item({ item_id: 'of person', author_id: 'person' }),
  );
  await community.add('users', { user_id: 'person', updated_at: START - 50 });
  const late = async (kind: 'items' | 'users', id: string, timestamp: number) => {
    const { status, body } = await remove(community, kind, id, `?timestamp=${timestamp}`);
    return [status, body.message, ...body.warnings];
  };
  expect([await late('items', 'post', START - 101), await late('users', 'person', START - 51)]).toEqual([
    [
      200,
      "item 'post' not deleted: see warnings",
      "item 'post' has a version that is newer than this deletion: nothing was deleted",
    ],
    [
      200,
      "user 'person' not erased: see warnings",
      "user 'person' has a version that is newer than this deletion: nothing was deleted",
    ],
  ]);
  await remove(community, 'items', 'post', `?timestamp=${START - 10}`);
  await community.add('items', item({ revive: true }));
  expect((await late('items', 'post', START - 10)).at(-1)).toBe(
    "item 'post' came back after this deletion: nothing was deleted",
  );
  expect((await late('items', 'nothing', START - 10)).at(-1)).toBe(
    "there is no item 'nothing'; a version from before this deletion will change nothing",
  );
  for (const [kind, id] of [
    ['items', 'post'],
    ['users', 'person'],
  ] as const)
    await community.remove(kind, id);
  const act = { user_id: 'fan', timestamp: START - 1 };
  const none = 'was erased: it changed nothing (first in record 0)';
  const remedy =
    'it changed nothing; send a later updated_at, or "revive": true, to bring it back (first in record 0)';
  for (const [kind, record, warning] of [
    ['items', item(), `item 'post' was deleted, and this version is not newer: ${remedy}`],
    ['users', { user_id: 'person' }, `user 'person' was erased, and this version is not newer: ${remedy}`],
    [
      'items',
      item({ item_id: 'new', author_id: 'person' }),
      "item 'new' is older than the erasure of its author 'person': it changed nothing (first in record 0)",
    ],
    [
      'interactions',
      { ...act, item_id: 'post', event_type: 'like' },
      `an act is from before item 'post' ${none.replace('erased', 'deleted')}`,
    ],
    ['follows', { ...act, target_user_id: 'person' }, `an act is from before user 'person' ${none}`],
    [
      'blocks',
      { ...act, target_user_id: 'person', event_id: 'b' },
      `an act is from before user 'person' ${none}`,
    ],
  ] as const)
    expect(await send(community, kind, record)).toBe(warning);
});

describe('an erased user', () => {
  const profile = (fields: Fields = {}) => ({ user_id: 'person', username: 'name', ...fields });

  it('follow lists from before an erasure do not bring the user back, nor do removals of its events', async (community) => {
    await community.add('users', profile());
    community.server.clock.advance(10);
    await community.remove('users', 'person');
    const before = community.seq;
    const put = (user_id: string, fields: Fields) =>
      community.server.call('PUT', `${ingestPath('users')}/${user_id}/follows`, fields, KEY);
    const own = await put('person', { target_user_ids: ['a'], timestamp: START });
    expect([own.status, own.body]).toEqual([
      200,
      {
        status: 'success',
        added: 0,
        removed: 0,
        warnings: ["an act is from before user 'person' was erased: it changed nothing"],
      },
    ]);
    const removal = { user_id: 'person', event_id: 'like/1', action: 'remove' };
    expect(await send(community, 'interactions', removal)).toContain("user 'person' was erased, so nothing");
    expect(community.seq).toBe(before);
    const { body } = await put('fan', { target_user_ids: ['person', 'a'], timestamp: START });
    expect([body.added, body.warnings]).toEqual([1, own.body.warnings]);
    expect(await community.stored('users', 'person')).toBeUndefined();
    // As of now they may be followed: somebody new has the name.
    expect((await put('fan', { target_user_ids: ['person', 'a'] })).body.added).toBe(1);
  });
});

/** Opens a community of a place as the next process does. */
function opener({ data, database_url }: Place, clock: ManualClock): () => Promise<Community> {
  const opening = { writes_checkpoints: true, timers: new ManualTimers() };
  return () => openCommunity({ data, clock, opening, settings: { database_url } });
}

testPlace(
  'deletions are remembered by the next process, from tables and from a checkpoint',
  async (place) => {
    const open = opener(place, new ManualClock(START));
    {
      await using community = await open();
      await community.add('items', item());
      await community.add('users', { user_id: 'person', created_at: START - 9 });
      await community.remove('items', 'post');
      await community.remove('users', 'person');
      await remove(community, 'items', 'early');
    }
    for (const has_checkpoint of [false, true]) {
      await using community = await open();
      expect(community.server.service.loaded.checkpoint_seq > 0).toBe(has_checkpoint);
      expect(await send(community, 'items', item())).toContain("item 'post' was deleted");
      expect(await send(community, 'items', item({ item_id: 'early' }))).toContain("item 'early'");
      expect(await send(community, 'users', { user_id: 'person', username: 'x' })).toContain('erased');
      if (!has_checkpoint) await community.server.service.checkpoints?.writeNow();
    }
  },
);

testPlace('deletions of 90 days ago are purged', async (place) => {
  const clock = new ManualClock(START);
  const open = opener(place, clock);
  {
    await using community = await open();
    await community.add('items', item());
    await community.remove('items', 'post');
    clock.advance(91 * DAY);
    expect(await send(community, 'items', item())).toBe('');
    await community.server.service.store.purge();
  }
  await using community = await open();
  expect(community.server.service.state.tombstones.item.size).toBe(0);
  expect(await community.ids('popular')).toEqual(['post']);
});
