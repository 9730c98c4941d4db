import { didDocumentOf, feedUriOf, recordKeyIn } from '../../bluesky/generator.ts';
import { INTERACTIONS, storableOf, storeReport } from '../../bluesky/interactions.ts';
import { skeletonOf } from '../../bluesky/skeleton.ts';
import type { SavedFeed } from '../../feeds/saved-feed.ts';
import { LIMITS } from '../../limits.ts';
import { objectOf } from '../../model/values/record-type.ts';
import { clip } from '../../model/values/refusal.ts';
import { type Admission, type Keyless, withoutKey } from '../identity/admissions.ts';
import type { OperationDocs } from '../openapi/docs.ts';
import { json } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import type { Host } from '../transport/host.ts';
import { type Route, route } from '../transport/route.ts';
import { XrpcError } from '../transport/xrpc.ts';
import { type BlueskyCallers, SEND_INTERACTIONS } from './bluesky-callers.ts';
import {
  DescriptionSchema,
  DidDocumentSchema,
  INTERACTIONS_EXAMPLES,
  SKELETON_QUERY,
  SkeletonSchema,
  StoredInteractionsSchema,
  XrpcProblemSchema,
} from './bluesky-schemas.ts';

const DESCRIBE = 'app.bsky.feed.describeFeedGenerator';
const GET_SKELETON = 'app.bsky.feed.getFeedSkeleton';

/** Viewers share one quota of records. No account has this name. */
const VIEWERS = '\nviewers of Bluesky';

const UNAVAILABLE = ['overloaded', 'loading', 'shutting_down'] as const;
const FROM_HOST =
  'Without the setting `FEEDLOOM_BLUESKY_DID`, the DID is `did:web` and the host of the request.';
const BY_TOKEN =
  "the service token of a personal data server as `Authorization: Bearer <token>`: a JWT of ES256K or ES256 that is signed with the key of the viewer's DID, with this service as `aud` and the method as `lxm`";

const DOCS = {
  document: {
    tag: 'Bluesky',
    id: 'didDocument',
    summary: 'The DID document of this service',
    description: `Tells Bluesky where the feed generator is. ${FROM_HOST} Needs no key.`,
    errors: ['invalid_value', 'not_found', ...UNAVAILABLE],
  },
  describe: {
    tag: 'Bluesky',
    id: 'describeFeedGenerator',
    summary: 'The feeds of this service on Bluesky',
    description: `Lists the public, active feeds that are saved with \`config.bluesky.rkey\`. ${FROM_HOST} Needs no key.`,
    errors: ['invalid_value', ...UNAVAILABLE],
    problem: XrpcProblemSchema,
  },
  skeleton: {
    tag: 'Bluesky',
    id: 'getFeedSkeleton',
    summary: 'A page of a feed on Bluesky',
    description: `Answers the posts of a page, best first. Items that are not posts of Bluesky are left out. Nothing is recorded: clients report what they have shown to \`${SEND_INTERACTIONS}\`. Needs no key. The viewer is taken from ${BY_TOKEN}. Without a token there is no viewer. An unknown feed is a 400 \`UnknownFeed\`.`,
    errors: [
      'cursor_invalid',
      'request_too_costly',
      'unauthorized',
      'plugin_not_loaded',
      'feed_outdated',
      'rate_limited',
      'plugin_failed',
      'store_unavailable',
      ...UNAVAILABLE,
    ],
    problem: XrpcProblemSchema,
  },
  interactions: {
    tag: 'Bluesky',
    id: 'sendInteractions',
    summary: 'Report what a viewer did with posts of a feed',
    description: `The answer is sent when everything is durable. \`requestLess\` is a \`hide\`, \`requestMore\` a \`bookmark\`, \`interactionSeen\` an impression, \`interactionLike\` a \`like\`, reposts, quotes and shares are a \`share\`, and the others a \`view\`. Entries about unknown items, and with a \`feedContext\` that this service has not sent, are ignored. Needs ${BY_TOKEN}.`,
    errors: [
      'unauthorized',
      'rate_limited',
      'quota_exceeded',
      'write_queue_full',
      'store_unavailable',
      'state_full',
      ...UNAVAILABLE,
    ],
    problem: XrpcProblemSchema,
  },
} satisfies Record<string, OperationDocs>;

type SavedFeeds = Pick<Host['service']['saved_feeds'], 'onBluesky' | 'record_keys'>;

function servedFeeds(saved_feeds: SavedFeeds): { rkey: string; feed: SavedFeed }[] {
  return saved_feeds.record_keys.list().flatMap((rkey) => {
    const feed = saved_feeds.onBluesky(rkey);
    return feed === undefined ? [] : [{ rkey, feed }];
  });
}

/** Viewers of the Bluesky app. Their servers send a token for them. */
function reportersBy(callers: BlueskyCallers): Admission<Keyless & { viewer: string }> {
  return {
    async admit(host, request) {
      const service = host.withoutKey(request, 'reports from Bluesky');
      return { service, viewer: await callers.requiredViewerOf(request, SEND_INTERACTIONS) };
    },
  };
}

const XRPC = { admit: withoutKey('requests to XRPC'), answered_by: 'current' } as const;

/** The Bluesky feed generator: its DID document, and three methods of XRPC. */
export function blueskyRoutes(callers: BlueskyCallers): Route[] {
  return [
    route('GET', '/.well-known/did.json', {
      ...XRPC,
      answered_by: 'any',
      answer: json(DidDocumentSchema),
      docs: DOCS.document,
      handle: ({ request }) => didDocumentOf(callers.generatorFor(request)),
    }),
    route('GET', `/xrpc/${DESCRIBE}`, {
      ...XRPC,
      answer: json(DescriptionSchema),
      docs: DOCS.describe,
      handle({ request, service }) {
        const generator = callers.generatorFor(request);
        const served = servedFeeds(service.saved_feeds);
        return { did: generator.did, feeds: served.map(({ rkey }) => ({ uri: feedUriOf(generator, rkey) })) };
      },
    }),
    route('GET', `/xrpc/${GET_SKELETON}`, {
      ...XRPC,
      query: SKELETON_QUERY,
      answer: json(SkeletonSchema),
      docs: DOCS.skeleton,
      async handle({ request, service, set, query: { feed: uri, limit, cursor }, given_up }) {
        const { feeds, saved_feeds } = service;
        const viewer = await callers.viewerOf(request, GET_SKELETON);
        const rkey = recordKeyIn(callers.generatorFor(request), uri);
        const feed = rkey === undefined ? undefined : saved_feeds.onBluesky(rkey);
        if (feed === undefined) throw new XrpcError('UnknownFeed', `there is no feed '${clip(uri)}' here`);
        const skeleton = await skeletonOf(feeds, { feed, viewer, limit, cursor }, given_up);
        return { ...skeleton, reqId: String(set.headers['x-request-id']) };
      },
    }),
    route('POST', `/xrpc/${SEND_INTERACTIONS}`, {
      admit: reportersBy(callers),
      answered_by: 'leader',
      body: bodyOf(objectOf(INTERACTIONS), {
        bytes_max: LIMITS.small_body_bytes_max,
        docs: { description: 'What the viewer did.', examples: INTERACTIONS_EXAMPLES },
      }),
      answer: json(StoredInteractionsSchema),
      docs: DOCS.interactions,
      async handle({ host, service, viewer, body: { interactions } }) {
        const served = new Set(servedFeeds(service.saved_feeds).map(({ feed }) => feed.feed_id));
        const isServed = (feed_id: string) => served.has(feed_id);
        callers.count(viewer, interactions.length);
        // What is not stored counts for its viewer alone, so that no group of them uses up what all viewers share.
        const report = storableOf(service, viewer, interactions, isServed);
        const store = async () => {
          callers.countStored(viewer, report.count);
          const result = await storeReport(service, report, VIEWERS);
          host.metrics.ingested('content', 'interactions', result);
          // Impressions count, too.
          return { accepted: report.count };
        };
        if (report.count > 0) await host.recordQuota().within(VIEWERS, report.count, store, viewer);
        return {};
      },
    }),
  ];
}
