import { invalidValue } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { identifier } from '../../model/values/checks.ts';
import { Text } from '../../model/values/schema-parts.ts';
import { MODERATORS } from '../identity/admissions.ts';
import { type FoundTexts, itemsWithText, WORDS } from '../items/text-search.ts';
import { BY_QUERY } from '../openapi/docs.ts';
import { json } from '../transport/answers.ts';
import { integerParameter, optional, parameter } from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route } from '../transport/route.ts';
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
  optional(
    parameter<string>({ ...Text, description, ...(example === undefined ? {} : { example }) }, identifier),
  );

const QUERIES = {
  items: {
    item_id: text('Identifier of the one item to read.'),
    search: text(
      'The start of the identifier. The item with this identifier is first, then those that became known last.',
    ),
    text: optional(WORDS),
    cursor: optional(CURSOR),
    author_id: text('The author.'),
    channel: text('The channel, as in the records of items.'),
    limit: LIMIT,
  },
  users: {
    user_id: text('Identifier of the one user to read.'),
    search: text(
      'The start of the username, the display name (both without case, in any Unicode form) or the identifier. The user with this identifier is first. Default: the users who became known last.',
      'a',
    ),
    limit: LIMIT,
  },
  channels: {
    search: text(
      'The start of the channel, or of its part after the last `/`, without case, in any Unicode form. Default: all channels.',
      'mus',
    ),
    limit: LIMIT,
  },
};

const LISTING = { admit: MODERATORS, answered_by: 'current' } as const;
const DOCS = {
  tag: 'Stored records',
  errors: ['not_found', 'store_unavailable'],
} as const;

/** Routes under `/v2/community` that find stored records, for moderators and the console. */
export const searchRoutes = [
  route('GET', `${CONTENT_PATH}/items`, {
    ...LISTING,
    query: QUERIES.items,
    answer: json(ItemsAnswerSchema),
    docs: {
      ...DOCS,
      id: 'listItems',
      summary: 'Find items',
      description: `For moderators: lists items, newest first, with hidden ones, which are marked. \`search\`, \`author_id\` or \`channel\` selects them. \`text\` searches the texts of all items, or of those of an \`author_id\` or \`channel\`. One request reads as many as it may, so that pages do not wait. While an answer has a \`cursor\`, older items are left, even if its list is empty. With \`item_id\` alone the answer is that item instead of a list. ${BY_QUERY}`,
    },
    async handle({ host, service, principal: { account }, query, given_up }) {
      const { item_id, search, text, cursor: after, author_id, channel, limit } = query;
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
  }),
  route('GET', `${CONTENT_PATH}/users`, {
    ...LISTING,
    query: QUERIES.users,
    answer: json(UsersAnswerSchema),
    docs: {
      ...DOCS,
      id: 'listUsers',
      summary: 'Find users',
      description: `For moderators: lists users, with hidden ones, which are marked. With \`user_id\` alone the answer is that user instead of a list. ${BY_QUERY}`,
    },
    async handle({ service, principal: { account }, query: { user_id, search, limit }, given_up }) {
      atMostOne({ user_id, search });
      if (user_id !== undefined) return storedUser(service, user_id, given_up);
      const find = () => searchedUsers(service, search, limit, given_up);
      return { users: await searching(account, find, given_up) };
    },
  }),
  route('GET', `${CONTENT_PATH}/channels`, {
    ...LISTING,
    query: QUERIES.channels,
    answer: json(ChannelsSchema),
    docs: {
      ...DOCS,
      id: 'listChannels',
      summary: 'Find channels',
      description: 'Lists channels that have items, those with the most items first.',
    },
    async handle({ service, principal: { account }, query: { search = '', limit }, given_up }) {
      const find = () => searchedChannels(service, search, limit, given_up);
      return { channels: await searching(account, find, given_up) };
    },
  }),
];

function atMostOne(parameters: Record<string, string | undefined>): void {
  const [first, second] = Object.keys(parameters).filter((name) => parameters[name] !== undefined);
  if (second === undefined) return;
  throw invalidValue([{ path: `/${second}`, message: `cannot be combined with ${first}; send one of them` }]);
}
