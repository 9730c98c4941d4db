import { Elysia } from 'elysia';
import type { FeedType } from '../plugin/index.ts';
import type { Host } from './app.ts';
import { readJson } from './body.ts';
import { FeedRequestParser } from './feed-request.ts';

const FEED_TYPES: readonly FeedType[] = ['for-you', 'trending', 'popular'];

/** `POST /v2/<network>/casts/feed/{for-you,trending,popular}`: spec 4.1. */
export function feedRoutes(host: Host, network: string) {
  const routes = new Elysia({ prefix: `/v2/${network}/casts/feed` });
  for (const feed_type of FEED_TYPES) {
    const parser = new FeedRequestParser(feed_type);
    routes.post(
      `/${feed_type}`,
      async ({ request }) => {
        const service = host.ready();
        host.authenticate(request, 'feed:read');
        host.metrics.feedRequested(request.headers);
        const { request: wanted, warnings } = parser.parse(await readJson(request));
        const body = await service.feeds.serve(feed_type, wanted);
        return warnings.length > 0 ? { status_code: 200, body, warnings } : { status_code: 200, body };
      },
      { parse: 'none' },
    );
  }
  return routes;
}
