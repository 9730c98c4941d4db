import { expect, test } from 'bun:test';
import { BlueskyScene, postsOf, postUri } from '../http/bluesky-support.ts';
import { KEY } from '../http/support.ts';
import { PATH, totalsOf } from './support.ts';

test('a feed in the Bluesky app is built by the variant, and what the app reports counts for it', async () => {
  await using scene = await BlueskyScene.open();
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
});

test('a like that the Bluesky app reports soon after the post was seen counts', async () => {
  await using scene = await BlueskyScene.open();
  await scene.addPosts('a', 'b');
  const feed_id = await scene.addFeed('home');
  const variants = [
    { name: 'control', feed_id, percent: 100 },
    { name: 'other', feed_id, percent: 0 },
  ];
  const made = await scene.server.post(PATH, { name: 'App', feed_id, variants });
  const event = (name: string) => `app.bsky.feed.defs#${name}`;
  scene.server.clock.advance(3_600);
  await scene.send([{ item: postUri('a'), event: event('interactionSeen'), feedContext: feed_id }]);
  scene.server.clock.advance(60);
  await scene.send([
    { item: postUri('a'), event: event('interactionLike'), feedContext: feed_id },
    { item: postUri('b'), event: event('interactionLike'), feedContext: feed_id },
  ]);
  const path = `${PATH}/${made.body.data.experiment_id}`;
  const { results } = (await scene.server.call('GET', path, undefined, KEY)).body.data;
  expect(totalsOf(results).control).toMatchObject({ viewers: 1, impressions: 1, like: 1 });
});
