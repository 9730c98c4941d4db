import { NONE } from '../model/key.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';

/** Reads the contents of versions by their `seq`. */
export type StoredVersions = Pick<Store, 'readItems' | 'readUsers'>;

export interface ItemVersion {
  content: ItemContent;
  author?: string;
}

/** The applied versions of items with their authors. Undescribed items are left out. */
export async function readItems(
  { items, users }: State,
  store: StoredVersions,
  ids: readonly string[],
): Promise<Map<string, ItemVersion>> {
  const described = seqsOf(items, ids);
  // Read before anything is awaited, because ordinals may be reused later.
  const authors = described.map(({ ordinal }) => items.author(ordinal));
  const names = authors.map((author) => (author === NONE ? undefined : users.names.id(author)));
  const contents = await store.readItems(described.map(({ seq }) => seq));
  const versions = new Map<string, ItemVersion>();
  for (const [at, { id, seq }] of described.entries()) {
    const content = contents.get(seq);
    if (content !== undefined) versions.set(id, { content, author: names[at] });
  }
  return versions;
}

/** The applied versions of profiles. Users without one are left out. */
export async function readUsers(
  { users }: State,
  store: StoredVersions,
  ids: readonly string[],
): Promise<Map<string, UserContent>> {
  const described = seqsOf(users, ids);
  const contents = await store.readUsers(described.map(({ seq }) => seq));
  const versions = new Map<string, UserContent>();
  for (const { id, seq } of described) {
    const content = contents.get(seq);
    if (content !== undefined) versions.set(id, content);
  }
  return versions;
}

/** Where the contents of described items or users are stored. */
function seqsOf(
  subjects: State['items'] | State['users'],
  ids: readonly string[],
): { id: string; ordinal: number; seq: number }[] {
  return ids
    .map((id) => ({ id, ordinal: subjects.names.find(id) }))
    .filter(({ ordinal }) => ordinal !== NONE && subjects.described(ordinal))
    .map(({ id, ordinal }) => ({ id, ordinal, seq: subjects.content_seq(ordinal) }));
}
