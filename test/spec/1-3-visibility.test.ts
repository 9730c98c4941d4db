import { expect, test } from 'bun:test';
import { FEED_TYPES, numbered, serviceWith } from './support.ts';

const EVENTS = ['like', 'comment', 'share', 'bookmark'];

test('1.3 impression_count: the first n items of the returned list are recorded as seen', async () => {
  for (const feed_type of FEED_TYPES) {
    await using service = await serviceWith(...numbered('item', 9));
    const first = await service.page(feed_type, { top_k: 5, impression_count: 3 });
    const next = await service.set(feed_type);
    expect(next).toEqual(numbered('item', 9).filter((item_id) => !first.slice(0, 3).includes(item_id)));
  }
});

test('1.3 impression_count: what was seen is excluded from later responses for that user, of any feed', async () => {
  await using service = await serviceWith(...numbered('item', 6));
  const seen = await service.page('popular', { top_k: 2, impression_count: 2 });
  const feed_id = await service.account.add({});
  for (const request of [{}, { feed_id }, { show_interacted_items: true }]) {
    const left = await service.page('for-you', request);
    expect(left).toHaveLength(4);
    expect(left.filter((item_id) => seen.includes(item_id))).toEqual([]);
  }
  expect(await service.page('popular', { user_id: 'other' })).toHaveLength(6);
});

test('1.3 impression_count: without it nothing is recorded', async () => {
  await using service = await serviceWith('a', 'b');
  for (const impression_count of [undefined, null, 0]) {
    for (const feed_type of FEED_TYPES) {
      expect(await service.set(feed_type, { impression_count })).toEqual(['a', 'b']);
    }
  }
});

test('1.3 show_interacted_items: by default what the user already interacted with is not returned', async () => {
  await using service = await serviceWith(...EVENTS, 'untouched');
  for (const event of EVENTS) await service.community.act('viewer', event, event);
  for (const feed_type of FEED_TYPES) {
    expect(await service.set(feed_type)).toEqual(['untouched']);
    expect(await service.set(feed_type, { show_interacted_items: false })).toEqual(['untouched']);
    expect(await service.set(feed_type, { user_id: 'other' })).toHaveLength(5);
  }
});

test('1.3 show_interacted_items: when enabled they may be returned', async () => {
  await using service = await serviceWith(...EVENTS, 'untouched');
  for (const event of EVENTS) await service.community.act('viewer', event, event);
  for (const feed_type of FEED_TYPES) {
    expect(await service.set(feed_type, { show_interacted_items: true })).toHaveLength(5);
  }
});

test('1.3 remove own posts: posts created by the viewing user are not returned', async () => {
  await using service = await serviceWith('a', 'b');
  for (const feed_type of FEED_TYPES) {
    const request = { user_id: 'author of a' };
    expect(await service.set(feed_type, request)).toEqual(['a', 'b']);
    expect(await service.set(feed_type, { ...request, remove_user_posts_from_feed: true })).toEqual(['b']);
    expect(await service.set(feed_type, { remove_user_posts_from_feed: true })).toEqual(['a', 'b']);
  }
});

test('1.3 social proof only: only posts that people followed by the user interacted with are returned', async () => {
  await using service = await serviceWith('a', 'b', 'c', 'd');
  await service.community.follow('viewer', 'friend');
  await service.community.act('friend', 'like', 'b');
  await service.community.act('friend', 'comment', 'c');
  await service.likes('d', 'stranger');
  for (const feed_type of FEED_TYPES) {
    const request = { return_only_posts_with_social_proof: true };
    expect(await service.set(feed_type, request)).toEqual(['b', 'c']);
    expect(await service.set(feed_type, { ...request, user_id: 'stranger' })).toEqual([]);
  }
});

test('1.3 every rule may be saved with a feed, and holds with the others', async () => {
  await using service = await serviceWith('a', 'b', 'c', 'd');
  await service.community.follow('author of a', 'friend');
  for (const item_id of ['a', 'b', 'c']) await service.likes(item_id, 'friend');
  await service.likes('b', 'author of a');
  const config = {
    show_interacted_items: true,
    remove_user_posts_from_feed: true,
    return_only_posts_with_social_proof: true,
  };
  const feed_id = await service.account.add({ config });
  const request = { user_id: 'author of a', feed_id };
  expect(await service.set('for-you', request)).toEqual(['b', 'c']);
  expect(await service.set('for-you', { ...request, show_interacted_items: false })).toEqual(['c']);
});
