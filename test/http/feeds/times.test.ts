import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { START } from '../../support/service.ts';
import {
  type Community,
  FEED_TYPES,
  type Fields,
  ingestPath,
  testCommunity as it,
  openCommunity,
} from '../support.ts';

/** The counts of an item as an answer shows them. */
async function countsOf(community: Community, item_id = 'item'): Promise<number[]> {
  const { metadata } = await community.shown(item_id, { return_metadata: true });
  if (metadata === undefined) throw new Error('no metadata');
  return [metadata.likes_count, metadata.comments_count, metadata.shares_count];
}

describe('an item dated in the future', () => {
  it('an item dated in the future is shown from 60 seconds before its date', async (community) => {
    await community.addItem('item', { created_at: START + 100 });
    const shown = async () => {
      const pages: string[][] = [];
      for (const feed_type of FEED_TYPES) pages.push(await community.ids(feed_type, { user_id: 'viewer' }));
      return pages.map((page) => page.length);
    };
    expect(await shown()).toEqual([0, 0, 0]);
    community.server.clock.set(START + 39.9);
    expect(await shown()).toEqual([0, 0, 0]);
    community.server.clock.set(START + 40);
    expect(await shown()).toEqual([1, 1, 1]);
  });

  it('an item dated at most 60 seconds ahead is shown immediately', async (community) => {
    await community.addItem('ahead', { created_at: START + 60 });
    await community.addItem('too far ahead', { created_at: START + 60.001 });
    expect(await community.ids('trending')).toEqual(['ahead']);
  });

  it('an item dated in the future is not recorded as seen before it is shown', async (community) => {
    await community.addItem('item', { created_at: START + 100 });
    expect(await community.ids('trending', { user_id: 'viewer', impression_count: 9 })).toEqual([]);
    community.server.clock.set(START + 50);
    expect(await community.ids('trending', { user_id: 'viewer' })).toEqual(['item']);
  });
});

it('relative forms of start_timestamp follow the clock, bounds included', async (community) => {
  await community.addItem('item', { created_at: START - 3600 });
  const shown = (start_timestamp: unknown) => community.ids('popular', { filters: { start_timestamp } });
  for (const since of [
    'hours_ago:1',
    'days_ago:1',
    START - 3600,
    String(START - 3600),
    '2025-12-31T23:00:00Z',
  ]) {
    expect(await shown(since)).toEqual(['item']);
  }
  for (const since of ['hours_ago:0', 'days_ago:0', START - 3599, '2025-12-31T23:00:01', '2026-01-01']) {
    expect(await shown(since)).toEqual([]);
  }
  community.server.clock.advance(1);
  expect(await shown('hours_ago:1')).toEqual([]);
  expect(await shown(START - 3600)).toEqual(['item']);
});

describe('the later timestamp wins', () => {
  let community: Community;
  beforeAll(async () => {
    community = await openCommunity();
  });
  afterAll(() => community.server.close());

  const messages: [number, string, boolean][] = [
    [10, 'add', true],
    [5, 'remove', true],
    [20, 'remove', false],
    [15, 'add', false],
    [20, 'add', true],
    [20, 'remove', false],
    [19.999, 'add', false],
    [20.001, 'add', true],
  ];

  for (const event_type of ['like', 'share', 'bookmark', 'view', 'hide', 'report']) {
    test(`the later timestamp wins for a ${event_type}, and the later arrival for equal times`, async () => {
      const viewer = `viewer of ${event_type}`;
      await community.addItem('item');
      for (const [at, action, stands] of messages) {
        await community.act(viewer, event_type, 'item', { timestamp: START - 100 + at, action });
        const page = await community.ids('popular', { user_id: viewer });
        expect([at, action, page.includes('item')]).toEqual([at, action, !stands]);
      }
    });
  }

  test('the later timestamp wins for a comment of one event_id', async () => {
    await community.addItem('commented');
    for (const [at, action, stands] of messages) {
      const fields = { timestamp: START - 100 + at, action, event_id: 'c-1' };
      await community.act('viewer', 'comment', 'commented', fields);
      const counts = await countsOf(community, 'commented');
      expect([at, action, counts]).toEqual([at, action, [0, stands ? 1 : 0, 0]]);
    }
  });
});

describe('comments', () => {
  it('comments are distinguished by event_id, else by timestamp', async (community) => {
    await community.addItem('item');
    const comment = (fields: Fields) => community.act('viewer', 'comment', 'item', fields);
    await comment({ event_id: 'a', timestamp: START - 10 });
    await comment({ event_id: 'b', timestamp: START - 10 });
    await comment({ event_id: 'a', timestamp: START - 5 });
    expect(await countsOf(community)).toEqual([0, 2, 0]);
    await comment({ timestamp: START - 10 });
    await comment({ timestamp: START - 10 });
    await comment({ timestamp: START - 9 });
    expect(await countsOf(community)).toEqual([0, 4, 0]);
    await comment({ timestamp: START - 9, action: 'remove' });
    await comment({ event_id: 'b', action: 'remove' });
    expect(await countsOf(community)).toEqual([0, 2, 0]);
    expect(await community.ids('popular', { user_id: 'viewer' })).toEqual([]);
  });

  it('comments accept an integer event_id', async (community) => {
    await community.addItem('item');
    await community.act('viewer', 'comment', 'item', { event_id: 17, timestamp: START - 10 });
    await community.act('viewer', 'comment', 'item', { event_id: '17', timestamp: START - 9 });
    expect(await countsOf(community)).toEqual([0, 1, 0]);
  });
});

describe('counts', () => {
  it('counts are those of the source plus interactions later than its count', async (community) => {
    await community.act('early', 'like', 'item', { timestamp: START - 200 });
    await community.addItem('item', { likes_count: 10, comments_count: 3, updated_at: START - 100 });
    expect(await countsOf(community)).toEqual([10, 3, 0]);
    await community.act('same moment', 'like', 'item', { timestamp: START - 100 });
    await community.act('later', 'like', 'item', { timestamp: START - 99.999 });
    await community.act('later', 'comment', 'item', { timestamp: START - 50 });
    await community.act('later', 'share', 'item', { timestamp: START - 50 });
    await community.act('later', 'bookmark', 'item', { timestamp: START - 50 });
    expect(await countsOf(community)).toEqual([11, 4, 1]);
    await community.add('items', { item_id: 'item', likes_count: 20, updated_at: START - 60 });
    expect((await countsOf(community))[0]).toBe(20);
    await community.act('later', 'like', 'item', { action: 'remove' });
    expect((await countsOf(community))[0]).toBe(20);
    await community.act('latest', 'like', 'item');
    expect((await countsOf(community))[0]).toBe(21);
    await community.act('latest', 'like', 'item', { action: 'remove' });
    expect((await countsOf(community))[0]).toBe(20);
  });

  it('counts of an older update change nothing, and newer ones may be lower', async (community) => {
    await community.addItem('item', { likes_count: 10, shares_count: 1, updated_at: START - 100 });
    await community.add('items', { item_id: 'item', likes_count: 99, updated_at: START - 101 });
    expect(await countsOf(community)).toEqual([10, 0, 1]);
    await community.add('items', { item_id: 'item', likes_count: 7, updated_at: START - 99 });
    expect(await countsOf(community)).toEqual([7, 0, 1]);
  });

  it('each counter has its own time, so a source that sends only likes drops no comment', async (community) => {
    await community.addItem('item');
    await community.act('early', 'like', 'item', { timestamp: START - 200 });
    await community.act('early', 'comment', 'item', { timestamp: START - 200, event_id: 'c' });
    await community.act('early', 'share', 'item', { timestamp: START - 200 });
    await community.add('items', { item_id: 'item', likes_count: 10, updated_at: START - 100 });
    expect(await countsOf(community)).toEqual([10, 1, 1]);
    await community.add('items', {
      item_id: 'item',
      shares_count: 5,
      likes_count: 3,
      updated_at: START - 150,
    });
    expect(await countsOf(community)).toEqual([10, 1, 5]);
    await community.add('items', { item_id: 'item', comments_count: 7, updated_at: START - 300 });
    expect(await countsOf(community)).toEqual([10, 8, 5]);
  });

  it('an update with only a time contains no counts', async (community) => {
    const item = { item_id: 'item', author_id: 'author', created_at: START, updated_at: START };
    const counted = { item_id: 'item', likes_count: 3, updated_at: START };
    const { body } = await community.server.post(ingestPath('items'), [item, counted]);
    expect([body.accepted, body.warnings]).toEqual([2, undefined]);
    expect(await countsOf(community)).toEqual([3, 0, 0]);
  });

  it('new counts order the next page', async (community) => {
    await community.addItem('a');
    await community.addItem('b');
    for (const feed_type of ['trending', 'popular'] as const) {
      await community.add('items', { item_id: 'a', likes_count: 5, updated_at: community.now });
      community.server.clock.advance(1);
      expect(await community.ids(feed_type)).toEqual(['a', 'b']);
      await community.add('items', { item_id: 'b', likes_count: 9, updated_at: community.now });
      expect(await community.ids(feed_type)).toEqual(['b', 'a']);
      community.server.clock.advance(1);
      await community.add('items', { item_id: 'b', likes_count: 0, updated_at: community.now });
    }
  });
});

it('interactions that arrive before their item count when the item arrives', async (community) => {
  await community.act('fan', 'like', 'item', { timestamp: START - 10 });
  await community.act('fan', 'comment', 'item', { timestamp: START - 9 });
  await community.act('viewer', 'view', 'item');
  await community.act('hider', 'hide', 'item');
  for (const feed_type of FEED_TYPES) expect(await community.ids(feed_type, { user_id: 'u' })).toEqual([]);
  expect(await community.stored('items', 'item')).toBeUndefined();
  await community.addItem('item', { created_at: START - 60 });
  expect(await countsOf(community)).toEqual([1, 1, 0]);
  for (const user_id of ['fan', 'viewer', 'hider']) {
    expect([user_id, await community.ids('popular', { user_id })]).toEqual([user_id, []]);
  }
  expect(await community.ids('popular', { user_id: 'u' })).toEqual(['item']);
});

describe('a comment without an event_id that is dated ahead of the clock', () => {
  it('a comment dated ahead without an event_id is the same comment when it is sent again', async (community) => {
    await community.addItem('item');
    const fields = { timestamp: START + 30 };
    await community.act('viewer', 'comment', 'item', fields);
    for (const passed of [0, 10, 20, 3600]) {
      community.server.clock.advance(passed);
      await community.act('viewer', 'comment', 'item', fields);
      expect([passed, ...(await countsOf(community))]).toEqual([passed, 0, 1, 0]);
    }
    await community.act('viewer', 'comment', 'item', { ...fields, action: 'remove' });
    expect(await countsOf(community)).toEqual([0, 0, 0]);
  });

  it('a comment without an event_id more than 60 seconds ahead is refused, other acts are not', async (community) => {
    await community.addItem('item');
    const act = { user_id: 'viewer', item_id: 'item', timestamp: START + 60.001 };
    const { status, body } = await community.server.post('/v2/farcaster/interactions', [
      { ...act, event_type: 'comment' },
      { ...act, event_type: 'comment', timestamp: START + 60 },
      { ...act, event_type: 'comment', event_id: 'c' },
      { ...act, event_type: 'like' },
    ]);
    expect([status, body.accepted, body.rejected_count]).toEqual([200, 3, 1]);
    expect(body.rejected[0].index).toBe(0);
    expect(body.rejected[0].detail).toContain(
      'timestamp: a comment without event_id may lie at most 60 s ahead',
    );
    expect(await countsOf(community)).toEqual([1, 2, 0]);
  });
});
