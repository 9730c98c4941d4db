import { computed, signal } from '@preact/signals';

/** The page that is shown: everything after `#` in the address, such as `#/feeds/feed_1?tab=json`. */

export interface Place {
  /** The parts of the path, decoded: `['feeds', 'feed_1']`. */
  path: readonly string[];
  query: URLSearchParams;
}

const hash = signal(location.hash);
/** Decides whether this page may be left for another. Undefined: it may. */
const leave_check = signal<((next: string) => boolean) | undefined>();

addEventListener('hashchange', () => {
  const next = location.hash;
  const is_other = pathOf(next) !== pathOf(hash.value);
  // The address is put back. The page asks what to do, and may go to `next` later.
  if (is_other && leave_check.value?.(next) === false) history.replaceState(null, '', hash.value);
  else hash.value = next;
});

function pathOf(fragment: string): string {
  return fragment.split('?')[0];
}

/**
 * Checks every change to another page. Other values of the query are the same page.
 * @param check gets the fragment of the next page; false stays here
 * @returns ends it
 */
export function checkLeaving(check: (next: string) => boolean): () => void {
  leave_check.value = check;
  return () => {
    if (leave_check.value === check) leave_check.value = undefined;
  };
}

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
