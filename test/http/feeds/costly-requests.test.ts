import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile, START } from '../../support/service.ts';
import { clock } from '../slow-plugin.ts';
import { type Fields, feedPath, openCommunity } from '../support.ts';

const ITEMS = 400;
const community = await forFile(
  openCommunity({
    settings: { plugins: join(import.meta.dir, '..', 'slow-plugin.ts') },
    opening: { monotonicMs: () => clock.now_ms },
  }),
);
const items = Array.from({ length: ITEMS }, (_, at) => ({
  item_id: `i${at}`,
  author_id: 'author',
  created_at: START - at,
}));
await community.add('items', ...items);

const mixing = (page_number: number): Fields => ({
  page_size: 1,
  page_number,
  promotion_filters: [
    { promotion_type: 'slow/mix_v1.0.0', promotion_name: 'p', promoted_items: [{ item_id: 'i1' }] },
  ],
});

describe('a request that keeps the service for too long', () => {
  test.each<[string, Fields, string]>([
    ['filters', { filters: { 'slow/nothing': {} } }, 'filters (slow/nothing)'],
    ['scoring function', { scoring: 'slow/score_v1.0.0', top_k: 300 }, 'slow/score_v1.0.0'],
    ['signal', { scoring: 'slow/by_signal_v1.0.0', top_k: 300 }, 'slow/signal'],
    ['promotion', mixing(ITEMS), 'page_size'],
  ])('a request that takes too much work is refused, naming its %s', async (_, request, named) => {
    const before_ms = clock.now_ms;
    const { status, body } = await community.ask('popular', request);
    expect([status, body.code]).toEqual([400, 'request_too_costly']);
    expect([body.status_code, body.body]).toEqual([400, body.detail]);
    expect(body.detail).toContain(named);
    // Before it has looked at everything.
    expect(clock.now_ms - before_ms).toBeLessThan(10_000);
  });

  test('an explained request that takes too much work is refused too', async () => {
    const request = { filters: { 'slow/nothing': {} } };
    expect((await community.ask('popular', { ...request, explain: true })).body.code).toBe(
      'request_too_costly',
    );
    const explained = await community.server.post(`${feedPath('popular')}/explain`, {
      ...request,
      item_id: 'i1',
    });
    expect([explained.status, explained.body.code]).toEqual([400, 'request_too_costly']);
  });

  test('a refused costly request does not delay the next one', async () => {
    expect((await community.ask('popular', { filters: { 'slow/nothing': {} } })).status).toBe(400);
    expect(await community.ids('popular', { top_k: 5 })).toHaveLength(5);
    expect(await community.ids('popular', mixing(3))).toEqual(['i2']);
    expect((await community.server.call('GET', '/healthz')).status).toBe(200);
  });
});
