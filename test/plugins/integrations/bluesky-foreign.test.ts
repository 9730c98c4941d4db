import { expect, test } from 'bun:test';
import { TEST_NOW } from 'feedloom/plugin/testing';
import { Events, Jetstream } from '../../support/jetstream.ts';
import { runOn } from './run-bluesky.ts';

const POST = 'app.bsky.feed.post';
const [ANN, BEN] = ['did:plc:ann', 'did:plc:ben'];
/** A cast and a user of Farcaster. */
const [CAST, FID] = ['0x07cb1f36', '3'];
const BEGIN = TEST_NOW - 1000;

test('records of Bluesky name no items and users of other networks, and no posts of other authors', async () => {
  const events = new Events(BEGIN)
    .create(ANN, POST, 'p1', {
      text: 'A reply to a cast',
      reply: { root: { uri: CAST, cid: 'c' }, parent: { uri: CAST, cid: 'c' } },
      facets: [{ features: [{ $type: 'app.bsky.richtext.facet#mention', did: FID }] }],
      embed: { $type: 'app.bsky.embed.record', record: { uri: `${CAST}/${POST}/y`, cid: 'c' } },
    })
    .create(ANN, 'app.bsky.feed.like', 'l1', { subject: { uri: `${CAST}/${POST}/y`, cid: 'c' } })
    .create(ANN, 'app.bsky.graph.follow', 'f1', { subject: FID })
    .create(ANN, 'app.bsky.graph.block', 'b1', { subject: FID })
    .delete(`${BEN}/${POST}/p1?`, POST, 'p1');
  await using server = new Jetstream(events.frames, { cuts: [events.frames.length] });
  const collections = ['posts', 'likes', 'follows', 'blocks'] as const;
  const { records, warnings } = await runOn(
    { url: server.url, collections: [...collections] },
    String(BEGIN * 1_000_000),
  );
  expect(records).toHaveLength(1);
  const [{ kind, record }] = records;
  expect([kind, record]).toEqual([
    'item',
    {
      item_id: `at://${ANN}/${POST}/p1`,
      author_id: ANN,
      created_at: BEGIN + 1,
      text: 'A reply to a cast',
      embed_items: [],
      publication_types: [],
      mentioned_profiles: [],
      metadata: { cid: 'cid-p1' },
    },
  ]);
  expect(warnings.filter((text) => text.includes("no DID as 'subject'"))).toHaveLength(2);
  expect(warnings.filter((text) => text.includes("it has no 'did'"))).toHaveLength(1);
});
