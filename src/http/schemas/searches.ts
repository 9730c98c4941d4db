import { Type } from '@sinclair/typebox';
import { EXAMPLE_IDS } from '../../ingest/records/example-ids.ts';
import { LIMITS } from '../../limits.ts';
import { named } from '../openapi/schema.ts';
import { StoredItemSchema, StoredUserSchema } from './stored-records.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const ListedItemSchema = named(
  'ListedItem',
  Type.Object(
    {
      item_id: Type.String({ description: 'The item.', example: EXAMPLE_IDS.item }),
      hidden: Type.Boolean({
        description: 'Whether a moderator or the network hides the item or its author.',
      }),
      item: Type.Union([StoredItemSchema, Type.Null()], {
        description: 'The stored item. null: it is not described, or was deleted.',
      }),
    },
    { description: 'An item of a list.' },
  ),
);

const ListedUserSchema = named(
  'ListedUser',
  Type.Object(
    {
      user_id: Type.String({ description: 'Identifier of the user.', example: EXAMPLE_IDS.viewer }),
      username: Type.Optional(Type.String({ description: 'The username.' })),
      display_name: Type.Optional(Type.String({ description: 'The display name.' })),
      pfp_url: Type.Optional(Type.String({ description: 'URL of the profile picture.' })),
      hidden: Type.Boolean({ description: 'Whether a moderator or the network hides the user.' }),
      hidden_by_network: Type.Optional(
        Type.Boolean({ description: 'Whether the network does. Absent: it never said.' }),
      ),
      items_count: Count('Number of their items.'),
      followers_count: Count('Number of users who follow them, without hidden users.'),
    },
    { description: 'A user of a list.' },
  ),
);

const ItemListSchema = Type.Object(
  {
    items: Type.Array(ListedItemSchema, {
      maxItems: LIMITS.searched_max,
      description: 'The items. The list is shorter if the answer would become too large.',
    }),
  },
  { description: 'Items.' },
);

const UserListSchema = Type.Object(
  { users: Type.Array(ListedUserSchema, { maxItems: LIMITS.searched_max, description: 'The users.' }) },
  { description: 'Users.' },
);

export const RecordsSchema = Type.Object(
  {
    users: UserListSchema.properties.users,
    items: ItemListSchema.properties.items,
    unread_items: Type.Optional(
      Type.Array(Type.String(), { description: 'Identifiers of items that did not fit this answer.' }),
    ),
    warnings: Type.Optional(Type.Array(Type.String(), { description: 'Fields that were ignored.' })),
  },
  { description: 'Users and items.' },
);

export const ItemsAnswerSchema = Type.Union([ItemListSchema, StoredItemSchema], {
  description: 'The list, or with `item_id` the item.',
});

export const UsersAnswerSchema = Type.Union([UserListSchema, StoredUserSchema], {
  description: 'The list, or with `user_id` the user.',
});

export const ChannelsSchema = Type.Object(
  {
    channels: Type.Array(
      Type.Object(
        {
          channel: Type.String({
            description: 'The channel, as filters take it.',
            example: 'https://example.community/channel/music',
          }),
          items_count: Count('Number of its items.'),
        },
        { description: 'A channel.' },
      ),
      { maxItems: LIMITS.searched_max, description: 'The channels, most items first.' },
    ),
  },
  { description: 'Channels.' },
);
