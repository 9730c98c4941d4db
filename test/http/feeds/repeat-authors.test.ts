import { describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { exportFrom, importInto } from '../../interchange/support.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { emptyDatabase } from '../../support/prepared-data.ts';
import { START, type TestServiceOptions } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { type Community, FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const DAY = 86_400;
const VIEWER = 'viewer';
const repeat = (repeat_author_decay: number): Fields => ({ feed_diversity_config: { repeat_author_decay } });

/** Five items each of ann, bob and cy: those of ann are liked most, those of cy least. */
async function fill(community: Community): Promise<void> {
  const items = ['ann', 'bob', 'cy'].flatMap((author_id, rank) =>
    Array.from({ length: 5 }, (_, at) => ({
      item_id: `${author_id}-${at}`,
      author_id,
      created_at: START - 60 * at,
      likes_count: 100 - 20 * rank - at,
    })),
  );
  await community.add('items', ...items);
  await community.add('users', { user_id: VIEWER });
}

async function openFilled(options: TestServiceOptions = {}): Promise<Community> {
  const community = await openCommunity(options);
  await fill(community);
  return community;
}

interface Factors {
  [author_id: string]: number | undefined;
}

/** The factor of each author's items on a page, according to the scores and to the explanation. */
async function factorsOf(community: Community, request: Fields): Promise<Factors> {
  const { status, body } = await community.ask('popular', {
    user_id: VIEWER,
    top_k: 500,
    ...request,
    explain: true,
  });
  expect([status, body.detail]).toEqual([200, undefined]);
  const factors: Factors = {};
  for (const { item_id, score, adjusted_score, explain } of body.body) {
    const { repeat_author_decay } = explain.factors;
    factors[item_id.split('-')[0]] = repeat_author_decay;
    expect(adjusted_score).toBeCloseTo(score * (repeat_author_decay ?? 1), 9);
  }
  const adjusted = body.body.map((item: Fields) => item.adjusted_score);
  expect(adjusted).toEqual(adjusted.toSorted((one: number, other: number) => other - one));
  return factors;
}

/** Shows the viewer the best items. */
function show(community: Community, count: number, request: Fields = {}): Promise<string[]> {
  return community.ids('popular', { user_id: VIEWER, top_k: count, impression_count: count, ...request });
}

describe('repeat_author_decay', () => {
  test('scores of an author fall with each item that the viewer was shown', async () => {
    await using community = await openFilled();
    expect(await factorsOf(community, repeat(0.5))).toEqual({ ann: 1, bob: 1, cy: 1 });
    expect(await show(community, 2)).toEqual(['ann-0', 'ann-1']);
    expect(await factorsOf(community, repeat(0.5))).toEqual({ ann: 0.25, bob: 1, cy: 1 });
    expect(await show(community, 1, repeat(0.5))).toEqual(['bob-0']);
    expect(await factorsOf(community, repeat(0.5))).toEqual({ ann: 0.25, bob: 0.5, cy: 1 });
    expect(await factorsOf(community, repeat(0.1))).toEqual({ ann: 0.1 ** 2, bob: 0.1, cy: 1 });
    const other = await factorsOf(community, { ...repeat(0.5), user_id: 'another' });
    expect(other).toEqual({ ann: 1, bob: 1, cy: 1 });
  });

  test('impressions of more than 24 hours ago do not count', async () => {
    await using community = await openFilled();
    await show(community, 1);
    community.server.clock.advance(DAY / 2);
    await show(community, 1);
    expect(await factorsOf(community, repeat(0.5))).toMatchObject({ ann: 0.25 });
    community.server.clock.advance(DAY / 2 + 1);
    expect(await factorsOf(community, repeat(0.5))).toMatchObject({ ann: 0.5 });
    community.server.clock.advance(DAY / 2);
    expect(await factorsOf(community, repeat(0.5))).toMatchObject({ ann: 1 });
  });

  test('with a decay of 0 an author comes last, and every item is still shown', async () => {
    await using community = await openFilled();
    await show(community, 1);
    for (const feed_type of FEED_TYPES) {
      const page = await community.ids(feed_type, { user_id: VIEWER, top_k: 500, ...repeat(0) });
      expect(page).toHaveLength(14);
      expect(page.slice(10).every((item_id) => item_id.startsWith('ann'))).toBe(true);
    }
  });

  test('the order is that of the other feeds without it, and with a decay of 1', async () => {
    await using community = await openFilled();
    await show(community, 3);
    for (const request of [{}, repeat(1), { feed_diversity_config: {} }])
      expect(await factorsOf(community, request)).toEqual({ ann: undefined, bob: undefined, cy: undefined });
  });

  test('only recorded impressions count', async () => {
    await using community = await openFilled();
    await community.ids('popular', { user_id: VIEWER, top_k: 3 });
    const { body } = await community.ask('popular', { user_id: VIEWER, top_k: 3, ...repeat(0.5) });
    const next = { cursor: body.cursor, ...repeat(0.5) };
    expect(await factorsOf(community, next)).toMatchObject({ ann: 1 });
    await show(community, 1, { top_k: 3 });
    expect(await factorsOf(community, next)).toMatchObject({ ann: 0.5 });
  });

  test('plain pages do not depend on impressions', async () => {
    await using community = await openFilled();
    await show(community, 2);
    const request = { page_size: 15, top_k: undefined, ...repeat(0.5) };
    expect(await factorsOf(community, request)).toEqual({ ann: 1, bob: 1, cy: 1 });
  });

  test('it combines with time decay, and applies to saved, cold start and unsaved feeds', async () => {
    await using community = await openFilled();
    const account = defaultAccount(community.server);
    const config = repeat(0.5);
    const feed_id = await account.add({ endpoint: 'feeds/popular', config });
    await show(community, 1);
    expect(await factorsOf(community, { feed_id })).toMatchObject({ ann: 0.5 });
    expect(await factorsOf(community, { feed_id, feed_diversity_config: {} })).toMatchObject({
      ann: undefined,
    });
    expect(await factorsOf(community, { cold_start_feed: feed_id })).toMatchObject({ ann: 0.5 });
    community.server.clock.advance(3_600);
    const decayed = await community.page('popular', {
      user_id: VIEWER,
      time_decay: { half_life_hours: 1 },
      explain: true,
      ...config,
    });
    const item = decayed.find(({ item_id }) => item_id === 'ann-1')!;
    const { time_decay = 0, repeat_author_decay = 0 } = item.explain?.factors ?? {};
    expect(time_decay).toBeLessThan(1);
    expect(repeat_author_decay).toBe(0.5);
    expect(item.adjusted_score).toBeCloseTo(item.score * time_decay * repeat_author_decay, 9);
    const preview = await community.server.post('/api/feed/preview', {
      endpoint: 'feeds/popular',
      user_id: VIEWER,
      config,
      explain: true,
    });
    const of_ann = preview.body.body.find(({ item_id }: Fields) => item_id === 'ann-1');
    expect(of_ann.explain.factors).toEqual({ repeat_author_decay: 0.5 });
  });

  test('an item is explained with the factor of its author', async () => {
    await using community = await openFilled();
    await show(community, 2);
    const request = { item_id: 'ann-2', user_id: VIEWER, top_k: 3, ...repeat(0.1) };
    const { body } = await community.ask('popular/explain', request);
    const { shown, rank, score, adjusted_score } = body.body;
    expect({ shown, rank, factors: body.body.explain.factors }).toEqual({
      shown: false,
      rank: 11,
      factors: { repeat_author_decay: 0.1 ** 2 },
    });
    expect(adjusted_score).toBeCloseTo(score * 0.01, 9);
  });

  test('an erased viewer starts again, and deleted items do not count', async () => {
    await using community = await openFilled();
    await show(community, 2);
    await community.remove('items', 'ann-0');
    expect(await factorsOf(community, repeat(0.5))).toMatchObject({ ann: 0.5 });
    await community.remove('users', VIEWER);
    await community.add('users', { user_id: VIEWER });
    expect(await factorsOf(community, repeat(0.5))).toMatchObject({ ann: 1 });
  });

  test('requests of one viewer at once count the items of each other', async () => {
    await using community = await openFilled();
    const pages = await Promise.all([1, 2, 3].map(() => show(community, 1, repeat(0))));
    expect(pages.flat().toSorted()).toEqual(['ann-0', 'bob-0', 'cy-0']);
  });
});

/** Options of a first start and of a later one on the same data. */
const STARTS: [string, (folder: string) => Promise<[TestServiceOptions, () => TestServiceOptions]>][] = [
  [
    'the embedded database',
    async (folder) => {
      const [first, second] = [join(folder, 'first'), join(folder, 'second')];
      const copied = () => {
        cpSync(first, second, { recursive: true });
        return { data: second };
      };
      return [{ data: first }, copied];
    },
  ],
  [
    'PostgreSQL',
    async (folder) => {
      const settings = { database_url: await emptyDatabase() };
      return [{ data: join(folder, 'first'), settings }, () => ({ data: join(folder, 'second'), settings })];
    },
  ],
];

test.each(STARTS)('impressions count for repeat_author_decay after a restart on %s', async (_, startsIn) => {
  const folder = temporaryFolder('repeats');
  const [first, later] = await startsIn(folder);
  {
    await using community = await openFilled(first);
    await show(community, 2);
    expect(await factorsOf(community, repeat(0.5))).toEqual({ ann: 0.25, bob: 1, cy: 1 });
  }
  await using community = await openCommunity(later());
  expect(await factorsOf(community, repeat(0.5))).toEqual({ ann: 0.25, bob: 1, cy: 1 });
});

test('impressions count for repeat_author_decay after an export and an import', async () => {
  const folder = temporaryFolder('repeats');
  await using community = await openFilled();
  await show(community, 2);
  community.server.clock.advance(DAY / 2);
  await show(community, 3, repeat(0.5));
  const factors = await factorsOf(community, repeat(0.5));
  await exportFrom(community.server, join(folder, 'export'));
  await using imported = await openCommunity();
  imported.server.clock.advance(DAY / 2);
  await importInto(imported.server, join(folder, 'export'));
  expect(await factorsOf(imported, repeat(0.5))).toEqual(factors);
  for (const { clock } of [community.server, imported.server]) clock.advance(DAY / 2 + 1);
  const later = await factorsOf(community, repeat(0.5));
  expect(later).not.toEqual(factors);
  expect(await factorsOf(imported, repeat(0.5))).toEqual(later);
});
