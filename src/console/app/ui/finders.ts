import type { ListedItem, QueryOf } from '../../../../openapi/client/src/index.ts';
import { folded } from '../../../plugin/folded.ts';
import { api } from '../session.ts';
import type { Choice } from './look-up-state.ts';
import { storedLine } from './post.tsx';
import { channelName, counted, languageName } from './texts.ts';
import { findUsers, nameOfUser } from './users.ts';

/** Items by their identifiers, and what look-ups find: items, channels, and values that the network has. */

export type Search = (typed: string, signal: AbortSignal) => Promise<readonly Choice[]>;

/** Maximum number of items of one request. */
const READ_MAX = 100;

/** Items by their identifiers, with hidden ones. Unknown ones are missing. */
export async function readItems(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ListedItem>> {
  const read = new Map<string, ListedItem>();
  let rest = [...new Set(ids)];
  while (rest.length > 0) {
    const { items, unread_items = [] } = await api().readRecords(
      { items: rest.slice(0, READ_MAX) },
      { signal },
    );
    for (const item of items) read.set(item.item_id, item);
    rest = [...unread_items, ...rest.slice(READ_MAX)];
  }
  return read;
}

/** One item. Undefined if it is unknown. */
export async function readItem(item_id: string, signal: AbortSignal): Promise<ListedItem | undefined> {
  return (await readItems([item_id], signal)).get(item_id);
}

/** A part of the list of items: the newest ones that fit. */
export async function listItems(query: QueryOf<'GET', '/v2/{network}/items'>, signal?: AbortSignal) {
  const answer = await api().call('GET', '/v2/{network}/items', { query, signal });
  // With an identifier, it would be one item.
  return 'items' in answer ? answer : { items: [] };
}

const ITEMS_COUNT = 10;
/** Of so many authors whose name fits, the newest items are offered. */
const AUTHORS_COUNT = 2;
/** What the API takes as words of a text. */
const WORDS_MAX = 10;
const WORD_LENGTH_MAX = 50;

/**
 * Items by the start of their identifier, then the newest items of authors by the start of their name. If there are
 * none, items by the words of their text, among as many of the newest as one request searches.
 */
export const searchItems: Search = async (typed, signal) => {
  const choices = async (query: Parameters<typeof listItems>[0], author?: string): Promise<Choice[]> => {
    const { items } = await listItems({ ...query, limit: ITEMS_COUNT }, signal);
    return items.map(({ item_id, hidden, item }) => ({
      value: item_id,
      text: storedLine(item) ?? item_id,
      note: [author, item_id, hidden ? 'hidden' : ''].filter(Boolean).join(' · '),
    }));
  };
  if (typed === '') return choices({});
  const [by_id, authors] = await Promise.all([
    choices({ search: typed }),
    findUsers(typed, AUTHORS_COUNT, signal),
  ]);
  const by_author = await Promise.all(
    authors.map((author) => choices({ author_id: author.user_id }, nameOfUser(author))),
  );
  const found = distinct([...by_id, ...by_author.flat()]);
  if (found.length > 0) return found;
  const words = typed.split(/\s+/).slice(0, WORDS_MAX);
  return choices({ text: words.map((word) => word.slice(0, WORD_LENGTH_MAX)).join(' ') });
};

const CHANNELS_COUNT = 8;

export const searchChannels: Search = async (typed, signal) => {
  const query = { limit: CHANNELS_COUNT, search: typed || undefined };
  const { channels } = await api().call('GET', '/v2/{network}/channels', { query, signal });
  return channels.map(({ channel, items_count }) => ({
    value: channel,
    text: channelName(channel),
    note: `${channel} · ${counted(items_count, 'post')}`,
  }));
};

/** Lists of users whose names or identifiers contain a text. */
export async function findLists(typed: string, signal?: AbortSignal) {
  const { lists } = await api().listLists({}, { signal });
  const wanted = folded(typed);
  return lists.filter(({ list_id, name = '' }) => folded(`${name}\n${list_id}`).includes(wanted));
}

export const searchLists: Search = async (typed, signal) =>
  (await findLists(typed, signal)).slice(0, VALUES_COUNT).map(({ list_id, name, size }) => ({
    ...{ value: list_id, text: name, note: `${list_id} · ${counted(size, 'user')}` },
  }));

const VALUES_COUNT = 20;

/** Filters whose values the service can list, by the name of a field. */
const LISTED = {
  ai_labels: 'ai_labels',
  remove_ai_labels: 'ai_labels',
  app_fids: 'app_fids',
  channels: 'channels',
  embed_domains: 'embed_domains',
  languages: 'languages',
  publication_types: 'publication_types',
} as const;

/** Undefined: nothing is known of the values of this field. */
export function searchFor(name: string): Search | undefined {
  const filter = Object.entries(LISTED).find(([field]) => field === name)?.[1];
  if (filter === undefined) return undefined;
  return filter === 'languages' ? searchLanguages : (typed, signal) => values(filter, typed, signal);
}

async function values(
  filter: (typeof LISTED)[keyof typeof LISTED],
  search: string,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const query = { filter, search: search || undefined, limit: VALUES_COUNT };
  const { values } = await api().call('GET', '/v2/{network}/values', { query, signal });
  return values.map(({ value, items_count }) => ({ value, note: counted(items_count, 'post') }));
}

/** Languages by tag and by name: those of the network, then those that can be detected. */
const searchLanguages: Search = async (typed, signal) => {
  const [used, { data }] = await Promise.all([values('languages', '', signal), api().languages({ signal })]);
  const detected = data.map(({ language }): Choice => ({ value: language }));
  const wanted = folded(typed);
  return distinct([...used, ...detected])
    .map((choice) => ({ ...choice, text: languageText(choice.value) }))
    .filter(({ value, text }) => value.startsWith(wanted) || folded(text).startsWith(wanted))
    .slice(0, VALUES_COUNT);
};

function distinct(choices: readonly Choice[]): readonly Choice[] {
  return choices.filter(({ value }, at) => choices.findIndex((other) => other.value === value) === at);
}

/** `English (en)` */
export function languageText(tag: string): string {
  const name = languageName(tag);
  return name === tag ? tag : `${name} (${tag})`;
}
