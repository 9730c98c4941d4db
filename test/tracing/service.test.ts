import { afterAll, describe, expect, test } from 'bun:test';
import { withFolder } from '../interchange/support.ts';
import {
  API_KEY,
  killAll,
  type ServiceProcess,
  startService,
} from '../simulation/support/service-process.ts';
import { attributesOf, type CollectedSpan, Collector } from './collector.ts';

afterAll(killAll);

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const SAMPLED = `00-${TRACE}-${CALLER}-01`;
/** Of a write, which has a trace of its own. */
const WRITE_TRACE = '5bf92f3577b34da6a3ce929d0e0e4736';
const NOT_SAMPLED = `00-${TRACE}-${CALLER}-00`;
const SECRET_HEADER = 'collector-key';
const VIEWER = 'viewer-who-is-private';
const TEXT = 'a text that is private';

const ITEM = {
  item_id: 'item-that-is-private',
  author_id: 'author-who-is-private',
  created_at: 1_795_000_000,
  text: TEXT,
};

function post(service: ServiceProcess, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(service.address + path, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Runs `work` on a service that sends traces to the collector. The last spans are sent when the service stops. */
async function traced(
  collector: Pick<Collector, 'endpoint'>,
  settings: Record<string, string>,
  work: (service: ServiceProcess) => Promise<void>,
): Promise<ServiceProcess> {
  return withFolder({}, async (data) => {
    const env = { FEEDLOOM_OTLP_ENDPOINT: collector.endpoint, ...settings };
    const service = await startService(data, { env });
    await work(service);
    expect(await service.stop()).toBe(0);
    return service;
  });
}

function named(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0];
}

describe('traces of a service', () => {
  test('contain a request with its page and stages, and a write with its commit, in the form of the protocol', async () => {
    await using collector = new Collector();
    const settings = {
      FEEDLOOM_TRACES_SAMPLER_ARG: '0',
      FEEDLOOM_SERVICE_NAME: 'my feeds',
      FEEDLOOM_OTLP_HEADERS: `authorization=Bearer%20${SECRET_HEADER}`,
    };
    await traced(collector, settings, async (service) => {
      expect((await post(service, '/v2/farcaster/items', ITEM)).status).toBe(200);
      const asked = { user_id: VIEWER, impression_count: 5 };
      const answer = await post(service, '/v2/farcaster/feeds/for-you', asked, { traceparent: SAMPLED });
      expect(await answer.text()).toContain(ITEM.item_id);
      const [, trace_id, span_id, flags] = answer.headers.get('traceparent')!.split('-');
      expect([trace_id, flags]).toEqual([TRACE, '01']);
      expect(span_id).not.toBe(CALLER);
      const write = { traceparent: SAMPLED.replace(TRACE, WRITE_TRACE) };
      expect((await post(service, '/v2/farcaster/users', { user_id: VIEWER }, write)).status).toBe(200);
    });
    const { spans, requests, faults } = collector;
    expect(faults).toEqual([]);
    const request = named(spans, 'POST /v2/community/feeds/for-you');
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: 2, status: { code: 0 } });
    expect(attributesOf(request)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v2/community/feeds/for-you',
      'http.response.status_code': '200',
    });
    const page = named(spans, 'page');
    expect(page).toMatchObject({ traceId: TRACE, parentSpanId: request.spanId, kind: 1 });
    expect(attributesOf(page)).toEqual({ 'feedloom.feed_type': 'for-you', 'feedloom.items': '1' });
    for (const stage of ['compile', 'candidates', 'ranking', 'visibility', 'mixing', 'answer']) {
      const of_stage = spans.filter(({ name }) => name === `page ${stage}`);
      expect([stage, of_stage.length > 0]).toEqual([stage, true]);
      for (const span of of_stage) expect([span.traceId, span.parentSpanId]).toEqual([TRACE, page.spanId]);
    }
    const write = named(spans, 'POST /v2/community/users');
    expect(write).toMatchObject({ traceId: WRITE_TRACE, parentSpanId: CALLER });
    const commit = named(spans, 'store commit');
    expect(commit).toMatchObject({
      traceId: WRITE_TRACE,
      parentSpanId: write.spanId,
      status: { code: 0 },
    });
    expect(attributesOf(commit)['db.system.name']).toBe('sqlite');
    for (const { traceId, startTimeUnixNano: start, endTimeUnixNano: end } of spans) {
      const root = traceId === TRACE ? request : write;
      expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
      expect(BigInt(start)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
      expect(BigInt(end)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano));
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const [{ path, headers, body }] = requests;
    expect([path, headers.get('content-type'), headers.get('authorization')]).toEqual([
      '/v1/traces',
      'application/json',
      `Bearer ${SECRET_HEADER}`,
    ]);
    expect(attributesOf(body.resourceSpans[0].resource)['service.name']).toBe('my feeds');
    for (const { text } of requests) expect(text).not.toMatch(/private|simulation-test-key|collector-key/);
  });

  test('follow the caller where it says whether it is sampled, and otherwise the share', async () => {
    await using collector = new Collector();
    await traced(collector, { FEEDLOOM_TRACES_SAMPLER_ARG: '1' }, async (service) => {
      const popular = async (headers: Record<string, string>) =>
        (await post(service, '/v2/farcaster/feeds/popular', {}, headers)).headers.get('traceparent');
      expect(await popular({ traceparent: NOT_SAMPLED })).toBeNull();
      expect(await popular({})).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      // A malformed header is ignored.
      expect(await popular({ traceparent: SAMPLED.toUpperCase() })).not.toContain(TRACE);
      expect((await fetch(`${service.address}/healthz`)).headers.get('traceparent')).toBeNull();
      const refused = await post(service, '/v2/farcaster/feeds/popular', { top_k: 'many' });
      expect([refused.status, refused.headers.get('traceparent') !== null]).toEqual([400, true]);
      const unknown = await post(service, `/nothing/${VIEWER}`, {});
      expect(unknown.status).toBe(404);
    });
    const { spans, faults } = collector;
    expect(faults).toEqual([]);
    const requests = spans.filter(({ kind }) => kind === 2);
    expect(requests.map((span) => attributesOf(span)['http.response.status_code'])).toEqual([
      '200',
      '200',
      '400',
      '404',
    ]);
    expect(requests.map(({ parentSpanId }) => parentSpanId)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(requests[3].name).toBe('POST none');
    expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(4);
  });

  test('are not forced by a caller without a key, or with a viewer token', async () => {
    await using collector = new Collector();
    await traced(collector, { FEEDLOOM_TRACES_SAMPLER_ARG: '0' }, async (service) => {
      const popular = async (headers: Record<string, string>) => {
        const answer = await post(service, '/v2/farcaster/feeds/popular', { user_id: VIEWER }, headers);
        return [answer.status, answer.headers.get('traceparent')];
      };
      const created = await post(service, '/api/tokens', { user_id: VIEWER, ttl_seconds: 60 });
      const { token } = (await created.json()) as { token: string };
      expect(await popular({ traceparent: SAMPLED, 'x-api-key': '' })).toEqual([401, null]);
      expect(await popular({ traceparent: SAMPLED, 'x-api-key': 'unknown' })).toEqual([401, null]);
      expect(await popular({ traceparent: SAMPLED, 'x-api-key': token })).toEqual([200, null]);
      expect(await popular({ traceparent: SAMPLED })).toEqual([200, expect.stringContaining(TRACE)]);
    });
    expect(collector.spans.filter(({ kind }) => kind === 2)).toHaveLength(1);
  });

  test('cost no page and no start when the collector does not answer, and say so once in the log', async () => {
    await using silent = new Collector(() => new Promise<Response>(() => {}));
    const service = await traced(silent, { FEEDLOOM_TRACES_SAMPLER_ARG: '1' }, async (running) => {
      for (let page = 0; page < 5; page++)
        expect((await post(running, '/v2/farcaster/feeds/popular', {})).status).toBe(200);
      const metrics = await (await fetch(`${running.address}/metrics`)).text();
      expect(metrics).toContain('feedloom_spans_exported_total 0');
    });
    const warned = service.log.filter((line) => line.includes('traces could not be exported'));
    expect(warned.length).toBe(1);
  });

  test('are not made without an endpoint, whatever the caller sends', () =>
    withFolder({}, async (data) => {
      const service = await startService(data);
      const answer = await post(service, '/v2/farcaster/feeds/popular', {}, { traceparent: SAMPLED });
      expect([answer.status, answer.headers.get('traceparent')]).toEqual([200, null]);
      expect(await (await fetch(`${service.address}/metrics`)).text()).not.toContain('feedloom_spans');
      await service.stop();
    }));
});
