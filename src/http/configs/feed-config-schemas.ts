import { type TSchema, Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { ListOf, Seconds, strict, Text } from '../../answer/schema-parts.ts';
import { type FeedObject, FeedObjectSchema } from '../../feeds/feed-object.ts';
import { configSchema } from '../../feeds/parameters.ts';
import { FEED_TYPES, type FeedType } from '../../plugin/index.ts';
import { allDescribed, parameterDocs } from '../feeds/parameter-docs.ts';
import { feedSchemaName } from '../openapi/plugin-schemas.ts';
import { FeedProblemSchema } from '../openapi/problem-schemas.ts';
import { named, namedObject } from '../openapi/schema.ts';

/** What the documentation of all routes of saved feeds has. */
export const CONFIG_DOCS = { tag: 'Feed configurations', problem: FeedProblemSchema } as const;
export const CONFIG_PATH = '/api/feed/config';

function configDocs(feed_type: FeedType): TSchema {
  return namedObject(
    feedSchemaName(feed_type, 'Config'),
    `The parameters of a ${feed_type} feed. Each applies unless the request sets it.`,
    parameterDocs(feed_type, configSchema(feed_type).properties),
  );
}

function fields(): Record<keyof FeedObject, TSchema> {
  const { config, ...others } = FeedObjectSchema.properties;
  const of_type = Type.Union(FEED_TYPES.map(configDocs), {
    description: `${config.meaning} The schema depends on \`endpoint\`.`,
  });
  return { ...allDescribed(others), config: of_type };
}

/** The fields of a saved feed with their descriptions. */
export const FEED_FIELDS = fields();
const OPTIONAL_FIELDS = Type.Partial(Type.Object(FEED_FIELDS)).properties;

const ConfigId = Text('Id of the feed. Ids are never reused.', 'feed_1');

const SavedFeedSchema = named(
  'SavedFeed',
  strict(
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
    'A saved feed.',
  ),
);

const Message = Text('What was done.', "feed 'feed_1' created");

export const SavedAnswerSchema = named(
  'SavedFeedAnswer',
  strict(
    { message: Message, data: SavedFeedSchema, warnings: Type.Optional(WarningsSchema) },
    'The feed as it is now.',
  ),
);

export const ReadAnswerSchema = strict({ data: SavedFeedSchema }, 'The feed.');

export const ListAnswerSchema = strict(
  { data: ListOf('The feeds, newest first.', SavedFeedSchema), warnings: Type.Optional(WarningsSchema) },
  'Saved feeds.',
);

export const DeletedSchema = strict({ message: Message }, 'The feed is deleted.');

export const NEW_FEED_EXAMPLES = {
  music: {
    summary: 'Music of the last month',
    value: {
      name: 'Music of the month',
      endpoint: 'feeds/for-you',
      config: {
        filters: { channels: ['https://example.community/channel/music'], start_timestamp: 'days_ago:30' },
        time_decay: 'medium',
        feed_diversity_config: { max_posts_per_author: 2 },
      },
    },
  },
};

export const NewFeedSchema = namedObject('NewFeed', 'A new feed.', {
  ...OPTIONAL_FIELDS,
  name: FEED_FIELDS.name,
});

export const ChangedFeedSchema = namedObject(
  'ChangedFeed',
  'Fields in the body replace the saved ones; other fields stay. Fields that the service sets are ignored.',
  { config_id: ConfigId, ...OPTIONAL_FIELDS },
);

export const CHANGED_FEED_EXAMPLES = {
  shared: {
    summary: 'Share the feed with other accounts',
    value: { config_id: 'feed_1', visibility: 'public' },
  },
};
