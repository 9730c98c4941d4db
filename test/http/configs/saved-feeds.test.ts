import { describe, expect, test } from 'bun:test';
import { expectRefused, newAccount } from '../config-support.ts';
import type { Fields } from '../support.ts';
import { all, channel, savedFeedWorld } from './saved-feed-world.ts';

const world = savedFeedWorld();

describe('a saved feed', () => {
  test('a saved feed without a config is the plain feed under its own name', async () => {
    const { body } = await world.account.ask('popular', { feed_id: world.feed_id });
    expect(body.body.map((item: Fields) => item.item_id)).toEqual(all.slice(0, 25).map((at) => `item-${at}`));
    expect(new Set(body.body.map((item: Fields) => item.source_feed))).toEqual(
      new Set([`main:${world.feed_id}`]),
    );
    expect(body.warnings).toBeUndefined();
    const plain = await world.account.ask('popular', {});
    expect(plain.body.body[0].source_feed).toBe('main:popular');
  });

  test('a saved feed is served at the endpoint of its type and refused at the others', async () => {
    for (const type of ['for-you', 'trending', 'popular']) {
      await world.account.set(world.feed_id, { endpoint: `casts/feed/${type}` });
      for (const asked of ['for-you', 'trending', 'popular']) {
        const answer = await world.account.ask(asked, {
          user_id: 'v',
          feed_id: world.feed_id,
          impression_count: 5,
        });
        if (asked === type) expect([answer.status, answer.body.body.length]).toEqual([200, 25]);
        else {
          expectRefused(answer, 400, 'invalid_value');
          expect(answer.body.errors[0].path).toBe('/feed_id');
          expect(answer.body.detail).toContain(`casts/feed/${type}`);
        }
      }
    }
  });

  test('a saved feed applies its parameters', async () => {
    await world.save({ top_k: 3 });
    expect(await world.page()).toEqual([0, 1, 2]);
    await world.save({ filters: { channels: ['music'] }, top_k: 500 });
    expect(await world.page()).toEqual(channel('music'));
    await world.save({ feed_diversity_config: { max_posts_per_author: 1 } });
    expect(await world.page()).toEqual([0, 1, 2, 3]);
    await world.save({ remove_user_posts_from_feed: true, top_k: 3 });
    expect(await world.page({ user_id: 'author-0' })).toEqual([1, 2, 3]);
    await world.save({ show_interacted_items: true, top_k: 2 });
    expect(await world.page({ user_id: 'fan' })).toEqual([0, 1]);
    await world.save({ return_metadata: true });
    expect(
      (await world.account.ask('popular', { feed_id: world.feed_id })).body.body[0].metadata.root_parent_url,
    ).toBe('art');
    await world.save({ time_decay: { half_life_hours: 0.25 }, top_k: 2 });
    const [first] = (
      await world.account.ask('popular', { feed_id: world.feed_id, top_k: 40 })
    ).body.body.slice(-1);
    expect(first.adjusted_score).toBeLessThan(first.score);
  });

  test('a change of a saved feed takes effect on the next request', async () => {
    for (const top_k of [1, 2, 3]) {
      await world.save({ top_k });
      expect(await world.page()).toHaveLength(top_k);
    }
    await world.account.set(world.feed_id, { status: 'inactive' });
    expectRefused(await world.account.ask('popular', { feed_id: world.feed_id }), 404, 'not_found');
    await world.account.set(world.feed_id, { status: 'active' });
    expect(await world.page()).toHaveLength(3);
    await world.account.remove(world.feed_id);
    expectRefused(await world.account.ask('popular', { feed_id: world.feed_id }), 404, 'not_found');
  });

  test('an inactive feed is not found for any account, for any request', async () => {
    const other = await newAccount(world.community.server, 'acme');
    await world.account.set(world.feed_id, { status: 'inactive', visibility: 'public' });
    for (const who of [world.account, other]) {
      for (const type of ['popular', 'trending']) {
        const answer = await who.ask(type, { feed_id: world.feed_id });
        expectRefused(answer, 404, 'not_found');
        expect(answer.body.detail).toContain('inactive');
      }
      expect((await who.get(world.feed_id)).status).toBe(200);
    }
  });

  test('a saved feed filters seen items and interactions like any other feed', async () => {
    await world.save({ filters: { channels: ['art'] }, top_k: 5 });
    expect(await world.page({ user_id: 'reader', impression_count: 5 })).toEqual([0, 2, 4, 6, 8]);
    expect(await world.page({ user_id: 'reader' })).toEqual([10, 12, 14, 16, 18]);
    expect(await world.account.page('popular', { user_id: 'reader', top_k: 2 })).toEqual([
      'item-1',
      'item-3',
    ]);
  });

  test('a saved feed is found by its id only, and null or an empty id means none', async () => {
    await world.save({ top_k: 3 });
    for (const absent of [null, '']) expect(await world.page({ feed_id: absent })).toHaveLength(25);
    for (const wrong of [5, true, [], [world.feed_id], {}]) {
      const answer = await world.account.ask('popular', { feed_id: wrong });
      expectRefused(answer, 400, 'invalid_value');
      expect(answer.body.errors[0].path).toBe('/feed_id');
    }
  });
});

describe('plain pages and top_k', () => {
  test('a saved page_size gives plain pages, which record nothing', async () => {
    await world.save({ page_size: 4 });
    expect(await world.page({ user_id: 'pager', impression_count: 4 })).toEqual([0, 1, 2, 3]);
    expect(await world.page({ user_id: 'pager', page_number: 2 })).toEqual([4, 5, 6, 7]);
    expect(await world.page({ user_id: 'pager', page_size: 2, page_number: 2 })).toEqual([2, 3]);
  });

  test('top_k of a request wins over a saved page_size', async () => {
    await world.save({ page_size: 4 });
    expect(await world.page({ top_k: 2 })).toEqual([0, 1]);
    expect(await world.page({ top_k: 2, page_number: 3 })).toEqual([0, 1]);
  });

  test('plain pages of a request win over a saved top_k', async () => {
    await world.save({ top_k: 3 });
    expect(await world.page({ page_size: 2, page_number: 3 })).toEqual([4, 5]);
    expect(await world.page({ page_number: 2 })).toEqual(all.slice(25));
    for (const page_number of [3, 1_000_001, Number.MAX_SAFE_INTEGER])
      expect(await world.page({ page_number })).toEqual([]);
    await world.save({ top_k: 3, page_size: 5 });
    expect(await world.page({ page_number: 2 })).toEqual([5, 6, 7, 8, 9]);
  });

  test('saved plain pages win over a saved top_k, so the second page continues the first', async () => {
    await world.save({ top_k: 3, page_size: 5 });
    expect(await world.page()).toEqual([0, 1, 2, 3, 4]);
    expect(await world.page({ page_number: 2 })).toEqual([5, 6, 7, 8, 9]);
    expect(await world.page({ top_k: 2 })).toEqual([0, 1]);
    expect(await world.page({ page_size: 2 })).toEqual([0, 1]);
  });

  test('a for-you feed keeps its saved top_k', async () => {
    await world.account.set(world.feed_id, { endpoint: 'casts/feed/for-you', config: { top_k: 3 } });
    const { body } = await world.account.ask('for-you', {
      feed_id: world.feed_id,
      user_id: 'v',
      page_size: 7,
      page_number: 2,
    });
    expect(body.body).toHaveLength(3);
    expect(body.warnings[0]).toContain('page_size');
  });

  test('a for-you feed may be saved with a page_size, with a warning', async () => {
    const sent = { config_id: world.feed_id, endpoint: 'casts/feed/for-you', config: { page_size: 3 } };
    const { body } = await world.account.patch(sent);
    expect(body.warnings).toEqual(['config.page_size was kept, but a for-you feed has no plain pages']);
    expect(await world.page({ user_id: 'v' }, 'for-you')).toHaveLength(25);
  });
});

test('a saved following filter applies to the viewer of each request', async () => {
  await world.community.follow('reader-1', 'author-1');
  await world.community.follow('reader-2', 'author-2');
  await world.save({ top_k: 3, filters: { author_ids: 'following' } });
  expect(await world.page({ user_id: 'reader-1' })).toEqual([1, 5, 9]);
  expect(await world.page({ user_id: 'reader-2' })).toEqual([2, 6, 10]);
  expect(await world.page()).toEqual([]);
});

test('a saved relative time follows the clock', async () => {
  await world.save({ top_k: 500, filters: { start_timestamp: 'hours_ago:5' } });
  expect(await world.page()).toEqual([0, 1, 2, 3, 4, 5]);
  world.community.server.clock.advance(2 * 3600);
  expect(await world.page()).toEqual([0, 1, 2, 3]);
});
