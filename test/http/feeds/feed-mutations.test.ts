import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FeedType } from '../../../src/plugin/index.ts';
import { checkAsync } from '../../support/long.ts';
import { forFile, START, type TestAnswer } from '../../support/service.ts';
import { FEED_TYPES, type Fields, openCommunity, TOP_K_MAX } from '../support.ts';

const community = await forFile(openCommunity());
const items = Array.from({ length: 30 }, (_, at) => ({
  item_id: `item-${at}`,
  author_id: `author-${at % 3}`,
  created_at: START - at,
  channel: `channel-${at % 2}`,
}));
await community.add('items', ...items);
await community.act('viewer', 'like', 'item-1');
await community.follow('viewer', 'author-1');

/** Values of every JSON type, including those that tend to break programs. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom<unknown>(
    Number.MAX_VALUE,
    Number.MIN_SAFE_INTEGER,
    2 ** 53,
    -0,
    -1,
    0.1,
    'NaN',
    'Infinity',
    '1e999',
    '__proto__',
    'constructor',
    '\u0000',
    '\ud800',
    'x'.repeat(5_000),
    '0x'.padEnd(300, 'f'),
    [[[[[[]]]]]],
    [null],
    Array(2_000).fill('x'),
  ),
  fc.constant(JSON.parse('{"__proto__":{"name":"all"},"constructor":{"prototype":{}}}')),
);

const names = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'length',
    'feed_id',
    'explain',
    'promotion_filters',
  ),
  fc.string({ maxLength: 12 }),
);

/** A valid value of the field, or sometimes any value. */
function mostly(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 15, arbitrary: valid }, { weight: 1, arbitrary: anything });
}

const off = fc.constantFrom<unknown>(null, '', 'none', []);
const flag = mostly(fc.oneof(fc.boolean(), off));
const filters = fc.oneof(
  fc.record(
    {
      channels: mostly(fc.array(fc.constantFrom('channel-0', 'channel-9', '__proto__'), { maxLength: 3 })),
      author_ids: mostly(fc.constantFrom<unknown>('following', ['following:viewer'], ['author-0', 7], [])),
      start_timestamp: mostly(fc.constantFrom<unknown>('days_ago:3', 'hours_ago:0', START - 5, '2026-01-01')),
      languages: mostly(off),
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(names, anything, { maxKeys: 1 }),
);

/** A body in which any field may hold anything, beside fields of any name. */
const bodies = fc
  .tuple(
    fc.record(
      {
        user_id: mostly(fc.oneof(fc.constantFrom<unknown>('viewer', 'stranger', 16085), off)),
        wallet_address: mostly(fc.constantFrom('0x12', 'none')),
        top_k: mostly(fc.oneof(fc.integer({ min: 1, max: 40 }), off)),
        impression_count: mostly(fc.nat(40)),
        filters: mostly(fc.oneof(filters, off)),
        scoring: mostly(fc.oneof(fc.constantFrom<unknown>('all', { name: 'all', options: {} }), off)),
        show_interacted_items: flag,
        remove_user_posts_from_feed: flag,
        visibility_rules: mostly(fc.constantFrom<unknown>({}, { own_posts: {} }, { seen: null })),
        return_metadata: flag,
        seed: mostly(fc.maxSafeInteger()),
        cursor: mostly(fc.constantFrom<unknown>('', null, 'AYDm')),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(names, anything, { maxKeys: 1 }),
  )
  .map(([known, unknown]) => Object.assign(Object.create(null), unknown, known) as Fields);

/** A refusal names what is wrong; a page is what was asked for. */
function expectSound({ status, body }: TestAnswer, feed_type: FeedType, request: Fields): void {
  if (status === 404) {
    expect([body.code, typeof request.feed_id]).toEqual(['not_found', 'string']);
    return;
  }
  if (body.code === 'cursor_invalid') {
    expect([status, typeof request.cursor]).toEqual([400, 'string']);
    return;
  }
  expect([200, 400]).toContain(status);
  if (status === 400) {
    expect(body.code).toBe('invalid_value');
    expect(body.errors.length).toBeGreaterThan(0);
    const { path } = body.errors[0];
    expect(body.detail).toContain(path || 'body');
    return;
  }
  const top_k = typeof request.top_k === 'number' ? request.top_k : 25;
  const ids = body.body.map((item: Fields) => item.item_id);
  expect(ids.length).toBeLessThanOrEqual(Math.min(top_k, TOP_K_MAX[feed_type]));
  expect(new Set(ids).size).toBe(ids.length);
}

for (const feed_type of FEED_TYPES) {
  test(`every mutated request to a ${feed_type} feed is refused or served, and writes only impressions`, async () => {
    let served = 0;
    await checkAsync(100, [bodies], async (request) => {
      const before = community.seq;
      const answer = await community.ask(feed_type, JSON.stringify(request));
      expectSound(answer, feed_type, request);
      if (answer.status === 200) served++;
      const recorded =
        answer.status === 200 && Number(request.impression_count) > 0 && answer.body.body.length > 0;
      if (!recorded) expect(community.seq).toBe(before);
    });
    // Enough inputs must reach a page, or only refusals would be tested.
    expect(served).toBeGreaterThan(10);
    expect(community.server.log).toEqual([]);
  });
}
