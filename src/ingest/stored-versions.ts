import { type ItemContent, NONE, type UserContent } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import type { Base } from './prepare.ts';

/** The applied versions of items with their authors. Undescribed items are left out. */
export async function readItems(
  state: State,
  store: Store,
  ids: readonly string[],
): Promise<Map<string, Base<ItemContent>>> {
  const { items, users } = state;
  const known = ids.map((id) => ({ id, item: items.names.find(id) }));
  const described = known
    .filter(({ item }) => item !== NONE && items.described(item))
    .map(({ id, item }) => ({ id, seq: items.content_seq(item), author: items.author(item) }))
    .map(({ id, seq, author }) => ({
      id,
      seq,
      author: author === NONE ? undefined : users.names.id(author),
    }));
  const contents = await store.readItems(described.map(({ seq }) => seq));
  const bases = new Map<string, Base<ItemContent>>();
  for (const { id, seq, author } of described) {
    const content = contents.get(seq);
    if (content !== undefined) bases.set(id, { content, author });
  }
  return bases;
}

/** The applied versions of profiles. Users without one are left out. */
export async function readUsers(
  state: State,
  store: Store,
  ids: readonly string[],
): Promise<Map<string, UserContent>> {
  const { users } = state;
  const described = ids
    .map((id) => ({ id, user: users.names.find(id) }))
    .filter(({ user }) => user !== NONE && users.described(user))
    .map(({ id, user }) => ({ id, seq: users.content_seq(user) }));
  const contents = await store.readUsers(described.map(({ seq }) => seq));
  const bases = new Map<string, UserContent>();
  for (const { id, seq } of described) {
    const content = contents.get(seq);
    if (content !== undefined) bases.set(id, content);
  }
  return bases;
}
