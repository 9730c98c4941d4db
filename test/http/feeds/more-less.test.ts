import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnswerItem } from '../../../src/answer/item-fields.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { checkAsync } from '../../support/long.ts';
import { START, type TestServiceOptions } from '../../support/service.ts';
import { type Community, FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const VIEWER = 'viewer';
const HOUR = 3600;
const of = (length: number) => Array.from({ length }, (_, index) => index);

interface Entry {
  kind: string;
  value: string;
  until?: number;
}

async function prefer(community: Community, preferences: Fields, user_id = VIEWER): Promise<void> {
  const path = `/v2/farcaster/users/${user_id}/preferences`;
  const headers = { authorization: 'Bearer test-key' };
  const { status, body } = await community.server.call('PUT', path, preferences, headers);
  expect([status, body]).toEqual([200, expect.anything()]);
}

/** Twenty items of four authors in five channels, some with a label below and above the threshold, and with likes. */
const ITEMS = of(20).map((index) => ({
  item_id: `i${index}`,
  author_id: `a${index % 4}`,
  channel: `c${index % 5}`,
  text: index % 4 === 1 ? `Late  night, number ${index}` : `Nightly number ${index}`,
  tags: index % 5 === 2 ? ['Vinyl'] : [],
  language: 'en',
  ai_labels: { jazz: index % 3 === 0 ? 0.9 : 0.2, news: index % 7 === 0 ? 0.7 : 0.6 },
  created_at: START - 60 * index,
  likes_count: 1 + ((index * 7) % 20),
}));

async function openFilled(options: TestServiceOptions = {}): Promise<Community> {
  const community = await openCommunity({ ...options });
  await community.add('items', ...ITEMS);
  await community.act(VIEWER, 'like', 'i3');
  await community.act('fan', 'like', 'i3');
  await community.act('fan', 'like', 'i4');
  return community;
}

/** What entries of words match. */
const WORDS: Record<string, (item: Pick<(typeof ITEMS)[number], 'text' | 'tags'>) => boolean> = {
  'late night': ({ text }) => text.startsWith('Late'),
  'NIGHT*': () => true,
  nightly: ({ text }) => text.startsWith('Nightly'),
  '#vinyl': ({ tags }) => tags.length > 0,
  unknown: () => false,
};

/** Whether an entry matches an item at a time, by the words of the documentation alone. */
function matches(
  { author_id, channel, ai_labels, text, tags }: (typeof ITEMS)[number],
  { kind, value, until }: Entry,
  now: number,
) {
  if (until !== undefined && until <= now) return false;
  if (kind === 'author') return author_id === value;
  if (kind === 'channel') return channel === value;
  if (kind === 'word') return WORDS[value]({ text, tags });
  return Object.entries(ai_labels).some(([label, score]) => label === value && score > 0.6);
}

function factorOf(item_id: string, lists: { more: Entry[]; less: Entry[] }, now: number): number {
  const item = ITEMS.find((one) => one.item_id === item_id)!;
  const any = (entries: Entry[]) => entries.some((entry) => matches(item, entry, now));
  return (any(lists.more) ? 2 : 1) * (any(lists.less) ? 0.5 : 1);
}

const explained = (community: Community, feed_type: FeedType, request: Fields = {}): Promise<AnswerItem[]> =>
  community.page(feed_type, {
    user_id: VIEWER,
    top_k: 50,
    explain: true,
    show_interacted_items: true,
    ...request,
  });

const entry: fc.Arbitrary<Entry> = fc
  .record({
    named: fc.oneof(
      fc.record({ kind: fc.constant('author'), value: fc.constantFrom('a0', 'a1', 'a2', 'unknown') }),
      fc.record({ kind: fc.constant('channel'), value: fc.constantFrom('c0', 'c1', 'c2', 'unknown') }),
      fc.record({ kind: fc.constant('word'), value: fc.constantFrom(...Object.keys(WORDS)) }),
      fc.record({ kind: fc.constant('label'), value: fc.constantFrom('jazz', 'news', 'unknown') }),
    ),
    until: fc.option(fc.constantFrom(START - 1, START, START + 1, START + HOUR), { nil: undefined }),
  })
  .map(({ named, until }) => ({ ...named, ...(until === undefined ? {} : { until }) }));

describe('more and less', () => {
  test('order pages by the score times 2 and 0.5, each once, except in exact order of time', async () => {
    await using community = await openFilled({ settings: { exploration_percent: 0 } });
    const scoring = fc.constantFrom<[FeedType, Fields]>(
      ...FEED_TYPES.map((feed_type): [FeedType, Fields] => [feed_type, {}]),
      ...FEED_TYPES.map((feed_type): [FeedType, Fields] => [feed_type, { scoring: 'newest_v0.0.1' }]),
      ['for-you', { scoring: { name: 'weighted_v0.0.1', options: { weights: { popular: 1 } } } }],
      ['popular', { time_decay: 'high' }],
      ['popular', { scoring: '7day', page_size: 50, top_k: undefined }],
    );
    const entries = fc.array(entry, { maxLength: 4 });
    await checkAsync(60, [scoring, entries, entries], async ([feed_type, request], more, less) => {
      await prefer(community, { more, less });
      const page = await explained(community, feed_type, request);
      expect(page).toHaveLength(ITEMS.length);
      for (const { item_id, score, adjusted_score, explain } of page) {
        const { time_decay = 1, ...wishes } = explain?.factors ?? {};
        const is_by_time = request.scoring === 'newest_v0.0.1';
        const factor = is_by_time ? 1 : factorOf(item_id, { more, less }, START);
        expect(Object.values(wishes).reduce((product, one) => product * one, 1)).toBe(factor);
        expect(adjusted_score).toBeCloseTo(score * time_decay * factor, 9);
      }
      const adjusted = page.map(({ adjusted_score }) => adjusted_score);
      expect(adjusted).toEqual(adjusted.toSorted((one, other) => other - one));
    });
  });

  test('change the next page, also by a cursor, until the entry ends or is removed', async () => {
    await using community = await openFilled();
    const factors = async (request: Fields = {}): Promise<unknown> =>
      (await explained(community, 'popular', request)).find(({ item_id }) => item_id === 'i9')?.explain
        ?.factors;
    expect(await factors()).toEqual({});
    const first = await community.ask('popular', { user_id: VIEWER, top_k: 2 });
    const more = [{ kind: 'author', value: 'a1', until: START + HOUR }];
    await prefer(community, { more, less: [{ kind: 'channel', value: 'unknown' }] });
    expect(await factors()).toEqual({ more: 2 });
    expect(await factors({ cursor: first.body.cursor })).toEqual({ more: 2 });
    community.server.clock.advance(HOUR - 1);
    expect(await factors()).toEqual({ more: 2 });
    community.server.clock.advance(1);
    expect(await factors({ cursor: first.body.cursor })).toEqual({});
    await prefer(community, { less: [{ kind: 'author', value: 'a1' }] });
    expect(await factors()).toEqual({ less: 0.5 });
    await prefer(community, {});
    expect(await factors()).toEqual({});
  });

  test('apply to their viewer alone, and to fallback feeds of the page', async () => {
    await using community = await openFilled();
    await prefer(community, { more: [{ kind: 'channel', value: 'c0' }] });
    const of_fan = { user_id: 'fan', top_k: 20, show_interacted_items: true };
    expect(await community.ids('popular', of_fan)).toEqual(await community.ids('popular', { top_k: 20 }));
    const page = await explained(community, 'trending', {
      filters: { channels: ['c1'] },
      return_global_fallback: true,
      top_k: 20,
    });
    const of_fallback = page.filter(({ source_feed }) => source_feed === 'fallback_global:popular');
    expect(of_fallback.map(({ explain }) => explain?.factors.more)).toContain(2);
  });

  test('stay after a restart, and end with the erasure of their viewer', async () => {
    const data = temporaryFolder('more-less');
    const order = async (community: Community) =>
      (await explained(community, 'popular')).map(({ item_id, adjusted_score }) => [item_id, adjusted_score]);
    const before = await (async () => {
      await using community = await openFilled({ data });
      const plain = await order(community);
      await prefer(community, {
        less: [{ kind: 'author', value: 'a1' }],
        more: [{ kind: 'label', value: 'jazz' }],
      });
      const changed = await order(community);
      expect(changed).not.toEqual(plain);
      return { plain, changed };
    })();
    await using community = await openCommunity({ data });
    expect(await order(community)).toEqual(before.changed);
    await community.remove('users', VIEWER);
    expect((await order(community)).map(([item_id]) => item_id)).toEqual(
      before.plain.map(([item_id]) => item_id),
    );
  });
});
