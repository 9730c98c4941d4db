import { Elysia } from 'elysia';
import type { FeedType } from '../plugin/index.ts';
import type { Host } from './app.ts';
import { readJson } from './body.ts';
import { FeedRequestParser } from './feed-request.ts';
import { documented } from './openapi/operation.ts';
import { FeedAnswerSchema } from './schemas/feed-answer.ts';
import { feedRequestContent } from './schemas/feed-request.ts';
import { FeedProblemSchema } from './schemas/problem.ts';

const FEED_TYPES: readonly FeedType[] = ['for-you', 'trending', 'popular'];

const DOCS: Record<FeedType, { id: string; summary: string; description: string }> = {
  'for-you': {
    id: 'forYouFeed',
    summary: 'A personal page',
    description: 'What this viewer should read next: what people of like taste and those they follow chose.',
  },
  trending: {
    id: 'trendingFeed',
    summary: 'What gathers engagement now',
    description: 'The items that everybody is about to talk about, without what the viewer has seen.',
  },
  popular: {
    id: 'popularFeed',
    summary: 'What was liked most',
    description: 'The items with the most engagement, without what the viewer has seen.',
  },
};

function feedDocs(feed_type: FeedType) {
  return documented({
    ...DOCS[feed_type],
    tag: 'Feeds',
    key: 'feed:read',
    body: {
      description: 'What is wanted; no body is the same as `{}`.',
      required: feed_type === 'for-you',
      content: [feedRequestContent(feed_type)],
    },
    answers: {
      200: { description: 'The page.', content: { schema: FeedAnswerSchema } },
    },
    errors: [
      'not_supported',
      'not_found',
      'plugin_not_loaded',
      'feed_outdated',
      'plugin_failed',
      'write_queue_full',
      'store_unavailable',
    ],
    problem: FeedProblemSchema,
  });
}

/** `POST /v2/<network>/casts/feed/{for-you,trending,popular}`: spec 4.1. */
export function feedRoutes(host: Host, network: string) {
  const routes = new Elysia({ prefix: `/v2/${network}/casts/feed` });
  for (const feed_type of FEED_TYPES) {
    const parser = new FeedRequestParser(feed_type);
    routes.post(
      `/${feed_type}`,
      async ({ request }) => {
        const service = host.ready();
        const { account } = host.authenticate(request, 'feed:read');
        host.metrics.feedRequested(request.headers);
        const { request: wanted, warnings } = parser.parse(await readJson(request));
        const served = await service.feeds.serve(feed_type, { ...wanted, account });
        const all_warnings = [...warnings, ...served.warnings];
        const answer = { status_code: 200, body: served.items };
        return all_warnings.length > 0 ? { ...answer, warnings: all_warnings } : answer;
      },
      {
        parse: 'none',
        ...feedDocs(feed_type),
      },
    );
  }
  return routes;
}
