import { signal } from '@preact/signals';
import { Field } from './field.tsx';
import { LookUp } from './look-up.tsx';
import { searchUsers, useUserNames } from './users.ts';

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
        free={(typed) => typed}
        drops_typed
        onChoose={(value) => {
          viewer.value = value;
        }}
      />
    </Field>
  );
}
