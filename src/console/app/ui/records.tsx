import { useState } from 'preact/hooks';
import type { StoredUser } from '../../../../openapi/client/src/index.ts';
import { goTo, linkTo, place } from '../router.ts';
import { attempt } from './toast.tsx';

/** What the pages of items and of viewers share. */

type Act = StoredUser['interactions'][number]['event_type'];

/** What people did, in the order in which they are offered. */
export const ACTS: Readonly<Record<Act, string>> = {
  like: 'Liked',
  comment: 'Commented',
  share: 'Shared',
  bookmark: 'Saved',
  view: 'Viewed',
  hide: 'Hid',
  report: 'Reported',
};

/** Choices of `ACTS`. */
export const ACT_OPTIONS = (Object.keys(ACTS) as Act[]).map((value) => ({ value, text: ACTS[value] }));

/** A search is sent when typing has paused for this long. */
export const TYPING_MS = 120;

/** Leads from a record back to the list of all. */
export function Back({ page, to }: { page: string; to: string }) {
  return (
    <a class="back" href={linkTo([page])}>
      {to}
    </a>
  );
}

/** The free fields of a record, written when they are opened: they can be long. */
export function Metadata({ metadata }: { metadata: object | null | undefined }) {
  const [is_open, setOpen] = useState(false);
  if (!metadata) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Metadata</summary>
      {is_open && <pre>{JSON.stringify(metadata, null, 2)}</pre>}
    </details>
  );
}

/**
 * Opens the first record that a search finds. It searches again, because Enter may come before the list shows what was
 * typed.
 * @param find the identifier of the first record; undefined: there is none
 */
export function openFirst(page: string, find: (search: string) => Promise<string | undefined>): void {
  const asked_at = place.value;
  const search = asked_at.query.get('q')?.trim() ?? '';
  if (search === '') return;
  attempt(async () => {
    const id = await find(search);
    // Somebody went on typing, or left the page.
    if (id !== undefined && place.value === asked_at) goTo([page, id]);
  });
}
