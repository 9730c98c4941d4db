import { Type } from '@sinclair/typebox';
import { answerText, FeedAnswerSchema } from '../../answer/page-answer.ts';
import { invalidValue } from '../../errors.ts';
import { besideConfig } from '../../feeds/beside-config.ts';
import { warningsFor } from '../../feeds/check-parameters.ts';
import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import type { FeedType } from '../../plugin/index.ts';
import { FeedRequestParser } from '../feeds/feed-request.ts';
import { feedRequestFields } from '../feeds/feed-request-schema.ts';
import { CONFIGS, type Keyed } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { written } from '../transport/answers.ts';
import { checkedBy, objectIn } from '../transport/body.ts';
import { route } from '../transport/route.ts';
import { Written } from '../transport/written-answer.ts';
import { CONFIG_DOCS, FEED_FIELDS } from './feed-config-schemas.ts';

const { user_id, wallet_address, top_k, explain, seed } = feedRequestFields('popular');

const PreviewSchema = namedObject(
  'Preview',
  'A feed in the form in which it would be saved, and the viewer. A for-you feed needs `user_id` or `wallet_address`.',
  {
    endpoint: Type.Optional(FEED_FIELDS.endpoint),
    config: Type.Optional(FEED_FIELDS.config),
    user_id,
    wallet_address,
    top_k: {
      ...top_k,
      description: 'Number of items. Overrides the value in `config`. For-you: at most 500.',
    },
    explain,
    seed,
  },
);

const PREVIEW_EXAMPLES = {
  music: {
    summary: 'Music of the last month, for one user',
    value: {
      endpoint: 'feeds/for-you',
      config: {
        filters: { channels: ['https://example.community/channel/music'], start_timestamp: 'days_ago:30' },
        time_decay: 'medium',
      },
      user_id: EXAMPLE_IDS.viewer,
      top_k: 5,
      explain: true,
    },
  },
};

/** Fields that a preview has in common with a feed request. */
const OF_REQUESTS: ReadonlySet<string> = new Set(['user_id', 'wallet_address', 'top_k', 'explain', 'seed']);

/** `POST /api/feed/preview`. */
export const previewRoutes = [
  route('POST', '/api/feed/preview', {
    admit: CONFIGS,
    answered_by: 'current',
    body: checkedBy(
      PreviewSchema,
      {
        bytes_max: LIMITS.config_body_bytes_max,
        docs: { description: 'The feed, and the viewer.', examples: PREVIEW_EXAMPLES },
      },
      (given, sender: Keyed) => parse(objectIn(given), sender),
    ),
    answer: written(FeedAnswerSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'previewFeed',
      summary: 'Preview a feed without saving it',
      description:
        'Checks the feed as if it were to be saved, with the rights of the account, and builds one page. `source_feed` of its items is `main:for-you`, `main:trending` or `main:popular`. Nothing is saved or recorded.',
      errors: ['request_too_costly', 'plugin_failed', 'store_unavailable'],
    },
    async handle({ service, given_up, body: { feed_type, request }, warnings }) {
      return new Written(answerText(await service.feeds.serve(feed_type, request, given_up), warnings));
    },
  }),
];

const PARSERS: Record<FeedType, FeedRequestParser> = {
  'for-you': new FeedRequestParser('for-you'),
  trending: new FeedRequestParser('trending'),
  popular: new FeedRequestParser('popular'),
};

function parse(
  { endpoint, config, ...others }: Record<string, unknown>,
  { service: { saved_feeds, registry }, principal: { account } }: Keyed,
) {
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
  const scoringOf = () => feed.parameters.scoring;
  const checked = PARSERS[feed.feed_type].check(of_request, { registry, scoringOf });
  const faults = [...beside.faults, ...feed.faults, ...checked.faults];
  if (faults.length > 0) throw invalidValue(faults);
  const request = {
    ...checked.request,
    account,
    shown_account: account,
    unsaved: saved_feeds.unsaved(account, feed),
  };
  const warnings = [...warningsFor(beside.unknown, '', 'ignored'), ...checked.warnings, ...feed.warnings];
  return { value: { feed_type: feed.feed_type, request }, warnings };
}
