import { type TSchema, Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
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
import type { Service } from '../../service.ts';
import type { RecordQuota } from '../identity/record-quota.ts';
import { described } from '../openapi/operation.ts';
import { feedSchemaName } from '../openapi/plugin-schemas.ts';
import { FeedProblemSchema } from '../openapi/problem-schemas.ts';
import { type Example, named } from '../openapi/schema.ts';
import { ADMISSIONS, boundedBodies } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
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

function feedDocs(feed_type: FeedType, prefix: Prefix) {
  const { id, summary, description } = DOCS[feed_type];
  return described({
    id: id + idSuffix(prefix),
    summary,
    description: description + otherSpelling(prefix),
    tag: 'Feeds',
    admission: ADMISSIONS.feeds,
    body: {
      description: 'Parameters of the page. An empty body is the same as `{}`.',
      required: feed_type === 'for-you',
      examples: FEED_EXAMPLES[feed_type],
    },
    errors: [...ERRORS, 'write_queue_full', 'store_unavailable'],
    problem: FeedProblemSchema,
  });
}

function explainDocs(feed_type: FeedType, prefix: Prefix) {
  return described({
    tag: 'Feeds',
    id: `${DOCS[feed_type].id}Explain${idSuffix(prefix)}`,
    summary: `Why an item is on a ${feed_type} page, or why not`,
    description: EXPLAIN_DESCRIPTION + otherSpelling(prefix),
    admission: ADMISSIONS.feeds,
    body: { description: 'A feed request, and the item to explain.', examples: explainExamples(feed_type) },
    errors: ERRORS,
    problem: FeedProblemSchema,
  });
}

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

/**
 * `POST /v2/community/feeds/{for-you,trending,popular}`, spec 4.1, and `…/explain`.
 *
 * The same routes exist under `casts/feed`, the path of published clients.
 */
export function feedRoutes(host: Host) {
  const routes = new Elysia();
  for (const prefix of ENDPOINT_PREFIXES) routes.use(routesUnder(host, prefix));
  return routes;
}

/** @param viewer viewer of the token. Undefined: the request has a key, and the body stays unchanged. */
function bodyFor(viewer: string | undefined, body: unknown, feeds: FeedService): unknown {
  if (viewer === undefined) return body;
  return forViewer(body, viewer, (wallet_address) => feeds.ownerOf(wallet_address));
}

/** A viewer token may read feeds of its account, and see nothing of their parameters. */
function callerOf(
  account: string,
  viewer: string | undefined,
): Pick<FeedRequest, 'account' | 'shown_account'> {
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

function knownFeeds({ registry, saved_feeds }: Service, account: string): KnownFeeds {
  const scoringOf = (feed_id: string | undefined) =>
    feed_id === undefined ? undefined : saved_feeds.find(feed_id, account)?.parameters.scoring;
  return { registry, scoringOf };
}

/** The parameters are checked by the plugins' rules, so the routes check no body. */
function routesUnder(host: Host, prefix: Prefix) {
  const routes = new Elysia({ prefix: `${CONTENT_PATH}/${prefix}` }).use(boundedBodies(host));
  for (const feed_type of FEED_TYPES) {
    const parser = new FeedRequestParser(feed_type);
    routes.post(
      `/${feed_type}`,
      async ({ request, body }) => {
        const { service, account, viewer } = host.admitted(request);
        host.metrics.feedRequested(request.headers);
        const given = bodyFor(viewer, body, service.feeds);
        const { request: wanted, warnings } = parser.parse(given, knownFeeds(service, account));
        const feed_request = { ...wanted, ...callerOf(account, viewer) };
        const name = requestName(feed_type, feed_request);
        const newRow = rowWithin(host.recordQuota(), account);
        const page = () => service.feeds.serve(feed_type, feed_request, request.signal, newRow);
        if (name === undefined) return new Written(answerText(await page(), warnings));
        const sent = async () => sentAnswerOf(await page(), warnings, wanted, service.feeds);
        return new Written(await service.feeds.answer_cache.once(name, sent, request.signal));
      },
      {
        parse: 'bounded_feed_request',
        body: unchecked(feedRequestSchema(feed_type)),
        response: { 200: unchecked(FeedAnswerSchema) },
        detail: feedDocs(feed_type, prefix),
      },
    );
    routes.post(
      `/${feed_type}/explain`,
      async ({ request, body }) => {
        const { service, account, viewer } = host.admitted(request);
        const given = bodyFor(viewer, body, service.feeds);
        const question = parser.parseQuestion(given, knownFeeds(service, account));
        const asked = { ...question.request, ...callerOf(account, viewer) };
        const explained = await service.feeds.explain(feed_type, asked, question.item_id, request.signal);
        const warnings = [...question.warnings, ...explained.warnings];
        const answer = { status_code: 200, body: explained.item };
        return warnings.length > 0 ? { ...answer, warnings } : answer;
      },
      {
        parse: 'bounded_feed_request',
        body: unchecked(explainRequestSchema(feed_type)),
        response: { 200: unchecked(ExplainAnswerSchema) },
        detail: explainDocs(feed_type, prefix),
      },
    );
  }
  return routes;
}
