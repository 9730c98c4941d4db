import { expect, test } from 'bun:test';
import { systemClock } from '../../src/clock.ts';
import { DID, DidServer, newKey, tokenOf } from '../support/did-server.ts';
import { item, openCluster } from './support.ts';

const SERVICE = 'did:web:feeds.example.com';
const FEED = `at://${SERVICE}/app.bsky.feed.generator/home`;
const POSTS = ['a', 'b'].map((rkey) => `at://${DID}/app.bsky.feed.post/${rkey}`);

test('what Bluesky reports to one node is on the next page of every node', async () => {
  await using cluster = await openCluster();
  const dids = new DidServer();
  const key = await newKey();
  dids.publish(DID, key);
  const settings = { bluesky_did: SERVICE, plc_url: dids.url };
  const leader = await cluster.start(settings);
  const follower = await cluster.start(settings);
  const tokenFor = async (lxm: string) => {
    const exp = systemClock.now() + 60;
    return { authorization: `Bearer ${await tokenOf(key, { iss: DID, aud: SERVICE, lxm, exp })}` };
  };
  expect(
    (
      await follower.post(
        '/v2/farcaster/items',
        POSTS.map((post) => item(post)),
      )
    ).status,
  ).toBe(200);
  const feed = { name: 'Home', visibility: 'public', config: { bluesky: { rkey: 'home' } } };
  expect((await follower.post('/api/feed/config', feed)).status).toBe(201);
  const page = async (node: typeof leader) => {
    const path = `/xrpc/app.bsky.feed.getFeedSkeleton?feed=${FEED}`;
    const answer = await node.call('GET', path, undefined, await tokenFor('app.bsky.feed.getFeedSkeleton'));
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body.feed.map(({ post }: { post: string }) => post).sort();
  };
  for (const node of [leader, follower]) expect(await page(node)).toEqual(POSTS);
  const method = 'app.bsky.feed.sendInteractions';
  const seen = { interactions: [{ item: POSTS[0], event: 'app.bsky.feed.defs#interactionSeen' }] };
  const sent = await follower.call('POST', `/xrpc/${method}`, seen, await tokenFor(method));
  expect([sent.status, sent.body]).toEqual([200, {}]);
  for (const node of [leader, follower]) expect(await page(node)).toEqual([POSTS[1]]);
  const refused = await follower.call('POST', `/xrpc/${method}`, seen);
  expect([refused.status, refused.body.error]).toEqual([401, 'AuthenticationRequired']);
  await dids.close();
});
