import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { monotonicMs } from '../../../src/clock.ts';
import { Metrics } from '../../../src/http/metrics/metrics.ts';
import { Host } from '../../../src/http/transport/host.ts';
import { Rounds } from '../../support/rounds.ts';
import { samples, scrape } from '../../support/samples.ts';
import { openTestServer, START } from '../../support/service.ts';
import {
  Community,
  FEED_TYPES,
  feedPath,
  ingestPath,
  testCommunity as it,
  KEY,
  openCommunity,
} from '../support.ts';

/** The route of a path is that of the neutral network, whichever of its two prefixes was sent. */
const routeOf = (path: string) => path.replace('/v2/farcaster/', '/v2/community/');

function requests(found: Map<string, number>, method: string, route: string, status: number): number {
  const labels = `{method="${method}",route="${route}",status="${status}"}`;
  return found.get(`feedloom_http_request_duration_seconds_count${labels}`) ?? 0;
}

/** The sample of a metric of the community with these labels. */
function sample(found: Map<string, number>, name: string, labels: Record<string, string> = {}) {
  const told = Object.entries({ community: 'content', ...labels }).map(
    ([label, value]) => `${label}="${value}"`,
  );
  return found.get(`feedloom_${name}{${told.join(',')}}`);
}

/** How much of each kind the state has. */
function entriesOf(found: Map<string, number>, ...kinds: string[]) {
  return kinds.map((kind) => sample(found, 'state_entries', { kind }));
}

/** Values of HTTP-Referer without a web host; some contain secrets. */
const NO_ORIGINS = [
  'not a URL',
  '',
  'secret',
  '/path?token=1',
  'secret://host',
  'javascript:secret',
  'file:///secret',
  `https://${'secret.'.repeat(20)}com`,
];

describe('GET /metrics', () => {
  it('GET /metrics needs no key and returns valid Prometheus text', async (community) => {
    const { body } = await community.server.call('GET', '/metrics');
    const names = new Set(samples(body).keys());
    expect(names).toContain('feedloom_ready');
    expect(names).toContain('process_resident_memory_bytes');
    expect(body).toContain('# HELP feedloom_stage_seconds_total ');
    expect(body).toContain('# TYPE feedloom_http_request_duration_seconds histogram');
  });

  test('the text of the metrics is made at most once a second', async () => {
    let now_ms = 0;
    const hosting = { metrics_kept_ms: undefined, monotonic: () => now_ms };
    await using community = new Community(await openTestServer({ hosting }));
    const total = async () => {
      const found = await scrape(community.server);
      return requests(found, 'POST', routeOf(ingestPath('users')), 200);
    };
    expect(await total()).toBe(0);
    await community.add('users', { user_id: 'a' });
    now_ms += 999;
    expect(await Promise.all([total(), total()])).toEqual([0, 0]);
    now_ms += 1;
    expect(await total()).toBe(1);
  });

  it('the metrics include checkpoints and the changes since the last one', async (community) => {
    const { server } = community;
    const { service } = server;
    await server.post(ingestPath('users'), [{ user_id: 'a' }, { user_id: 'b' }]);
    const before = await scrape(server);
    expect(before.get('feedloom_checkpoints_written{community="content"}')).toBe(0);
    expect(before.get('feedloom_checkpoint_behind_changes{community="content"}')).toBe(service.state.seq);
    await service.checkpoints!.writeNow();
    await server.post(ingestPath('users'), [{ user_id: 'c' }]);
    const after = await scrape(server);
    expect(after.get('feedloom_checkpoints_written{community="content"}')).toBe(1);
    expect(after.get('feedloom_checkpoints_failed{community="content"}')).toBe(0);
    expect(after.get('feedloom_checkpoint_bytes{community="content"}')).toBeGreaterThan(1_000);
    expect(after.get('feedloom_checkpoint_seconds{community="content"}')).toBeGreaterThan(0);
    expect(after.get('feedloom_checkpoint_behind_changes{community="content"}')).toBe(2);
  });

  it('the metrics count each request once by method, route and status', async (community) => {
    const { server } = community;
    for (let time = 0; time < 3; time++) await server.post(feedPath('popular'));
    await server.post(feedPath('popular'), { top_k: 0 });
    await server.call('POST', feedPath('popular'), {});
    await server.get(`${ingestPath('items')}/a`);
    await server.get(`${ingestPath('items')}/b`);
    await server.call('GET', '/nothing/a');
    await server.call('GET', '/nothing/b');
    const found = await scrape(server);
    expect(requests(found, 'POST', routeOf(feedPath('popular')), 200)).toBe(3);
    expect(requests(found, 'POST', routeOf(feedPath('popular')), 400)).toBe(1);
    expect(requests(found, 'POST', routeOf(feedPath('popular')), 401)).toBe(1);
    expect(requests(found, 'GET', '/v2/community/items/:id', 404)).toBe(2);
    expect(requests(found, 'GET', 'none', 404)).toBe(2);
    const counted = [...found].filter(([name]) =>
      name.startsWith('feedloom_http_request_duration_seconds_count'),
    );
    expect(counted.reduce((sum, [, value]) => sum + value, 0)).toBe(9);
  });

  it('the metrics count errors by code, starting at 0', async (community) => {
    const { server } = community;
    await server.post(feedPath('popular'), { top_k: 0 });
    for (let time = 0; time < 2; time++) await server.call('POST', feedPath('popular'), {});
    const found = await scrape(server);
    const counts = ['invalid_value', 'unauthorized', 'store_unavailable'].map((code) =>
      found.get(`feedloom_http_problems_total{code="${code}"}`),
    );
    expect(counts).toEqual([1, 2, 0]);
  });

  it('the number of series is bounded, whatever callers send', async (community) => {
    const { server } = community;
    for (let index = 0; index < 300; index++) {
      await server.call('GET', `/path/${index}`);
      await server.call(`METHOD${index}`, '/healthz');
      await server.call(
        'POST',
        feedPath('popular'),
        { [`unknown${index}`]: 1 },
        {
          ...KEY,
          'http-referer': `https://site${index}.example.com/page/${index}`,
          'x-title': `Title ${index} ${'x'.repeat(500)}`,
        },
      );
    }
    const found = await scrape(server);
    const of = (name: string) => [...found.keys()].filter((key) => key.startsWith(name));
    expect(of('feedloom_http_request_duration_seconds_count')).toHaveLength(3);
    expect(of('feedloom_feed_requests_by_referer_total')).toHaveLength(101);
    expect(of('feedloom_feed_requests_by_title_total')).toHaveLength(101);
    expect(found.get('feedloom_feed_requests_by_referer_total{referer="other"}')).toBe(200);
    expect(Math.max(...[...found.keys()].map((key) => key.length))).toBeLessThan(200);
  });

  it('the metrics count referers by host and titles, for known keys only', async (community) => {
    const ask = (headers: Record<string, string>) =>
      community.server.call('POST', feedPath('popular'), {}, headers);
    await ask({ ...KEY, 'HTTP-Referer': 'https://app.example.com/a?b', 'X-Title': 'My "App"' });
    await ask({ ...KEY, 'HTTP-Referer': 'https://app.example.com/c', 'X-Title': 'My "App"' });
    for (const sent of NO_ORIGINS) await ask({ ...KEY, 'HTTP-Referer': sent });
    for (const sent of ['', 'a\tb', 'a\u00adb']) await ask({ ...KEY, 'X-Title': sent });
    await ask({ 'HTTP-Referer': 'https://stranger.example.com', 'X-Title': 'stranger' });
    const { body } = await community.server.call('GET', '/metrics');
    expect(body).toContain('feedloom_feed_requests_by_referer_total{referer="app.example.com"} 2');
    expect(body).toContain(`feedloom_feed_requests_by_referer_total{referer="other"} ${NO_ORIGINS.length}`);
    expect(body).toContain('feedloom_feed_requests_by_title_total{title="other"} 3');
    expect(body).not.toMatch(/secret|token/);
    expect(body).toContain('feedloom_feed_requests_by_title_total{title="My \\"App\\""} 2');
    expect(body).not.toContain('stranger');
  });

  test('the metrics include retired items and free ordinals', async () => {
    const rounds = new Rounds();
    const opening = { retires_items: true, timers: rounds };
    const server = await openTestServer({ settings: { retention_days: 1 }, opening });
    await using community = new Community(server);
    await community.addItem('old', { created_at: START - 2 * 86_400 });
    await community.addItem('new');
    const told = async () => {
      const found = await scrape(server);
      const kinds = ['items', 'ordinals_pending', 'ordinals_free'];
      return [sample(found, 'items_retired'), ...entriesOf(found, ...kinds)];
    };
    expect(await told()).toEqual([0, 2, 0, 0]);
    await rounds.retire();
    expect(await told()).toEqual([1, 1, 1, 0]);
    server.clock.advance(3600);
    for (const user_id of ['a', 'b', 'c']) await community.add('users', { user_id });
    expect(await told()).toEqual([1, 1, 0, 1]);
  });

  it('the metrics count accepted and rejected records by kind', async (community) => {
    await community.add('users', { user_id: 'a' }, { user_id: 'b' });
    await community.server.post(ingestPath('follows'), [{ user_id: 'a', target_user_id: 'b' }, 5, {}]);
    const found = await scrape(community.server);
    const count = (kind: string, outcome: string) => sample(found, 'ingest_records_total', { kind, outcome });
    expect(count('users', 'accepted')).toBe(2);
    expect([count('follows', 'accepted'), count('follows', 'rejected')]).toEqual([1, 2]);
  });

  it('the metrics include the size of the state and the length of the queue', async (community) => {
    await community.addItem('one');
    await community.addItem('two');
    await community.follow('a', 'b');
    await community.act('a', 'like', 'one');
    const found = await scrape(community.server);
    expect(entriesOf(found, 'items', 'users', 'follows', 'interactions')).toEqual([2, 3, 1, 1]);
    expect(sample(found, 'write_queue_records')).toBe(0);
    expect(found.get('feedloom_ready')).toBe(1);
    await community.follow('c', 'b');
    await community.follow('c', 'a');
    await community.follow('c', 'a', { action: 'unfollow' });
    expect(entriesOf(await scrape(community.server), 'follows')).toEqual([2]);
    await community.remove('users', 'a');
    expect(entriesOf(await scrape(community.server), 'follows', 'interactions')).toEqual([1, 0]);
  });

  it('the metrics include the cost of pages by stage and plugin', async (community) => {
    for (let item = 0; item < 50; item++) await community.addItem(`item ${item}`, { channel: 'https://c' });
    for (const feed_type of FEED_TYPES) await community.page(feed_type, { user_id: 'viewer', top_k: 10 });
    await community.page('popular', { filters: { channels: ['https://c'] }, top_k: 10 });
    const found = await scrape(community.server);
    expect(sample(found, 'pages_total', { feed_type: 'for-you' })).toBe(1);
    expect(sample(found, 'pages_total', { feed_type: 'popular' })).toBe(2);
    expect(sample(found, 'page_items_total', { feed_type: 'popular' })).toBe(20);
    for (const stage of ['compile', 'candidates', 'ranking', 'visibility', 'mixing', 'answer'])
      expect(sample(found, 'stage_seconds_total', { stage })).toBeGreaterThan(0);
    for (const [kind, plugin, count] of [
      ['filters', 'channels', 1],
      ['visibility_rules', 'seen', 4],
      ['scoring_functions', 'popular_v0.0.1', 2],
      ['candidate_sources', 'popular', 1],
    ] as const)
      expect([plugin, sample(found, 'plugin_requests_total', { kind, plugin })]).toEqual([plugin, count]);
    const scoring = { kind: 'scoring_functions', plugin: 'popular_v0.0.1' };
    expect(sample(found, 'plugin_seconds_total', scoring)).toBeGreaterThan(0);
    const source = { kind: 'candidate_sources', plugin: 'popular' };
    expect(sample(found, 'plugin_items_total', source)).toBeDefined();
  });

  it('the metrics of two services in one process are separate', async (one) => {
    await using other = await openCommunity();
    await one.addItem('only here');
    expect(entriesOf(await scrape(one.server), 'items')).toEqual([1]);
    expect(entriesOf(await scrape(other.server), 'items')).toEqual([0]);
  });

  test('the metrics work before the service is loaded', async () => {
    const found = samples(await new Host(pino({ enabled: false })).metrics.text());
    expect(found.get('feedloom_ready')).toBe(0);
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  it('the metric of readiness matches /readyz, also during shutdown', async (community) => {
    const { server } = community;
    const told = async () => [
      (await server.call('GET', '/readyz')).status,
      (await scrape(server)).get('feedloom_ready'),
    ];
    expect(await told()).toEqual([200, 1]);
    server.host.close();
    expect(await told()).toEqual([503, 0]);
  });

  test('the metrics include the lag of the event loop while it is measured', async () => {
    const metrics = new Metrics(() => undefined, { metrics_kept_ms: 0 });
    const unwatch = metrics.watchEventLoop();
    const greatestLag = async () =>
      samples(await metrics.text()).get('feedloom_event_loop_lag_seconds{statistic="max"}') ?? 0;
    // The first measurements may come before or after the loop is blocked, so wait for one that is late enough.
    while ((await greatestLag()) < 0.05) {
      const start_ms = monotonicMs();
      while (monotonicMs() - start_ms < 100);
      await new Promise(setImmediate);
    }
    unwatch();
    expect(await metrics.text()).not.toContain('statistic="max"');
  });
});
