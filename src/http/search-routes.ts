import { type TSchema, Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { Text } from '../ingest/records/schema-parts.ts';
import { LIMITS } from '../limits.ts';
import type { Host } from './host.ts';
import { BY_QUERY, documented, type Operation, type Parameter } from './openapi/operation.ts';
import { integerInQuery, optionalInQuery, wrongParameter } from './request-url.ts';
import { ChannelsSchema, ItemsAnswerSchema, UsersAnswerSchema } from './schemas/searches.ts';
import { searchedChannels, searchedItems, searchedUsers } from './searches.ts';
import { storedItem, storedUser } from './stored-records.ts';

/** One of these is enough. */
const SCOPES = ['ingest:write', 'config:write'] as const;
const COUNT = { min: 1, max: LIMITS.searched_max, absent: LIMITS.searched_default };

const parameter = (
  name: string,
  description: string,
  example?: unknown,
  schema: TSchema = Text,
): Parameter =>
  example === undefined
    ? { name, in: 'query', description, schema }
    : { name, in: 'query', description, schema, example };

const LIMIT = parameter(
  'limit',
  `Maximum number of entries. Default ${COUNT.absent}.`,
  COUNT.absent,
  Type.Integer({ minimum: COUNT.min, maximum: COUNT.max }),
);

function docs(operation: Pick<Operation, 'id' | 'summary' | 'description' | 'parameters'>, schema: TSchema) {
  return documented({
    ...operation,
    tag: 'Stored records',
    key: SCOPES,
    answers: { 200: { description: 'The entries.', content: { schema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  });
}

const DOCS = {
  items: docs(
    {
      id: 'listItems',
      summary: 'Find items',
      description: `For moderators: lists items, newest first, with hidden ones, which are marked. \`search\`, \`author_id\` or \`channel\` selects them. With \`item_id\` alone the answer is that item instead of a list. ${BY_QUERY}`,
      parameters: [
        parameter('item_id', 'Identifier of the one item to read.'),
        parameter(
          'search',
          'The start of the identifier. The item with this identifier is first, then those that became known last.',
        ),
        parameter('author_id', 'The author.'),
        parameter('channel', 'The channel, as in the records of items.'),
        LIMIT,
      ],
    },
    ItemsAnswerSchema,
  ),
  users: docs(
    {
      id: 'listUsers',
      summary: 'Find users',
      description: `For moderators: lists users, with hidden ones, which are marked. With \`user_id\` alone the answer is that user instead of a list. ${BY_QUERY}`,
      parameters: [
        parameter('user_id', 'Identifier of the one user to read.'),
        parameter(
          'search',
          'The start of the username, the display name (both without case) or the identifier. The user with this identifier is first. Default: the users who became known last.',
          'a',
        ),
        LIMIT,
      ],
    },
    UsersAnswerSchema,
  ),
  channels: docs(
    {
      id: 'listChannels',
      summary: 'Find channels',
      description: 'Lists channels that have items, those with the most items first.',
      parameters: [
        parameter(
          'search',
          'The start of the channel, or of its part after the last `/`, without case. Default: all channels.',
          'mus',
        ),
        LIMIT,
      ],
    },
    ChannelsSchema,
  ),
};

/** Routes under `/v2/<network>` that find stored records, for moderators and the console. */
export function searchRoutes(host: Host, network: string) {
  const enter = (request: Request) => {
    const service = host.ready();
    host.authenticate(request, { scope: SCOPES });
    return service;
  };
  return new Elysia({ prefix: `/v2/${network}` })
    .get(
      '/items',
      async ({ request }) => {
        const service = enter(request);
        const { item_id, ...search } = atMostOne(request, ['item_id', 'search', 'author_id', 'channel']);
        if (item_id !== undefined) return storedItem(service, item_id, request.signal);
        return { items: await searchedItems(service, search, limitOf(request), request.signal) };
      },
      DOCS.items,
    )
    .get(
      '/users',
      async ({ request }) => {
        const service = enter(request);
        const { user_id, search } = atMostOne(request, ['user_id', 'search']);
        if (user_id !== undefined) return storedUser(service, user_id, request.signal);
        return { users: await searchedUsers(service, search, limitOf(request), request.signal) };
      },
      DOCS.users,
    )
    .get(
      '/channels',
      async ({ request }) => {
        const service = enter(request);
        const search = optionalInQuery(request, 'search') ?? '';
        return { channels: await searchedChannels(service, search, limitOf(request), request.signal) };
      },
      DOCS.channels,
    );
}

function limitOf(request: Request): number {
  return integerInQuery(request, 'limit', COUNT);
}

/**
 * Reads query parameters of which at most one may be given.
 * @throws ServiceError `invalid_value`
 */
function atMostOne<Name extends string>(
  request: Request,
  names: readonly Name[],
): { [name in Name]?: string } {
  const values: { [name in Name]?: string } = {};
  let given: Name | undefined;
  for (const name of names) {
    const value = optionalInQuery(request, name);
    if (value === undefined) continue;
    if (given !== undefined) throw wrongParameter(name, `cannot be combined with ${given}; send one of them`);
    values[name] = value;
    given = name;
  }
  return values;
}
