import { Type } from '@sinclair/typebox';
import { ListOf, ObjectOf, Text } from '../../answer/schema-parts.ts';
import { INTERACTIONS, POST_URI } from '../../bluesky/interactions.ts';
import { LIMITS } from '../../limits.ts';
import { refuse } from '../../model/values/refusal.ts';
import { named } from '../openapi/schema.ts';
import { integerParameter, parameter } from '../transport/parameters.ts';

const DID = 'did:web:feeds.example.com';
const FEED_URI = `at://${DID}/app.bsky.feed.generator/home`;

/** An error of the routes below `/xrpc`. */
export const XrpcProblemSchema = named(
  'XrpcProblem',
  Type.Object(
    {
      error: Text('Name of the error.', 'UnknownFeed'),
      message: Text('What is wrong.', 'there is no such feed'),
    },
    { description: 'What went wrong, in the form of AT Protocol.', contentMediaType: 'application/json' },
  ),
);

export const DidDocumentSchema = ObjectOf('The DID document of this service.', {
  '@context': ListOf('The vocabulary.', Type.String()),
  id: Text('DID of this service.', DID),
  service: ListOf(
    'Services of this DID.',
    ObjectOf('The feed generator.', {
      id: Text('Always `#bsky_fg`.', '#bsky_fg'),
      type: Text('Always `BskyFeedGenerator`.', 'BskyFeedGenerator'),
      serviceEndpoint: Text('Address of this service.', 'https://feeds.example.com'),
    }),
  ),
});

export const DescriptionSchema = ObjectOf('The feeds of this service.', {
  did: Text('DID of this service.', DID),
  feeds: ListOf(
    'The public feeds with a record key.',
    ObjectOf('A feed.', { uri: Text('URI of the feed.', FEED_URI) }),
  ),
});

const LIMIT = { min: 1, max: LIMITS.bluesky_page_max, absent: LIMITS.bluesky_page_default };

export const SKELETON_QUERY = {
  feed: parameter(Text('URI of the feed.', FEED_URI), String, 'is required, and given once'),
  limit: integerParameter(LIMIT, 'Number of posts.'),
  cursor: {
    schema: Text('The cursor of the page before.'),
    is_required: false,
    // An empty one is that of the first page.
    check: (value: unknown) =>
      value === undefined || typeof value === 'string' ? value || undefined : refuse('must be given once'),
  },
};

export const SkeletonSchema = ObjectOf('A page of a feed.', {
  feed: ListOf(
    'The posts, best first.',
    ObjectOf('A post.', {
      post: Text('URI of the post.', POST_URI),
      feedContext: Text('Sent back with interactions: the id of the saved feed.', 'feed_1'),
    }),
  ),
  cursor: Type.Optional(Text('For the next page. Absent at the end of the feed.')),
  reqId: Type.String({ description: 'Id of this request.', format: 'uuid' }),
});

export const INTERACTIONS_EXAMPLES = {
  seen: {
    summary: 'A post was seen',
    value: INTERACTIONS.schema.example as unknown,
  },
};

export const StoredInteractionsSchema = ObjectOf('The interactions are stored.', {});
