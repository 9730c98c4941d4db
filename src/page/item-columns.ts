import { NONE, type Ordinal, type RequestContext } from '../plugin/index.ts';
import type { Scratch } from '../signals/scratch.ts';
import { engagementSince, repeatedSince } from '../state/engagement.ts';
import type { State } from '../state/state.ts';

export type ItemColumns = ReturnType<typeof itemColumns>;

/**
 * The columns of items and users that requests give to plugins. They are the same for all requests.
 *
 * Plugins may read columns of NONE, which has no record. Reading index -1 of an array would return `undefined` and
 * slow down all later reads, so it is handled separately.
 */
export function itemColumns(state: State, { repeats }: Scratch) {
  const { items, users, groups, fields, item_places, user_places } = state;
  const author = (item: Ordinal): Ordinal => (item < 0 ? NONE : items.author(item));
  const user = (user_id: string): Ordinal => users.names.find(user_id);
  return {
    author,
    created_at: (item) => (item < 0 ? 0 : items.created_at(item)),
    is_reply: (item) => item >= 0 && items.is_reply(item),
    likes_count: (item) => (item < 0 ? 0 : items.likes_count(item)),
    comments_count: (item) => (item < 0 ? 0 : items.comments_count(item)),
    shares_count: (item) => (item < 0 ? 0 : items.shares_count(item)),
    engagement_since: (item, since) => (item < 0 ? 0 : engagementSince(state, item, since)),
    repeated_since: (item, since) => (item < 0 ? 0 : repeatedSince(state, repeats, item, since)),
    user,
    item: (item_id) => items.names.find(item_id),
    code: (column, value) => (column === 'author' ? user(value) : groups[column].code(value)),
    has(column, item, code) {
      if (column === 'author') return code !== NONE && author(item) === code;
      return groups[column].has(item, code);
    },
    any_value(column, item, test) {
      if (column !== 'author') return item >= 0 && groups[column].any(item, test);
      const code = author(item);
      return code !== NONE && test(code, 1);
    },
    label_score: (item, label_code) => groups.label.score(item, label_code),
    latitude(item) {
      const own = item_places.latitude(item);
      return Number.isNaN(own) ? user_places.latitude(author(item)) : own;
    },
    longitude(item) {
      const own = item_places.longitude(item);
      return Number.isNaN(own) ? user_places.longitude(author(item)) : own;
    },
    text: (item) => fields.text(item),
    item_field: (item, name) => fields.item(item, name),
    user_field: (user, name) => fields.user(user, name),
  } satisfies Partial<RequestContext>;
}
