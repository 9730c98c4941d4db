import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnswerItem, ItemMetadata } from '../../src/feed/answer.ts';
import { categorise } from '../../src/feed/labels.ts';
import type { PageAnswer } from '../../src/http/feed-answer.ts';
import { PageTexts } from '../../src/http/page-texts.ts';

/** Everything that JSON writes in another way than it is, or that looks like JSON. */
const letter = fc.oneof(
  fc.constantFrom('"', '\\', '/', '{', ',', '\n', '\0', '\u001f', '\u007f', '\u2028', 'é', '😀'),
  // Halves of a letter.
  fc.constantFrom('\ud83d', '\ude00'),
  fc.string({ minLength: 1, maxLength: 1 }),
);
const text = fc.string({ unit: letter, maxLength: 8 });
const number = fc.oneof(
  fc.constantFrom(0, -0, 0.1, 1, -1, 5e-324, 1e-7, 1e21, -1.5e300, Number.MAX_VALUE, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
/** Which JSON has no numbers for. */
const any_number = fc.oneof(
  { weight: 20, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY) },
);
const count = fc.oneof(fc.constantFrom(0, 1, 2 ** 31), fc.nat());
/** Few, so that they come back. */
const item_id = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', '"', '\ud83d', '', '__proto__') },
  { weight: 1, arbitrary: text },
);
const source_feed = fc.oneof(fc.constantFrom('main', 'promotion:"x"'), text);

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const mostlyNought = seldom(any_number).map((drawn) => drawn ?? 0);

const metadata: fc.Arbitrary<ItemMetadata> = fc
  .record({ text, username: fc.option(text), value: fc.jsonValue() })
  .map(({ text, username, value }) => ({
    text,
    embed_items: [text],
    timestamp: 1,
    root_parent_hash: null,
    parent_hash: null,
    root_parent_url: null,
    mentioned_profiles: [],
    ai_labels: categorise({ [text]: 1 }, 0.6),
    app_fid: null,
    geo_location: null,
    language: null,
    publication_types: [],
    likes_count: 0,
    comments_count: 0,
    shares_count: 0,
    author: { user_id: null, username, display_name: null, pfp_url: null },
    custom: { [text]: value },
  }));

const proof = fc.record({ user_id: text, timestamp: count, interaction: text });

const item: fc.Arbitrary<AnswerItem> = fc.record({
  item_id,
  source_feed,
  promotion_name: seldom(text),
  score: any_number,
  adjusted_score: any_number,
  popular_score: any_number,
  trending_score: any_number,
  affinity_score: mostlyNought,
  interest_score: mostlyNought,
  social_proof: fc.array(proof, { maxLength: 3 }),
  following_engagement: fc.record({ like: count, comment: count, share: count }),
  text_length: count,
  metadata: seldom(metadata),
  explain: seldom(
    fc.record({
      signals: fc.dictionary(text, number, { maxKeys: 3 }),
      score_parts: fc.dictionary(text, number, { maxKeys: 3 }),
      sources: fc.array(text, { maxLength: 2 }),
    }),
  ),
});

const trace = fc.constant({
  stages: [],
  cold_start: false,
  config_revision: null,
  effort: 1,
} satisfies PageAnswer['trace']);

/** The pages of one feed's requests, one after another. */
const answers: fc.Arbitrary<PageAnswer[]> = fc.array(
  fc.record(
    {
      status_code: fc.constant(200 as const),
      body: fc.array(item, { maxLength: 6 }),
      trace,
      warnings: fc.array(text, { maxLength: 2 }),
    },
    { requiredKeys: ['status_code', 'body'] },
  ),
  { maxLength: 10, size: 'max' },
);

/** An item of a page that few things are said about. */
function plain(item_id: string, score: number): AnswerItem {
  const scores = { score, adjusted_score: score / 2, popular_score: score / 3, trending_score: score / 5 };
  return {
    item_id,
    source_feed: 'main',
    promotion_name: undefined,
    ...scores,
    affinity_score: 0,
    interest_score: 0,
    social_proof: [],
    following_engagement: { like: 0, comment: 0, share: 0 },
    text_length: 140,
  };
}

function pageOf(...body: AnswerItem[]): PageAnswer {
  return { status_code: 200, body };
}

describe('the text of an answer', () => {
  test('is what JSON.stringify makes of it, letter by letter, page after page', () => {
    fc.assert(
      fc.property(answers, (pages) => {
        const texts = new PageTexts();
        for (const page of pages) expect(texts.of(page)).toBe(JSON.stringify(page));
        for (const page of pages) expect(texts.of(page)).toBe(JSON.stringify(page));
      }),
      { numRuns: 200 },
    );
  });

  test('says what has changed of an item since it stood on another page', () => {
    const texts = new PageTexts();
    const before = { ...plain('item', 1), source_feed: 'main' };
    const changes: Partial<AnswerItem>[] = [
      { source_feed: 'fallback' },
      { score: 2 },
      { adjusted_score: 2 },
      { popular_score: 2 },
      { trending_score: 2 },
      { affinity_score: 2 },
      { interest_score: 2 },
      { promotion_name: 'promoted' },
      { social_proof: [{ user_id: 'friend', timestamp: 5, interaction: 'like' }] },
      { following_engagement: { like: 1, comment: 2, share: 3 } },
      { text_length: 2 },
      { explain: { signals: {}, score_parts: {}, sources: ['newest'] } },
    ];
    for (const change of changes) {
      for (const body of [before, { ...before, ...change }, before]) {
        expect(texts.of(pageOf(body))).toBe(JSON.stringify(pageOf(body)));
      }
    }
  });

  test('is the same after more items than are kept, when the first come back', () => {
    const texts = new PageTexts();
    const length = 450;
    for (const score of [1, 1, 0.7]) {
      for (let first = 0; first < 12 * length; first += length) {
        const page = pageOf(...Array.from({ length }, (_, at) => plain(`item "${first + at}"`, score)));
        expect(texts.of(page) === JSON.stringify(page)).toBe(true);
      }
    }
  });

  test('has its trace and its warnings behind the items', () => {
    const texts = new PageTexts();
    const more = { trace: { stages: [], cold_start: true, config_revision: 7, effort: 1 as const } };
    for (const body of [[], [plain('a', 1)], [plain('a', 1), plain('b', -0)]]) {
      for (const page of [{}, more, { warnings: ['"'] }, { ...more, warnings: [] }]) {
        const answer: PageAnswer = { status_code: 200, body, ...page };
        expect(texts.of(answer)).toBe(JSON.stringify(answer));
      }
    }
  });
});
