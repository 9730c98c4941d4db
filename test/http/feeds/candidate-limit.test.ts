import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { START } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { type Community, FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const PLUGIN = join(import.meta.dir, '..', 'breadth-plugin.ts');
const UNPOPULAR = 'breadth/unpopular_v1.0.0';
const BALANCED = 'balanced_feed_v0.0.1';
const FOR_YOU = 'for-you';

const nameOf = (at: number) => `item-${String(at).padStart(4, '0')}`;

/** A community of items that are each a little older and less popular. Every fifth one is in the channel `fifth`. */
async function openWith(count: number): Promise<Community> {
  const community = await openCommunity({ settings: { plugins: PLUGIN } });
  const items = Array.from({ length: count }, (_, at) => ({
    item_id: nameOf(at),
    author_id: `author-${at % 40}`,
    created_at: START - 1 - at,
    likes_count: count - at,
    channel: at % 5 === 0 ? 'fifth' : 'other',
  }));
  await community.add('items', ...items);
  return community;
}

interface Candidates {
  proposed: number;
  scored: number;
  limit: number;
}

async function candidatesOf(community: Community, feed_type: string, request: Fields): Promise<Candidates> {
  const { status, body } = await community.ask(feed_type, { user_id: 'v', ...request, explain: true });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.trace.candidates;
}

describe('in a small community', () => {
  let community: Community;
  beforeAll(async () => {
    community = await openWith(40);
  });
  afterAll(() => community.server.close());

  const worst = Array.from({ length: 40 }, (_, at) => nameOf(39 - at));

  for (const feed_type of FEED_TYPES) {
    test(`a third-party function of a ${feed_type} feed scores every item, whatever the limit`, async () => {
      for (const candidate_limit of [undefined, 100, 2_000]) {
        const request = { user_id: 'v', scoring: UNPOPULAR, top_k: 10, candidate_limit };
        expect(await community.ids(feed_type, request)).toEqual(worst.slice(0, 10));
        expect((await candidatesOf(community, feed_type, request)).scored).toBe(40);
      }
    });
  }

  test('the weighted function and the built-in functions score every item', async () => {
    for (const scoring of ['weighted_v0.0.1', BALANCED, 'user_interest_all_v0.0.1'])
      expect((await candidatesOf(community, FOR_YOU, { scoring, top_k: 10 })).scored).toBe(40);
  });

  test('pages with a cursor go through all items in the order of the score', async () => {
    const shown: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await community.ask(FOR_YOU, { user_id: 'c', scoring: UNPOPULAR, top_k: 7, cursor });
      shown.push(...body.body.map((item: Fields) => item.item_id));
      cursor = body.cursor;
    } while (cursor !== undefined);
    expect(shown).toEqual(worst);
  });
});

test('all eligible items are scored when the viewer has seen the others', async () => {
  await using community = await openWith(2_900);
  const request = { user_id: 'v', top_k: 1_000, impression_count: 1_000 };
  expect((await candidatesOf(community, FOR_YOU, { scoring: UNPOPULAR })).scored).toBe(500);
  for (let page = 0; page < 2; page++) expect(await community.ids('popular', request)).toHaveLength(1_000);
  const least = await community.ids(FOR_YOU, { user_id: 'v', scoring: UNPOPULAR, top_k: 5 });
  expect(least).toEqual([2_899, 2_898, 2_897, 2_896, 2_895].map(nameOf));
  expect(await candidatesOf(community, FOR_YOU, { candidate_limit: 100 })).toMatchObject({ scored: 900 });
});

describe('in a larger community', () => {
  let community: Community;
  beforeAll(async () => {
    community = await openWith(4_500);
  });
  afterAll(() => community.server.close());

  test('third-party functions and the weighted function score 500 candidates by default', async () => {
    for (const scoring of [UNPOPULAR, 'weighted_v0.0.1']) {
      const candidates = await candidatesOf(community, FOR_YOU, { scoring, top_k: 10 });
      expect(candidates).toMatchObject({ limit: 500, scored: 500 });
    }
  });

  test('a scoring function may declare another default', async () => {
    const scoring = 'breadth/unpopular_of_many_v1.0.0';
    const candidates = await candidatesOf(community, FOR_YOU, { scoring });
    expect(candidates).toMatchObject({ limit: 1_200, scored: 1_200 });
    expect((await candidatesOf(community, FOR_YOU, { scoring, candidate_limit: 100 })).scored).toBe(100);
  });

  for (const scoring of [UNPOPULAR, 'weighted_v0.0.1', BALANCED, 'user_affinity_all_following_v0.0.1']) {
    test(`with ${scoring} exactly as many candidates are scored as the feed says`, async () => {
      for (const candidate_limit of [100, 137, 500, 2_000]) {
        const candidates = await candidatesOf(community, FOR_YOU, { scoring, candidate_limit });
        expect(candidates).toMatchObject({ scored: candidate_limit, limit: candidate_limit });
        expect(candidates.proposed).toBeLessThanOrEqual(candidate_limit);
      }
    });
  }

  test('candidates come from the top of the popularity ranking when sources propose too few', async () => {
    const request = { user_id: 'v', scoring: UNPOPULAR, candidate_limit: 1_000, top_k: 5 };
    const ids = await community.ids(FOR_YOU, request);
    expect(ids).toEqual([999, 998, 997, 996, 995].map(nameOf));
  });

  test('a source that proposes too much gets no more room than the limit', async () => {
    const scoring = { name: 'weighted_v0.0.1', options: { weights: { 'breadth/everything': 1 } } };
    const { proposed, scored } = await candidatesOf(community, FOR_YOU, { scoring, candidate_limit: 300 });
    expect(scored).toBe(300);
    expect(proposed).toBeLessThanOrEqual(300);
  });

  test('a source is asked for more items when the limit is larger', async () => {
    const proposed = async (candidate_limit: number) => {
      const request = { user_id: 'v', scoring: UNPOPULAR, candidate_limit, explain: true };
      const { body } = await community.ask(FOR_YOU, request);
      const stages: { plugin: string; in: number }[] = body.trace.stages;
      return stages.find(({ plugin }) => plugin === 'breadth/newest')?.in ?? 0;
    };
    const few = await proposed(100);
    expect(few).toBeGreaterThan(0);
    expect(await proposed(2_000)).toBeGreaterThanOrEqual(19 * few);
  });

  test('trending and popular feeds take the limit too', async () => {
    for (const feed_type of ['trending', 'popular'])
      expect((await candidatesOf(community, feed_type, { candidate_limit: 300 })).scored).toBe(300);
  });

  test('a narrow feed scores all of its items, whatever the limit', async () => {
    const request = { filters: { channels: ['fifth'] }, candidate_limit: 100, scoring: UNPOPULAR };
    expect((await candidatesOf(community, FOR_YOU, request)).scored).toBe(900);
  });

  test('a page that is longer than the limit is full', async () => {
    for (const feed_type of FEED_TYPES) {
      const ids = await community.ids(feed_type, { user_id: 'v', top_k: 300, candidate_limit: 100 });
      expect(new Set(ids).size).toBe(300);
    }
  });

  test('a page of a viewer who saw the best candidates is full', async () => {
    const request = { user_id: 'returning', candidate_limit: 100, top_k: 100, impression_count: 100 };
    const shown = new Set<string>();
    for (let page = 0; page < 6; page++)
      for (const id of await community.ids(FOR_YOU, request)) shown.add(id);
    expect(shown.size).toBe(600);
  });

  test('an item that ranks first but is not among the candidates is explained by sources', async () => {
    const request = {
      user_id: 'v',
      scoring: UNPOPULAR,
      candidate_limit: 100,
      top_k: 1,
      item_id: nameOf(4_499),
    };
    const { body } = await community.ask('for-you/explain', request);
    expect(body.body).toMatchObject({ shown: false, rank: 1, dropped_by: { plugin: 'sources' } });
  });

  test('a saved limit is used unless the request has another one', async () => {
    const account = defaultAccount(community.server);
    const feed_id = await account.add({ config: { candidate_limit: 200 } });
    expect((await candidatesOf(community, FOR_YOU, { feed_id })).scored).toBe(200);
    expect((await candidatesOf(community, FOR_YOU, { feed_id, candidate_limit: 150 })).scored).toBe(150);
    expect((await candidatesOf(community, FOR_YOU, { feed_id, candidate_limit: null })).scored).toBe(200);
  });
});
