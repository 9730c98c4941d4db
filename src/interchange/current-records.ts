import { setImmediate as nextTurn } from 'node:timers/promises';
import { sentContent } from '../ingest/merged-content.ts';
import { NONE } from '../model/key.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { StandingKind } from '../plugin/index.ts';
import { timeOfAct } from '../state/apply.ts';
import type { PairEntry } from '../state/dated-pairs.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { recordCounters } from './export-counts.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface CurrentData {
  state: State;
  store: Pick<Store, 'readItems' | 'readUsers' | 'readNamedActs' | 'highestSeq'>;
}

/** Users, items or records between two turns of the event loop, and contents in memory at a time. */
const CHUNK = 1_000;
/** Changes of the log that are searched at a time. */
const LOG_CHANGES = 5_000;

const READERS: Readonly<Record<StandingKind, (data: CurrentData) => AsyncIterable<Fields>>> = {
  user: ({ state: { users }, store }) =>
    described(
      users,
      (seqs) => store.readUsers(seqs),
      (user, content) => ({ user_id: users.names.id(user), ...content }),
    ),
  item: ({ state, store }) =>
    described(
      state.items,
      (seqs) => store.readItems(seqs),
      (item, content) => itemRecord(state, item, content),
    ),
  follow: ({ state }) => ofUsers(state, (user) => pairs(state, user, state.follows.entries(user))),
  block: ({ state }) => ofUsers(state, (user) => pairs(state, user, state.blocks.entries(user))),
  async *interaction(data) {
    yield* ofUsers(data.state, (user) => unnamedActs(data.state, user));
    yield* namedActs(data);
  },
};

/**
 * The records of a kind that stand in a running community, one after another while it changes.
 *
 * Users and items without a description are left out. The event loop goes on meanwhile.
 */
export async function* currentRecords(data: CurrentData, kind: StandingKind): AsyncGenerator<Fields> {
  let count = 0;
  for await (const record of READERS[kind](data)) {
    yield record;
    if (++count % CHUNK === 0) await nextTurn();
  }
}

/** An item as an export writes it. */
export function itemRecord({ items, users }: State, item: number, content: ItemContent): Fields {
  const author = items.author(item);
  const { created_at, updated_at, ...rest } = sentContent(content);
  // An empty language prevents an import from detecting it.
  const language = content.text !== undefined && content.language === undefined ? { language: '' } : {};
  return {
    item_id: items.names.id(item),
    author_id: author === NONE ? null : users.names.id(author),
    created_at,
    ...rest,
    ...language,
    ...recordCounters(items, item, updated_at),
  };
}

/** Users or items with their stored contents. One that changes while it is read is read again. */
async function* described<C>(
  subjects: Pick<State['users'], 'size' | 'described' | 'content_seq'>,
  read: (seqs: readonly number[]) => Promise<ReadonlyMap<number, C>>,
  recordOf: (subject: number, content: C) => Fields,
): AsyncGenerator<Fields> {
  const seqOf = (subject: number) => (subjects.described(subject) ? subjects.content_seq(subject) : 0);
  for (let start = 0; start < subjects.size; start += CHUNK) {
    const length = Math.min(CHUNK, subjects.size - start);
    let waiting = Array.from({ length }, (_, at) => start + at).filter((subject) => seqOf(subject) > 0);
    while (waiting.length > 0) {
      const seqs = new Map(waiting.map((subject) => [subject, seqOf(subject)]));
      const contents = await read([...seqs.values()]);
      waiting = [];
      const records: Fields[] = [];
      for (const [subject, seq] of seqs) {
        const content = contents.get(seq);
        if (seqOf(subject) !== seq) waiting.push(subject);
        else if (content !== undefined) records.push(recordOf(subject, content));
      }
      waiting = waiting.filter((subject) => seqOf(subject) > 0);
      yield* records;
    }
    await nextTurn();
  }
}

async function* ofUsers({ users }: State, recordsOf: (user: number) => Fields[]): AsyncGenerator<Fields> {
  for (let user = 0; user < users.size; user++) {
    if (users.names.id(user) !== '') yield* recordsOf(user);
    if (user % CHUNK === 0) await nextTurn();
  }
}

function pairs({ users: { names } }: State, user: number, entries: Iterable<PairEntry>): Fields[] {
  return (
    [...entries]
      .filter(({ target, current }) => current && names.id(target) !== '')
      // Hash tables have no useful order.
      .sort((one, other) => one.target - other.target)
      .map(({ target, time }) => ({
        user_id: names.id(user),
        target_user_id: names.id(target),
        timestamp: time,
      }))
  );
}

function unnamedActs({ users, items, interactions, vocabulary }: State, user: number): Fields[] {
  const { by_user } = interactions;
  const records: Fields[] = [];
  for (let at = by_user.start(user); at < by_user.end(user); at++) {
    const item_id = items.names.id(by_user.other(at));
    if (by_user.removed(at) || by_user.named(at) || item_id === '') continue;
    const event_type = vocabulary.names[by_user.event_type(at)];
    records.push({ user_id: users.names.id(user), item_id, event_type, timestamp: by_user.timestamp(at) });
  }
  return records;
}

/** Acts that are distinguished by their `event_id`, which only the log has. */
async function* namedActs({ state, store }: CurrentData): AsyncGenerator<Fields> {
  const { users, items, interactions, vocabulary } = state;
  const last = interactions.event_ids === 0 ? 0 : await store.highestSeq();
  for (let after = 0; after < last; after += LOG_CHANGES) {
    const records: Fields[] = [];
    for (const change of await store.readNamedActs({ after, until: Math.min(after + LOG_CHANGES, last) })) {
      const { event_type, event_id, action, applied_at } = change;
      const [user, item] = [users.names.ordinal(change.user), items.names.ordinal(change.item)];
      if (action === 0 || user === NONE || item === NONE || !vocabulary.isIdentifiedByTime(event_type))
        continue;
      const time = timeOfAct(vocabulary, change, applied_at);
      const known = interactions.known({ user, item, event_type, add: true, time, event_id });
      if (known?.stands !== true || known.time !== time) continue;
      const [user_id, item_id] = [users.names.id(user), items.names.id(item)];
      records.push({ user_id, item_id, event_type: vocabulary.names[event_type], timestamp: time, event_id });
    }
    yield* records;
  }
}
