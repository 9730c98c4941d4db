import { type TSchema, Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { Seconds } from '../../answer/schema-parts.ts';
import { FeedObjectSchema, VISIBILITIES } from '../../feeds/feed-object.ts';
import { configSchema } from '../../feeds/parameters.ts';
import { LIMITS } from '../../limits.ts';
import type { FeedType } from '../../plugin/index.ts';
import type { Content } from '../openapi/operation.ts';
import { named } from '../openapi/schema.ts';
import { parameterDocs } from './parameters.ts';

/** Descriptions of a saved feed's fields. The allowed form is added from the schema that checks them. */
const MEANING: Record<keyof typeof FeedObjectSchema.properties, string> = {
  name: 'Name for people. Required when the feed is created.',
  description: 'Description for people. Default empty.',
  endpoint:
    'Feed type: `feeds/for-you` (default), `feeds/trending` or `feeds/popular`. `casts/feed/…` means the same, and is returned if the feed was created without an endpoint.',
  status: 'An `inactive` feed is kept but cannot be requested. Default `active`.',
  visibility:
    'Access of other accounts: none (`private`, the default), reading and building pages (`public`), or the same and the feed is listed for them (`template`).',
  config: 'The parameters of its pages. Unused keys are kept unchanged and named in `warnings`.',
  feed_image_url: 'URL of a picture. Default empty.',
  short_name: 'A short name. Default null.',
};

function configDocs(feed_type: FeedType, name: string): TSchema {
  return named(
    name,
    Type.Object(parameterDocs(feed_type, configSchema(feed_type).properties), {
      description: `The parameters of a ${feed_type} feed. Each applies unless the request sets it.`,
    }),
  );
}

function fields(): Record<keyof typeof MEANING, TSchema> {
  const properties = Object.entries(FeedObjectSchema.properties).map(([name, schema]: [string, TSchema]) => {
    const meaning = MEANING[name as keyof typeof MEANING];
    const form = schema.description === undefined ? '' : ` Form: ${schema.description}.`;
    return [name, { ...schema, description: meaning + form }];
  });
  const config = Type.Union(
    [
      configDocs('for-you', 'ForYouConfig'),
      configDocs('trending', 'TrendingConfig'),
      configDocs('popular', 'PopularConfig'),
    ],
    { description: `${MEANING.config} The schema depends on \`endpoint\`.` },
  );
  return { ...Object.fromEntries(properties), config };
}

/** The fields of a saved feed with their descriptions. */
export const FEED_FIELDS = fields();
const OPTIONAL_FIELDS = Object.fromEntries(
  Object.entries(FEED_FIELDS).map(([name, schema]) => [name, Type.Optional(schema)]),
);

const ConfigId = Type.String({ description: 'Id of the feed. Ids are never reused.', example: 'feed_1' });

const SavedFeedSchema = named(
  'SavedFeed',
  Type.Object(
    {
      config_id: ConfigId,
      ...FEED_FIELDS,
      config: Type.Object(
        {},
        { additionalProperties: true, description: 'The parameters, as they were sent.' },
      ),
      revision: Type.Integer({
        minimum: 1,
        description: 'Revision number. It starts at 1 and grows with each change.',
        example: 1,
      }),
      created_at: Seconds('Time of creation.'),
      updated_at: Seconds('Time of the last change.'),
    },
    { description: 'A saved feed.', additionalProperties: false },
  ),
);

const Message = Type.String({ description: 'What was done.', example: "feed 'feed_1' created" });

export const SavedAnswerSchema = named(
  'SavedFeedAnswer',
  Type.Object(
    { message: Message, data: SavedFeedSchema, warnings: Type.Optional(WarningsSchema) },
    { description: 'The feed as it is now.', additionalProperties: false },
  ),
);

export const ReadAnswerSchema = Type.Object(
  { data: SavedFeedSchema },
  { description: 'The feed.', additionalProperties: false },
);

export const ListAnswerSchema = Type.Object(
  {
    data: Type.Array(SavedFeedSchema, { description: 'The feeds, newest first.' }),
    warnings: Type.Optional(WarningsSchema),
  },
  { description: 'Saved feeds.', additionalProperties: false },
);

export const DeletedSchema = Type.Object(
  { message: Message },
  { description: 'The feed is deleted.', additionalProperties: false },
);

export const ETAG = {
  etag: { description: 'The revision, in quotes.', schema: Type.String({ example: '"1"' }) },
};

const NEW_FEED = {
  name: 'Music of the month',
  endpoint: 'feeds/for-you',
  config: {
    filters: { channels: ['https://example.community/channel/music'], start_timestamp: 'days_ago:30' },
    time_decay: 'medium',
    feed_diversity_config: { max_posts_per_author: 2 },
  },
};

export const NEW_FEED_CONTENT: Content = {
  schema: named(
    'NewFeed',
    Type.Object({ ...OPTIONAL_FIELDS, name: FEED_FIELDS.name }, { description: 'A new feed.' }),
  ),
  examples: { music: { summary: 'Music of the last month', value: NEW_FEED } },
};

export const CHANGED_FEED_CONTENT: Content = {
  schema: named(
    'ChangedFeed',
    Type.Object(
      { config_id: ConfigId, ...OPTIONAL_FIELDS },
      {
        description:
          'Fields in the body replace the saved ones; other fields stay. Fields that the service sets are ignored.',
      },
    ),
  ),
  examples: {
    shared: {
      summary: 'Share the feed with other accounts',
      value: { config_id: 'feed_1', visibility: 'public' },
    },
  },
};

export const LISTING_CONTENT: Content = {
  schema: Type.Object(
    {
      visibility: Type.Optional(
        Type.Union(
          VISIBILITIES.map((visibility) => Type.Literal(visibility)),
          {
            description:
              'Lists only feeds of this visibility; `template` lists the templates of all accounts. Default: all feeds of the account.',
          },
        ),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LIMITS.feeds_listed_max,
          default: LIMITS.feeds_listed_default,
          description:
            'Maximum number of feeds. If one answer cannot hold them, the rest is left out and a warning is added.',
        }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of feeds to skip. Default 0.' })),
    },
    { description: 'Selects the feeds to list.' },
  ),
  examples: {
    all: { summary: 'All feeds of the account', value: {} },
    templates: { summary: 'Templates of all accounts', value: { visibility: 'template', limit: 10 } },
  },
};
