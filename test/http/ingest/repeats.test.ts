import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../support/long.ts';
import { START } from '../../support/service.ts';
import {
  type Community,
  type Fields,
  ingestPath,
  testCommunity as it,
  type Kind,
  openCommunity,
} from '../support.ts';

const LIKE = { user_id: 'viewer', item_id: 'item', event_type: 'like' };
const COMMENT = { user_id: 'viewer', item_id: 'item', event_type: 'comment' };
/** Later than the clock ever gets here. */
const FUTURE = START + 1e6;
const FOLLOW = { user_id: 'viewer', target_user_id: 'author' };

/** Records that are sent one after another; the last is sent again, unless only `at once` also after the clock moved on. */
const RECORDS: [string, Kind, Fields[], 'at once'?][] = [
  [
    'an item with every field',
    'items',
    [
      {
        item_id: 'new',
        author_id: 'author',
        created_at: '2025-12-01T10:00:00.5Z',
        text: 'A text that is long enough for its language to be found.',
        embed_items: ['https://Example.com/x', 'not a url'],
        root_parent_url: 'channel',
        parent_item_id: 'p',
        root_item_id: 'r',
        app_fid: 7,
        publication_types: ['Images', 'image'],
        geo_location: ' 1.50 , 2 ',
        ai_labels: { topics: ['gaming'], music: 0.5 },
        mentioned_profiles: [5],
        hidden: false,
        metadata: { b: 1, a: [{}], __proto__: null },
      },
    ],
  ],
  ['an item of its id alone', 'items', [{ item_id: 'item' }]],
  ['counters without a time', 'items', [{ item_id: 'item', likes_count: 5, shares_count: 0 }]],
  ['counters of a time', 'items', [{ item_id: 'item', likes_count: 5, updated_at: START - 5 }]],
  ['counters of the epoch', 'items', [{ item_id: 'item', likes_count: 5, updated_at: 0 }], 'at once'],
  ['counters of the future', 'items', [{ item_id: 'item', likes_count: 5, updated_at: FUTURE }]],
  ['zero counters', 'items', [{ item_id: 'item', comments_count: 0 }]],
  [
    'outdated counters',
    'items',
    [
      { item_id: 'item', likes_count: 5, updated_at: START - 5 },
      { item_id: 'item', likes_count: 9, updated_at: START - 9 },
    ],
  ],
  ['a hidden item', 'items', [{ item_id: 'item', hidden: true }]],
  ['cleared fields', 'items', [{ item_id: 'item', channel: '', language: '', text: '' }]],
  [
    'a user with every field',
    'users',
    [
      {
        user_id: 5,
        username: 'v',
        display_name: 'V',
        pfp_url: 'https://x.example/y',
        geo_location: '1,2',
        wallet_addresses: ['0xAB', '0xab'],
        created_at: START - 1,
        hidden: false,
        metadata: { plan: 'pro' },
      },
    ],
  ],
  ['a user of an id alone', 'users', [{ user_id: 'viewer' }]],
  ['a follow', 'follows', [FOLLOW]],
  ['a follow of a time', 'follows', [{ ...FOLLOW, timestamp: START - 5 }]],
  ['a follow of the future', 'follows', [{ ...FOLLOW, timestamp: FUTURE }]],
  ['an unfollow', 'follows', [FOLLOW, { ...FOLLOW, action: 'unfollow' }]],
  ['an unfollow of a user who is not followed', 'follows', [{ ...FOLLOW, action: 'unfollow' }]],
  ['an outdated unfollow', 'follows', [FOLLOW, { ...FOLLOW, action: 'unfollow', timestamp: 5 }]],
  ['a block', 'blocks', [FOLLOW]],
  ['an unblock', 'blocks', [FOLLOW, { ...FOLLOW, action: 'unblock' }]],
  ['a block of a time', 'blocks', [{ ...FOLLOW, timestamp: START - 5 }]],
  ['an outdated unblock', 'blocks', [FOLLOW, { ...FOLLOW, action: 'unblock', timestamp: 5 }]],
  ['an unblock of a user who is not blocked', 'blocks', [{ ...FOLLOW, action: 'unblock' }]],
  ['a like', 'interactions', [LIKE]],
  ['a like of a time', 'interactions', [{ ...LIKE, timestamp: START - 5.125 }]],
  ['a like of the future', 'interactions', [{ ...LIKE, timestamp: FUTURE }]],
  ['a like of an unknown item', 'interactions', [{ ...LIKE, item_id: 'unknown' }]],
  ['an unlike', 'interactions', [LIKE, { ...LIKE, action: 'remove' }]],
  ['an unlike of nothing', 'interactions', [{ ...LIKE, action: 'remove' }]],
  [
    'an outdated like',
    'interactions',
    [
      { ...LIKE, action: 'remove', timestamp: START - 1 },
      { ...LIKE, timestamp: START - 2 },
    ],
  ],
  ['a view', 'interactions', [{ ...LIKE, event_type: 'view' }]],
  ['a share', 'interactions', [{ ...LIKE, event_type: 'share' }]],
  ['a bookmark', 'interactions', [{ ...LIKE, event_type: 'bookmark', event_id: 'x' }]],
  ['a hide', 'interactions', [{ ...LIKE, event_type: 'hide' }]],
  ['a report', 'interactions', [{ ...LIKE, event_type: 'report' }]],
  ['a comment of an event_id', 'interactions', [{ ...COMMENT, event_id: 'c' }]],
  ['a comment of a time', 'interactions', [{ ...COMMENT, timestamp: START - 5 }]],
  [
    'a removed comment',
    'interactions',
    [
      { ...COMMENT, event_id: 'c' },
      { ...COMMENT, event_id: 'c', action: 'remove' },
    ],
  ],
  [
    'one of several comments of one moment',
    'interactions',
    [
      { ...COMMENT, event_id: 'a', timestamp: START - 9 },
      { ...COMMENT, event_id: 'b', timestamp: START - 9 },
      { ...COMMENT, event_id: 'b', timestamp: START - 9, action: 'remove' },
    ],
  ],
];

const IDENTIFIERS = ['item_id', 'user_id', 'target_user_id', 'author_id'];

/** A record about users and items that no other scope has. */
function scoped(record: Fields, scope: number): Fields {
  const entries = Object.entries(record).map(([name, value]) =>
    IDENTIFIERS.includes(name) ? [name, `${value} ${scope}`] : [name, value],
  );
  return Object.fromEntries(entries);
}

describe('sending again changes nothing:', () => {
  let community: Community;
  beforeAll(async () => {
    community = await openCommunity();
  });
  afterAll(() => community.server.close());

  for (const [scope, [name, kind, given, when]] of RECORDS.entries()) {
    test(name, async () => {
      const item = { item_id: 'item', author_id: 'author', created_at: START, channel: 'c' };
      await community.add('items', scoped(item, scope));
      const records = given.map((record) => scoped(record, scope));
      for (const record of records) await community.add(kind, record);
      const before = community.seq;
      const again = records[records.length - 1];
      for (const seconds of when === undefined ? [0, 500, 5000] : [0]) {
        community.server.clock.advance(seconds);
        await community.add(kind, again);
        await community.add(kind, again, again);
        expect([seconds, community.seq]).toEqual([seconds, before]);
      }
    });
  }
});

it('sending a whole body again changes nothing', async (community) => {
  const kinds: [Kind, Fields[]][] = [
    ['items', [{ item_id: 'item', author_id: 'author', created_at: START, likes_count: 1 }]],
    ['users', [{ user_id: 'author', username: 'a' }]],
    ['follows', [FOLLOW, { ...FOLLOW, target_user_id: 'other', timestamp: 5 }]],
    ['blocks', [{ ...FOLLOW, target_user_id: 'enemy' }]],
    ['interactions', [LIKE, { ...LIKE, event_type: 'share' }, { ...COMMENT, event_id: 1 }]],
  ];
  for (const [kind, records] of kinds) await community.add(kind, ...records);
  const before = community.seq;
  for (const [kind, records] of kinds) {
    await community.add(kind, ...records);
    for (const record of records) await community.server.post(ingestPath(kind), record);
  }
  expect(community.seq).toBe(before);
});

describe('of several records about the same in one body, or concurrent bodies, the last counts:', () => {
  const now = async (kind: Kind, first: Fields, ...then: Fields[]) => {
    const communities = [await openCommunity(), await openCommunity()];
    const [whole, split] = communities;
    for (const community of communities) {
      await community.addItem('item');
      await community.add(kind, first);
      community.server.clock.advance(1);
    }
    await whole.add(kind, ...then);
    await Promise.all(then.map((record) => split.add(kind, record)));
    const pages: string[][] = [];
    for (const community of communities) {
      const filters = kind === 'follows' ? { author_ids: 'following' } : {};
      pages.push(await community.ids('popular', { user_id: 'viewer', filters }));
      const { metadata } = await community.shown('item', { return_metadata: true });
      pages.push([`${metadata?.likes_count} likes`]);
      await community.server.close();
    }
    return pages;
  };

  test('unlike and like', async () => {
    const unlike = { ...LIKE, action: 'remove' };
    expect(await now('interactions', LIKE, unlike, LIKE)).toEqual([[], ['1 likes'], [], ['1 likes']]);
    expect(await now('interactions', LIKE, unlike, LIKE, unlike)).toEqual([
      ['item'],
      ['0 likes'],
      ['item'],
      ['0 likes'],
    ]);
  });

  test('unfollow and follow', async () => {
    const unfollow = { ...FOLLOW, action: 'unfollow' };
    const [whole, , split] = await now('follows', FOLLOW, unfollow, FOLLOW);
    expect([whole, split]).toEqual([['item'], ['item']]);
  });

  test('unblock and block', async () => {
    const unblock = { ...FOLLOW, action: 'unblock' };
    const [whole, , split] = await now('blocks', FOLLOW, unblock, FOLLOW);
    expect([whole, split]).toEqual([[], []]);
  });

  test('counters', async () => {
    const counted = (likes_count: number) => ({ item_id: 'item', likes_count });
    const [, whole, , split] = await now('items', counted(5), counted(7), counted(5));
    expect([whole, split]).toEqual([['5 likes'], ['5 likes']]);
  });
});

it('counts that are sent again next to other counts of their item change nothing', async (community) => {
  await community.addItem('item', { likes_count: 1 });
  community.server.clock.advance(1);
  await community.act('viewer', 'like', 'item');
  community.server.clock.advance(1);
  await community.add('items', { item_id: 'item', shares_count: 3 }, { item_id: 'item', likes_count: 1 });
  await Promise.all([
    community.add('items', { item_id: 'item', comments_count: 2 }),
    community.add('items', { item_id: 'item', likes_count: 1 }),
  ]);
  expect(await community.stored('items', 'item')).toMatchObject({
    likes_count: 2,
    comments_count: 2,
    shares_count: 3,
  });
});

const COUNT = fc.option(fc.nat(2), { nil: undefined });
const COUNTS = fc.record({
  likes_count: COUNT,
  comments_count: COUNT,
  /** Against the clock; the acts are 2 s behind it. */
  seconds: fc.constantFrom(undefined, undefined, undefined, -3, -1, 1),
});
/** Counts of an item, which may be deleted and posted again before. */
const BODY = fc.record({ is_new: fc.boolean(), counts: fc.array(COUNTS, { minLength: 1, maxLength: 6 }) });

it('concurrent counts have the same result as one after another', async (one_by_one) => {
  await using at_once = await openCommunity();
  const communities = [one_by_one, at_once];
  let items = 0;
  await checkAsync(25, [fc.array(BODY, { minLength: 1, maxLength: 3 })], async (bodies) => {
    const item_id = `item ${items++}`;
    for (const community of communities) {
      await community.addItem(item_id, { likes_count: 1, comments_count: 0 });
      community.server.clock.advance(2);
      await community.act('viewer', 'like', item_id);
      await community.act('viewer', 'comment', item_id);
      community.server.clock.advance(2);
    }
    const under_way: Promise<unknown>[] = [];
    for (const { is_new, counts } of bodies) {
      const records = counts.map((each) => counted(item_id, each, at_once.now));
      if (is_new) {
        await one_by_one.remove('items', item_id);
        under_way.push(at_once.server.service.ingest.deleteItem(item_id));
      }
      for (const record of records) await one_by_one.add('items', record);
      under_way.push(at_once.server.service.ingest.ingest('items', records));
    }
    await Promise.all(under_way);
    const [expected, found] = await Promise.all(communities.map((each) => each.stored('items', item_id)));
    expect(found).toEqual(expected);
  });
});

function counted(
  item_id: string,
  { seconds, ...counts }: { seconds: number | undefined; likes_count?: number; comments_count?: number },
  now: number,
): Fields {
  const updated_at = seconds === undefined ? undefined : now + seconds;
  const item = { item_id, author_id: 'author', created_at: START, revive: true, ...counts, updated_at };
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}
