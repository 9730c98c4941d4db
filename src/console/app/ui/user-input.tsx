import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../session.ts';
import type { FieldIds } from './field.tsx';
import { LookUp } from './look-up.tsx';
import type { Choice } from './look-up-state.ts';

/** Fields that look users up by name. */

const FOUND_MAX = 8;
/** Maximum number of names that are loaded at a time. Until then the identifiers are shown. */
const NAMES_MAX = 30;

interface Named {
  user_id: string;
  username?: string;
  display_name?: string;
}

/** Names by identifier, as far as they were seen. Empty: the service does not know the user. */
const names = signal<ReadonlyMap<string, string>>(new Map());

/** What a user is called: the display name, else the username, else the identifier. */
export function nameOfUser({ user_id, username, display_name }: Named): string {
  return display_name || (username ? `@${username}` : user_id);
}

/** Finds users by the start of a name or identifier. */
export async function findUsers(search: string, limit: number, given_up?: AbortSignal) {
  const query = { limit, ...(search === '' ? {} : { search }) };
  const answer = await api().call('GET', '/v2/{network}/users', { query, signal: given_up });
  const users = 'users' in answer ? answer.users : [];
  const found = users.map((user): [string, string] => [user.user_id, nameOfUser(user)]);
  names.value = new Map([...names.value, ...found]);
  return users;
}

async function searchUsers(search: string, given_up: AbortSignal): Promise<Choice[]> {
  const users = await findUsers(search, FOUND_MAX, given_up);
  return users.map((user) => ({
    value: user.user_id,
    text: nameOfUser(user),
    note: [user.username && `@${user.username}`, user.user_id, user.hidden && 'hidden']
      .filter(Boolean)
      .join(' · '),
  }));
}

/** Users whose names are being loaded. */
const asked = new Set<string>();

async function loadName(id: string): Promise<void> {
  asked.add(id);
  try {
    const found = await findUsers(id, 1);
    if (found.at(0)?.user_id !== id) names.value = new Map([...names.value, [id, '']]);
  } catch {
    // The identifier stands for the name.
  }
  asked.delete(id);
}

/** Loads the names of users that were not seen yet. @returns the name of a user, else the identifier */
export function useUserNames(ids: readonly string[]): (id: string) => string {
  const missing = ids.filter((id) => id !== '' && !names.value.has(id)).slice(0, NAMES_MAX);
  useEffect(() => {
    for (const id of missing) if (!asked.has(id)) void loadName(id);
  }, [missing.join('\n')]);
  return (id) => names.value.get(id) || id;
}

/** One user. The name stands below the identifier. */
export function UserInput(props: { value: string; onChange: (value: string) => void; ids?: FieldIds }) {
  const { value, onChange, ids } = props;
  useUserNames([value]);
  const name = names.value.get(value);
  return (
    <>
      <LookUp
        ids={ids}
        placeholder="Name or identifier"
        shown={value}
        search={searchUsers}
        free={(typed) => typed}
        onChoose={onChange}
      />
      {value !== '' && name !== undefined && name !== value && (
        <small>{name === '' ? 'The service has not seen this user yet.' : name}</small>
      )}
    </>
  );
}
