import { computed, signal } from '@preact/signals';

/** The page that is shown: everything after `#` in the address, such as `#/feeds/feed_1?tab=json`. */

export interface Place {
  /** The parts of the path, decoded: `['feeds', 'feed_1']`. */
  path: readonly string[];
  query: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const place = computed<Place>(() => placeOf(hash.value));

/** Reads a fragment. Anything but `#/…` is the first page. */
export function placeOf(fragment: string): Place {
  const [path = '', query = ''] = fragment.startsWith('#/') ? fragment.slice(2).split('?', 2) : [];
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decoded), query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a page. Undefined and empty values of the query are left out. */
export function linkTo(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const text = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export function goTo(path: readonly string[], query?: Readonly<Record<string, string | undefined>>): void {
  location.hash = linkTo(path, query);
}

/** Changes the query of this page without a new step in the history. Undefined removes a value. */
export function replaceQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = place.value;
  const next = linkTo(path, { ...Object.fromEntries(query), ...changes });
  history.replaceState(null, '', next);
  hash.value = next;
}
