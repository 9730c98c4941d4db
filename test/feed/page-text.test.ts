import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonText } from '../../src/feed/json-bytes.ts';
import type { FeedRequest } from '../../src/feed/serve-feed.ts';
import { pageAnswer } from '../../src/http/feed-answer.ts';
import { FEED_TYPES, type Fields, ingestPath, openCommunity } from '../http/support.ts';
import { START } from '../support/service.ts';

/** Identifiers that JSON writes in another way than they are, that look like JSON, or are not ASCII. */
const USERS = [
  'plain',
  '"',
  '\\',
  'a"},{"user_id":"b',
  'tab\t',
  '\u0001',
  '\u007f',
  '\u2028',
  'é',
  '😀',
  'ab'.repeat(90),
];
const ITEMS = ['item', 'i"', 'i\\', 'i\n', 'ü', '🐇', '}],', 'i\u2029', 'longer'.repeat(20), 'last'];
const VIEWER = 'viewer';
const EVENTS = ['like', 'comment', 'share'];

const WARNINGS = ['unknown field "x" was ignored'];

const texts = new TextDecoder();

/** Pages of one community as objects and as text, both of them twice: the second time pieces are there already. */
async function expectAlike(feeds: Feeds, request: FeedRequest, warnings = WARNINGS): Promise<void> {
  for (const feed_type of [...FEED_TYPES, ...FEED_TYPES]) {
    const answer = pageAnswer(await feeds.serve(feed_type, request), warnings);
    const served = await feeds.serveText(feed_type, request, warnings);
    expect(served instanceof JsonText).toBe(!(request.return_metadata || request.explain));
    if (!(served instanceof JsonText)) {
      // Traces hold what things took.
      expect(served.items).toEqual(answer.body);
      continue;
    }
    expect(texts.decode(served.bytes)).toBe(JSON.stringify(answer));
    served.release();
  }
}

type Feeds = Awaited<ReturnType<typeof openCommunity>>['server']['service']['feeds'];

const act = fc.record({
  user_id: fc.constantFrom(...USERS),
  item_id: fc.constantFrom(...ITEMS),
  event_type: fc.constantFrom(...EVENTS, 'view', 'hide'),
  timestamp: fc.integer({ min: START - 1e6, max: START }).map((time) => time + 0.25),
});

describe('the text of a page', () => {
  test('is what JSON.stringify makes of its items, letter by letter, whatever happens in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(act, { maxLength: 40 }), { minLength: 1, maxLength: 4 }),
        fc.shuffledSubarray(USERS),
        async (happenings, followed) => {
          const community = await openCommunity();
          await using _ = { [Symbol.asyncDispose]: () => community.server.close() };
          const { feeds } = community.server.service;
          await community.add('items', ...ITEMS.map(itemOf));
          await community.add(
            'follows',
            ...followed.map((target_user_id) => ({ user_id: VIEWER, target_user_id })),
          );
          for (const acts of happenings) {
            if (acts.length > 0) await community.add('interactions', ...acts);
            for (const user_id of [VIEWER, 'stranger', undefined]) {
              await expectAlike(feeds, { user_id, impression_count: 0, top_k: ITEMS.length });
            }
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  test('has scores, labels, promotions and metadata as the page has them', async () => {
    const community = await openCommunity();
    await using _ = { [Symbol.asyncDispose]: () => community.server.close() };
    const { feeds } = community.server.service;
    await community.add('items', ...ITEMS.map(itemOf));
    const promoted_items = [{ item_id: ITEMS[1], rank: 1 }, { item_id: ITEMS[2] }, { item_id: "nobody's" }];
    const promotion = { promotion_type: 'items', promotion_name: 'picks "of" the day', promoted_items };
    const requests: Fields[] = [
      {},
      { promotion_filters: [promotion] },
      { return_metadata: true },
      { explain: true },
      { time_decay_hours: 3 },
      { filters: { channels: ['nowhere'] } },
      { page_size: 3, page_number: 2 },
    ];
    for (const request of requests) {
      for (const warnings of [[], WARNINGS]) {
        await expectAlike(feeds, { impression_count: 0, ...request } as FeedRequest, warnings);
      }
    }
  });

  test('is that of the item that has an ordinal now', async () => {
    const community = await openCommunity();
    await using _ = { [Symbol.asyncDispose]: () => community.server.close() };
    const { feeds } = community.server.service;
    const wanted = { impression_count: 0 };
    for (const text of ['short', 'much longer than before']) {
      await community.add('items', { ...itemOf('item', 0), text, likes_count: text.length });
      await expectAlike(feeds, wanted);
    }
    const deleted = await community.server.call('DELETE', `${ingestPath('items')}/item`, undefined, {
      authorization: 'Bearer test-key',
    });
    expect(deleted.status).toBeLessThan(300);
    await community.add('items', itemOf('other', 5));
    await expectAlike(feeds, wanted);
  });
});

function itemOf(item_id: string, at: number): Fields {
  return {
    item_id,
    author_id: 'author',
    created_at: START - 60 * at,
    likes_count: 7 * at,
    text: 'x'.repeat(at),
  };
}
