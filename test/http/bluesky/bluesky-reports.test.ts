import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DID } from '../../support/did-server.ts';
import { START } from '../../support/service.ts';
import { BlueskyScene, postUri } from '../bluesky-support.ts';
import { ingestPath } from '../support.ts';

let scene: BlueskyScene;
beforeEach(async () => {
  scene = await BlueskyScene.open();
});
afterEach(() => scene.close());

async function report(item: string, name: string): Promise<void> {
  const { status } = await scene.send([{ item, event: `app.bsky.feed.defs#${name}` }]);
  expect(status).toBe(200);
}

describe('a report of the Bluesky app', () => {
  test.each([
    ['interactionLike', 'like'],
    ['interactionRepost', 'share'],
  ])('%s that is sent again long after the record is undone with the record', async (name, event_type) => {
    await scene.addPosts('a');
    const { server } = scene;
    const act = { item_id: postUri('a'), event_type, timestamp: START };
    await server.post(ingestPath('interactions'), { user_id: DID, event_id: 'e1', ...act });
    server.clock.advance(7_200);
    const { seq } = server.service.state;
    await report(postUri('a'), name);
    expect(server.service.state.seq).toBe(seq);
    await server.post(ingestPath('interactions'), { user_id: DID, event_id: 'e1', action: 'remove' });
    const { body } = await server.get(`/v2/farcaster/users/${DID}`);
    expect(body.interactions).toEqual([]);
  });

  test.each(['interactionLike', 'interactionSeen', 'requestLess'])(
    '%s about an item that is no post of Bluesky changes nothing',
    async (name) => {
      await scene.addItems('0x07cb1f36');
      const { seq } = scene.server.service.state;
      await report('0x07cb1f36', name);
      expect(scene.server.service.state.seq).toBe(seq);
    },
  );
});
