import { expect, test } from 'bun:test';
import { ManualTimers } from '../../support/manual-timers.ts';
import { openTestServer, START, type TestServer } from '../../support/service.ts';
import { Community, KEY } from '../support.ts';

const MINUTE = 60;

/** A server whose minutes pass when the test says so. Each request takes `request_ms`. */
class Scene extends Community {
  private constructor(
    server: TestServer,
    private readonly timers: ManualTimers,
  ) {
    super(server);
  }

  static async open(request_ms = 0): Promise<Scene> {
    const timers = new ManualTimers();
    let readings = 0;
    const monotonic = () => timers.passed_seconds * 1000 + request_ms * readings++;
    return new Scene(await openTestServer({ hosting: { timers, monotonic } }), timers);
  }

  /** Lets minutes pass, one after another. */
  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      this.server.clock.advance(MINUTE);
      await this.timers.pass(MINUTE);
    }
  }

  history(window?: string) {
    const query = window === undefined ? '' : `?window=${window}`;
    return this.server.get(`/api/metrics/history${query}`);
  }

  async points(window?: string) {
    return (await this.history(window)).body.points;
  }
}

test('the history starts empty and gets a point a minute, or every five minutes', async () => {
  await using scene = await Scene.open();
  const { status, body } = await scene.history();
  expect([status, body]).toEqual([200, { window: '1h', every_seconds: 60, points: [] }]);
  await scene.pass(10);
  const at = (points: { at: number }[]) => points.map((point) => point.at - START);
  expect(at(await scene.points('1h'))).toEqual([60, 120, 180, 240, 300, 360, 420, 480, 540, 600]);
  expect(at(await scene.points('24h'))).toEqual([300, 600]);
});

test('the history keeps an hour of minutes and a day of five minutes', async () => {
  await using scene = await Scene.open();
  await scene.pass(24 * 60 + 10);
  const minutes = await scene.points('1h');
  const five_minutes = await scene.points('24h');
  expect([minutes.length, five_minutes.length]).toEqual([60, 288]);
  expect(minutes[59].at - minutes[0].at).toBe(59 * MINUTE);
  expect(five_minutes[287].at).toBe(minutes[59].at);
});

test('a failed readiness check is no failed request of the history', async () => {
  await using scene = await Scene.open();
  const { host } = scene.server;
  host.drain();
  expect((await scene.server.call('GET', '/readyz')).status).toBe(503);
  await scene.ask('popular', { top_k: 0 });
  await scene.pass(1);
  expect((await scene.points())[0].errors).toEqual({ invalid_value: 1 });
});

test('a point has the pages, errors and records of its own interval', async () => {
  await using scene = await Scene.open();
  await scene.addItem('one');
  await scene.addItem('two');
  await scene.page('popular', { top_k: 1 });
  await scene.page('popular', { top_k: 3 });
  await scene.page('trending');
  await scene.ask('popular', { top_k: 0 });
  await scene.pass(1);
  await scene.pass(1);
  const [first, second] = await scene.points();
  expect(first).toMatchObject({
    at: START + MINUTE,
    pages: { 'for-you': 0, trending: 1, popular: 2 },
    short_pages: 2,
    fallback_pages: 0,
    cold_start_pages: 0,
    errors: { invalid_value: 1 },
    records_per_second: 0.033,
    queued_records: 0,
  });
  expect(first.memory_bytes).toBeGreaterThan(0);
  expect(second).toMatchObject({
    pages: { 'for-you': 0, trending: 0, popular: 0 },
    short_pages: 0,
    errors: {},
    records_per_second: 0,
    p50_ms: null,
    p99_ms: null,
    ingest_ms: null,
    plugin_ms: 0,
  });
});

test('a point counts pages with items of a fallback feed, and pages of a cold start feed', async () => {
  await using scene = await Scene.open();
  await scene.addItem('one');
  const call = (body: object) => scene.server.call('POST', '/api/feed/config', body, KEY);
  const saved = await call({ name: 'Popular', endpoint: 'feeds/popular' });
  const { config_id } = saved.body.data;
  const nothing = { channels: ['nothing'] };
  await scene.page('popular', { filters: nothing, fallback_feeds: [{ feed_id: config_id }] });
  await scene.page('for-you', { user_id: 'new', cold_start_feed: config_id });
  await scene.pass(1);
  expect(await scene.points()).toMatchObject([{ fallback_pages: 1, cold_start_pages: 1 }]);
});

test('a point has the quantiles of the time of feed requests, and the mean time of ingest', async () => {
  await using scene = await Scene.open(8);
  await scene.addItem('one');
  await scene.page('popular');
  await scene.pass(1);
  const [{ p50_ms, p99_ms, ingest_ms }] = await scene.points();
  expect(p50_ms).toBeGreaterThanOrEqual(8);
  expect(p99_ms).toBe(p50_ms);
  expect(ingest_ms).toBeGreaterThanOrEqual(8);
});

test('quantiles are exact to a hundredth, and the shortest and longest durations count, too', async () => {
  await using scene = await Scene.open();
  const { history } = scene.server.host.metrics;
  const quantilesOf = async (durations_ms: number[]) => {
    for (const ms of durations_ms) history.paged(ms);
    await scene.pass(1);
    const { p50_ms, p99_ms } = (await scene.points()).at(-1);
    return [p50_ms, p99_ms];
  };
  const [p50_ms, p99_ms] = await quantilesOf(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(p50_ms / 50).toBeCloseTo(1, 2);
  expect(p99_ms / 99).toBeCloseTo(1, 2);
  const [shortest_ms, longest_ms] = await quantilesOf([0, 0.0001, 1e9]);
  expect(shortest_ms).toBe(0.001);
  expect(longest_ms / 60_000).toBeCloseTo(1, 2);
});
