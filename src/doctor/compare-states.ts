import { COUNTERS } from '../model/acts.ts';
import { NONE } from '../model/key.ts';
import { NO_PREFERENCES } from '../model/records/preferences.ts';
import type { PairEntry } from '../state/dated-pairs.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { Names } from '../state/names.ts';
import type { State } from '../state/state.ts';
import type { Check } from './check.ts';

/** Facts about one user or item by name, as texts that are equal for equal contents. */
type Facts = Record<string, string>;

/**
 * Compares two states of the same data by what they hold, in keys.
 *
 * Ordinals, the order in hash tables, and traces of removed users and items may differ.
 */
export function compareStates(folded: State, loaded: State, check: Check): void {
  compareAll('user', [folded.users.names, loaded.users.names], check, (user, other) => [
    userFacts(folded, user),
    userFacts(loaded, other),
  ]);
  compareAll('item', [folded.items.names, loaded.items.names], check, (item, other) => [
    itemFacts(folded, item),
    itemFacts(loaded, other),
  ]);
  compareExperiments(folded, loaded, check);
  compareLists(folded, loaded, check);
}

function compareLists(folded: State, loaded: State, check: Check): void {
  const [expected, found] = [folded, loaded].map(listFacts);
  for (const list_id of new Set([...expected.keys(), ...found.keys()]))
    if (expected.get(list_id) !== found.get(list_id))
      check.fault('list', `it has another version of list '${list_id}'`);
}

/** For each list its name and the keys of its members. */
function listFacts({ user_lists, users }: State): Map<string, string> {
  return new Map(
    user_lists.ids().map((list_id) => {
      const { name, users: members } = user_lists.get(list_id)!;
      return [list_id, `${name} ${sorted(members().map((user) => keyOf(users.names, user)))}`];
    }),
  );
}

function compareExperiments(folded: State, loaded: State, check: Check): void {
  const [expected, found] = [folded, loaded].map(({ experiments }) => new Map(experiments.all()));
  for (const [number, content] of expected) {
    if (!Bun.deepEquals(content, found.get(number)))
      check.fault('experiment', `it has another version of experiment ${number}`);
  }
  if (found.size > expected.size)
    check.fault(
      'experiment extra',
      `it has ${found.size} experiments, and the stored changes give ${expected.size}`,
    );
}

function compareAll(
  space: string,
  [folded, loaded]: [Names, Names],
  check: Check,
  facts: (folded: number, loaded: number) => [Facts, Facts],
): void {
  for (let ordinal = 0; ordinal < folded.size; ordinal++) {
    if (!folded.holds(ordinal)) continue;
    const key = folded.key(ordinal);
    const other = loaded.ordinal(key);
    if (other === NONE) check.fault(`${space} missing`, `it lacks ${space} ${key}`);
    else if (folded.id(ordinal) !== loaded.id(other))
      check.fault(`${space} id`, `it has another identifier for ${space} ${key}`);
    else compareOne(`${space} ${key}`, space, facts(ordinal, other), check);
  }
  if (loaded.count > folded.count)
    check.fault(
      `${space} extra`,
      `it has ${loaded.count} ${space}s, and the stored changes give ${folded.count}`,
    );
}

function compareOne(which: string, space: string, [folded, loaded]: [Facts, Facts], check: Check): void {
  for (const [name, text] of Object.entries(folded))
    if (loaded[name] !== text) check.fault(`${space} ${name}`, `${which} has other ${name} in it`);
}

function userFacts(state: State, user: number): Facts {
  const { users, follows, blocks, interactions, items, by_author, user_places, preferences } = state;
  const relations = (entries: Iterable<PairEntry>) =>
    sorted(
      [...entries]
        .filter(({ target }) => users.names.holds(target))
        .map(({ target, time, current }) => `${keyOf(users.names, target)} ${time} ${current}`),
    );
  return {
    profile: `${users.described(user)} ${users.hidden(user)} ${users.content_seq(user)}`,
    place: `${user_places.latitude(user)} ${user_places.longitude(user)}`,
    follows: relations(follows.entries(user)),
    followers: sorted(follows.followers(user).map((each) => keyOf(users.names, each))),
    blocks: relations(blocks.entries(user)),
    acts: acts(interactions.by_user, user, items.names),
    'seen items': sorted(
      [...interactions.touched.entries(user)]
        .filter(({ item, flags }) => flags !== 0 && items.names.holds(item))
        .map(({ item, flags }) => `${keyOf(items.names, item)} ${flags}`),
    ),
    preferences: JSON.stringify(preferences.of(user) ?? NO_PREFERENCES),
    posts: String(by_author.length(user)),
  };
}

function itemFacts(state: State, item: number): Facts {
  const { items, users, interactions, reports, item_places } = state;
  const author = items.author(item);
  const { hides_count, reports_count } = reports.of(item);
  const dismissed_count = reports.dismissedOf(item);
  return {
    content: [
      items.described(item),
      items.deleted(item),
      items.hidden(item),
      items.created_at(item),
      items.content_seq(item),
      items.text_length(item),
      state.embeddings.encoded(item) ?? '',
      item_places.latitude(item),
      item_places.longitude(item),
    ].join(' '),
    author: author === NONE ? '' : keyOf(users.names, author),
    counters: COUNTERS.map(
      (counter) =>
        `${items[counter](item)} ${items.source(item, counter)} ${items.counted_at(item, counter)}`,
    ).join(),
    reports: `${hides_count} ${reports_count} ${dismissed_count}`,
    acts: acts(interactions.by_item, item, users.names),
  };
}

/** The entries of a log in its order. */
function acts(log: InteractionLog, subject: number, others: Names): string {
  const entries: string[] = [];
  for (let at = log.start(subject); at < log.end(subject); at++)
    entries.push(
      `${log.timestamp(at)} ${log.event_type(at)} ${log.removed(at)} ${log.named(at)} ${keyOf(others, log.other(at))}`,
    );
  return entries.join();
}

function keyOf(names: Names, ordinal: number): string {
  return names.holds(ordinal) ? String(names.key(ordinal)) : '';
}

function sorted(texts: string[]): string {
  return texts.sort().join();
}
