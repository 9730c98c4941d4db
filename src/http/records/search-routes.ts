import { Type } from '@sinclair/typebox';
import { invalidValue } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { identifier } from '../../model/values/checks.ts';
import { Text } from '../../model/values/schema-parts.ts';
import { type FoundTexts, itemsWithText, WORDS } from '../items/text-search.ts';
import { BY_QUERY, described, type OperationDocs } from '../openapi/operation.ts';
import { ADMISSIONS, keyedRoutes } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { integerParameter, parameter, queryOf } from '../transport/url-parameters.ts';
import { searching } from './prefix-scan.ts';
import { ChannelsSchema, ItemsAnswerSchema, UsersAnswerSchema } from './search-schemas.ts';
import { listFor, searchedChannels, searchedItems, searchedUsers } from './searches.ts';
import { storedItem, storedUser } from './stored-records.ts';
import { CURSOR } from './time-cursor.ts';

const LIMIT = integerParameter(
  { min: 1, max: LIMITS.searched_max, absent: LIMITS.searched_default },
  'Maximum number of entries.',
);

const text = (description: string, example?: string) =>
  Type.Optional(
    parameter<string>({ ...Text, description, ...(example === undefined ? {} : { example }) }, identifier),
  );

const QUERIES = {
  items: queryOf({
    item_id: text('Identifier of the one item to read.'),
    search: text(
      'The start of the identifier. The item with this identifier is first, then those that became known last.',
    ),
    text: Type.Optional(WORDS),
    cursor: Type.Optional(CURSOR),
    author_id: text('The author.'),
    channel: text('The channel, as in the records of items.'),
    limit: LIMIT,
  }),
  users: queryOf({
    user_id: text('Identifier of the one user to read.'),
    search: text(
      'The start of the username, the display name (both without case) or the identifier. The user with this identifier is first. Default: the users who became known last.',
      'a',
    ),
    limit: LIMIT,
  }),
  channels: queryOf({
    search: text(
      'The start of the channel, or of its part after the last `/`, without case. Default: all channels.',
      'mus',
    ),
    limit: LIMIT,
  }),
};

function docs(operation: Pick<OperationDocs, 'id' | 'summary' | 'description'>) {
  return described({
    ...operation,
    tag: 'Stored records',
    admission: ADMISSIONS.moderators,
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  });
}

const DOCS = {
  items: docs({
    id: 'listItems',
    summary: 'Find items',
    description: `For moderators: lists items, newest first, with hidden ones, which are marked. \`search\`, \`author_id\` or \`channel\` selects them. \`text\` searches the texts of all items, or of those of an \`author_id\` or \`channel\`. One request reads as many as it may, so that pages do not wait. While an answer has a \`cursor\`, older items are left, even if its list is empty. With \`item_id\` alone the answer is that item instead of a list. ${BY_QUERY}`,
  }),
  users: docs({
    id: 'listUsers',
    summary: 'Find users',
    description: `For moderators: lists users, with hidden ones, which are marked. With \`user_id\` alone the answer is that user instead of a list. ${BY_QUERY}`,
  }),
  channels: docs({
    id: 'listChannels',
    summary: 'Find channels',
    description: 'Lists channels that have items, those with the most items first.',
  }),
};

/** Routes under `/v2/community` that find stored records, for moderators and the console. */
export function searchRoutes(host: Host) {
  return keyedRoutes(host, CONTENT_PATH, ADMISSIONS.moderators)
    .get(
      '/items',
      async ({ request, query: { item_id, search, text, cursor: after, author_id, channel, limit } }) => {
        const { service, account } = host.admitted(request);
        const given_up = request.signal;
        const selected = { search, author_id, channel };
        atMostOne({ item_id, ...selected });
        atMostOne({ item_id, search, text: text?.join(' ') });
        if (after !== undefined && text === undefined)
          throw invalidValue([{ path: '/cursor', message: 'expected text beside it' }]);
        if (item_id !== undefined) return storedItem(service, item_id, given_up);
        const find = async (): Promise<FoundTexts> => {
          if (text === undefined) return { items: await searchedItems(service, selected, limit, given_up) };
          const among = listFor(service.state, selected);
          const wanted = { words: text, after, limit, monotonicMs: host.monotonic };
          return among === undefined ? { items: [] } : itemsWithText(service, among, wanted, given_up);
        };
        return searching(account, find, given_up);
      },
      { query: QUERIES.items, response: { 200: unchecked(ItemsAnswerSchema) }, detail: DOCS.items },
    )
    .get(
      '/users',
      async ({ request, query: { user_id, search, limit } }) => {
        const { service, account } = host.admitted(request);
        atMostOne({ user_id, search });
        if (user_id !== undefined) return storedUser(service, user_id, request.signal);
        const find = () => searchedUsers(service, search, limit, request.signal);
        return { users: await searching(account, find, request.signal) };
      },
      { query: QUERIES.users, response: { 200: unchecked(UsersAnswerSchema) }, detail: DOCS.users },
    )
    .get(
      '/channels',
      async ({ request, query: { search = '', limit } }) => {
        const { service, account } = host.admitted(request);
        const find = () => searchedChannels(service, search, limit, request.signal);
        return { channels: await searching(account, find, request.signal) };
      },
      { query: QUERIES.channels, response: { 200: unchecked(ChannelsSchema) }, detail: DOCS.channels },
    );
}

function atMostOne(parameters: Record<string, string | undefined>): void {
  const [first, second] = Object.keys(parameters).filter((name) => parameters[name] !== undefined);
  if (second === undefined) return;
  throw invalidValue([{ path: `/${second}`, message: `cannot be combined with ${first}; send one of them` }]);
}
