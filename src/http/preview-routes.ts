import { Elysia } from 'elysia';
import { answerText, FeedAnswerSchema } from '../answer/page-answer.ts';
import { invalidValue } from '../errors.ts';
import { besideConfig } from '../feeds/beside-config.ts';
import { warningsFor } from '../feeds/check-parameters.ts';
import { asObject } from '../feeds/feed-object.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import type { SavedFeeds } from '../feeds/saved-feeds.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { readJson } from './body.ts';
import { FeedRequestParser } from './feed-request.ts';
import type { Host } from './host.ts';
import { documented } from './openapi/operation.ts';
import { PREVIEW_CONTENT } from './schemas/preview.ts';
import { FeedProblemSchema } from './schemas/problem.ts';
import { Written } from './written-answer.ts';

/** Fields that a preview has in common with a feed request. */
const OF_REQUESTS: ReadonlySet<string> = new Set(['user_id', 'wallet_address', 'top_k', 'explain', 'seed']);

const DOCS = documented({
  tag: 'Feed configurations',
  id: 'previewFeed',
  summary: 'Preview a feed without saving it',
  description:
    'Checks the feed as if it were to be saved, with the rights of the account, and builds one page. `source_feed` of its items is `main:for-you`, `main:trending` or `main:popular`. Nothing is saved or recorded.',
  key: 'config:write',
  body: { description: 'The feed, and the viewer.', required: true, content: [PREVIEW_CONTENT] },
  answers: { 200: { description: 'The page.', content: { schema: FeedAnswerSchema } } },
  errors: ['request_too_costly', 'plugin_failed', 'store_unavailable'],
  problem: FeedProblemSchema,
});

/** `POST /api/feed/preview`. */
export function previewRoutes(host: Host) {
  const parsers: Record<FeedType, FeedRequestParser> = {
    'for-you': new FeedRequestParser('for-you'),
    trending: new FeedRequestParser('trending'),
    popular: new FeedRequestParser('popular'),
  };
  return new Elysia({ prefix: '/api/feed' }).post(
    '/preview',
    async ({ request }) => {
      const { saved_feeds, feeds, registry } = host.ready();
      const { account } = host.authenticate(request, { scope: 'config:write' });
      const wanted = parse(
        asObject(await readJson(request, host.roomForConfig(request))),
        account,
        saved_feeds,
        parsers,
        registry,
      );
      const page = await feeds.serve(wanted.feed_type, wanted.request, request.signal);
      return new Written(answerText(page, wanted.warnings));
    },
    { parse: 'none', ...DOCS },
  );
}

interface Preview {
  feed_type: FeedType;
  request: FeedRequest;
  warnings: string[];
}

/** @throws ServiceError `invalid_value` with every fault, `plugin_failed` */
function parse(
  body: Record<string, unknown>,
  account: string,
  saved_feeds: SavedFeeds,
  parsers: Record<FeedType, FeedRequestParser>,
  registry: Registry,
): Preview {
  const { endpoint, config, ...others } = body;
  const feed = saved_feeds.check(account, {
    name: 'preview',
    endpoint: endpoint ?? null,
    config: config ?? null,
  });
  const fields = Object.entries(others);
  const of_request = Object.fromEntries(fields.filter(([name]) => OF_REQUESTS.has(name)));
  const beside = besideConfig(
    fields.filter(([name]) => !OF_REQUESTS.has(name)),
    registry,
  );
  const checked = parsers[feed.feed_type].check(of_request, registry);
  const faults = [...beside.faults, ...feed.faults, ...checked.faults];
  if (faults.length > 0) throw invalidValue(faults);
  const request = { ...checked.request, account, unsaved: saved_feeds.unsaved(account, feed) };
  const warnings = [...warningsFor(beside.unknown, '', 'ignored'), ...checked.warnings, ...feed.warnings];
  return { feed_type: feed.feed_type, request, warnings };
}
