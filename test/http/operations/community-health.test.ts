import { expect } from 'bun:test';
import { testsWith } from '../../support/fixture.ts';
import { START } from '../../support/service.ts';
import { defaultAccount, newAccount } from '../config-support.ts';
import { LoggedCommunity } from '../logged-community.ts';

const it = testsWith(open);

const DAY = 86_400;

/** Ann is known for longer and has followers, Ben and Cleo are newcomers without any. */
async function open(): Promise<LoggedCommunity> {
  // Reports are not reused, because no time passes.
  const community = await LoggedCommunity.open({ opening: { monotonicMs: () => 0 } });
  const item = (item_id: string, author_id: string, days: number, more = {}) =>
    community.addItem(item_id, { author_id, created_at: START - days * DAY, ...more });
  await item('a0', 'ann', 40);
  await item('a1', 'ann', 1);
  await item('b1', 'ben', 2);
  await item('b2', 'ben', 2, { hidden: true });
  await item('c1', 'cleo', 3);
  for (const user_id of ['fan', 'friend']) await community.follow(user_id, 'ann');
  return community;
}

const saveFeed = ({ server }: LoggedCommunity) =>
  defaultAccount(server).add({ name: 'One', endpoint: 'feeds/popular' });

/** Shows a viewer everything of an author, and logs it. */
async function show(community: LoggedCommunity, user_id: string, author_id: string, feed_id?: string) {
  await community.answer({ user_id, feed_id, filters: { author_ids: [author_id] } });
  await community.log();
}

const health = (community: LoggedCommunity, query = '', headers?: Record<string, string>) =>
  community.data(`/api/community-health${query}`, headers);

it('the health of a community is computed from its pages, in all, by feed and by day', async (community) => {
  const one = await saveFeed(community);
  await show(community, 'v', 'ann', one);
  await show(community, 'v', 'ann', one);
  await show(community, 'w', 'ben', one);
  const first = {
    ...{ pages: 3, viewers: 2, shown: 5, newcomers_share: 0.2, small_authors_share: 0.2 },
    // Of 4, 1 and 0.
    ...{ exposure_gini: 0.5333, coverage: 0.75, new_coverage: 0.6667, repetition: 0.4, distance: 1 },
  };
  expect((await health(community)).feeds).toEqual([
    { feed_id: null, total: first, days: [{ day: '2026-01-01', ...first }] },
    { feed_id: one, total: first, days: [{ day: '2026-01-01', ...first }] },
  ]);
  community.server.clock.advance(DAY);
  await show(community, 'v', 'ben', one);
  await show(community, 'w', 'ben', one);
  await show(community, 'v', 'cleo');
  const { feeds, ...others } = await health(community);
  expect(others).toEqual({
    from: '2025-12-27',
    computed_at: START + DAY,
    sample: { pages: 6, viewers: 2, viewers_share: 1 },
    // Of a0, a1, b1 and c1, of which all but a0 are new.
    supply: {
      ...{ items: 4, new_items: 3, active_authors: 3, newcomers_share: 0.5, small_authors_share: 0.5 },
    },
  });
  expect(feeds[0].total).toEqual({
    ...{ pages: 6, viewers: 2, shown: 8, newcomers_share: 0.5, small_authors_share: 0.5 },
    // Of 4, 3 and 1. The distance is the mean of 1 on the first day and 0 on the second.
    ...{ exposure_gini: 0.25, coverage: 1, new_coverage: 1, repetition: 0.375, distance: 0.5 },
  });
  expect(feeds[1].total).toMatchObject({ pages: 5, shown: 7, repetition: 0.4286, exposure_gini: 0.381 });
  expect(feeds[1].days).toEqual([
    { day: '2026-01-01', ...first },
    expect.objectContaining({ day: '2026-01-02', pages: 2, repetition: 0, distance: 0, coverage: 0.25 }),
  ]);
  const today = await health(community, '?days=1');
  expect(today.from).toBe('2026-01-02');
  expect(today.supply.new_items).toBe(0);
  expect(today.feeds[0].total).toMatchObject({ pages: 3, shown: 3, new_coverage: null });
});

it('the health of a community without pages says what there is to show, and nothing of what was shown', async (community) => {
  const { sample, supply, feeds } = await health(community);
  expect(sample).toEqual({ pages: 0, viewers: 0, viewers_share: 1 });
  expect(supply.items).toBe(4);
  expect(feeds).toMatchObject([
    { feed_id: null, total: { pages: 0, coverage: 0, distance: null }, days: [] },
  ]);
});

it('the health does not name feeds of other accounts, nor count pages of erased viewers after a purge', async (community) => {
  const { headers } = await newAccount(community.server, 'other', 'config:write');
  const one = await saveFeed(community);
  await show(community, 'v', 'ann', one);
  expect((await health(community, '', headers)).feeds).toMatchObject([
    { feed_id: null, total: { pages: 1 } },
  ]);
  await show(community, 'gone', 'ann', one);
  expect((await community.server.remove('/v2/community/users/gone')).status).toBe(200);
  await community.server.service.store.purge();
  expect((await health(community)).sample).toMatchObject({ pages: 1, viewers: 1 });
});
