import { signal } from '@preact/signals';
import type { ListedUser } from '../../../../openapi/client/src/index.ts';
import { api } from '../session.ts';
import { Field } from './field.tsx';
import { LookUp } from './look-up.tsx';
import type { Choice } from './look-up-state.ts';
import { useResource } from './resource.ts';

/** The viewer for whom pages are shown, kept while the console is open. Empty: no viewer. */
export const viewer = signal('');

/** The identifier of a viewer of whom nothing is known. No user has it. */
export const NEWCOMER = 'feedloom-newcomer';

const PINNED = [
  { value: '', text: 'No viewer' },
  { value: NEWCOMER, text: 'A newcomer', note: 'nothing is known of them' },
] as const;
const FOUND_COUNT = 12;

/** Users whose name or identifier begins with a text. */
export async function findUsers(
  search: string,
  signal: AbortSignal,
  limit: number = FOUND_COUNT,
): Promise<ListedUser[]> {
  const query = { ...(search === '' ? {} : { search }), limit };
  const answer = await api().call('GET', '/v2/{network}/users', { query, signal });
  return 'users' in answer ? answer.users : [];
}

async function findChoices(search: string, signal: AbortSignal): Promise<Choice[]> {
  const users = await findUsers(search, signal);
  return users.map(({ user_id, username, display_name }) => ({
    value: user_id,
    text: nameOf({ user_id, username, display_name }),
    note: [username && `@${username}`, user_id].filter(Boolean).join(' · '),
  }));
}

function nameOf(user: Pick<ListedUser, 'user_id' | 'username' | 'display_name'>): string {
  return user.display_name ?? user.username ?? user.user_id;
}

/** The name of a user, or the identifier while it loads and if there is none. */
export function useUserName(user_id: string): string {
  const is_user = user_id !== '' && user_id !== NEWCOMER;
  // A search, since an unknown user is no error here. It finds the user with this identifier first.
  const load = async (signal: AbortSignal) => (await findUsers(user_id, signal, 1)).at(0);
  const { data } = useResource(is_user ? load : undefined, [user_id]);
  const pinned = PINNED.find(({ value }) => value === user_id);
  if (pinned !== undefined) return pinned.text;
  return data?.user_id === user_id ? nameOf(data) : user_id;
}

/** Chooses for whom pages are shown. */
export function ViewerPicker() {
  const name = useUserName(viewer.value);
  return (
    <Field label="Viewer">
      {(ids) => (
        <LookUp
          ids={ids}
          placeholder="Name or id"
          shown={name}
          pinned={PINNED}
          search={findChoices}
          free={(typed) => typed}
          drops_typed
          onChoose={(value) => {
            viewer.value = value;
          }}
        />
      )}
    </Field>
  );
}
