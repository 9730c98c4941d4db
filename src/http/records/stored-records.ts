import { notFound } from '../../errors.ts';
import { sentContent } from '../../ingest/merged-content.ts';
import { EVENT_TYPES } from '../../model/acts.ts';
import { NONE } from '../../model/key.ts';
import type { ItemContent } from '../../model/records/item.ts';
import type { UserContent } from '../../model/records/user.ts';
import { isEmpty } from '../../seen/head.ts';
import type { Service } from '../../service.ts';
import type { Items } from '../../state/items.ts';

const INTERACTIONS_LISTED_MAX = 100;
const FOLLOWS_LISTED_MAX = 1_000;

/** The ordinal of an item that has a record. @throws ServiceError `not_found` */
export function describedItem(items: Items, item_id: string): number {
  const item = items.names.find(item_id);
  if (item === NONE || !items.described(item)) throw notFound('item', item_id);
  return item;
}

/**
 * `GET /v2/community/items/<item_id>`: the stored item with its engagement counts.
 * @throws ServiceError `not_found`, `store_unavailable`; the reason of `given_up`
 */
export async function storedItem({ state, store }: Service, item_id: string, given_up: AbortSignal) {
  const { items, users } = state;
  const item = describedItem(items, item_id);
  const author = items.author(item);
  const counts = items.counts(item);
  const author_id = author === NONE ? null : users.names.id(author);
  const created_at = Math.floor(items.created_at(item));
  const seq = items.content_seq(item);
  const content = (await store.readItems([seq], given_up)).get(seq);
  // A purge removed this version during the read: the item was deleted or replaced.
  if (content === undefined) throw notFound('item', item_id);
  return { item_id, author_id, ...withoutVersion(sentContent(content)), created_at, ...counts };
}

/** The fields of a record that answers have. */
export function withoutVersion<T extends ItemContent | UserContent>(
  content: T,
): Omit<T, 'updated_at' | 'hidden_by_network_at'> {
  const { updated_at: _, hidden_by_network_at: __, ...fields } = content;
  return fields;
}

/** Whether there is a user record, or a row of what the viewer saw. @throws ServiceError `store_unavailable` */
export async function isKnown({ state, seen }: Service, user_id: string): Promise<boolean> {
  if (state.users.names.find(user_id) !== NONE) return true;
  const row = await seen.read(seen.viewerOf(user_id));
  return !isEmpty(row.head);
}

/** What is stored of a viewer without a user record beside what they saw. */
const STRANGER = {
  counts: { items: 0, following: 0, followers: 0, interactions: 0 },
  follows: [],
  interactions: [],
};

/**
 * `GET /v2/community/users/<user_id>`: the stored profile with counts, follows and latest interactions.
 * @throws ServiceError `not_found`, `store_unavailable`; the reason of `given_up`
 */
export async function storedUser(service: Service, user_id: string, given_up: AbortSignal) {
  const { state, store } = service;
  const { users, items, follows, interactions, by_author } = state;
  const user = users.names.find(user_id);
  if (user === NONE) {
    if (!(await isKnown(service, user_id))) throw notFound('user', user_id);
    return { user_id, ...STRANGER };
  }
  const log = interactions.by_user;
  const counts = {
    items: by_author.length(user),
    following: follows.count(user),
    followers: follows.followerCount(user),
    interactions: 0,
  };
  const latest: { item_id: string; event_type: (typeof EVENT_TYPES)[number]; timestamp: number }[] = [];
  for (let at = log.end(user) - 1; at >= log.start(user); at--) {
    const item_id = items.names.id(log.other(at));
    if (log.removed(at) || item_id === '') continue;
    counts.interactions++;
    if (latest.length >= INTERACTIONS_LISTED_MAX) continue;
    latest.push({ item_id, event_type: EVENT_TYPES[log.event_type(at)], timestamp: log.seconds(at) });
  }
  const followed = follows
    .followingInOrder(user)
    .slice(0, FOLLOWS_LISTED_MAX)
    .map((target) => users.names.id(target));
  const seq = users.content_seq(user);
  const stored = seq > 0 ? (await store.readUsers([seq], given_up)).get(seq) : undefined;
  const content = withoutVersion(stored ?? {});
  const joined = content.created_at;
  const created_at = joined === undefined ? {} : { created_at: Math.floor(joined) };
  return { user_id, ...content, ...created_at, counts, follows: followed, interactions: latest };
}
