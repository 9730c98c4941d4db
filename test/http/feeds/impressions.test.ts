import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FeedType } from '../../../src/plugin/index.ts';
import { testsWith } from '../../support/fixture.ts';
import { checkAsync } from '../../support/long.ts';
import { START } from '../../support/service.ts';
import { type Community, FEED_TYPES, openCommunity, whileReading } from '../support.ts';

const it = testsWith(() => openItems(3));

/** Items `item-00`, `item-01` … from newest to oldest. */
async function openItems(count: number): Promise<Community> {
  const community = await openCommunity();
  await addItems(community, 0, count);
  return community;
}

const idOf = (at: number): string => `item-${String(at).padStart(2, '0')}`;

function addItems(community: Community, from: number, to: number): Promise<void> {
  const items = [];
  for (let at = from; at < to; at++) {
    items.push({ item_id: idOf(at), author_id: `author-${at % 4}`, created_at: START - at });
  }
  return community.add('items', ...items);
}

const VIEWER = { user_id: 'viewer' };

describe('impression_count', () => {
  test('impression_count records the first n items of a page of every feed type as seen', async () => {
    await using community = await openItems(10);
    const first = await community.ids('popular', { ...VIEWER, top_k: 5, impression_count: 3 });
    expect(first).toEqual([0, 1, 2, 3, 4].map(idOf));
    for (const feed_type of FEED_TYPES) {
      const rest = await community.ids(feed_type, VIEWER);
      expect(rest.sort()).toEqual([3, 4, 5, 6, 7, 8, 9].map(idOf));
    }
  });

  it('an impression_count of 0 or null, or none, records nothing', async (community) => {
    const before = community.seq;
    for (const impression_count of [0, undefined, null, '']) {
      expect(await community.ids('trending', { ...VIEWER, impression_count })).toHaveLength(3);
    }
    expect(community.seq).toBe(before);
  });

  test('impression_count may be larger than the page, without limit', async () => {
    await using community = await openItems(6);
    for (const impression_count of [4, 5, 1_000_001, Number.MAX_SAFE_INTEGER]) {
      const request = { user_id: `viewer-${impression_count}`, top_k: 4, impression_count };
      expect(await community.ids('popular', request)).toEqual([0, 1, 2, 3].map(idOf));
      expect(await community.ids('popular', request)).toEqual([4, 5].map(idOf));
      const before = community.seq;
      expect(await community.ids('popular', request)).toEqual([]);
      expect(community.seq).toBe(before);
    }
  });

  it('impression_count records nothing without a viewer', async (community) => {
    const before = community.seq;
    for (const feed_type of ['trending', 'popular'] as const) {
      for (let times = 0; times < 2; times++) {
        expect(await community.ids(feed_type, { impression_count: 3 })).toHaveLength(3);
      }
    }
    expect(community.seq).toBe(before);
  });

  test('impression_count records impressions of an unknown viewer, who is known afterwards', async () => {
    await using community = await openItems(2);
    expect(await community.stored('users', 'stranger')).toBeUndefined();
    expect(await community.ids('for-you', { user_id: 'stranger', impression_count: 1 })).toHaveLength(2);
    expect(await community.ids('for-you', { user_id: 'stranger' })).toHaveLength(1);
    expect(await community.stored('users', 'stranger')).toMatchObject({ user_id: 'stranger' });
    expect(await community.ids('for-you', { user_id: 'another' })).toHaveLength(2);
  });

  test('a refused request records no impressions', async () => {
    await using community = await openItems(2);
    const before = community.seq;
    const request = { ...VIEWER, impression_count: 2, filters: { unknown: 1 } };
    expect((await community.ask('trending', request)).status).toBe(400);
    expect(community.seq).toBe(before);
  });

  test('updates and engagement do not bring back an item that was shown', async () => {
    await using community = await openItems(1);
    await community.page('popular', { ...VIEWER, impression_count: 1 });
    await community.add('items', { item_id: idOf(0), text: 'changed', likes_count: 500 });
    expect(await community.ids('popular', VIEWER)).toEqual([]);
  });
});

test('reading until the page is empty shows every eligible item once, while acts arrive', async () => {
  await checkAsync(
    2,
    [
      fc.constantFrom<FeedType>(...FEED_TYPES),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 15 }), fc.nat(4), fc.nat(2)), {
        minLength: 3,
        maxLength: 8,
      }),
    ],
    async (feed_type, steps) => {
      await using community = await openItems(20);
      await community.follow('viewer', 'author-1');
      let count = 20;
      const shown: string[] = [];
      const read = async (top_k: number) => {
        const page = await community.ids(feed_type, { ...VIEWER, top_k, impression_count: top_k });
        shown.push(...page);
        return page.length;
      };
      for (const [top_k, new_items, acts] of steps) {
        await read(top_k);
        const likes = Array.from({ length: acts }, (_, at) => ({
          user_id: `fan-${at}`,
          item_id: idOf((top_k * 7 + at) % count),
          event_type: 'like',
        }));
        await Promise.all([
          addItems(community, count, count + new_items),
          community.add('interactions', ...likes),
        ]);
        count += new_items;
      }
      while ((await read(7)) > 0);
      expect(shown.sort()).toEqual(Array.from({ length: count }, (_, at) => idOf(at)).sort());
    },
  );
});

test('ten concurrent requests of one viewer never show an item twice', async () => {
  await using community = await openItems(60);
  for (const user_id of ['known', 'unknown']) {
    if (user_id === 'known') await community.add('users', { user_id });
    const pages = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        community.ids(FEED_TYPES[at % 3], { user_id, top_k: 5, impression_count: 5 }),
      ),
    );
    expect(pages.map((page) => page.length)).toEqual(Array(10).fill(5));
    expect(new Set(pages.flat()).size).toBe(50);
  }
});

test('many concurrent viewers, some of them unknown, are all served and remembered', async () => {
  await using community = await openItems(4);
  const viewers = Array.from({ length: 50 }, (_, at) => `viewer-${at}`);
  const read = (user_id: string) => community.ids('popular', { user_id, top_k: 2, impression_count: 2 });
  const likes = viewers.map((user_id) => community.act(user_id, 'bookmark', idOf(3)));
  const pages = await Promise.all(viewers.map(read));
  for (const page of pages) expect(page).toEqual([idOf(0), idOf(1)]);
  await Promise.all(likes);
  for (const page of await Promise.all(viewers.map(read))) expect(page).toEqual([idOf(2)]);
});

test('impressions that are not durable yet delay the next page of their viewer only', async () => {
  await using community = await openItems(6);
  const { seen } = community.server.service;
  const record = seen.record.bind(seen);
  const { promise: durable, resolve: makeDurable } = Promise.withResolvers<void>();
  seen.record = async (...given) => {
    if (given[0].viewer === seen.viewerOf('slow')) await durable;
    return record(...given);
  };
  const done: string[] = [];
  const read = async (name: string, user_id: string, impression_count: number) => {
    const page = await community.ids('popular', { user_id, top_k: 2, impression_count });
    done.push(name);
    return page;
  };
  const first = read('first of slow', 'slow', 2);
  const second = read('second of slow', 'slow', 2);
  await read('other viewer', 'quick', 2);
  await read('slow without impressions', 'slow', 0);
  expect(done).toEqual(['other viewer', 'slow without impressions']);
  makeDurable();
  expect([await first, await second]).toEqual([
    [idOf(0), idOf(1)],
    [idOf(2), idOf(3)],
  ]);
  expect(done.slice(2)).toEqual(['first of slow', 'second of slow']);
});

it('a page whose impressions cannot be stored is not sent, and the next request is served', async (community) => {
  const { seen } = community.server.service;
  const write = seen.record.bind(seen);
  seen.record = () => Promise.reject(new Error('disk full'));
  const request = { ...VIEWER, impression_count: 2 };
  const answers = await Promise.all([community.ask('popular', request), community.ask('popular', request)]);
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  seen.record = write;
  expect(await community.ids('popular', request)).toEqual([0, 1, 2].map(idOf));
  expect(await community.ids('popular', request)).toEqual([idOf(2)]);
});

describe('while the contents of a page are read', () => {
  const during = (community: Community, happens: () => Promise<void>) =>
    whileReading(
      community,
      () => community.ids('popular', { ...VIEWER, impression_count: 3, return_metadata: true }),
      happens,
    );

  it('nothing is recorded if the viewer is erased while contents are read', async (community) => {
    await community.add('users', { ...VIEWER, username: 'somebody' });
    const page = await during(community, () => community.remove('users', VIEWER.user_id));
    expect(page).toHaveLength(3);
    expect(await community.stored('users', VIEWER.user_id)).toBeUndefined();
    expect(await community.ids('popular', VIEWER)).toHaveLength(3);
  });

  it('a viewer who is erased and comes back while contents are read has seen nothing', async (community) => {
    await community.add('users', { ...VIEWER, username: 'somebody' });
    await during(community, async () => {
      await community.remove('users', VIEWER.user_id);
      await community.add('users', VIEWER);
    });
    expect(await community.ids('popular', VIEWER)).toHaveLength(3);
  });

  it('nothing is recorded if the viewer is created and erased while contents are read', async (community) => {
    await during(community, async () => {
      await community.add('users', { ...VIEWER, username: 'somebody' });
      await community.remove('users', VIEWER.user_id);
    });
    expect(await community.stored('users', VIEWER.user_id)).toBeUndefined();
  });

  it('an item that takes an ordinal while contents are read is not recorded as seen', async (community) => {
    const { state, store } = community.server.service;
    const { names } = state.items;
    const place = names.find(idOf(1));
    await during(community, async () => {
      const items = Uint32Array.of(names.key(place));
      await store.submit([{ kind: 'retirement', items, seq: 0, applied_at: community.now }]);
      community.server.clock.advance(3601);
      for (let at = 0; at < 6; at++) await community.act(`user-${at}`, 'like', idOf(0));
      for (let at = 3; names.find(idOf(at - 1)) !== place; at++) await addItems(community, at, at + 1);
    });
    const [given] = [3, 4, 5, 6].map(idOf).filter((id) => names.find(id) === place);
    expect(await community.ids('popular', VIEWER)).toContain(given);
  });
});
