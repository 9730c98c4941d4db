import { describe, expect, test } from 'bun:test';
import { definePlugin, PLUGIN_API } from 'feedloom/plugin';
import { TEST_NOW, testConnector } from 'feedloom/plugin/testing';
import bluesky from '../../../plugins/connectors/bluesky.ts';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { Events, Jetstream, type Plan } from '../../support/jetstream.ts';

const POST = 'app.bsky.feed.post';
const [ANN, BEN] = ['did:plc:ann', 'did:plc:ben'];
/** An hour back at most. */
const BEGIN = TEST_NOW - 1000;
const at = (events: number): number => BEGIN + events;
const post = (did: string, rkey: string): string => `at://${did}/${POST}/${rkey}`;

const plugin = definePlugin({
  meta: { name: 'bsky', version: '1.0.0', api: PLUGIN_API },
  connectors: { bluesky },
});

function source(events: Events, plan?: Plan) {
  return () => {
    const server = new Jetstream(events.frames, plan);
    return { options: { url: server.url, back_hours: 1 }, close: () => server.close() };
  };
}

const events = new Events(BEGIN)
  .create(ANN, POST, 'p1', {
    text: 'See example.com @ben',
    langs: ['en-GB', 'de'],
    facets: [
      { features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com/a' }] },
      { features: [{ $type: 'app.bsky.richtext.facet#mention', did: BEN }] },
    ],
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
  record('block', { user_id: BEN, target_user_id: 'did:plc:cid' }),
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
  record('item_deletion', { item_id: post(BEN, 'p2'), timestamp: at(13) }),
  record('user', { user_id: ANN, hidden: true, updated_at: at(14) }),
  record('user', { user_id: ANN, hidden: false, updated_at: at(15) }),
  record('user_deletion', { user_id: BEN, timestamp: at(17) }),
  record('user', { user_id: 'did:plc:dan', hidden: true, updated_at: at(18) }),
];

const bad = new Events(BEGIN)
  .raw('{"did":')
  .raw('[1]')
  .raw('{"did":"did:plc:ann","kind":"commit"}')
  .raw(new Uint8Array([1, 2, 3]))
  .raw(JSON.stringify({ did: ANN, time_us: 1, kind: 'commit', commit: {} }))
  .raw(`"${'x'.repeat(1_100_000)}"`)
  .create(BEN, 'app.bsky.feed.like', 'l0', { subject: 7 })
  .account(ANN, true);

testConnector(plugin, 'bluesky', {
  cases: [
    { name: 'maps every kind of event to records', open: source(events), emits: EMITS },
    {
      name: 'reads on after the server cut the connection',
      open: source(events, { cuts: [3, 9] }),
      emits: EMITS,
    },
    {
      name: 'names bad messages and skips them',
      open: source(bad),
      emits: [record('user', { user_id: ANN, hidden: false, updated_at: at(8) })],
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
    const server = new Jetstream(events.frames, { cuts: [0] });
    const run = bluesky.start({
      url: server.url,
      collections: ['likes', 'posts'],
      dids: [ANN],
      back_hours: 0,
    });
    const nothing = () => {};
    await run({
      cursor: '1767225600000000',
      emit: async () => ({ accepted: 0, rejected_count: 0, rejected: [] }),
      signal: new AbortController().signal,
      log: { info: nothing, warn: nothing, error: nothing },
      clock: { now: () => TEST_NOW },
    }).catch(nothing);
    const [{ searchParams }] = server.requests;
    expect(searchParams.getAll('wantedCollections')).toEqual(['app.bsky.feed.like', POST]);
    expect(searchParams.getAll('wantedDids')).toEqual([ANN]);
    expect(searchParams.get('cursor')).toBe('1767225595000000');
    await server.close();
  });
});
