import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ListedUser, StoredUser } from '../../../../openapi/client/src/index.ts';
import { api } from '../session.ts';
import type { Choice } from './look-up-state.ts';
import { counted } from './texts.ts';

/** Users, found by their names, and the names of users. */

/** Users that a look-up offers. */
const FOUND_MAX = 12;
/** Maximum number of users of one request. */
const READ_MAX = 100;

/** Names by identifier, as far as they were seen. Empty: the service does not know the user. */
const names = signal<ReadonlyMap<string, string>>(new Map());
/** Users whose names are wanted or being loaded. */
const wanted = new Set<string>();
const loading = new Set<string>();

/** What a user is called: the display name, else the username, else the identifier. */
export function nameOfUser(user: Pick<StoredUser, 'user_id' | 'username' | 'display_name'>): string {
  const { user_id, username, display_name } = user;
  return display_name || (username ? `@${username}` : user_id);
}

/** Finds users by the start of a name or identifier. */
export async function findUsers(
  search: string,
  limit: number,
  given_up?: AbortSignal,
): Promise<readonly ListedUser[]> {
  const query = { limit, search: search || undefined };
  const answer = await api().call('GET', '/v2/{network}/users', { query, signal: given_up });
  const users = 'users' in answer ? answer.users : [];
  noteNames(users.map((user) => [user.user_id, nameOfUser(user)]));
  return users;
}

export async function searchUsers(search: string, given_up: AbortSignal): Promise<readonly Choice[]> {
  const users = await findUsers(search, FOUND_MAX, given_up);
  return users.map((user) => ({
    value: user.user_id,
    text: nameOfUser(user),
    note: [
      user.display_name && user.username && `@${user.username}`,
      user.user_id,
      counted(user.followers_count, 'follower'),
      user.hidden && 'hidden',
    ]
      .filter(Boolean)
      .join(' · '),
  }));
}

function noteNames(found: readonly (readonly [id: string, name: string])[]): void {
  names.value = new Map([...names.value, ...found]);
}

/** Loads what is wanted, in as few requests as possible. */
async function loadNames(): Promise<void> {
  const ids = [...wanted].slice(0, READ_MAX);
  if (ids.length === 0) return;
  for (const id of ids) {
    wanted.delete(id);
    loading.add(id);
  }
  try {
    const { users } = await api().readRecords({ users: ids });
    const found = new Map(users.map((user) => [user.user_id, nameOfUser(user)]));
    noteNames(ids.map((id) => [id, found.get(id) ?? '']));
  } catch {
    // The identifier stands for the name.
  }
  for (const id of ids) loading.delete(id);
  await loadNames();
}

/** The name of a user. Empty: the service does not know the user. Undefined: it is not loaded yet. */
export function knownName(id: string): string | undefined {
  return names.value.get(id);
}

/** Loads the names of users that were not seen yet. @returns the name of a user, else the identifier */
export function useUserNames(ids: readonly string[]): (id: string) => string {
  const missing = ids.filter((id) => id !== '' && !names.value.has(id));
  useEffect(() => {
    for (const id of missing) if (!loading.has(id)) wanted.add(id);
    // What other parts of the page want is read with them.
    queueMicrotask(() => void loadNames());
  }, [missing.join('\n')]);
  return (id) => names.value.get(id) || id;
}
