import { describe, expect, test } from 'bun:test';
import { TEST_NOW, testConnector } from 'feedloom/plugin/testing';
import farcaster from '../../../plugins/integrations/farcaster.ts';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { NO_MAPS } from '../../support/no-maps.ts';
import { Hub, type Plan, Snapchain } from '../../support/snapchain.ts';
import { builtIn } from '../built-in.ts';

const BEGIN = TEST_NOW - 1000;
const at = (messages: number): number => BEGIN + messages;
const hash = (message: number): string => `0x${message.toString(16).padStart(40, '0')}`;
/** Of one shard. */
const [ANN, BEN, CID] = [2, 4, 6];

function source(hub: Hub, plan?: Plan, options: Record<string, unknown> = {}) {
  return () => {
    const server = new Snapchain(hub, plan);
    const given = { url: server.url, start_at: 'oldest', poll_seconds: 0, ...options };
    return { options: given, close: () => server.close() };
  };
}

const record = (kind: ConnectorRecord['kind'], fields: Record<string, unknown>): ConnectorRecord => ({
  kind,
  record: fields,
});

function everyKind(): Hub {
  const hub = new Hub(BEGIN);
  const first = hub.cast(ANN, {
    text: 'Hi  and ',
    mentions: [BEN, CID],
    mentionsPositions: [3, 8],
    parentUrl: 'https://example.com/channel/cats',
    embeds: [{ url: 'https://example.com/a.png' }, { castId: { fid: CID, hash: hash(99) } }],
    embedsDeprecated: ['https://example.org/'],
  });
  const target = { fid: ANN, hash: first };
  const reply = hub.cast(BEN, { text: 'A reply', parentCastId: target });
  const like = hub.react(BEN, 'ADD', 'LIKE', target);
  hub.react(BEN, 'ADD', 'RECAST', target);
  hub.react(BEN, 'ADD', 'LIKE', 'https://example.com/');
  hub.link(BEN, 'ADD', ANN);
  hub.link(BEN, 'ADD', CID, 'block');
  hub.compact(CID, [ANN, BEN]);
  hub.compact(CID, [ANN], 'block');
  hub.userData(ANN, 'USER_DATA_TYPE_PFP', 'https://example.com/ann.png');
  hub.userData(ANN, 'USER_DATA_TYPE_DISPLAY', 'Ann');
  hub.userData(ANN, 'USER_DATA_TYPE_USERNAME', 'ann.eth');
  const bio = hub.userData(ANN, 'USER_DATA_TYPE_BIO', 'I post cats');
  hub.userData(ANN, 'USER_DATA_TYPE_LOCATION', 'geo:25.76,-80.19');
  hub.userData(ANN, 'USER_DATA_TYPE_TWITTER', 'ann');
  hub.react(BEN, 'REMOVE', 'RECAST', target);
  hub.link(BEN, 'REMOVE', ANN);
  hub.link(BEN, 'REMOVE', CID, 'block');
  hub.uncast(CID, first);
  hub.uncast(BEN, reply);
  hub.prune(like);
  hub.revoke(bio);
  hub.event(1, 'MERGE_ON_CHAIN_EVENT', { mergeOnChainEventBody: { onChainEvent: { fid: ANN } } });
  return hub;
}

const COMMENT = {
  user_id: '4',
  item_id: hash(1),
  event_type: 'comment',
  timestamp: at(2),
  event_id: hash(2),
};
const EMITS: ConnectorRecord[] = [
  record('item', {
    item_id: hash(1),
    author_id: '2',
    created_at: at(1),
    text: 'Hi  and ',
    embed_items: ['https://example.org/', 'https://example.com/a.png'],
    publication_types: ['link', 'image'],
    mentioned_profiles: ['4', '6'],
    channel: 'https://example.com/channel/cats',
    metadata: { mentions: ['4', '6'], mentions_positions: [3, 8], quotes: [hash(99)] },
  }),
  record('item', {
    item_id: hash(2),
    author_id: '4',
    created_at: at(2),
    text: 'A reply',
    embed_items: [],
    publication_types: [],
    mentioned_profiles: [],
    parent_item_id: hash(1),
  }),
  record('interaction', COMMENT),
  act('like', 3, 'add'),
  act('share', 4, 'add'),
  record('follow', { user_id: '4', target_user_id: '2', timestamp: at(6), action: 'follow' }),
  record('block', { user_id: '4', target_user_id: '6', timestamp: at(7), action: 'block' }),
  record('follow_list', { user_id: '6', target_user_ids: ['2', '4'], timestamp: at(8) }),
  record('user', { user_id: '2', pfp_url: 'https://example.com/ann.png', updated_at: at(10) }),
  record('user', { user_id: '2', display_name: 'Ann', updated_at: at(11) }),
  record('user', { user_id: '2', username: 'ann.eth', updated_at: at(12) }),
  record('user', { user_id: '2', metadata: { description: 'I post cats' }, updated_at: at(13) }),
  record('user', { user_id: '2', geo_location: '25.76,-80.19', updated_at: at(14) }),
  act('share', 16, 'remove'),
  record('follow', { user_id: '4', target_user_id: '2', timestamp: at(17), action: 'unfollow' }),
  record('block', { user_id: '4', target_user_id: '6', timestamp: at(18), action: 'unblock' }),
  record('interaction', { ...COMMENT, action: 'remove' }),
  record('item_deletion', { item_id: hash(2), timestamp: at(20) }),
  act('like', 3, 'remove'),
  record('user', { user_id: '2', metadata: { description: '' }, updated_at: at(13) }),
];

function act(event_type: string, message: number, action: string): ConnectorRecord {
  return record('interaction', {
    user_id: '4',
    item_id: hash(1),
    event_type,
    timestamp: at(message),
    action,
  });
}

/** A like by each of many users, more than one batch holds. */
function manyLikes(): { hub: Hub; emits: ConnectorRecord[] } {
  const hub = new Hub(BEGIN);
  const emits: ConnectorRecord[] = [];
  for (let fid = 10; fid < 550; fid += 2) {
    hub.react(fid, 'ADD', 'LIKE', { fid: ANN, hash: hash(1) });
    const like = { user_id: String(fid), item_id: hash(1), event_type: 'like', timestamp: hub.time };
    emits.push(record('interaction', { ...like, action: 'add' }));
  }
  return { hub, emits };
}

function badEvents(): Hub {
  const hub = new Hub(BEGIN);
  const merged = (message: unknown) => hub.event(1, 'MERGE_MESSAGE', { mergeMessageBody: { message } });
  merged('text');
  merged({ hash: hash(1) });
  merged({ data: { type: 'MESSAGE_TYPE_CAST_ADD', fid: 2, timestamp: 1 }, hash: '0x12' });
  merged({ data: { type: 'MESSAGE_TYPE_CAST_ADD', fid: -2, timestamp: 1 }, hash: hash(1) });
  merged({ data: { type: 'MESSAGE_TYPE_CAST_ADD', fid: 2, timestamp: 'now' }, hash: hash(1) });
  merged({ data: { type: 'MESSAGE_TYPE_CAST_ADD', fid: 2, timestamp: 1 }, hash: hash(1) });
  hub.event(1, 'PRUNE_MESSAGE', {});
  hub.userData(ANN, 'USER_DATA_TYPE_LOCATION', 'at home');
  hub.shards.get(1)?.push({ id: 2 ** 60 });
  hub.userData(ANN, 'USER_DATA_TYPE_DISPLAY', 'Ann');
  return hub;
}

const ANN_NAMED = record('user', { user_id: '2', display_name: 'Ann', updated_at: at(2) });

/** Users 2 and 4 of one shard and 3 of the other, who did everything before the start. */
function older(): Hub {
  const hub = new Hub(BEGIN);
  hub.userData(ANN, 'USER_DATA_TYPE_DISPLAY', 'Ann');
  const cast = hub.cast(ANN, { text: 'one' });
  hub.cast(ANN, { text: 'two' });
  hub.link(BEN, 'ADD', ANN);
  hub.react(BEN, 'ADD', 'LIKE', { fid: ANN, hash: cast });
  hub.react(3, 'ADD', 'RECAST', { fid: ANN, hash: cast });
  // The newest blocks.
  for (const shard of [1, 2]) hub.event(shard, 'MERGE_ON_CHAIN_EVENT', {});
  return hub;
}

function moderatedChannel(): Hub {
  const hub = new Hub(BEGIN);
  const cast = hub.cast(ANN, { text: 'one' });
  for (const action of ['HIDE', 'UNHIDE'])
    hub.channel(BEN, 'MODERATE', { castHash: cast, action: `CHANNEL_MODERATE_ACTION_${action}` });
  for (const action of ['ADD_MEMBER', 'BAN', 'UNBAN'])
    hub.channel(BEN, 'MEMBER', { fid: ANN, action: `CHANNEL_MEMBER_ACTION_${action}` });
  return hub;
}

const post = (message: number, text: string): ConnectorRecord =>
  record('item', {
    item_id: hash(message),
    author_id: '2',
    created_at: at(message),
    text,
    embed_items: [],
    publication_types: [],
    mentioned_profiles: [],
  });
const OLDER: ConnectorRecord[] = [
  record('user', { user_id: '2', display_name: 'Ann', updated_at: at(1) }),
  post(2, 'one'),
  post(3, 'two'),
  record('follow', { user_id: '4', target_user_id: '2', timestamp: at(4), action: 'follow' }),
];
const LIKE = { user_id: '4', item_id: hash(2), event_type: 'like', timestamp: at(5), action: 'add' };
const RECAST = { user_id: '3', item_id: hash(2), event_type: 'share', timestamp: at(6), action: 'add' };

const many = manyLikes();
/** Answers every second request with a fault. */
const faulty = (fault: () => Response): Plan => ({
  answer: (_, number) => (number % 2 === 0 ? fault() : undefined),
});
const later = (): Response => new Response('slow down', { status: 429, headers: { 'retry-after': '0' } });

testConnector(builtIn, 'farcaster', {
  cases: [
    { name: 'maps every kind of event to records', open: source(everyKind()), expect: EMITS },
    {
      name: 'reads events over several pages and batches',
      open: source(many.hub, { page_size: 100 }),
      expect: many.emits,
    },
    {
      name: 'waits while the node answers that there are too many requests',
      open: source(everyKind(), faulty(later)),
      expect: EMITS,
    },
    {
      name: 'names bad events and skips them',
      open: source(badEvents()),
      // The service drops a place that is none.
      expect: [record('user', { user_id: '2', geo_location: 'at home', updated_at: at(1) }), ANN_NAMED],
      warns: [
        'it has no message',
        "it has no 'data'",
        'it has no valid hash',
        'it has no valid fid',
        'it has no valid timestamp',
        "it has no 'castAddBody'",
        "it has no 'pruneMessageBody'",
        'it has no valid id',
      ],
    },
    {
      name: 'counts what moderators of a channel hide and whom they ban, and keeps their casts',
      open: source(moderatedChannel()),
      expect: [post(1, 'one')],
      warns: [
        '"channel_moderations_count":1}',
        '"channel_moderations_count":2}',
        'casts hidden and users banned in a channel stay in its feeds',
      ],
    },
    {
      name: 'fills in what users did before',
      open: source(older(), { page_size: 1 }, { start_at: 'now', backfill: ['all'] }),
      expect: [...OLDER, record('interaction', LIKE), record('interaction', RECAST)],
    },
    {
      name: 'fills in only the named users',
      open: source(older(), {}, { start_at: 'now', backfill: ['3', '2'] }),
      expect: [record('interaction', RECAST), ...OLDER.slice(0, 3)],
    },
  ],
  refuses: [
    { url: 'ws://example.com' },
    { url: 'http://example.com/?key=1' },
    { shards: [0] },
    { start_at: 'tomorrow' },
    { backfill: ['ann'] },
    { poll_seconds: -1 },
    { key: 'a key' },
    { key_header: 'a:b' },
  ],
});

const OPTIONS = {
  url: 'http://127.0.0.1:1',
  shards: [],
  start_at: 'now' as const,
  backfill: [],
  poll_seconds: 0,
  key: '',
  key_header: 'x-api-key',
};

/** Runs the connector from a cursor until the node was asked often enough. */
async function runOnce(
  hub: Hub,
  options: Record<string, unknown>,
  { cursor, plan, requests = 20 }: { cursor?: string; plan?: Plan; requests?: number } = {},
) {
  const server = new Snapchain(hub, plan);
  const stopping = new AbortController();
  const emits: { records: readonly ConnectorRecord[]; cursor: string }[] = [];
  const log: string[] = [];
  const note = (fields: object | string, message?: string) =>
    void log.push(`${message ?? ''} ${JSON.stringify(fields)}`);
  const run = farcaster.connect!({ ...OPTIONS, url: server.url, ...options }, NO_MAPS);
  const answer = server.plan.answer;
  server.plan.answer = (url, number) => {
    if (number >= requests) stopping.abort(new Error('enough'));
    return answer?.(url, number);
  };
  const failure = await run({
    cursor,
    emit: async (records, next) => {
      emits.push({ records, cursor: next });
      return { accepted: records.length, rejected_count: 0, rejected: [] };
    },
    signal: stopping.signal,
    log: { info: note, warn: note, error: note },
    warning() {},
    async *current() {},
    clock: { now: () => TEST_NOW },
  }).catch((error: unknown) => error);
  await server.close();
  const reason = failure instanceof Error ? failure.message : String(failure);
  return { emits, log: log.join('\n'), reason, requests: server.requests };
}

const cursorOf = (hub: Hub, shard_1: number): string =>
  JSON.stringify({ shards: { 1: shard_1, 2: hub.lastOf(2) } });

describe('the connector', () => {
  test('begins at the newest block, and stores that before it reads anything', async () => {
    const hub = older();
    const { emits } = await runOnce(hub, {});
    const [first] = emits;
    expect(first.records).toEqual([]);
    expect(JSON.parse(first.cursor)).toEqual({
      shards: { 1: hub.heightOf(1) * 2 ** 14, 2: hub.heightOf(2) * 2 ** 14 },
    });
  });

  test('sends the key of the provider in the header of the options', async () => {
    const { requests } = await runOnce(older(), { key: 'secret-key', key_header: 'x-key' });
    expect(new Set(requests.map(({ headers }) => headers.get('x-key')))).toEqual(new Set(['secret-key']));
  });

  test('names the shards of the node when it does not have the one of the options', async () => {
    const { reason } = await runOnce(older(), { shards: [3] });
    expect(reason).toBe('the node has no shard 3; it has 1, 2');
  });

  test('dates messages that lie ahead of the clock as now', async () => {
    const hub = new Hub(TEST_NOW + 10 * 365 * 86_400);
    const cast = hub.cast(ANN, { text: 'From the future' });
    hub.react(BEN, 'ADD', 'LIKE', { fid: ANN, hash: cast });
    const { emits } = await runOnce(hub, { start_at: 'oldest' });
    expect(emits.flatMap(({ records }) => records).map(({ record }) => record)).toMatchObject([
      { item_id: cast, created_at: TEST_NOW },
      { item_id: cast, timestamp: TEST_NOW },
    ]);
  });

  test('fails when the node answers with the same events again and again', async () => {
    const same = { events: Array.from({ length: 1000 }, (_, at) => ({ id: at + 1, type: 'OTHER' })) };
    const answer = ({ pathname }: URL) => (pathname === '/v1/events' ? Response.json(same) : undefined);
    const { reason } = await runOnce(older(), { start_at: 'oldest' }, { plan: { answer } });
    expect(reason).toBe('/v1/events answered only with events before 1001, which was asked for');
  });

  test('warns when the node has deleted events that were not read', async () => {
    const hub = everyKind();
    const plan = { oldest: { 1: 20 * 2 ** 14 } };
    const { log } = await runOnce(hub, {}, { cursor: cursorOf(hub, 4 * 2 ** 14 + 1), plan });
    expect(log).toContain('the node has deleted events that were not read; set the option backfill');
    const without_gap = await runOnce(hub, {}, { cursor: cursorOf(hub, 4 * 2 ** 14 + 1) });
    expect(without_gap.log).toBe('');
  });

  test('fills users in again after a gap, with their whole list of follows', async () => {
    const hub = older();
    const plan = { oldest: { 1: 4 * 2 ** 14 } };
    const cursor = cursorOf(hub, 2 ** 14 + 1);
    const { emits } = await runOnce(hub, { backfill: ['4'] }, { cursor, plan, requests: 40 });
    const records = emits.flatMap((each) => each.records);
    expect(records).toContainEqual(OLDER[3]);
    const list = { user_id: '4', target_user_ids: ['2'], timestamp: TEST_NOW };
    expect(records).toContainEqual({ kind: 'follow_list', record: list });
  });

  test('asks for shorter pages when an answer is too long', async () => {
    const long = 'x'.repeat(65 * 1024 * 1024);
    const answer = (url: URL) => {
      const is_long = Number(url.searchParams.get('pageSize')) > 500 && url.pathname === '/v1/events';
      return is_long ? new Response(long) : undefined;
    };
    const { emits } = await runOnce(older(), { start_at: 'oldest' }, { plan: { answer } });
    expect(emits.flatMap(({ records }) => records)).toContainEqual(post(2, 'one'));
  });

  test('says what a node answered instead of data', async () => {
    const of = async (answer: () => Response) => (await runOnce(older(), {}, { plan: { answer } })).reason;
    expect(await of(() => new Response('{"shardInfos":['))).toBe('/v1/info answered with invalid JSON');
    expect(await of(() => Response.json([1]))).toBe('/v1/info answered with no JSON object');
    expect(await of(() => Response.json({ error: 'broken' }, { status: 500 }))).toBe(
      '/v1/info answered 500: {"error":"broken"}',
    );
    expect(await of(() => Response.redirect('http://127.0.0.1:1/'))).toMatch(/redirect/i);
  });
});
