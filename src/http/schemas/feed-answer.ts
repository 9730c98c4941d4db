import { type TSchema, Type } from '@sinclair/typebox';
import { named } from '../openapi/schema.ts';
import { ItemExplanationSchema, TraceSchema } from './explanation.ts';
import { orNull, Seconds } from './parts.ts';

const Count = (description: string, example: number) => Type.Integer({ minimum: 0, description, example });
const Score = (description: string, example: number) => Type.Number({ minimum: 0, description, example });
const Text = (description: string, example: string) => Type.String({ description, example });
const Texts = (description: string, example: string[]) => Type.Array(Type.String(), { description, example });

function strict(properties: Record<string, TSchema>, description: string): TSchema {
  return Type.Object(properties, { description, additionalProperties: false });
}

const SocialProof = strict(
  {
    user_id: Text('The user followed.', '361635'),
    timestamp: Seconds('When.'),
    interaction: Type.Union([Type.Literal('like'), Type.Literal('comment'), Type.Literal('share')], {
      description: 'What they did.',
    }),
  },
  'What somebody whom the viewer follows did with the item.',
);

const Labels = strict(
  {
    topics: Texts('What it is about.', ['music']),
    sentiment: Texts('positive, neutral, negative.', ['positive']),
    emotion: Texts('Such as joy, anger, trust.', []),
    moderation: Texts('Such as spam, violence, llm_generated.', []),
    web3_topics: Texts('Such as web3_nft, web3_defi.', []),
    other: Texts('Labels of no known category.', []),
  },
  "The item's labels whose score is above the service's threshold, by category.",
);

const Author = strict(
  {
    user_id: orNull(Text('Identifier of the author.', '9152')),
    username: orNull(Text('Short name.', 'violet')),
    display_name: orNull(Text('Name for display.', 'Violet V.')),
    pfp_url: orNull(Text('URL of the profile picture.', 'https://example.com/violet.png')),
  },
  'Who wrote it.',
);

const ItemMetadataSchema = named(
  'ItemMetadata',
  strict(
    {
      text: Text('Its text; empty when there is none.', 'New record out today!'),
      embed_items: Texts('URLs of what it embeds.', ['https://music.example.com/a/1']),
      timestamp: Seconds('When it was published.'),
      root_parent_hash: orNull(Text('First item of its thread.', '0x05dd7712')),
      parent_hash: orNull(Text('The item that it replies to.', '0x06aa90c1')),
      root_parent_url: orNull(Text('The channel.', 'https://example.community/channel/music')),
      mentioned_profiles: Texts('Users that it mentions.', ['361635']),
      ai_labels: Labels,
      app_fid: orNull(Text('App that it was posted with.', '9152')),
      geo_location: orNull(Text('"<latitude>,<longitude>" in degrees.', '34.05,-118.24')),
      language: orNull(Text('Language tag.', 'en')),
      publication_types: Texts('Kinds of content.', ['image']),
      likes_count: Count('Likes in all.', 95),
      comments_count: Count('Comments in all.', 20),
      shares_count: Count('Shares in all.', 8),
      author: Author,
      custom: Type.Object({}, { description: "The item's own `metadata`.", additionalProperties: true }),
    },
    'What is known of an item; every key is always there.',
  ),
);

const FollowingEngagement = strict(
  {
    like: Count('Followed users who liked it.', 2),
    comment: Count('Followed users who commented.', 0),
    share: Count('Followed users who shared it.', 0),
  },
  'How many of those whom the viewer follows did what.',
);

const FeedItemSchema = named(
  'FeedItem',
  strict(
    {
      item_id: Text('Identifier of the item.', '0x07cb1f36'),
      source_feed: Text(
        'Where it comes from: `main:` and the feed, `cold_start:`, `fallback_main_<k>:`, `fallback_global:popular` or `promotion:`.',
        'main:for-you',
      ),
      promotion_name: Type.Optional(
        Text('Of promoted items only: the label of the promotion.', 'spring_sale'),
      ),
      score: Score('What the scoring function said.', 0.61),
      adjusted_score: Score('The score after time decay: what the page is ordered by.', 0.44),
      popular_score: Score('Engagement e of all time as e / (e + 20), 0 to 1.', 0.12),
      trending_score: Score(
        'Engagements per hour r expected in the next hours, as r / (r + 10), 0 to 1.',
        0.19,
      ),
      affinity_score: Score('What those whom the viewer follows did; 0 on trending and popular pages.', 0.08),
      interest_score: Score('What people of like taste chose; 0 on trending and popular pages.', 0.71),
      social_proof: Type.Array(SocialProof, {
        maxItems: 3,
        description: 'Up to three acts of followed users, most recent first.',
      }),
      following_engagement: FollowingEngagement,
      text_length: Count('Length of the text, in characters.', 42),
      metadata: Type.Optional(ItemMetadataSchema),
      explain: Type.Optional(ItemExplanationSchema),
    },
    'An item of a page. `metadata` and `explain` only when asked for.',
  ),
);

export const WarningsSchema = Type.Array(Type.String(), {
  description: 'What was ignored; absent when there is nothing to say.',
  example: ["unknown field 'candidate_source' was ignored"],
});

export const FeedAnswerSchema = named(
  'FeedAnswer',
  strict(
    {
      status_code: Type.Literal(200, { description: 'The HTTP status.' }),
      body: Type.Array(FeedItemSchema, {
        description: 'The page in display order; empty: nothing is left.',
      }),
      trace: Type.Optional(TraceSchema),
      warnings: Type.Optional(WarningsSchema),
    },
    'A page. `trace` only when `explain` was asked for.',
  ),
);
