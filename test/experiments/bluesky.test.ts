import { expect, test } from 'bun:test';
import { BlueskyScene, postsOf, postUri } from '../http/bluesky-support.ts';
import { KEY } from '../http/support.ts';
import { PATH, totalsOf } from './support.ts';

test('a feed in the Bluesky app is built by the variant, and what the app reports counts for it', async () => {
  const scene = await BlueskyScene.open();
  try {
    await scene.addPosts('a', 'b');
    const feed_id = await scene.addFeed('home');
    const other = await scene.addFeed('none', { config: { filters: { channels: ['nowhere'] } } });
    const variants = [
      { name: 'control', feed_id: other, percent: 0 },
      { name: 'whole', feed_id, percent: 100 },
    ];
    const made = await scene.server.post(PATH, { name: 'App', feed_id, variants });
    const id = made.body.data.experiment_id;
    expect(postsOf(await scene.skeleton({}, await scene.token()))).toEqual(['a', 'b'].map(postUri));
    const event = (name: string) => `app.bsky.feed.defs#${name}`;
    const item = postUri('a');
    await scene.send([
      { item, event: event('interactionSeen'), feedContext: feed_id },
      { item: postUri('b'), event: event('interactionSeen'), feedContext: feed_id },
      { item, event: event('requestLess'), feedContext: feed_id },
    ]);
    const read = async () =>
      (await scene.server.call('GET', `${PATH}/${id}`, undefined, KEY)).body.data.results;
    expect(totalsOf(await read()).whole).toMatchObject({ viewers: 1, impressions: 2, hide: 1 });
    const swapped = variants.map(({ name, percent }) => ({ name, percent: 100 - percent }));
    await scene.server.call('PATCH', `${PATH}/${id}`, { variants: swapped }, KEY);
    expect(postsOf(await scene.skeleton({}, await scene.token()))).toEqual([]);
  } finally {
    await scene.close();
  }
});
