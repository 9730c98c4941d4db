import { TEST_NOW, testConnector } from 'feedloom/plugin/testing';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { Events, Jetstream } from '../../support/jetstream.ts';
import { builtIn } from '../built-in.ts';

const POST = 'app.bsky.feed.post';
const [ANN, BEN] = ['did:plc:ann', 'did:plc:ben'];
const BEGIN = TEST_NOW - 1000;
const at = (events: number): number => BEGIN + events;
const post = (did: string, rkey: string): string => `at://${did}/${POST}/${rkey}`;

const record = (kind: ConnectorRecord['kind'], fields: Record<string, unknown>): ConnectorRecord => ({
  kind,
  record: fields,
});
const like = (rkey: string) => ({ user_id: BEN, event_id: `app.bsky.feed.like/${rkey}` });
const LIKE = 'app.bsky.feed.like';
const LONG = 'k'.repeat(300);
const LONG_ID = `${LIKE}/${new Bun.CryptoHasher('sha256').update(LONG).digest('hex')}`;
const subject = (rkey: string) => ({ subject: { uri: post(ANN, rkey), cid: 'c' } });
/** Updates state the time of their first version. */
const CREATED = { createdAt: new Date(at(0) * 1_000).toISOString() };
const updates = new Events(BEGIN)
  .identity(ANN, 'handle.invalid')
  .commit(BEN, 'create', LIKE, 'l1', { ...subject('p1'), ...CREATED })
  .commit(BEN, 'update', LIKE, 'l1', { ...subject('p2'), ...CREATED })
  .commit(BEN, 'update', LIKE, 'l1', {
    subject: { uri: `at://${ANN}/app.bsky.feed.generator/g`, cid: 'c' },
    ...CREATED,
  })
  .commit(BEN, 'update', 'app.bsky.graph.follow', 'f1', { subject: ANN, ...CREATED })
  .create(BEN, LIKE, LONG, subject('p1'))
  .delete(BEN, LIKE, LONG)
  .commit(ANN, 'update', 'app.bsky.feed.post', 'p1', { text: 'Hi', ...CREATED });
const UPDATED: ConnectorRecord[] = [
  record('interaction', { ...like('l1'), timestamp: at(0), item_id: post(ANN, 'p1'), event_type: 'like' }),
  record('interaction', { ...like('l1'), timestamp: at(3), item_id: post(ANN, 'p2'), event_type: 'like' }),
  record('interaction', { ...like('l1'), action: 'remove' }),
  record('follow', {
    user_id: BEN,
    event_id: 'app.bsky.graph.follow/f1',
    timestamp: at(5),
    target_user_id: ANN,
  }),
  record('interaction', {
    user_id: BEN,
    event_id: LONG_ID,
    timestamp: at(6),
    item_id: post(ANN, 'p1'),
    event_type: 'like',
  }),
  record('interaction', { user_id: BEN, event_id: LONG_ID, action: 'remove' }),
  record('item', {
    item_id: post(ANN, 'p1'),
    author_id: ANN,
    created_at: at(0),
    text: 'Hi',
    updated_at: at(8),
    embed_items: [],
    publication_types: [],
    tags: [],
    link_titles: [],
    alt_texts: [],
    mentioned_profiles: [],
    metadata: { cid: 'cid-p1' },
  }),
];

testConnector(builtIn, 'bluesky', {
  cases: [
    {
      name: 'dates updated acts by their update, keeps handles that are not resolved and acts with long record keys, and clears what an updated post no longer has',
      open: () => {
        const server = new Jetstream(updates.frames);
        return {
          options: { url: server.url, back_hours: 1 },
          close: () => server[Symbol.asyncDispose](),
        };
      },
      expect: UPDATED,
    },
  ],
});
