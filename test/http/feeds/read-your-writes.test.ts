import { describe, expect } from 'bun:test';
import { START } from '../../support/service.ts';
import { FEED_TYPES, type Fields, testCommunity as it } from '../support.ts';

const VIEWER = { user_id: 'viewer' };

describe('the next request reflects', () => {
  it('a like, comment, share or bookmark takes effect on the next request, and so does its removal', async (community) => {
    await community.addItem('item');
    for (const event_type of ['like', 'comment', 'share', 'bookmark']) {
      const viewer = { user_id: `viewer-${event_type}` };
      await community.act(viewer.user_id, event_type, 'item', { event_id: 'e' });
      for (const feed_type of FEED_TYPES) {
        expect(await community.ids(feed_type, viewer)).toEqual([]);
        const request = { ...viewer, show_interacted_items: true };
        expect(await community.ids(feed_type, request)).toEqual(['item']);
        expect(await community.ids(feed_type, { user_id: 'other' })).toEqual(['item']);
      }
      await community.act(viewer.user_id, event_type, 'item', { event_id: 'e', action: 'remove' });
      for (const feed_type of FEED_TYPES) expect(await community.ids(feed_type, viewer)).toEqual(['item']);
    }
  });

  it('a view counts as seen on the next request, and its removal takes effect too', async (community) => {
    await community.addItem('item');
    await community.act('viewer', 'view', 'item');
    for (const show_interacted_items of [false, true]) {
      const request = { ...VIEWER, show_interacted_items };
      for (const feed_type of FEED_TYPES) expect(await community.ids(feed_type, request)).toEqual([]);
    }
    await community.act('viewer', 'view', 'item', { action: 'remove' });
    expect(await community.ids('popular', VIEWER)).toEqual(['item']);
  });

  it('a page recorded as seen is not shown by the next request', async (community) => {
    await community.add(
      'items',
      ...['a', 'b'].map((item_id) => ({ item_id, author_id: 'author', created_at: START })),
    );
    expect(await community.ids('popular', { ...VIEWER, impression_count: 1 })).toEqual(['a', 'b']);
    for (const feed_type of FEED_TYPES) {
      const request = { ...VIEWER, show_interacted_items: true };
      expect(await community.ids(feed_type, request)).toEqual(['b']);
    }
  });

  it('a hide or report takes effect on the next request, even with show_interacted_items, and so does its removal', async (community) => {
    await community.addItem('item');
    for (const event_type of ['hide', 'report']) {
      const viewer = { user_id: `viewer-${event_type}` };
      await community.act(viewer.user_id, event_type, 'item');
      for (const feed_type of FEED_TYPES) {
        for (const show_interacted_items of [false, true]) {
          expect(await community.ids(feed_type, { ...viewer, show_interacted_items })).toEqual([]);
        }
        expect(await community.ids(feed_type, { user_id: 'other' })).toEqual(['item']);
      }
      await community.act(viewer.user_id, event_type, 'item', { action: 'remove' });
      expect(await community.ids('popular', viewer)).toEqual(['item']);
    }
  });

  it('a block takes effect both ways on the next request, and ends when it is removed', async (community) => {
    const item = (author_id: string) => ({ item_id: `of ${author_id}`, author_id, created_at: START });
    await community.add('items', item('one'), item('other'));
    const pages = async () => [
      await community.ids('popular', { user_id: 'one' }),
      await community.ids('for-you', { user_id: 'other' }),
    ];
    await community.block('one', 'other');
    expect(await pages()).toEqual([['of one'], ['of other']]);
    await community.block('other', 'one');
    await community.block('one', 'other', { action: 'unblock' });
    expect(await pages()).toEqual([['of one'], ['of other']]);
    await community.block('other', 'one', { action: 'unblock' });
    for (const page of await pages()) expect(page).toHaveLength(2);
  });

  it('a follow takes effect on the next request, and so does an unfollow', async (community) => {
    await community.addItem('item');
    const following = async (request: Fields, author_ids: unknown = 'following') =>
      community.ids('trending', { ...request, filters: { author_ids } });
    expect(await following(VIEWER)).toEqual([]);
    await community.follow('viewer', 'author');
    expect(await following(VIEWER)).toEqual(['item']);
    expect(await following(VIEWER, ['following'])).toEqual(['item']);
    expect(await following({ user_id: 'other' }, 'following:viewer')).toEqual(['item']);
    expect(await following({}, 'following:viewer')).toEqual(['item']);
    expect(await following({})).toEqual([]);
    expect(await following({ user_id: 'other' })).toEqual([]);
    await community.follow('viewer', 'author', { action: 'unfollow' });
    expect(await following(VIEWER)).toEqual([]);
  });

  it('an item, its changes, hiding and showing it take effect on the next request', async (community) => {
    await community.addItem('item', { text: 'first', channel: 'one' });
    const shown = async () =>
      (await community.page('popular', { return_metadata: true })).map(({ metadata }) => metadata?.text);
    expect(await shown()).toEqual(['first']);
    await community.add('items', { item_id: 'item', text: 'second', channel: 'other' });
    expect(await shown()).toEqual(['second']);
    expect(await community.ids('popular', { filters: { channels: ['one'] } })).toEqual([]);
    expect(await community.ids('popular', { filters: { channels: ['other'] } })).toEqual(['item']);
    await community.add('items', { item_id: 'item', hidden: true });
    for (const feed_type of FEED_TYPES) expect(await community.ids(feed_type, VIEWER)).toEqual([]);
    await community.add('items', { item_id: 'item', hidden: false });
    expect(await shown()).toEqual(['second']);
  });

  it('hiding and showing a user takes effect on the next request, for old and new items', async (community) => {
    await community.addItem('before');
    await community.add('users', { user_id: 'author', hidden: true });
    await community.addItem('after');
    for (const feed_type of FEED_TYPES) expect(await community.ids(feed_type, VIEWER)).toEqual([]);
    await community.add('users', { user_id: 'author', hidden: false });
    for (const feed_type of FEED_TYPES) {
      expect((await community.ids(feed_type, VIEWER)).sort()).toEqual(['after', 'before']);
    }
  });

  it('a profile takes effect on the next request', async (community) => {
    await community.addItem('item');
    const author = async () => (await community.shown('item', { return_metadata: true })).metadata?.author;
    expect((await author())?.username).toBeNull();
    await community.add('users', { user_id: 'author', username: 'old' });
    expect((await author())?.username).toBe('old');
    await community.add('users', { user_id: 'author', username: 'new', pfp_url: 'https://x.example/y.png' });
    expect(await author()).toEqual({
      user_id: 'author',
      username: 'new',
      display_name: null,
      pfp_url: 'https://x.example/y.png',
    });
  });

  it('a change of author takes effect on the next request', async (community) => {
    await community.addItem('item');
    await community.add('items', { item_id: 'item', author_id: 'successor' });
    expect(await community.ids('popular', { filters: { author_ids: ['author'] } })).toEqual([]);
    expect(await community.ids('popular', { filters: { author_ids: ['successor'] } })).toEqual(['item']);
  });

  it('deleting an item takes effect on the next request, and an item that comes back is still seen', async (community) => {
    await community.addItem('item', { likes_count: 9, text: 'first' });
    await community.act('fan', 'like', 'item');
    await community.page('popular', { user_id: 'witness', impression_count: 1 });
    await community.remove('items', 'item');
    for (const feed_type of FEED_TYPES) expect(await community.ids(feed_type, VIEWER)).toEqual([]);
    await community.act('late', 'like', 'item');
    expect(await community.ids('popular', VIEWER)).toEqual([]);
    await community.addItem('item', { author_id: 'author', revive: true });
    expect(await community.ids('popular', { user_id: 'witness' })).toEqual([]);
    expect(await community.ids('popular', { user_id: 'fan' })).toEqual(['item']);
    const { metadata } = await community.shown('item', { return_metadata: true });
    expect([metadata?.text, metadata?.likes_count]).toEqual(['', 1]);
  });
});

it('a deleted item needs its author and time again', async (community) => {
  await community.addItem('item');
  await community.remove('items', 'item');
  const { status, body } = await community.server.post('/v2/farcaster/items', { item_id: 'item', text: 'x' });
  expect(status).toBe(400);
  expect(body.rejected[0].detail).toContain('author_id: is required for a new item');
});

describe('three hidden or reported items of one author', () => {
  const items = Array.from({ length: 5 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: 'author',
    created_at: START - at,
  }));
  const stranger = { item_id: 'of a stranger', author_id: 'stranger', created_at: START - 9 };

  it('three hidden or reported items hide their author for 30 days', async (community) => {
    await community.add('items', ...items, stranger);
    await community.act('viewer', 'hide', 'item-0');
    await community.act('viewer', 'report', 'item-1');
    await community.act('viewer', 'hide', 'item-1');
    const rest = ['item-2', 'item-3', 'item-4', 'of a stranger'];
    expect((await community.ids('for-you', VIEWER)).sort()).toEqual(rest);
    await community.act('viewer', 'report', 'item-2');
    for (const feed_type of FEED_TYPES) {
      expect(await community.ids(feed_type, VIEWER)).toEqual(['of a stranger']);
      expect(await community.ids(feed_type, { user_id: 'other' })).toHaveLength(6);
    }
    community.server.clock.advance(30 * 86_400);
    expect(await community.ids('popular', VIEWER)).toEqual(['of a stranger']);
    community.server.clock.advance(1);
    expect(await community.ids('popular', VIEWER)).toEqual(['item-3', 'item-4', 'of a stranger']);
  });

  it('an author is shown again if one hide is taken back or older than 30 days', async (community) => {
    await community.add('items', ...items, stranger);
    await community.act('viewer', 'hide', 'item-0', { timestamp: START - 31 * 86_400 });
    await community.act('viewer', 'hide', 'item-1');
    await community.act('viewer', 'hide', 'item-2');
    const rest = ['item-3', 'item-4', 'of a stranger'];
    expect(await community.ids('popular', VIEWER)).toEqual(rest);
    await community.act('viewer', 'hide', 'item-3');
    expect(await community.ids('popular', VIEWER)).toEqual(['of a stranger']);
    await community.act('viewer', 'hide', 'item-2', { action: 'remove' });
    expect(await community.ids('popular', VIEWER)).toEqual(['item-2', 'item-4', 'of a stranger']);
  });
});
