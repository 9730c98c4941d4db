import { notFound } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { NONE } from '../../model/key.ts';
import type { UserContent } from '../../model/records/user.ts';
import type { Service } from '../../service.ts';
import type { Names } from '../../state/names.ts';
import { commonValues, valuesOf } from '../items/common-values.ts';
import { type ListedItem, listedItems } from '../items/listed-items.ts';
import { scan } from './prefix-scan.ts';

type Searched = Pick<Service, 'state' | 'store'>;

/** Selects the items of a list. At most one is given; none: all items. */
export interface ItemSearch {
  /** The start of an identifier. */
  search?: string;
  author_id?: string;
  /** As in the records of items. */
  channel?: string;
}

/**
 * Items for moderators: by the start of their identifier, the latest to become known first; otherwise the newest first.
 * @throws ServiceError `not_found` for an unknown author, `overloaded`, `store_unavailable`; the reason of `given_up`
 */
export async function searchedItems(
  { state, store }: Searched,
  { search, author_id, channel }: ItemSearch,
  limit: number,
  given_up: AbortSignal,
): Promise<ListedItem[]> {
  const found =
    search === undefined
      ? newestOf(listFor(state, { author_id, channel }), limit)
      : await withPrefix(state.items.names, search, limit, given_up);
  return listedItems({ state, store }, found, given_up);
}

/** A list of items that is ordered by creation time. */
export interface ItemsOfValue {
  list: Service['state']['by_time'];
  value: number;
}

/**
 * The items of an author or a channel, else all. Undefined for a channel without items.
 * @throws ServiceError `not_found` for an unknown author
 */
export function listFor(
  { users, by_author, by_time, groups: { channel: channels } }: Service['state'],
  { author_id, channel }: Omit<ItemSearch, 'search'>,
): ItemsOfValue | undefined {
  if (author_id !== undefined) {
    const author = users.names.find(author_id);
    if (author === NONE) throw notFound('user', author_id);
    return { list: by_author, value: author };
  }
  if (channel === undefined) return { list: by_time, value: 0 };
  const value = channels.code(channel);
  return value === NONE ? undefined : { list: channels.postings, value };
}

function newestOf(items: ItemsOfValue | undefined, limit: number): number[] {
  return items?.list.newest(items.value, limit, () => true) ?? [];
}

/**
 * Users for moderators: the user with this identifier, then those whose username begins with it, then display names,
 * then identifiers. Without `search` the users who became known last.
 * @throws ServiceError `overloaded`, `store_unavailable`; the reason of `given_up`
 */
export async function searchedUsers(
  { state, store }: Searched,
  search: string | undefined,
  limit: number,
  given_up: AbortSignal,
) {
  const { users } = state;
  const found = new Set<number>();
  if (search !== undefined) {
    const exact = users.names.find(search);
    if (exact !== NONE) found.add(exact);
    for (const { user: key, seq } of await store.findUsers(search, given_up)) {
      const user = users.names.ordinal(key);
      if (found.size < limit && user !== NONE && users.content_seq(user) === seq) found.add(user);
    }
  }
  if (found.size < limit)
    for (const user of await withPrefix(users.names, search ?? '', limit, given_up)) found.add(user);
  return listedUsers({ state, store }, [...found].slice(0, limit), given_up);
}

/**
 * The records of users for moderators, with hidden ones.
 * @throws ServiceError `store_unavailable`; the reason of `given_up`
 */
export async function listedUsers(
  { state, store }: Searched,
  listed: readonly number[],
  given_up: AbortSignal,
) {
  const { users } = state;
  const entries = listed.map((user) => ({ user, seq: users.content_seq(user) }));
  const seqs = entries.map(({ seq }) => seq).filter((seq) => seq > 0);
  const profiles = await store.readUsers(seqs, given_up);
  return entries.map(({ user, seq }) => ({
    user_id: users.names.id(user),
    ...namesOf(profiles.get(seq)),
    hidden: users.hidden(user),
    hidden_by_network: profiles.get(seq)?.hidden_by_network,
    items_count: state.by_author.length(user),
    followers_count: state.follows.followerCount(user),
  }));
}

function namesOf({ username, display_name, pfp_url }: UserContent = {}) {
  return { username, display_name, pfp_url };
}

/**
 * Channels with items, those with the most items first. The search is the start of a channel, or of its part after the
 * last `/`, without case.
 * @throws ServiceError `overloaded`; the reason of `given_up`
 */
export async function searchedChannels(
  { state }: Searched,
  search: string,
  limit: number,
  given_up: AbortSignal,
) {
  const found = await commonValues(valuesOf(state.groups, 'channel'), search, limit, given_up);
  return found.map(({ value, items_count }) => ({ channel: value, items_count }));
}

/** Ordinals whose identifier begins with `prefix`: the identifier itself first, then those named last. */
async function withPrefix(
  names: Names,
  prefix: string,
  limit: number,
  given_up: AbortSignal,
): Promise<number[]> {
  const bytes = new TextEncoder().encode(prefix);
  const exact = names.find(prefix);
  const found = exact === NONE ? [] : [exact];
  if (prefix.length > LIMITS.id_length_max || found.length >= limit) return found;
  const test = (ordinal: number): boolean => ordinal !== exact && names.startsWith(ordinal, bytes);
  await scan({ size: names.size, test }, (ordinal) => found.push(ordinal) < limit, given_up);
  return found;
}
