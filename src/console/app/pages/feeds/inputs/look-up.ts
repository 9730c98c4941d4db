import { api } from '../../../session.ts';
import type { Choice } from '../../../ui/look-up-state.ts';

/** Finds what the network has. */

type Search = (typed: string, signal: AbortSignal) => Promise<readonly Choice[]>;

const LIMIT = 20;

const NUMBER = new Intl.NumberFormat('en');
const LANGUAGE = new Intl.DisplayNames('en', { type: 'language' });

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
  const { values } = await api().call('GET', '/v2/{network}/values', {
    query: { filter, search: search || undefined, limit: LIMIT },
    signal,
  });
  return values.map(({ value, items_count }) => ({ value, note: countText(items_count, 'post') }));
}

/** Languages by tag and by name: those of the network, then those that can be detected. */
async function searchLanguages(typed: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const [used, { data }] = await Promise.all([values('languages', '', signal), api().languages({ signal })]);
  const all = new Map<string, Choice>();
  for (const { value, note } of used) all.set(value, { value, text: languageText(value), note });
  for (const { language } of data)
    if (!all.has(language)) all.set(language, { value: language, text: languageText(language) });
  const wanted = typed.toLowerCase();
  const found = [...all.values()].filter(
    ({ value, text = value }) => value.startsWith(wanted) || text.toLowerCase().startsWith(wanted),
  );
  return found.slice(0, LIMIT);
}

/** `English (en)` */
export function languageText(tag: string): string {
  try {
    const name = LANGUAGE.of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    return tag;
  }
}

export async function searchItems(search: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const answer = await api().call('GET', '/v2/{network}/items', {
    query: { search: search || undefined, limit: LIMIT },
    signal,
  });
  if (!('items' in answer)) return [];
  return answer.items.map(({ item_id, item }) => ({
    value: item_id,
    text: item?.text?.slice(0, TEXT_MAX) || item_id,
    note: item_id,
  }));
}

const TEXT_MAX = 90;

function countText(count: number, of: string): string {
  return `${NUMBER.format(count)} ${of}${count === 1 ? '' : 's'}`;
}
