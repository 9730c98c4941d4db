import { describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/folder.ts';
import { openTestServer, START, type TestServiceOptions } from '../../support/service.ts';
import { Community, FEED_TYPES, testCommunity as it, openCommunity } from '../support.ts';

const HOUR = 3600;
const ACCOUNTS = 300;
const PUSHED = 'pushed';
const READERS = 24;
const ITEMS = 12;

const accounts = Array.from({ length: ACCOUNTS }, (_, at) => `account ${at}`);

/** Each reader likes some of the items, an hour after the reader before, and follows the next two. The first follows accounts, too. */
async function openReaders(options: TestServiceOptions = {}): Promise<Community> {
  const community = await openCommunity(options);
  const items = Array.from({ length: ITEMS }, (_, at) => `item ${at}`);
  for (const [at, item_id] of [...items, PUSHED].entries())
    await community.addItem(item_id, { author_id: `author ${at % 5}`, created_at: START - 40 * HOUR + at });
  await community.add(
    'interactions',
    ...Array.from({ length: READERS }, (_, reader) =>
      items
        .filter((_, at) => (reader * 7 + at * at) % 5 < 2)
        .map((item_id, at) => ({
          ...{ user_id: `reader ${reader}`, item_id, event_type: at % 4 === 3 ? 'comment' : 'like' },
          timestamp: START - 30 * HOUR + reader * HOUR + at,
        })),
    ).flat(),
  );
  await community.act('reader 2', 'like', PUSHED, { timestamp: START - 5 * HOUR });
  await community.add(
    'follows',
    ...Array.from({ length: READERS }, (_, reader) =>
      [1, 2].map((next) => ({
        user_id: `reader ${reader}`,
        target_user_id: `reader ${(reader + next) % READERS}`,
      })),
    ).flat(),
    ...accounts.slice(0, 5).map((target_user_id) => ({ user_id: 'reader 0', target_user_id })),
  );
  return community;
}

/** Each account likes the pushed item, and comments on some others that lead to it. */
async function push(community: Community): Promise<void> {
  const acts = accounts.flatMap((user_id, at) => [
    { user_id, item_id: PUSHED, event_type: 'like', timestamp: START - ACCOUNTS + at },
    { user_id, item_id: `item ${at % ITEMS}`, event_type: 'comment', timestamp: START - 3 * HOUR + at },
  ]);
  await community.add('interactions', ...acts);
}

async function hide(community: Community, hidden: boolean, users = accounts): Promise<void> {
  await community.add('users', ...users.map((user_id) => ({ user_id, hidden })));
}

/** The complete pages of some readers, and without a viewer. */
async function pages(community: Community): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (const feed_type of FEED_TYPES) {
    if (feed_type !== 'for-you') pages.push(await community.page(feed_type, { top_k: 100, explain: true }));
    for (const reader of [0, 5, 11]) {
      const request = { user_id: `reader ${reader}`, top_k: 100, show_interacted_items: true, seed: 1 };
      pages.push(await community.page(feed_type, request));
    }
  }
  for (const scoring of ['1day', '7day'])
    pages.push(await community.page('popular', { scoring, top_k: 100 }));
  return pages;
}

function likes(community: Community): Promise<unknown> {
  return community.stored('items', PUSHED).then((item) => item!.likes_count);
}

describe('300 accounts that like one item and are then hidden', () => {
  for (const derived_lag_ms of [0, 100]) {
    test(`an item that 300 hidden accounts liked leads no page, with caches that lag by ${derived_lag_ms} ms`, async () => {
      await using community = await openReaders({ settings: { derived_lag_ms } });
      await push(community);
      const first = async () => [
        (await community.ids('trending'))[0],
        (await community.ids('popular'))[0],
        (await community.ids('popular', { scoring: '1day' }))[0],
        (await community.ids('for-you', { user_id: 'reader 0' }))[0],
      ];
      expect(await first()).toEqual([PUSHED, PUSHED, PUSHED, PUSHED]);
      const before = await community.shown(PUSHED, { user_id: 'reader 0' });
      expect(before.following_engagement.like).toBe(6);
      await hide(community, true);
      expect(await first()).not.toContain(PUSHED);
      expect(await likes(community)).toBe(1);
      const { social_proof, following_engagement } = await community.shown(PUSHED, { user_id: 'reader 0' });
      expect(social_proof.map(({ user_id }) => user_id)).toEqual(['reader 2']);
      expect(following_engagement.like).toBe(1);
    });
  }

  test('pages are as if 300 hidden accounts had never acted', async () => {
    await using community = await openReaders();
    await using twin = await openReaders();
    await push(community);
    await hide(community, true);
    expect(await pages(community)).toEqual(await pages(twin));
  });

  test('the acts of 300 hidden accounts count again when they are shown again', async () => {
    await using community = await openReaders();
    await using twin = await openReaders();
    for (const each of [community, twin]) await push(each);
    await hide(community, true);
    await hide(community, true, accounts.slice(0, 10));
    await pages(community);
    await hide(community, false);
    await hide(twin, false);
    expect(await likes(community)).toBe(ACCOUNTS + 1);
    expect(await pages(community)).toEqual(await pages(twin));
  });

  test('300 accounts are still hidden after a restart, and their acts are kept', async () => {
    const data = temporaryFolder('hidden');
    const community = await openReaders({ data });
    await push(community);
    const shown = await pages(community);
    await hide(community, true);
    const hidden = await pages(community);
    await community.server.close();
    const { clock } = community.server;
    const again = new Community(await openTestServer({ data, clock }));
    expect(await pages(again)).toEqual(hidden);
    await hide(again, false);
    expect(await pages(again)).toEqual(shown);
    await again.server.close();
  });

  test('300 hidden accounts that are erased leave nothing', async () => {
    await using community = await openReaders();
    await using twin = await openReaders();
    await push(community);
    await hide(community, true);
    for (const account of accounts) await community.remove('users', account);
    expect(await pages(community)).toEqual(await pages(twin));
    expect(await likes(community)).toBe(1);
  });
});

describe('an act of a hidden user', () => {
  it('an act of a hidden user is stored, and counts when the user is shown again', async (community) => {
    await community.addItem('item');
    await community.follow('viewer', 'friend');
    await hide(community, true, ['friend']);
    await community.act('friend', 'like', 'item', { timestamp: START - 1 });
    const seen = async () => {
      const { social_proof, metadata } = await community.shown('item', {
        user_id: 'viewer',
        return_metadata: true,
      });
      return [social_proof.length, metadata!.likes_count];
    };
    expect(await seen()).toEqual([0, 0]);
    expect((await community.stored('users', 'friend'))!.interactions).toHaveLength(1);
    await hide(community, false, ['friend']);
    expect(await seen()).toEqual([1, 1]);
  });

  it('acts of hidden users count neither for filters by engagement nor as followers', async (community) => {
    await community.addItem('item');
    await community.act('friend', 'like', 'item');
    await community.follow('friend', 'author');
    const filters = { engagement: { min_likes_count: 1 } };
    const followers = async () =>
      ((await community.stored('users', 'author'))!.counts as { followers: number }).followers;
    for (const [hidden, count] of [
      [false, 1],
      [true, 0],
      [false, 1],
    ] as const) {
      await hide(community, hidden, ['friend']);
      expect(await community.ids('popular', { filters })).toHaveLength(count);
      expect(await followers()).toBe(count);
    }
  });

  it("acts of a hidden user count for the user's own pages", async (community) => {
    for (const item of ['liked', 'seen', 'new']) await community.addItem(item);
    await community.act('user', 'like', 'liked');
    await community.act('user', 'view', 'seen');
    const before = await community.ids('for-you', { user_id: 'user' });
    await hide(community, true, ['user']);
    expect(await community.ids('for-you', { user_id: 'user' })).toEqual(before);
    expect(before).toEqual(['new']);
  });

  it('a cached answer does not show acts of a user who was hidden since', async (community) => {
    await community.addItem('item');
    await community.follow('viewer', 'friend');
    await community.follow('viewer', 'other');
    await community.act('friend', 'like', 'item');
    const ask = async () =>
      (await community.page('popular', { user_id: 'viewer', request_id: 'one' }))[0].social_proof.length;
    expect(await ask()).toBe(1);
    await hide(community, true, ['stranger']);
    expect(await ask()).toBe(1);
    await hide(community, true, ['friend']);
    expect(await ask()).toBe(0);
  });
});

describe('a user with very many acts', () => {
  const COMMENTS = 20_000;

  async function commented(options: TestServiceOptions = {}): Promise<Community> {
    const community = await openCommunity({ ...options, settings: { derived_lag_ms: 100 } });
    await community.addItem('item');
    for (let at = 0; at < COMMENTS; at += 10_000) {
      const acts = Array.from({ length: 10_000 }, (_, index) => ({
        ...{ user_id: 'user', item_id: 'item', event_type: 'comment' },
        timestamp: START - COMMENTS + at + index,
      }));
      await community.add('interactions', ...acts);
    }
    return community;
  }

  const comments = async (community: Community) =>
    (await community.stored('items', 'item'))!.comments_count as number;

  test('hiding a user with many acts takes several turns, and after them no act counts', async () => {
    await using community = await commented();
    expect(await comments(community)).toBe(COMMENTS);
    await hide(community, true, ['user']);
    const counts: number[] = [];
    do {
      await community.page('popular');
      counts.push(await comments(community));
    } while (counts.at(-1)! > 0);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
  });

  test('hiding a user with many acts is complete after a kill in the middle of it', async () => {
    const root = temporaryFolder('hidden');
    const community = await commented({ data: join(root, 'data') });
    await hide(community, true, ['user']);
    cpSync(join(root, 'data'), join(root, 'copy'), { recursive: true });
    await community.server.close();
    const killed = new Community(await openTestServer({ data: join(root, 'copy') }));
    expect(await comments(killed)).toBe(0);
    await hide(killed, false, ['user']);
    await killed.server.close();
    const shown = new Community(await openTestServer({ data: join(root, 'copy') }));
    expect(await comments(shown)).toBe(COMMENTS);
    await shown.server.close();
  });
});
