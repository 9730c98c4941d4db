import { afterEach, beforeEach, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { START } from '../../support/service.ts';
import { type Community, type Fields, openCommunity } from '../support.ts';

/** Pages with more metadata than one answer may have. */

const RECORD_BYTES = 57_000;
const WALLET = `0x${'a'.repeat(40)}`;

let community: Community;
beforeEach(async () => {
  community = await openCommunity();
});
afterEach(() => community.server.close());

const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body));

/** Records of the catalog, each near the most that it may have. */
async function addTokens(count: number): Promise<string[]> {
  const item_ids = Array.from({ length: count }, (_, at) => `base.0x${String(at).padStart(40, '0')}`);
  const prices = Array.from({ length: 95 }, () => ({
    marketplace_name: 'ü'.repeat(250),
    value_usd_cents: 1,
  }));
  for (let from = 0; from < count; from += 100) {
    const records = item_ids.slice(from, from + 100).map((item_id) => ({ item_id, name: 'T', prices }));
    const { status, body } = await community.server.post('/base/items', records);
    expect({ status, rejected: body.rejected }).toEqual({ status: 200, rejected: [] });
  }
  for (const item_id of item_ids) {
    const event = { wallet_address: WALLET, item_id, event_type: 'like', timestamp: START };
    expect((await community.server.call('POST', '/base/events', event)).status).toBe(200);
  }
  return item_ids;
}

test("a page without a key is at most a megabyte, and its last items lack the catalog's metadata", async () => {
  const item_ids = await addTokens(120);
  for (const path of ['/base/feed/popular', `/base/feed/for-you/${WALLET.replace('a', 'b')}`]) {
    const { status, body } = await community.server.call('GET', `${path}?top_k=500`);
    expect(status).toBe(200);
    expect(body.items).toHaveLength(item_ids.length);
    expect(bytesOf(body)).toBeLessThan(LIMITS.keyless_page_bytes_max);
    expect(bytesOf(body)).toBeGreaterThan(LIMITS.keyless_page_bytes_max / 2);
    const described = body.items.filter(({ metadata }: Fields) => (metadata as Fields).name === 'T').length;
    for (const [at, { itemId, metadata }] of body.items.entries()) {
      expect(metadata.name).toBe(at < described ? 'T' : null);
      expect(Object.keys(metadata)).toEqual(Object.keys(body.items[0].metadata));
      expect(metadata.chain).toBe('base');
      expect(item_ids).toContain(itemId);
    }
    const left_out = item_ids.length - described;
    expect(body.warnings).toEqual([
      `metadata: that of the last ${left_out} items was left out, as a page has at most 1048576 bytes; ask for fewer items`,
    ]);
    const whole = await community.server.call('GET', `${path}?top_k=${described}`);
    expect([whole.body.items.length, whole.body.warnings]).toEqual([described, undefined]);
  }
});

test('a page with a key is at most sixteen megabytes, and its last items lack metadata', async () => {
  const count = Math.ceil(LIMITS.answer_bytes_max / RECORD_BYTES) + 20;
  const metadata = { note: 'x'.repeat(RECORD_BYTES) };
  for (let from = 0; from < count; from += 200) {
    const items = Array.from({ length: Math.min(200, count - from) }, (_, at) => ({
      item_id: `item-${from + at}`,
      author_id: 'author',
      created_at: START - from - at,
      metadata,
    }));
    await community.add('items', ...items);
  }
  const { status, body } = await community.ask('popular', { top_k: 1000, return_metadata: true });
  expect(status).toBe(200);
  expect(body.body).toHaveLength(count);
  expect(bytesOf(body)).toBeLessThan(LIMITS.answer_bytes_max);
  const described = body.body.filter((item: Fields) => item.metadata !== undefined).length;
  expect(body.body.findIndex((item: Fields) => item.metadata === undefined)).toBe(described);
  expect(body.warnings).toEqual([expect.stringContaining(`that of the last ${count - described} items`)]);
  const smaller = await community.ask('popular', { top_k: described, return_metadata: true });
  expect(smaller.body.warnings).toBeUndefined();
  expect(smaller.body.body.every((item: Fields) => item.metadata !== undefined)).toBe(true);
});
