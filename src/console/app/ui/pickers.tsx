import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { place, replaceQuery } from '../router.ts';
import { searchItems } from './finders.ts';
import { Field } from './inputs.tsx';
import { LookUp } from './look-up.tsx';
import { searchUsers, useUserNames } from './users.ts';

/** Fields that choose an item, or the viewer for whom pages are shown. */

/** Chooses an item. @param item_id empty: none yet */
export function ItemPicker({ item_id, onChoose }: { item_id: string; onChoose: (item_id: string) => void }) {
  return (
    <Field label="Post" help="Its id, words of its text, or the name of its author.">
      <LookUp
        placeholder="0x…, words or a name"
        shown={item_id}
        search={searchItems}
        is_free
        drops_typed
        onChoose={onChoose}
      />
    </Field>
  );
}

/** The viewer for whom pages are shown, kept while the console is open. Empty: no viewer. */
export const viewer = signal('');

/** The identifier of a viewer of whom nothing is known. No user has it. */
export const NEWCOMER = 'feedloom-newcomer';

const PINNED = [
  { value: '', text: 'No viewer' },
  { value: NEWCOMER, text: 'A newcomer', note: 'nothing is known of them' },
] as const;

/** The name of a user, or the identifier while it loads and if there is none. */
export function useUserName(user_id: string): string {
  const pinned = PINNED.find(({ value }) => value === user_id);
  const nameOf = useUserNames(pinned === undefined ? [user_id] : []);
  return pinned?.text ?? nameOf(user_id);
}

/** Chooses for whom pages are shown. */
export function ViewerPicker() {
  const name = useUserName(viewer.value);
  return (
    <Field label="Viewer">
      <LookUp
        placeholder="Name or id"
        shown={name}
        pinned={PINNED}
        search={searchUsers}
        is_free
        drops_typed
        onChoose={(value) => {
          viewer.value = value;
        }}
      />
    </Field>
  );
}

/** Keeps the viewer in the address as `user`, so that the address shows others the same page. */
export function useViewerInAddress(): void {
  const named = place.value.query.get('user');
  const follow = (): void => {
    if (named !== null) viewer.value = named;
  };
  // Before anything is rendered, so that nothing loads for the viewer of the page before.
  useState(follow);
  useEffect(follow, [named]);
  const chosen = viewer.value;
  useEffect(() => replaceQuery({ user: chosen }), [chosen]);
}
