import { describe, expect, test } from 'bun:test';
import { TEST_NOW, testConnector } from 'feedloom/plugin/testing';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { Events, Jetstream, type Plan } from '../../support/jetstream.ts';
import { builtIn } from '../built-in.ts';
import { runOn } from './run-bluesky.ts';

const POST = 'app.bsky.feed.post';
const [ANN, BEN] = ['did:plc:ann', 'did:plc:ben'];
/** An hour back at most. */
const BEGIN = TEST_NOW - 1000;
const at = (events: number): number => BEGIN + events;
const post = (did: string, rkey: string): string => `at://${did}/${POST}/${rkey}`;

function source(events: Events, plan?: Plan, version: 'url' | 'url_v2' = 'url') {
  return () => {
    const server = new Jetstream(events.frames, plan);
    return { options: { url: server[version], back_hours: 1 }, close: () => server[Symbol.asyncDispose]() };
  };
}

const events = new Events(BEGIN)
  .create(ANN, POST, 'p1', {
    text: 'See example.com @ben',
    langs: ['en-GB', 'de'],
    facets: [
      { features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com/a' }] },
      { features: [{ $type: 'app.bsky.richtext.facet#mention', did: BEN }] },
      { features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'cats' }] },
    ],
    tags: ['dogs', 'cats'],
    embed: { $type: 'app.bsky.embed.images', images: [] },
    labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: 'graphic-media' }] },
  })
  .create(BEN, POST, 'p2', {
    text: 'A reply that quotes',
    reply: { root: { uri: post(ANN, 'p1'), cid: 'c' }, parent: { uri: post(ANN, 'p1'), cid: 'c' } },
    embed: {
      $type: 'app.bsky.embed.recordWithMedia',
      record: { $type: 'app.bsky.embed.record', record: { uri: post(ANN, 'p0'), cid: 'c' } },
      media: { $type: 'app.bsky.embed.external', external: { uri: 'https://example.org/', title: '' } },
    },
  })
  .create(BEN, 'app.bsky.feed.like', 'l1', { subject: { uri: post(ANN, 'p1'), cid: 'c' } })
  .create(BEN, 'app.bsky.feed.like', 'l2', {
    subject: { uri: `at://${ANN}/app.bsky.feed.generator/g`, cid: 'c' },
  })
  .create(BEN, 'app.bsky.feed.repost', 'r1', {
    subject: { uri: post(ANN, 'p1'), cid: 'c' },
    createdAt: '2100-01-01T00:00:00Z',
  })
  .create(BEN, 'app.bsky.graph.follow', 'f1', { subject: ANN, createdAt: 'yesterday' })
  .create(BEN, 'app.bsky.graph.block', 'b1', { subject: 'did:plc:cid' })
  .commit(ANN, 'update', 'app.bsky.actor.profile', 'self', {
    displayName: 'Ann',
    description: 'Hi',
    avatar: { $type: 'blob', ref: { $link: 'bafy' }, mimeType: 'image/jpeg', size: 1 },
  })
  .identity(ANN, 'ann.example.com')
  .delete(BEN, 'app.bsky.feed.like', 'l1')
  .delete(BEN, 'app.bsky.feed.repost', 'r1')
  .delete(BEN, 'app.bsky.graph.follow', 'f1')
  .delete(BEN, 'app.bsky.graph.block', 'b1')
  .delete(BEN, POST, 'p2')
  .account(ANN, false, 'deactivated')
  .account(ANN, true)
  .account(ANN, false, 'desynchronized')
  .account(BEN, false, 'deleted')
  .account('did:plc:dan', false, 'takendown');

const record = (kind: ConnectorRecord['kind'], fields: Record<string, unknown>): ConnectorRecord => ({
  kind,
  record: fields,
});
const like = (rkey: string) => ({ user_id: BEN, event_id: `app.bsky.feed.like/${rkey}` });
const EMITS: ConnectorRecord[] = [
  record('item', {
    item_id: post(ANN, 'p1'),
    author_id: ANN,
    created_at: at(1),
    text: 'See example.com @ben',
    language: 'en-GB',
    embed_items: ['https://example.com/a'],
    publication_types: ['image'],
    mentioned_profiles: [BEN],
    tags: ['dogs', 'cats'],
    metadata: { cid: 'cid-p1', labels: ['graphic-media'] },
  }),
  record('item', {
    item_id: post(BEN, 'p2'),
    author_id: BEN,
    created_at: at(2),
    text: 'A reply that quotes',
    parent_item_id: post(ANN, 'p1'),
    root_item_id: post(ANN, 'p1'),
    embed_items: ['https://example.org/'],
    publication_types: ['link'],
    mentioned_profiles: [],
    metadata: { cid: 'cid-p2', quotes: post(ANN, 'p0') },
  }),
  record('interaction', {
    user_id: BEN,
    item_id: post(ANN, 'p1'),
    event_type: 'comment',
    timestamp: at(2),
    event_id: post(BEN, 'p2'),
  }),
  record('interaction', { ...like('l1'), timestamp: at(3), item_id: post(ANN, 'p1'), event_type: 'like' }),
  record('interaction', {
    user_id: BEN,
    event_id: 'app.bsky.feed.repost/r1',
    timestamp: at(5),
    item_id: post(ANN, 'p1'),
    event_type: 'share',
  }),
  record('follow', {
    user_id: BEN,
    event_id: 'app.bsky.graph.follow/f1',
    timestamp: at(6),
    target_user_id: ANN,
  }),
  record('block', {
    user_id: BEN,
    event_id: 'app.bsky.graph.block/b1',
    timestamp: at(7),
    target_user_id: 'did:plc:cid',
  }),
  record('user', {
    user_id: ANN,
    display_name: 'Ann',
    pfp_url: `https://cdn.bsky.app/img/avatar/plain/${ANN}/bafy@jpeg`,
    metadata: { description: 'Hi' },
    updated_at: at(8),
  }),
  record('user', { user_id: ANN, username: 'ann.example.com', updated_at: at(9) }),
  record('interaction', { ...like('l1'), action: 'remove' }),
  record('interaction', { user_id: BEN, event_id: 'app.bsky.feed.repost/r1', action: 'remove' }),
  record('follow', { user_id: BEN, event_id: 'app.bsky.graph.follow/f1', action: 'unfollow' }),
  record('block', { user_id: BEN, event_id: 'app.bsky.graph.block/b1', action: 'unblock' }),
  record('item_deletion', { item_id: post(BEN, 'p2'), timestamp: at(14) }),
  record('user', { user_id: ANN, hidden: true, updated_at: at(15) }),
  record('user', { user_id: ANN, hidden: false, updated_at: at(16) }),
  record('user_deletion', { user_id: BEN, timestamp: at(18) }),
  record('user', { user_id: 'did:plc:dan', hidden: true, updated_at: at(19) }),
];

/** Every embed of the lexicon `app.bsky.feed.post`, with what it adds to the item. */
const EMBEDS: [embed: Record<string, unknown>, fields: Record<string, unknown>][] = [
  [
    { $type: 'app.bsky.embed.images', images: [{ alt: 'A dog', image: {} }, { alt: '' }] },
    { publication_types: ['image'], alt_texts: ['A dog'] },
  ],
  [
    { $type: 'app.bsky.embed.gallery', items: [{ alt: 'A cat' }, { alt: 7 }] },
    { publication_types: ['image'], alt_texts: ['A cat'] },
  ],
  [
    { $type: 'app.bsky.embed.video', video: { $type: 'blob' }, alt: 'A run' },
    { publication_types: ['video'], alt_texts: ['A run'] },
  ],
  [
    {
      $type: 'app.bsky.embed.external',
      external: { uri: 'https://example.net/', title: 'A page', description: '' },
    },
    { publication_types: ['link'], embed_items: ['https://example.net/'], link_titles: ['A page'] },
  ],
  [
    { $type: 'app.bsky.embed.record', record: { uri: post(ANN, 'p0'), cid: 'c' } },
    { metadata: { cid: 'cid-e4', quotes: post(ANN, 'p0') } },
  ],
  [{ $type: 'app.bsky.embed.record', record: { uri: `at://${ANN}/app.bsky.graph.list/l`, cid: 'c' } }, {}],
  [
    {
      $type: 'app.bsky.embed.recordWithMedia',
      record: { $type: 'app.bsky.embed.record', record: { uri: post(ANN, 'p0'), cid: 'c' } },
      media: { $type: 'app.bsky.embed.external', external: { uri: 'https://a.example/', title: 'With it' } },
    },
    {
      publication_types: ['link'],
      embed_items: ['https://a.example/'],
      link_titles: ['With it'],
      metadata: { cid: 'cid-e6', quotes: post(ANN, 'p0') },
    },
  ],
  [{ $type: 'app.bsky.embed.ofTheFuture' }, {}],
];
const embeds = new Events(BEGIN);
for (const [number, [embed]] of EMBEDS.entries()) embeds.create(ANN, POST, `e${number}`, { text: '', embed });
const EMBED_EMITS = EMBEDS.map(([, fields], number) =>
  record('item', {
    item_id: post(ANN, `e${number}`),
    author_id: ANN,
    created_at: at(number + 1),
    text: '',
    embed_items: [],
    publication_types: [],
    mentioned_profiles: [],
    metadata: { cid: `cid-e${number}` },
    ...fields,
  }),
);

const bad = new Events(BEGIN)
  .raw('{"did":')
  .raw('[1]')
  .raw('{"did":"did:plc:ann","kind":"commit"}')
  .raw(new Uint8Array([1, 2, 3]))
  .raw(JSON.stringify({ did: ANN, time_us: 1, kind: 'commit', commit: {} }))
  .raw(`"${'x'.repeat(1_100_000)}"`)
  .create(BEN, 'app.bsky.feed.like', 'l0', { subject: 7 })
  .account(ANN, true);

const bad_v2 = new Events(BEGIN)
  .raw('{"$type":"message"}')
  .raw('{"$type":"message","payload":{"seq":1}}')
  .raw('{"$type":"message","payload":{"$type":"x#commit","did":"did:plc:ann","time":"2025-01-01T00:00:00Z"}}')
  .raw('{"$type":"message","payload":{"$type":"x#commit","did":"did:plc:ann","seq":5}}')
  .raw(
    JSON.stringify({ $type: 'message', payload: { $type: 'x#info', name: 'OutdatedCursor', message: 'm' } }),
  )
  .account(ANN, true);

testConnector(builtIn, 'bluesky', {
  cases: [
    { name: 'maps every kind of event of version 2', open: source(events, {}, 'url_v2'), expect: EMITS },
    { name: 'maps every embed of a post', open: source(embeds), expect: EMBED_EMITS },
    {
      name: 'reads version 2 on after cuts, refusals and an error of the server',
      open: source(
        events,
        { cuts: [3, 9], refusals: [undefined, undefined, 429], ends_with: 'Slow' },
        'url_v2',
      ),
      expect: EMITS,
    },
    {
      name: 'names bad messages and notices of version 2 and skips them',
      open: source(bad_v2, {}, 'url_v2'),
      expect: [record('user', { user_id: ANN, hidden: false, updated_at: at(6) })],
      warns: [
        "it is neither a 'message' nor an 'error'",
        "its payload has no '$type'",
        "it has no valid 'seq'",
        "it has no valid 'time'",
        'OutdatedCursor: m',
      ],
    },
    { name: 'maps every kind of event to records', open: source(events), expect: EMITS },
    {
      name: 'reads on after the server cut the connection',
      open: source(events, { cuts: [3, 9] }),
      expect: EMITS,
    },
    {
      name: 'names bad messages and skips them',
      open: source(bad),
      expect: [record('user', { user_id: ANN, hidden: false, updated_at: at(8) })],
      warns: [
        'it is not JSON',
        "it has no 'did'",
        "it has no valid 'time_us'",
        "its commit has no 'collection' or 'rkey'",
        'it has 1100002 characters',
        "its record has no 'subject.uri'",
      ],
    },
  ],
  refuses: [
    { url: 'https://example.com' },
    { collections: ['videos'] },
    { dids: ['ann'] },
    { back_hours: -1 },
  ],
});

describe('the subscription', () => {
  test('asks for the collections and accounts of the options, from a few seconds before the cursor', async () => {
    await using server = new Jetstream(events.frames, { cuts: [0] });
    await runOn({ url: server.url, collections: ['likes', 'posts'], dids: [ANN] }, '1767225600000000');
    const [{ searchParams }] = server.requests;
    expect(searchParams.getAll('wantedCollections')).toEqual(['app.bsky.feed.like', POST]);
    expect(searchParams.getAll('wantedDids')).toEqual([ANN]);
    expect(searchParams.get('cursor')).toBe('1767225595000000');
  });

  test('of version 2 has its own parameters, and goes on at the number of the last event', async () => {
    await using server = new Jetstream(events.frames, { cuts: [0] });
    const cursor = `1767225600000000 7 ${new URL(server.url_v2).host}`;
    await runOn({ url: server.url_v2, dids: [ANN] }, cursor);
    const [{ searchParams }] = server.requests;
    expect([...searchParams]).toEqual([
      ['kinds', 'commit'],
      ['kinds', 'identity'],
      ['kinds', 'account'],
      ['collections', POST],
      ['dids', ANN],
      ['maxMessageSizeBytes', '1000000'],
      ['cursor', '7'],
    ]);
  });

  test('goes on by time on another server and in the other version, since numbers count on one server', async () => {
    await using server = new Jetstream(events.frames, { cuts: [0, 0, 0] });
    const cursor = '1767225600000000 7 other.example';
    await runOn({ url: server.url_v2 }, cursor);
    await runOn({ url: server.url }, cursor);
    await runOn({ url: server.url_v2 }, '1767225600000000');
    const cursors = server.requests.map(({ searchParams }) => searchParams.get('cursor'));
    expect(cursors).toEqual(Array(3).fill('1767225595000000'));
  });

  test('goes on by time when the server has begun again, so that its numbers are lower', async () => {
    await using server = new Jetstream(events.frames, { ends_with: 'Stopped' });
    const cursor = `${(BEGIN + 2) * 1_000_000} 5000 ${new URL(server.url_v2).host}`;
    const { warnings, cursors, records } = await runOn(
      { url: server.url_v2, collections: ['posts'] },
      cursor,
    );
    expect(server.requests.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([
      '5000',
      String((BEGIN - 3) * 1_000_000),
    ]);
    expect(warnings.join()).toContain('FutureCursor');
    expect(records.length).toBeGreaterThan(0);
    const [time_us, number] = (cursors.at(-1) ?? '').split(' ');
    expect([time_us, number]).toEqual([String(events.last_us), String(events.frames.length)]);
  });

  test('goes on by the time at which the server saw an event, which an operator cannot change', async () => {
    const payload = {
      $type: 'network.bsky.jetstream.subscribeEvents#account',
      seq: 1,
      did: ANN,
      time: new Date((TEST_NOW - 7_000) * 1000).toISOString(),
      witnessedAt: new Date((TEST_NOW - 10) * 1000).toISOString(),
      account: { active: true, did: ANN, seq: 1, time: '' },
    };
    const own = new Events(BEGIN).raw(JSON.stringify({ $type: 'message', payload }));
    await using server = new Jetstream(own.frames, { cuts: [1] });
    const { cursors } = await runOn({ url: server.url_v2 }, String((BEGIN - 9_000) * 1_000_000));
    expect(cursors[0]).toStartWith(`${(TEST_NOW - 10) * 1_000_000} 1 `);
  });

  test('goes on by time when the server has dropped the number of the last event, with a warning', async () => {
    await using server = new Jetstream(events.frames, { oldest_seq: 5, ends_with: 'Stopped' });
    const cursor = `${(BEGIN + 2) * 1_000_000} 2 ${new URL(server.url_v2).host}`;
    const { warnings, cursors } = await runOn({ url: server.url_v2, collections: ['reposts'] }, cursor);
    expect(server.requests.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([
      '2',
      String((BEGIN - 3) * 1_000_000),
    ]);
    expect(warnings.join()).toContain('the server dropped events that were not read');
    expect(warnings.join()).toContain('OutdatedCursor');
    expect(cursors.at(-1)?.split(' ').slice(0, 2)).toEqual([
      String(events.last_us),
      String(events.frames.length),
    ]);
  });

  test('says why the server refuses or ends it', async () => {
    await using server = new Jetstream(events.frames, { refusals: [429], ends_with: 'ConsumerTooSlow' });
    expect((await runOn({ url: server.url })).error).toContain('429');
    const cursor = String(BEGIN * 1_000_000);
    const { error, cursors } = await runOn({ url: server.url_v2 }, cursor);
    expect(error).toContain('ConsumerTooSlow: read faster');
    expect(cursors.at(-1)).toContain(String(events.last_us));
  });

  test('is not moved ahead by an event that is dated ahead of the clock', async () => {
    const ahead = new Events(BEGIN)
      .pause(10 * 365 * 86_400)
      .account(ANN, true)
      .create(ANN, POST, 'p1', {});
    await using server = new Jetstream(ahead.frames, { cuts: [2] });
    const { cursors, records } = await runOn({ url: server.url }, String(BEGIN * 1_000_000));
    expect(records.map(({ record }) => record)).toMatchObject([
      { updated_at: TEST_NOW },
      { created_at: TEST_NOW },
    ]);
    expect(cursors).toEqual([String(TEST_NOW * 1_000_000)]);
  });
});
