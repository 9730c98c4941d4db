import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Count, ListOf, ObjectOf, OneOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { EVENT_TYPES } from '../../model/acts.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { ITEM } from '../../model/records/item.ts';
import { USER } from '../../model/records/user.ts';
import { namedObject } from '../openapi/schema.ts';

/** Fields about the version of a record. They are not part of answers. */
const OF_THE_VERSION = ['updated_at', 'hidden_by_network_at', 'revive'];

/** The fields of a record as they are stored: fields that were never given are absent. */
function fieldsOf(record: TObject, without: readonly string[]): Record<string, TSchema> {
  const kept = Object.entries(record.properties).filter(([name]) => !without.includes(name));
  return Object.fromEntries(kept.map(([name, schema]) => [name, Type.Optional(schema)]));
}

export const StoredItemSchema = namedObject(
  'StoredItem',
  'A stored item. Fields that were never given are absent.',
  {
    ...fieldsOf(ITEM.schema, ['root_parent_url', ...OF_THE_VERSION]),
    item_id: Text('Identifier of the item.', EXAMPLE_IDS.item),
    author_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Identifier of the author. null: unknown.',
    }),
    created_at: Seconds('Time of publication.'),
    likes_count: Count('Total number of likes.'),
    comments_count: Count('Total number of comments.'),
    shares_count: Count('Total number of shares.'),
    ai_labels: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: Type.Number({ minimum: 0, maximum: 1, description: 'The score.' }),
          description: 'Scores by label.',
          example: { music: 0.93 },
        },
      ),
    ),
  },
);

const ListedInteraction = ObjectOf('An interaction.', {
  item_id: Text('The item.'),
  event_type: OneOf(EVENT_TYPES, 'What the user did.'),
  timestamp: Seconds('When.'),
});

export const StoredUserSchema = namedObject(
  'StoredUser',
  'A stored user. Fields that were never given are absent.',
  {
    ...fieldsOf(USER.schema, OF_THE_VERSION),
    user_id: Text('Identifier of the user.', EXAMPLE_IDS.viewer),
    created_at: Type.Optional(Seconds('Time when the user joined.')),
    counts: ObjectOf('Totals of the user.', {
      items: Count('Number of their items.'),
      following: Count('Number of users that they follow.'),
      followers: Count('Number of users who follow them, without hidden users.'),
      interactions: Count('Number of their current interactions.'),
    }),
    follows: ListOf('Users that they follow.', Type.String(), 1000),
    interactions: ListOf('Their latest interactions, most recent first.', ListedInteraction, 100),
  },
);
