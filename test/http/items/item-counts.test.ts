import { expect, test } from 'bun:test';
import { START, type TestAnswer } from '../../support/service.ts';
import { type Community, testCommunity as it, openCommunity } from '../support.ts';

const HOUR = 3_600;
const DAY = 86_400;

function counts(community: Community, query = '', item_id = 'one'): Promise<TestAnswer> {
  return community.server.get(`/v2/farcaster/items/${item_id}/counts${query}`);
}

interface Bucket {
  at: number;
  likes: number;
  source: { likes_count: number | null };
}

it('interactions count in the bucket of the hour in which they happened', async (community) => {
  const { clock } = community.server;
  await community.addItem('one');
  clock.set(START + 2.5 * HOUR);
  await community.act('a', 'like', 'one', { timestamp: START });
  await community.act('b', 'like', 'one', { timestamp: START + HOUR - 1 });
  await community.act('b', 'view', 'one', { timestamp: START + HOUR });
  await community.act('c', 'comment', 'one', { timestamp: START + 2 * HOUR });
  await community.act('c', 'share', 'one', { timestamp: START + 2 * HOUR + 5 });
  await community.act('c', 'bookmark', 'one', { timestamp: START + 2 * HOUR + 5 });
  const { status, body } = await counts(community, `?from=${START}`);
  const source = { likes_count: null, comments_count: null, shares_count: null };
  const none = { views: 0, likes: 0, comments: 0, shares: 0, source };
  expect([status, body]).toEqual([
    200,
    {
      item_id: 'one',
      shown: 0,
      every_seconds: HOUR,
      complete_from: START,
      buckets: [
        { ...none, at: START, likes: 2 },
        { ...none, at: START + HOUR, views: 1 },
        { ...none, at: START + 2 * HOUR, comments: 1, shares: 1 },
      ],
    },
  ]);
});

it('the buckets are those of the last 24 hours or 30 days, unless from and to are given', async (community) => {
  await community.addItem('one');
  const spans = async (query: string) => {
    const { buckets } = (await counts(community, query)).body;
    return [buckets.length, buckets[0].at - START, buckets.at(-1).at - START];
  };
  expect(await spans('')).toEqual([24, -23 * HOUR, 0]);
  expect(await spans('?every=1d')).toEqual([30, -29 * DAY, 0]);
  expect(await spans(`?to=${START + HOUR}`)).toEqual([24, -22 * HOUR, HOUR]);
  expect(await spans(`?every=1d&from=${START - DAY + 5}&to=2026-01-02T03:00:00Z`)).toEqual([3, -DAY, DAY]);
});

it('interactions that were taken back and those of hidden users do not count', async (community) => {
  await community.addItem('one');
  await community.act('a', 'like', 'one');
  await community.act('b', 'like', 'one');
  await community.act('c', 'like', 'one');
  const likes = async () => {
    const { buckets } = (await counts(community, `?from=${START}`)).body;
    return buckets.map((bucket: Bucket) => bucket.likes);
  };
  expect(await likes()).toEqual([3]);
  await community.act('a', 'like', 'one', { action: 'remove', timestamp: START });
  await community.add('users', { user_id: 'b', hidden: true });
  community.server.service.state.settle(Infinity);
  expect(await likes()).toEqual([1]);
});

it('each bucket has the last totals that the source had sent by its end', async (community) => {
  const { clock } = community.server;
  await community.addItem('one');
  for (const [hours, likes_count] of [
    [1, 10],
    [3, 25],
    [3.5, 30],
  ]) {
    clock.set(START + hours * HOUR);
    await community.add('items', { item_id: 'one', likes_count });
  }
  const { buckets } = (await counts(community, `?from=${START}&to=${START + 4 * HOUR}`)).body;
  expect(buckets.map(({ source }: Bucket) => source.likes_count)).toEqual([null, 10, 10, 30, 30]);
});

it('an unknown item has no counts', async (community) => {
  expect((await counts(community, '', 'unknown')).body).toMatchObject({ status: 404, code: 'not_found' });
});

test.each([
  [`from=${START + HOUR}&to=${START}`, '/from', 'expected a time that is not after to'],
  [`from=${START}&to=${START + 1_000 * HOUR}`, '/from', 'expected at most 1000 buckets, not 1001'],
])('?%s is refused and says what is allowed', async (query, path, message) => {
  await using community = await openCommunity();
  const { status, body } = await counts(community, `?${query}`);
  expect([status, body.errors]).toEqual([400, [{ path, message }]]);
});
