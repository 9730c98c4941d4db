import type { Postings } from '../../src/columns/postings.ts';
import { COUNTERS, type Counter } from '../../src/model/acts.ts';
import { NONE, type Space } from '../../src/model/key.ts';
import type { Group } from '../../src/state/groups.ts';
import type { InteractionLog } from '../../src/state/interaction-log.ts';
import { namedPreferences } from '../../src/state/named-preferences.ts';
import type { State } from '../../src/state/state.ts';

/** Identifiers that the state cannot enumerate. Each is queried. */
export interface Probes {
  wallets: readonly string[];
  event_ids: readonly string[];
}

/**
 * Contents of a state in public identifiers: equal for two states exactly if they behave equally. Internal times,
 * ordinals and keys, erased users and items, and pairs without a trace are left out.
 */
export function digest(state: State, probes: Probes): object {
  const users = named(state.users.size, (user) => state.users.names.id(user));
  const items = named(state.items.size, (item) => state.items.names.id(item));
  return {
    users: Object.fromEntries(users.map(({ id, ordinal }) => [id, userFacts(state, ordinal)])),
    items: Object.fromEntries(items.map(({ id, ordinal }) => [id, itemFacts(state, ordinal)])),
    comments: users.flatMap((user) =>
      items.flatMap((item) => probes.event_ids.map((event_id) => comment(state, user, item, event_id))),
    ),
    experiments: state.experiments.all(),
    lists: state.user_lists.ids().map((list_id) => {
      const { name, users } = state.user_lists.get(list_id)!;
      const ids = users().map((user) => state.users.names.id(user));
      return { list_id, name, users: ids.sort() };
    }),
    newest: listed(state, state.by_time, 0),
    most_reported: [false, true].map((dismissed) =>
      state.reports
        .mostReported(0, Number.POSITIVE_INFINITY, dismissed)
        .map((key) => state.items.names.id(state.items.names.ordinal(key))),
    ),
    groups: Object.fromEntries(
      Object.entries(state.groups).map(([column, group]) => [column, groupFacts(state, group)]),
    ),
    wallets: Object.fromEntries(
      probes.wallets.map((wallet) => {
        const user = state.users.ofWallet(wallet);
        return [wallet, user === undefined ? null : state.users.names.id(user)];
      }),
    ),
  };
}

interface Named {
  id: string;
  ordinal: number;
}

function named(size: number, idOf: (ordinal: number) => string): Named[] {
  const all = Array.from({ length: size }, (_, ordinal) => ({ id: idOf(ordinal), ordinal }));
  return all.filter(({ id }) => id !== '').sort(by(({ id }) => id));
}

function userFacts(state: State, user: number): object {
  const { users, follows, blocks, interactions, items } = state;
  const userId = (other: number) => users.names.id(other);
  const itemId = (item: number) => items.names.id(item);
  return {
    described: users.described(user),
    hidden: users.hidden(user),
    has_content: users.content_seq(user) > 0,
    follows: [...follows.entries(user)]
      .map(({ target, ...entry }) => ({ target: userId(target), ...entry }))
      .filter(({ target }) => target !== '')
      .sort(by(({ target }) => target)),
    following: follows.following(user).map(userId).sort(),
    listed_at: follows.listedAt(user),
    following_count: follows.count(user),
    followers: follows.followers(user).map(userId).sort(),
    follower_count: follows.followerCount(user),
    blocks: [...blocks.entries(user)]
      .map(({ target, ...entry }) => ({ target: userId(target), ...entry }))
      .filter(({ target }) => target !== '')
      .sort(by(({ target }) => target)),
    blocked: blocks.blocked(user).map(userId).sort(),
    preferences: namedPreferences(state, userId(user)),
    acts: logged(state, interactions.by_user, user, itemId),
    met: [...interactions.touched.entries(user)]
      .filter(({ item, flags }) => flags !== 0 && itemId(item) !== '')
      .map(({ item, flags }) => `${itemId(item)} ${flags}`)
      .sort(),
    posts: listed(state, state.by_author, user),
    labels: labelsOf(state, 'user', user),
    place: [state.user_places.latitude(user), state.user_places.longitude(user)],
  };
}

/** Items by value, oldest first. */
function groupFacts(state: State, group: Group): object {
  const lists: [string, string[]][] = [];
  for (let code = 0; code < group.size; code++) {
    if (group.value(code) === '') continue;
    lists.push([group.value(code), listed(state, group.postings, code)]);
  }
  return Object.fromEntries(lists.filter(([, items]) => items.length > 0));
}

function itemFacts(state: State, item: number): object {
  const { items, users, interactions } = state;
  const author = items.author(item);
  const channel = state.groups.channel.of(item);
  return {
    described: items.described(item),
    deleted: items.deleted(item),
    hidden: items.hidden(item),
    reply: items.is_reply(item),
    live: state.live(item),
    has_content: items.content_seq(item) > 0,
    author: author === NONE ? null : users.names.id(author),
    channel: channel === NONE ? null : state.groups.channel.value(channel),
    labels: [...state.groups.label.entries(item)].sort(by(([label]) => label)),
    place: [state.item_places.latitude(item), state.item_places.longitude(item)],
    created_at: items.created_at(item),
    text_length: items.text_length(item),
    embedding: state.embeddings.encoded(item) ?? null,
    times_shown: items.shown_count(item),
    shown: [items.likes_count(item), items.comments_count(item), items.shares_count(item)],
    sources: COUNTERS.map((counter) => [items.source(item, counter), items.counted_at(item, counter)]),
    former_counts: COUNTERS.map((counter) => formerCounts(state, item, counter)),
    acts: logged(state, interactions.by_item, item, (user) => users.names.id(user)),
    labels_of_others: labelsOf(state, 'item', item),
    reports: { ...state.reports.of(item), dismissed: state.reports.dismissedOf(item) },
    withdrawn: state.withdrawn.author(item) === NONE ? null : users.names.id(state.withdrawn.author(item)),
  };
}

function labelsOf({ labels, users }: State, space: Space, subject: number): object[] {
  return [...labels.of(space, subject)]
    .map(({ labeler, ...label }) => ({ name: `${users.names.id(labeler)}/${label.value}`, ...label }))
    .sort(by(({ name }) => name));
}

/** Earlier counts of a source, oldest first. */
function formerCounts({ items }: State, item: number, counter: Counter): [time: number, count: number][] {
  const list = items.former_list(item, counter);
  const counts = items.former_counts;
  const entries: [number, number][] = [];
  if (list === NONE) return entries;
  for (let at = counts.start(list); at < counts.end(list); at++)
    entries.push([counts.time(at), counts.count(at)]);
  return entries;
}

/** Oldest first. */
function logged(
  { vocabulary }: State,
  log: InteractionLog,
  subject: number,
  idOf: (other: number) => string,
): string[] {
  const entries: string[] = [];
  for (let at = log.start(subject); at < log.end(subject); at++) {
    const verb = `${log.removed(at) ? 'un' : ''}${vocabulary.names[log.event_type(at)]}`;
    entries.push(`${log.timestamp(at)} ${verb} ${idOf(log.other(at))}${log.named(at) ? ' named' : ''}`);
  }
  return entries;
}

/** Oldest first. */
function listed(state: State, postings: Postings, value: number): string[] {
  const ids: string[] = [];
  for (let at = postings.start(value); at < postings.end(value); at++) {
    ids.push(state.items.names.id(postings.item(at)));
  }
  return ids;
}

/** Whether a comment exists, and whether a record of each time would change it. */
function comment(state: State, user: Named, item: Named, event_id: string): string {
  const { by_user } = state.interactions;
  const times = new Set([0]);
  for (let at = by_user.start(user.ordinal); at < by_user.end(user.ordinal); at++) {
    times.add(by_user.timestamp(at));
  }
  const said = [...times].map((time) => {
    const act = { user: user.ordinal, item: item.ordinal, event_type: 2, add: true, time, event_id };
    const { interactions } = state;
    return [
      interactions.stands(act),
      interactions.wouldChange(act),
      interactions.wouldChange({ ...act, add: false }),
    ];
  });
  return `${user.id} ${item.id} ${event_id} ${JSON.stringify(said)}`;
}

function by<T>(key: (value: T) => string): (one: T, other: T) => number {
  return (one, other) => (key(one) < key(other) ? -1 : 1);
}
