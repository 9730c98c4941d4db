import { expect, test } from 'bun:test';
import { item, openCluster } from '../cluster/support.ts';
import { Collector } from './collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

test('a write that a follower forwards is one trace with the spans of both nodes', async () => {
  await using collector = new Collector();
  const tracing = { otlp_endpoint: collector.endpoint, traces_sampler_arg: 0 };
  {
    await using cluster = await openCluster();
    await cluster.start(tracing);
    const follower = await cluster.start(tracing);
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
    const { status } = await follower.call('POST', '/v2/farcaster/items', [item('a')], headers);
    expect(status).toBe(200);
  }
  const { spans, faults } = collector;
  expect(faults).toEqual([]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const forwarded = spans.find(({ name }) => name === 'POST forwarded');
  const executed = spans.find(({ name }) => name === 'POST /v2/community/items');
  const commit = spans.find(({ name }) => name === 'store commit');
  expect([forwarded, executed, commit].map((span) => span?.parentSpanId)).toEqual([
    CALLER,
    forwarded?.spanId,
    executed?.spanId,
  ]);
  expect(spans.length).toBe(3);
});

test('a caller without a key cannot have a request traced that a follower forwards', async () => {
  await using collector = new Collector();
  const tracing = { otlp_endpoint: collector.endpoint, traces_sampler_arg: 0 };
  {
    await using cluster = await openCluster();
    await cluster.start(tracing);
    const traced = await cluster.start(tracing);
    const untraced = await cluster.start();
    const event = {
      wallet_address: `0x${'ab'.repeat(20)}`,
      item_id: `base.0x${'cd'.repeat(20)}`,
      event_type: 'like',
    };
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, authorization: '' };
    for (const node of [traced, untraced])
      expect((await node.call('POST', '/base/events', event, headers)).status).toBe(200);
  }
  expect(collector.spans).toEqual([]);
});
