import { type TSchema, Type } from '@sinclair/typebox';
import { ExplainedItemSchema } from '../../answer/explained-item.ts';
import { answerText, FeedAnswerSchema, type ServedPage, WarningsSchema } from '../../answer/page-answer.ts';
import { ObjectOf, strict } from '../../answer/schema-parts.ts';
import { ENDPOINT_PREFIXES } from '../../feeds/feed-object.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { Identifier } from '../../model/values/schema-parts.ts';
import { FEED_TYPES, type FeedType } from '../../plugin/index.ts';
import { requestName, type SentAnswer } from '../../serve/answer-cache.ts';
import type { NewRow } from '../../serve/page-recorder.ts';
import type { FeedRequest, FeedService } from '../../serve/serve-feed.ts';
import { FEEDS, type Keyed } from '../identity/admissions.ts';
import type { Principal } from '../identity/auth.ts';
import type { RecordQuota } from '../identity/record-quota.ts';
import { feedSchemaName } from '../openapi/plugin-schemas.ts';
import { FeedProblemSchema } from '../openapi/problem-schemas.ts';
import { type Example, named } from '../openapi/schema.ts';
import { json, warned, written } from '../transport/answers.ts';
import { checkedBy } from '../transport/body.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { type Route, route } from '../transport/route.ts';
import { Written } from '../transport/written-answer.ts';
import { FeedRequestParser, type KnownFeeds } from './feed-request.ts';
import { FEED_EXAMPLES, feedRequestFields, feedRequestSchema } from './feed-request-schema.ts';
import { forViewer } from './viewer-request.ts';

const EXPLAIN_DESCRIPTION =
  'Builds the page of a feed request and tells where one item stands on it, or which stage dropped it first: the filters in the order of the request, then the rules, then ranking, diversity and promotions. Nothing is recorded. `impression_count`, `request_id` and `return_metadata` have no effect here.';

/** An item of the demo community. */
const ITEM = EXAMPLE_IDS.item;

/** The body of a request to explain one item. */
function explainRequestSchema(feed_type: FeedType): TSchema {
  const schema = ObjectOf('A feed request, and the item to explain.', {
    item_id: Type.Unsafe({ ...Identifier, description: 'The item.', example: ITEM }),
    ...feedRequestFields(feed_type),
  });
  return named(feedSchemaName(feed_type, 'Question'), schema);
}

function explainExamples(feed_type: FeedType): Record<string, Example> {
  const viewer = feed_type === 'for-you' ? { user_id: EXAMPLE_IDS.viewer } : {};
  return {
    item: { summary: 'Explain one item', value: { ...viewer, item_id: ITEM, top_k: 5 } },
    filtered: {
      summary: 'Explain an item that a filter drops',
      value: { ...viewer, item_id: ITEM, filters: { channels: ['https://example.community/none'] } },
    },
  };
}

const ExplainAnswerSchema = named(
  'ExplainAnswer',
  strict(
    {
      status_code: Type.Literal(200, { description: 'The HTTP status.' }),
      body: ExplainedItemSchema,
      warnings: Type.Optional(WarningsSchema),
    },
    'Where the item stands on the page, or why it is not there.',
  ),
);

const DOCS: Record<FeedType, { id: string; summary: string; description: string }> = {
  'for-you': {
    id: 'forYouFeed',
    summary: 'A personal page',
    description:
      'Items that this viewer is likely to engage with, chosen by users with similar taste and by followed users.',
  },
  trending: {
    id: 'trendingFeed',
    summary: 'A page of trending items',
    description: 'Items that gain engagement fastest right now, without items that the viewer has seen.',
  },
  popular: {
    id: 'popularFeed',
    summary: 'A page of popular items',
    description: 'Items with the most engagement, without items that the viewer has seen.',
  },
};

type Prefix = (typeof ENDPOINT_PREFIXES)[number];

/** Operation ids are unique, so the alternative paths get a suffix. */
const idSuffix = (prefix: Prefix) => (prefix === 'feeds' ? '' : 'OfCasts');
const otherSpelling = (prefix: Prefix) =>
  prefix === 'feeds' ? '' : ' Same as `/feeds/`; this path exists for published clients.';

const ERRORS = [
  'request_too_costly',
  'cursor_invalid',
  'not_found',
  'plugin_not_loaded',
  'feed_outdated',
  'plugin_failed',
] as const;

/** An answer to cache. @param asked its wallet, if it names one, may get another owner */
function sentAnswerOf(
  page: ServedPage,
  warnings: readonly string[],
  { user_id, wallet_address }: FeedRequest,
  feeds: FeedService,
): SentAnswer {
  const bytes = new TextEncoder().encode(answerText(page, warnings));
  const item_ids = page.items.map(({ item_id }) => item_id);
  // Explanations may mention any user.
  const of_viewer = !page.uses_others_follows && page.trace === undefined;
  const viewer = of_viewer ? user_id : undefined;
  const reader = user_id ?? (wallet_address === undefined ? undefined : feeds.ownerOf(wallet_address));
  return { bytes, item_ids, viewer, reader, feeds: page.feeds };
}

/** A body of a viewer token names the viewer of the token. Of a key it stays unchanged. */
function bodyFor(given: unknown, { service: { feeds }, principal: { viewer } }: Keyed): unknown {
  if (viewer === undefined) return given;
  return forViewer(given, viewer, (wallet_address) => feeds.ownerOf(wallet_address));
}

/** A viewer token may read feeds of its account, and see nothing of their parameters. */
function callerOf({ account, viewer }: Principal): Pick<FeedRequest, 'account' | 'shown_account'> {
  return { account, shown_account: viewer === undefined ? account : undefined };
}

/** The first row of a viewer counts as a record. */
function rowWithin(quota: RecordQuota, account: string): NewRow {
  return async (record) => {
    const store = async () => {
      const outcome = await record();
      return { outcome, accepted: Number(outcome === 'written') };
    };
    return (await quota.within(account, 1, store)).outcome;
  };
}

function knownFeeds({ service: { registry, saved_feeds }, principal: { account } }: Keyed): KnownFeeds {
  const scoringOf = (feed_id: string | undefined) =>
    feed_id === undefined ? undefined : saved_feeds.find(feed_id, account)?.parameters.scoring;
  return { registry, scoringOf };
}

/**
 * `POST /v2/community/feeds/{for-you,trending,popular}`, spec 4.1, and `…/explain`.
 *
 * The same routes exist under `casts/feed`, the path of published clients.
 */
export const feedRoutes = ENDPOINT_PREFIXES.flatMap((prefix) =>
  FEED_TYPES.flatMap((feed_type) => [pageRoute(feed_type, prefix), explainRoute(feed_type, prefix)]),
);

function pageRoute(feed_type: FeedType, prefix: Prefix): Route {
  const parser = new FeedRequestParser(feed_type);
  const { id, summary, description } = DOCS[feed_type];
  const reading = {
    docs: {
      description: 'Parameters of the page. An empty body is the same as `{}`.',
      required: feed_type === 'for-you',
      examples: FEED_EXAMPLES[feed_type],
    },
  };
  return route('POST', `${CONTENT_PATH}/${prefix}/${feed_type}`, {
    admit: FEEDS,
    // The page itself waits for acknowledged writes, if its request does not accept less.
    answered_by: 'any',
    body: checkedBy(feedRequestSchema(feed_type), reading, (given, sender: Keyed) => {
      const { request, warnings } = parser.parse(bodyFor(given, sender), knownFeeds(sender));
      return { value: request, warnings };
    }),
    answer: written(FeedAnswerSchema),
    docs: {
      id: id + idSuffix(prefix),
      summary,
      description: description + otherSpelling(prefix),
      tag: 'Feeds',
      errors: [...ERRORS, 'write_queue_full', 'store_unavailable'],
      problem: FeedProblemSchema,
    },
    async handle({ host, service: { feeds }, principal, request, given_up, body: wanted, warnings }) {
      host.metrics.feedRequested(request.headers);
      const feed_request = { ...wanted, ...callerOf(principal) };
      const name = requestName(feed_type, feed_request);
      const newRow = rowWithin(host.recordQuota(), principal.account);
      const page = () => feeds.serve(feed_type, feed_request, given_up, newRow);
      if (name === undefined) return new Written(answerText(await page(), warnings));
      const sent = async () => sentAnswerOf(await page(), warnings, wanted, feeds);
      return new Written(await feeds.answer_cache.once(name, sent, given_up));
    },
  });
}

function explainRoute(feed_type: FeedType, prefix: Prefix): Route {
  const parser = new FeedRequestParser(feed_type);
  const reading = {
    docs: { description: 'A feed request, and the item to explain.', examples: explainExamples(feed_type) },
  };
  return route('POST', `${CONTENT_PATH}/${prefix}/${feed_type}/explain`, {
    admit: FEEDS,
    answered_by: 'any',
    body: checkedBy(explainRequestSchema(feed_type), reading, (given, sender: Keyed) => {
      const { warnings, ...question } = parser.parseQuestion(bodyFor(given, sender), knownFeeds(sender));
      return { value: question, warnings };
    }),
    answer: json(ExplainAnswerSchema),
    docs: {
      tag: 'Feeds',
      id: `${DOCS[feed_type].id}Explain${idSuffix(prefix)}`,
      summary: `Why an item is on a ${feed_type} page, or why not`,
      description: EXPLAIN_DESCRIPTION + otherSpelling(prefix),
      errors: ERRORS,
      problem: FeedProblemSchema,
    },
    async handle({ service: { feeds }, principal, given_up, body: { request, item_id }, warnings }) {
      const asked = { ...request, ...callerOf(principal) };
      const explained = await feeds.explain(feed_type, asked, item_id, given_up);
      return {
        status_code: 200 as const,
        body: explained.item,
        ...warned([...warnings, ...explained.warnings]),
      };
    },
  });
}
