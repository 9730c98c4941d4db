import { describe, expect, test } from 'bun:test';
import { AtpAgent } from '@atproto/api';
import { tokenOf } from '../../support/did-server.ts';
import { forFile } from '../../support/service.ts';
import { BlueskyScene, feedUri, GET_SKELETON, postUri, SEND_INTERACTIONS } from '../bluesky-support.ts';

/** A service on a port, called by the published client of AT Protocol. */
const DID = 'did:web:feeds.example.com';
const scene = await forFile(BlueskyScene.open({ bluesky_did: DID }));
await scene.addPosts('a', 'b', 'c');
await scene.addFeed('home');
const agent = new AtpAgent({ service: scene.server.listen() });

async function headersFor(lxm: string): Promise<{ headers: Record<string, string> }> {
  const token = await tokenOf(scene.key, { ...scene.claims(lxm), aud: `${DID}#bsky_fg` });
  return { headers: { authorization: `Bearer ${token}` } };
}

describe('the published client', () => {
  const feed = feedUri('home', DID);

  test('it reads which feeds there are', async () => {
    const { data } = await agent.app.bsky.feed.describeFeedGenerator();
    expect(data).toEqual({ did: DID, feeds: [{ uri: feed }] });
    const document = await fetch(new URL('/.well-known/did.json', agent.serviceUrl));
    expect(((await document.json()) as { id: string }).id).toBe(DID);
  });

  test('it walks through a feed, reports what was seen, and does not get it again', async () => {
    const first = await agent.app.bsky.feed.getFeedSkeleton(
      { feed, limit: 2 },
      await headersFor(GET_SKELETON),
    );
    expect(first.data.feed.map(({ post }) => post)).toEqual(['a', 'b'].map(postUri));
    const { cursor } = first.data;
    const next = await agent.app.bsky.feed.getFeedSkeleton(
      { feed, limit: 2, cursor },
      await headersFor(GET_SKELETON),
    );
    expect(next.data.feed.map(({ post }) => post)).toEqual([postUri('c')]);
    const interactions = first.data.feed.map(({ post, feedContext }) => ({
      item: post,
      event: 'app.bsky.feed.defs#interactionSeen',
      feedContext,
      reqId: first.data.reqId,
    }));
    const options = { ...(await headersFor(SEND_INTERACTIONS)), encoding: 'application/json' } as const;
    expect((await agent.app.bsky.feed.sendInteractions({ interactions }, options)).data).toEqual({});
    const again = await agent.app.bsky.feed.getFeedSkeleton({ feed }, await headersFor(GET_SKELETON));
    expect(again.data.feed.map(({ post }) => post)).toEqual([postUri('c')]);
  });

  test('it knows the errors', async () => {
    const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => undefined,
        (error) => error,
      );
    const unknown = await failureOf(agent.app.bsky.feed.getFeedSkeleton({ feed: feedUri('gone', DID) }));
    expect(unknown).toMatchObject({ status: 400, error: 'UnknownFeed' });
    const refused = await failureOf(
      agent.app.bsky.feed.getFeedSkeleton({ feed }, await headersFor(SEND_INTERACTIONS)),
    );
    expect(refused).toMatchObject({ status: 401, error: 'AuthenticationRequired' });
  });
});
