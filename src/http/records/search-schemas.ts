import { Type } from '@sinclair/typebox';
import { Count, Flag, ListOf, ObjectOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { namedObject } from '../openapi/schema.ts';
import { StoredItemSchema, StoredUserSchema } from './stored-record-schemas.ts';

const ListedItemSchema = namedObject('ListedItem', 'An item of a list.', {
  item_id: Text('The item.', EXAMPLE_IDS.item),
  hidden: Flag('Whether a moderator or the network hides the item or its author.'),
  item: Type.Union([StoredItemSchema, Type.Null()], {
    description: 'The stored item. null: it is not described, or was deleted.',
  }),
});

const ListedUserSchema = namedObject('ListedUser', 'A user of a list.', {
  user_id: Text('Identifier of the user.', EXAMPLE_IDS.viewer),
  username: Type.Optional(Text('The username.')),
  display_name: Type.Optional(Text('The display name.')),
  pfp_url: Type.Optional(Text('URL of the profile picture.')),
  hidden: Flag('Whether a moderator or the network hides the user.'),
  hidden_by_network: Type.Optional(Flag('Whether the network does. Absent: it never said.')),
  items_count: Count('Number of their items.'),
  followers_count: Count('Number of users who follow them, without hidden users.'),
});

const ItemListSchema = ObjectOf('Items.', {
  items: ListOf(
    'The items. The list is shorter if the answer would become too large.',
    ListedItemSchema,
    LIMITS.searched_max,
  ),
  cursor: Type.Optional(Text('Of a search for `text`: for older items. Absent: all were searched.')),
  searched_to: Type.Optional(
    Seconds('Creation time of the last item that was searched. Present with a `cursor`.'),
  ),
});

const UserListSchema = ObjectOf('Users.', {
  users: ListOf('The users.', ListedUserSchema, LIMITS.searched_max),
});

export const RecordsSchema = ObjectOf('Users and items.', {
  users: UserListSchema.properties.users,
  items: ItemListSchema.properties.items,
  unread_items: Type.Optional(ListOf('Identifiers of items that did not fit this answer.', Type.String())),
  warnings: Type.Optional(ListOf('Fields that were ignored.', Type.String())),
});

export const ItemsAnswerSchema = Type.Union([ItemListSchema, StoredItemSchema], {
  description: 'The list, or with `item_id` the item.',
});

export const UsersAnswerSchema = Type.Union([UserListSchema, StoredUserSchema], {
  description: 'The list, or with `user_id` the user.',
});

export const ChannelsSchema = ObjectOf('Channels.', {
  channels: ListOf(
    'The channels, most items first.',
    ObjectOf('A channel.', {
      channel: Text('The channel, as filters take it.', 'https://example.community/channel/music'),
      items_count: Count('Number of its items.'),
    }),
    LIMITS.searched_max,
  ),
});
