import { describe, expect, test } from 'bun:test';
import { BROKEN, failureOf, openService, page, problem, Script } from './support.ts';

const VIEWER = { user_id: 'viewer', top_k: 2, impression_count: 2 };

describe('a walk through a feed', () => {
  test('goes on with the cursor of each page until a page has none', async () => {
    const script = new Script([page(['a', 'b'], 'first'), page([], 'second'), page(['c'])]);
    const items: string[] = [];
    for await (const { item_id } of script.client.walk('for-you', VIEWER)) items.push(item_id);
    expect(items).toEqual(['a', 'b', 'c']);
    expect(script.sent.map(({ body }) => body.cursor)).toEqual([undefined, 'first', 'second']);
    expect(script.sent.map(({ body }) => body.top_k)).toEqual([2, 2, 2]);
    expect(script.sent.map(({ url }) => new URL(url).pathname)).toEqual(
      Array(3).fill('/v2/community/feeds/for-you'),
    );
  });

  test('sends each page with a request_id of its own, which a retry repeats', async () => {
    const script = new Script([page(['a'], 'first'), BROKEN, page(['b'])]);
    for await (const _ of script.client.walk('for-you', VIEWER));
    const [first, second, third] = script.sent.map(({ body }) => body.request_id);
    expect(second).not.toBe(first);
    expect(third).toBe(second);
  });

  test('requests no page before its first item is needed', async () => {
    const script = new Script([page(['a', 'b'], 'first')]);
    for await (const { item_id } of script.client.walk('popular', {})) if (item_id === 'b') break;
    expect(script.sent.length).toBe(1);
  });

  test('by pages has their warnings, and goes on after an earlier page', async () => {
    const warnings = ['unknown field'];
    const script = new Script([
      Response.json({ status_code: 200, body: [], warnings, cursor: 'next' }),
      page(['a']),
    ]);
    const pages = await Array.fromAsync(script.client.pages('trending', { cursor: 'earlier' }));
    expect(pages.map(({ body, cursor }) => [body.length, cursor])).toEqual([
      [0, 'next'],
      [1, undefined],
    ]);
    expect(pages[0].warnings).toEqual(warnings);
    expect(script.sent[0].body.cursor).toBe('earlier');
  });

  test('ends with the error of a page', async () => {
    const script = new Script([page(['a'], 'first'), problem(400, 'invalid_value')]);
    const items: string[] = [];
    const walk = async () => {
      for await (const { item_id } of script.client.walk('popular', {})) items.push(item_id);
    };
    expect(await failureOf(walk())).toMatchObject({ code: 'invalid_value' });
    expect(items).toEqual(['a']);
  });
});

test('a walk through a feed of a service has every item once, also when items arrive in between', async () => {
  await using service = await openService();
  const client = service.client();
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `item-${from + index}`);
  const send = (item_ids: readonly string[]) =>
    client.ingest(
      'items',
      item_ids.map((item_id) => ({ item_id, author_id: 'author', created_at: '2025-01-01' })),
    );
  await send(ids(0, 120));
  for (const feed_type of ['for-you', 'trending', 'popular'] as const) {
    const met: string[] = [];
    for await (const { item_id } of client.walk(feed_type, { user_id: 'viewer', top_k: 50 })) {
      met.push(item_id);
      if (met.length === 50) await send(ids(120, 130));
    }
    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual(expect.arrayContaining(ids(0, 120)));
  }
  const [first] = await Array.fromAsync(client.pages('popular', { user_id: 'viewer' }));
  const other = client.popular({ user_id: 'other', cursor: first.cursor });
  expect(await failureOf(other)).toMatchObject({ status: 400, code: 'cursor_invalid' });
});
