import { describe, expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { testLab as it, type Lab, LEFT, openLab, totalsOf } from './support.ts';

const VIEWERS = Array.from({ length: 12 }, (_, at) => `viewer-${at}`);

const interleaved = (feed_id: string, other: string, fields: Fields = {}): Fields => ({
  ...{ name: 'Teams', feed_id, method: 'interleaving' },
  variants: [
    { name: 'left', feed_id },
    { name: 'right', feed_id: other },
  ],
  ...fields,
});

async function begin(lab: Lab, count = 6, fields: Fields = {}) {
  await lab.items(count);
  const { left, right } = await lab.feeds();
  return { left, right, id: await lab.start(left, right, interleaved(left, right, fields)) };
}

const sideOf = ({ item_id }: { item_id: string }) => item_id.split('-')[0];

/** The answer to a feed request, which must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function answerOf(lab: Lab, request: Fields, feed_type = 'popular'): Promise<any> {
  const { status, body } = await lab.ask(feed_type, request);
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return body;
}

describe('an interleaved page', () => {
  it('has items of both variants in rounds, each with its team', async (lab) => {
    const { left, right, id } = await begin(lab);
    const firsts = new Set<string>();
    for (const user_id of VIEWERS) {
      const { body, experiment } = await answerOf(lab, { feed_id: left, user_id, top_k: 8 });
      expect(experiment).toEqual({ id });
      for (const item of body) {
        expect(item.team).toBe(sideOf(item));
        expect(item.source_feed).toBe(`main:${item.team === 'left' ? left : right}`);
      }
      for (let round = 0; round < 8; round += 2)
        expect([body[round].team, body[round + 1].team].sort()).toEqual(['left', 'right']);
      expect(body.filter((item: Fields) => item.team === 'left').map((item: Fields) => item.item_id)).toEqual(
        [0, 1, 2, 3].map((at) => `left-${at}`),
      );
      firsts.add(body[0].team);
    }
    expect([...firsts].sort()).toEqual(['left', 'right']);
  });

  it('repeats with its request_id and with its seed, and goes on by cursor without repeats', async (lab) => {
    const { left } = await begin(lab);
    const request = { feed_id: left, user_id: 'viewer', top_k: 4 };
    const named = { ...request, request_id: 'one', impression_count: 4 };
    expect((await answerOf(lab, named)).body).toEqual((await answerOf(lab, named)).body);
    const seeded = { ...request, user_id: 'other', seed: 7 };
    const first = await answerOf(lab, seeded);
    expect((await answerOf(lab, seeded)).body).toEqual(first.body);
    const next = { ...seeded, cursor: first.cursor };
    const second = await answerOf(lab, next);
    expect((await answerOf(lab, next)).body).toEqual(second.body);
    const items = [...first.body, ...second.body];
    expect(new Set(items.map(({ item_id }) => item_id)).size).toBe(8);
    for (const item of items) expect(item.team).toBe(sideOf(item));
  });

  it('has no teams where one list has ended, and none on plain pages and for other viewers', async (lab) => {
    const { left, id } = await begin(lab, 3, {
      variants: [
        { name: 'left', feed_id: 'feed_1', percent: 30 },
        { name: 'right', feed_id: 'feed_2', percent: 30 },
      ],
    });
    await lab.addItem('left-9', { channel: LEFT });
    const pages = await Promise.all(
      VIEWERS.map((user_id) => answerOf(lab, { feed_id: left, user_id, top_k: 10 })),
    );
    const taken = pages.filter(({ experiment }) => experiment?.id === id);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThan(VIEWERS.length);
    for (const { body } of taken) {
      expect(body).toHaveLength(7);
      expect(body[6].team).toBeUndefined();
    }
    for (const { body, experiment } of pages)
      if (experiment === undefined) expect(body.some(({ team }: Fields) => team !== undefined)).toBe(false);
    const plain = { feed_id: left, user_id: VIEWERS[pages.indexOf(taken[0])], page_number: 1, page_size: 4 };
    const { body } = await answerOf(lab, plain);
    expect(body.map((item: Fields) => [sideOf(item as { item_id: string }), item.team])).toEqual(
      Array(4).fill(['left', undefined]),
    );
  });

  it('keeps authors apart over both teams, by the diversity of the first feed', async (lab) => {
    for (const [at, channel] of ['left', 'right', 'left', 'right'].entries())
      await lab.addItem(`${channel}-${at}`, { channel: `https://example.com/${channel}`, author_id: 'one' });
    await lab.addItem('left-8', { channel: LEFT, author_id: 'two', created_at: 1 });
    const { left, right } = await lab.feeds();
    const { config } = (await lab.account.get(left)).body.data;
    await lab.account.set(left, {
      config: { ...config, feed_diversity_config: { max_posts_per_author: 1 } },
    });
    await lab.start(left, right, interleaved(left, right));
    const { body } = await answerOf(lab, { feed_id: left, user_id: 'viewer', top_k: 3 });
    expect(body.map(({ item_id }: Fields) => item_id)).toContain('left-8');
    expect(body).toHaveLength(2);
  });

  it('keeps the slots of promotions, whose items have no team', async (lab) => {
    await lab.items(6);
    await lab.addItem('special');
    const { left, right } = await lab.feeds();
    const { config } = (await lab.account.get(left)).body.data;
    const promoted_items = [{ item_id: 'special', rank: 1 }];
    const promotion = { promotion_type: 'items', promotion_name: 'top', promoted_items };
    await lab.account.set(left, { config: { ...config, promotion_filters: [promotion] } });
    await lab.start(left, right, interleaved(left, right));
    const { body } = await answerOf(lab, { feed_id: left, user_id: 'viewer', top_k: 5 });
    expect([body[0].item_id, body[0].team, body.length]).toEqual(['special', undefined, 5]);
    for (const item of body.slice(1)) expect(item.team).toBe(sideOf(item));
  });

  it('is explained with the lists of both, and says why an item is missing', async (lab) => {
    const { left, right } = await begin(lab);
    const request = { feed_id: left, user_id: 'viewer', top_k: 4, seed: 3 };
    const { body, trace } = await answerOf(lab, { ...request, explain: true });
    const feeds = new Set(trace.stages.map(({ source_feed }: Fields) => source_feed));
    expect([...feeds].sort()).toEqual([`main:${left}`, `main:${right}`].sort());
    for (const item of body) expect(item.explain.sources.length).toBeGreaterThan(0);
    const why = await lab.server.post('/v2/farcaster/feeds/popular/explain', {
      ...request,
      item_id: 'left-3',
    });
    expect(why.body.body.dropped_by).toMatchObject({ stage: 'mixing', plugin: 'interleaving' });
  });

  for (const feed_type of ['for-you', 'trending'] as const)
    it(`is made of ${feed_type} feeds, too`, async (lab) => {
      await lab.items(15);
      const { left, right } = await lab.feeds(feed_type);
      await lab.start(left, right, interleaved(left, right));
      const { body } = await answerOf(lab, { feed_id: left, user_id: 'viewer', top_k: 20 }, feed_type);
      expect(new Set(body.map(({ item_id }: Fields) => item_id)).size).toBe(20);
      expect(body.filter(({ team }: Fields) => team === 'left')).toHaveLength(10);
    });
});

describe('results of interleaved variants', () => {
  it('are the acts on the items of each team, per page, and the difference as a share of both', async (lab) => {
    const { left, id } = await begin(lab);
    for (const user_id of VIEWERS.slice(0, 4))
      await lab.page('popular', { feed_id: left, user_id, top_k: 6, impression_count: 4 });
    await lab.act('viewer-0', 'like', 'right-0');
    await lab.act('viewer-0', 'like', 'right-1');
    await lab.act('viewer-1', 'share', 'right-0');
    await lab.act('viewer-2', 'like', 'left-0');
    await lab.act('viewer-3', 'hide', 'left-1');
    const { results, method } = await lab.data(id);
    expect([method, results.sample_ratio]).toEqual(['interleaving', null]);
    const common = { viewers: 4, pages: 4, impressions: 8, short_pages: 0 };
    expect(totalsOf(results)).toMatchObject({
      left: { ...common, like: 0.25, share: 0, interactions: 0.25, hide: 0.25 },
      right: { ...common, like: 0.5, share: 0.25, interactions: 0.75, hide: 0 },
    });
    const lifts = results.comparison.map(({ metric, lift, variant }: Fields) => [metric, lift, variant]);
    expect(lifts).toContainEqual(['like', 1 / 3, 'right']);
    expect(lifts).toContainEqual(['interactions', 0.5, 'right']);
    expect(lifts).toContainEqual(['hide', -1, 'right']);
    expect(lifts).toContainEqual(['bookmark', null, 'right']);
    expect(lifts).toContainEqual(['next_day_return', null, 'right']);
    expect(results.variants[0].latency).toEqual(results.variants[1].latency);
    await lab.change(id, { status: 'stopped' });
    const stopped = (await lab.data(id)).results;
    expect(totalsOf(stopped)).toEqual(totalsOf(results));
    expect([stopped.comparison, stopped.sample_ratio]).toEqual([results.comparison, null]);
  });

  it('count what was reported of a page for the teams of its items', async (lab) => {
    const { left, id } = await begin(lab);
    const request = { feed_id: left, user_id: 'viewer', top_k: 6, mark_seen: false };
    const { page_id } = await answerOf(lab, request);
    const report = { user_id: 'viewer', item_ids: ['right-1', 'left-0'], page_id };
    expect((await lab.server.post('/v2/farcaster/impressions', report)).status).toBe(200);
    await lab.act('viewer', 'like', 'right-1');
    expect(await lab.totals(id)).toMatchObject({
      left: { impressions: 1, like: 0 },
      right: { impressions: 1, like: 1 },
    });
    await lab.add('users', { user_id: 'viewer' });
    expect(await lab.viewers(id)).toEqual([
      'viewer,left,1,1,0,2026-01-01,0,0,0,0,0,0,0,0',
      'viewer,right,1,1,0,2026-01-01,0,0,1,0,0,0,0,0',
    ]);
  });

  it('are decided when one team gets clearly more acts', async (lab) => {
    const { left, id } = await begin(lab);
    for (let at = 0; at < 120; at++) {
      const user_id = `reader-${at}`;
      await lab.page('popular', { feed_id: left, user_id, top_k: 2, impression_count: 2 });
      await lab.act(user_id, 'like', at % 4 === 0 ? 'left-0' : 'right-0');
    }
    const { results } = await lab.data(id);
    const like = results.comparison.find(({ metric }: Fields) => metric === 'like');
    expect(like).toMatchObject({ lift: 0.5, decided: true });
    expect(like.ci_low).toBeGreaterThan(0);
  });
});

describe('an experiment that interleaves', () => {
  it('is for all viewers without percents, and takes one percent for both variants', async (lab) => {
    const { left, right } = await lab.feeds();
    const refused = async (body: Fields) =>
      (await lab.call('POST', '', body)).body.errors?.map(({ path }: Fields) => path);
    const variant = (name: string, fields: Fields = {}) => ({ name, feed_id: left, ...fields });
    const of = (...variants: Fields[]) => interleaved(left, right, { variants });
    expect(await refused(of(variant('a'), variant('b', { percent: 50 })))).toEqual(['/variants']);
    expect(await refused(of(variant('a'), variant('b'), variant('c')))).toEqual(['/variants']);
    expect(await refused(of(variant('a'), variant('a')))).toEqual(['/variants/1/name']);
    expect(await refused(interleaved(left, right, { metric: 'next_day_return' }))).toEqual(['/metric']);
    expect(await refused(interleaved(left, right, { method: 'both' }))).toEqual(['/method']);
    expect(await refused(interleaved(left, right, { method: 'split' }))).toEqual([
      '/variants/0/percent',
      '/variants/1/percent',
    ]);
    const id = await lab.start(left, right, interleaved(left, right));
    const { variants } = await lab.data(id);
    expect(variants.map(({ percent }: Fields) => percent)).toEqual([100, 100]);
    const unequal = await lab.call('PATCH', `/${id}`, { variants: [{ name: 'left', percent: 50 }] });
    expect([unequal.status, unequal.body.errors[0].path]).toEqual([400, '/variants']);
    const both = variants.map(({ name }: Fields) => ({ name, percent: 25 }));
    expect(await lab.change(id, { variants: both })).toMatchObject({ period: 1, method: 'interleaving' });
    expect((await lab.call('PATCH', `/${id}`, { method: 'split' })).status).toBe(400);
  });
});

test('a page that is repeated by its request_id has its teams also after a restart, and counts for them', async () => {
  const data = temporaryFolder('interleaving');
  let lab = await openLab({ data });
  try {
    const { left, id } = await begin(lab);
    const request = { feed_id: left, user_id: 'viewer', top_k: 5, mark_seen: false, request_id: 'one' };
    const teamsOf = async () => {
      const { body, page_id } = await answerOf(lab, request);
      return { page_id, teams: body.map(({ item_id, team }: Fields) => [item_id, team]) };
    };
    const { teams } = await teamsOf();
    await lab.server.close();
    lab = await openLab({ data, clock: lab.server.clock });
    const again = await teamsOf();
    expect(again.teams).toEqual(teams);
    const report = {
      user_id: 'viewer',
      item_ids: teams.map(([item_id]: string[]) => item_id),
      page_id: again.page_id,
    };
    await lab.server.post('/v2/farcaster/impressions', report);
    const counts = Object.values(await lab.totals(id)).map(({ impressions }) => Number(impressions));
    expect(counts.toSorted()).toEqual([2, 3]);
  } finally {
    await lab.server.close();
  }
});
