import { expect, test } from 'bun:test';
import { totalsOf } from '../experiments/support.ts';
import { type Answer, item, openCluster, until } from './support.ts';

const VIEWERS = Array.from({ length: 12 }, (_, at) => `viewer-${at}`);
const FEED = '/v2/farcaster/feeds/popular';

test('viewers get the same variant on every node, and all nodes have the same results', async () => {
  await using cluster = await openCluster();
  for (let count = 0; count < 3; count++) await cluster.start();
  const { nodes } = cluster;
  const [leader, ...followers] = nodes;
  const post = async (at: number, path: string, body: unknown): Promise<Answer> => {
    const answer = await nodes[at % 3].post(path, body);
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.body.detail}`);
    return answer;
  };
  await post(
    1,
    '/v2/farcaster/items',
    [0, 1, 2, 3].map((at) => item(`item-${at}`)),
  );
  const saved = [];
  for (const name of ['one', 'two']) {
    const feed = await post(2, '/api/feed/config', { name, endpoint: 'feeds/popular' });
    saved.push(feed.body.data.config_id);
  }
  const [feed_id, other] = saved;
  const variants = [
    { name: 'control', feed_id, percent: 50 },
    { name: 'other', feed_id: other, percent: 50 },
  ];
  const made = await post(1, '/api/experiments', { name: 'Nodes', feed_id, variants });
  const path = `/api/experiments/${made.body.data.experiment_id}`;
  for (const [at, user_id] of VIEWERS.entries()) {
    const request = { user_id, feed_id, top_k: 2 };
    const assigned = await Promise.all(nodes.map((node) => node.post(FEED, request)));
    expect(new Set(assigned.map(({ body }) => body.experiment.variant)).size).toBe(1);
    const shown = await post(at, FEED, { ...request, impression_count: 2 });
    const { item_id } = shown.body.body[0];
    await post(at + 1, '/v2/farcaster/interactions', { user_id, item_id, event_type: 'like' });
  }
  const results = async (): Promise<object[]> => {
    const answers = await Promise.all(nodes.map((node) => node.call('GET', path)));
    return answers.map(({ body }) => totalsOf(body.data.results));
  };
  const totals = await results();
  for (const each of totals) expect(each).toEqual(totals[0]);
  expect(Object.values(totals[0]).map(({ viewers, like }) => viewers * like)).toEqual(
    Object.values(totals[0]).map(({ viewers }) => viewers),
  );
  expect(Object.values(totals[0]).reduce((sum, { viewers }) => sum + viewers, 0)).toBe(VIEWERS.length);

  await nodes[2].call('PATCH', path, { status: 'stopped' });
  expect(await results()).toEqual(totals);
  await cluster.stop(leader);
  await until(
    () => Promise.all(followers.map((node) => node.role())),
    (roles) => roles.includes('leader'),
  );
  expect(await results()).toEqual(totals.slice(0, 2));
});

test('no viewer changes variant on any node while percents grow, and every node serves the pinned revisions', async () => {
  await using cluster = await openCluster();
  for (let count = 0; count < 3; count++) await cluster.start();
  const { nodes } = cluster;
  const call = async (at: number, method: string, path: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await nodes[at % 3].call(method, path, body);
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.body.detail}`);
    return answer.body;
  };
  const channels = ['left', 'right'].map((side) => `https://example.com/${side}`);
  const items = channels.map((channel, at) => item(`item-${at}`, { channel }));
  await call(0, 'POST', '/v2/farcaster/items', items);
  const saved: string[] = [];
  for (const channel of channels) {
    const body = { name: channel, endpoint: 'feeds/popular', config: { filters: { channels: [channel] } } };
    saved.push((await call(1, 'POST', '/api/feed/config', body)).data.config_id);
  }
  const [feed_id, other] = saved;
  const percents = (percent: number) => ['control', 'other'].map((name) => ({ name, percent }));
  const variants = percents(10).map((variant, at) => ({ ...variant, feed_id: saved[at] }));
  const made = await call(2, 'POST', '/api/experiments', { name: 'Grows', feed_id, variants });
  const path = `/api/experiments/${made.data.experiment_id}`;
  // The other variant would show what the control shows.
  const changed = { config_id: other, config: { filters: { channels: [channels[0]] } } };
  expect((await call(0, 'PATCH', '/api/feed/config', changed)).warnings[0]).toContain(
    made.data.experiment_id,
  );
  const viewers = Array.from({ length: 40 }, (_, at) => `viewer-${at}`);
  const variantsOf = (at: number) =>
    Promise.all(
      viewers.map(async (user_id) => {
        const { body, experiment } = await call(at, 'POST', FEED, { user_id, feed_id });
        expect(body[0].item_id).toBe(experiment?.variant === 'other' ? 'item-1' : 'item-0');
        return experiment?.variant;
      }),
    );
  let before = await variantsOf(0);
  for (const [at, percent] of [20, 35, 50].entries()) {
    await call(at, 'PATCH', path, { variants: percents(percent) });
    const [now, ...others] = await Promise.all([0, 1, 2].map(variantsOf));
    for (const there of others) expect(there).toEqual(now);
    for (const [index, variant] of before.entries()) expect(now[index]).toBe(variant ?? now[index]);
    before = now;
  }
  expect(before).not.toContain(undefined);
  expect((await call(1, 'GET', path)).data.period).toBe(1);
});
