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
