import { setImmediate as nextTurn } from 'node:timers/promises';
import { experimentId } from '../../experiments/experiment-id.ts';
import { sentContent } from '../../ingest/merged-content.ts';
import { LIMITS } from '../../limits.ts';
import { EVENT_TYPES } from '../../model/acts.ts';
import { type Key, NONE } from '../../model/key.ts';
import type { ItemContent } from '../../model/records/item.ts';
import type { UserContent } from '../../model/records/user.ts';
import type { Service } from '../../service.ts';
import type { PairEntry } from '../../state/dated-pairs.ts';
import type { State } from '../../state/state.ts';
import type { UserChange } from '../../store/user-log.ts';
import { countsOf, isKnown, noUser } from '../records/stored-records.ts';

/** Number of items whose contents are read at a time. */
const ITEMS_READ = 100;
/** Number of seen items that are listed before the row of the person is read again. */
const SEEN_READ = 1_000;
/** Approximate length of a chunk of lines, in characters. */
const CHUNK_LENGTH = 32 * 1024;

/**
 * `GET /v2/community/users/<user_id>/export`: all data about a person, one JSON object per line.
 *
 * A chunk of whole lines is made when the client is ready for it. The last line marks a complete export.
 * @throws ServiceError `not_found` if there is neither a user nor anything that they saw, `store_unavailable`; while
 * reading also `not_found` if the person is erased
 */
export async function personExport(
  service: Service,
  user_id: string,
  given_up: AbortSignal,
): Promise<AsyncGenerator<string>> {
  await service.ingest.shown.flushed();
  const person = new Person(service, user_id, given_up);
  if (!(await isKnown(service, user_id)) && !(await isInLog(service, user_id))) throw noUser(user_id);
  return inChunks(person.lines());
}

async function* inChunks(lines: AsyncIterable<object>): AsyncGenerator<string> {
  let chunk = '';
  let count = 0;
  for await (const line of lines) {
    chunk += `${JSON.stringify(line)}\n`;
    count++;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}${JSON.stringify({ kind: 'end', lines: count + 1 })}\n`;
}

/** Whether shown pages of a viewer are kept, although none of them was recorded as seen. */
async function isInLog({ seen, store }: Service, user_id: string): Promise<boolean> {
  const { viewer, erased_seq } = await seen.read(seen.viewerOf(user_id));
  return (await store.readShown({ viewer, seq: erased_seq }, 'viewer')).length > 0;
}

class Person {
  /** NONE for a viewer without a user record. */
  private readonly key: Key;
  /** Seq of the last change to read. Later changes are not included. */
  private readonly until: number;
  /** By the arm of recorded pages. */
  private readonly variants: ReadonlyMap<number, { id: string; variant: string }>;

  constructor(
    private readonly service: Service,
    private readonly user_id: string,
    private readonly given_up: AbortSignal,
  ) {
    const { state } = service;
    const { names } = state.users;
    const user = names.find(user_id);
    this.key = user === NONE ? NONE : names.key(user);
    this.until = state.seq;
    this.variants = variantsIn(state);
  }

  async *lines(): AsyncGenerator<object> {
    if (this.key === NONE) yield { kind: 'profile', user_id: this.user_id };
    else yield* this.records();
    yield* this.seen();
    yield* this.shown();
  }

  private async *records(): AsyncGenerator<object> {
    yield await this.profile();
    yield* this.relations();
    yield* this.items();
    yield* this.log();
  }

  /** Each item that they saw, when they last saw it. Longest ago first. */
  private async *seen(): AsyncGenerator<object> {
    const { seen } = this.service;
    const viewer = seen.viewerOf(this.user_id);
    const row = await seen.read(viewer);
    const experiments = new Map<Key, { id: string; variant: string } | undefined>();
    for (const { arm, keys } of row.pages)
      for (const key of keys) experiments.set(key, this.variants.get(arm));
    for (const [index, key] of row.inOrder().entries()) {
      const { erased_seq } = index % SEEN_READ === 0 ? await seen.read(viewer) : row;
      if (erased_seq > this.until) throw noUser(this.user_id);
      const item_id = this.itemId(key);
      const timestamp = Math.floor(row.lastSeen(key) ?? 0);
      const experiment = experiments.get(key);
      if (item_id !== '') yield { kind: 'impression', item_id, timestamp, ...(experiment && { experiment }) };
    }
  }

  /** Pages that were sent to them, as far as they are logged. */
  private async *shown(): AsyncGenerator<object> {
    const { seen, store } = this.service;
    const { viewer, erased_seq } = await seen.read(seen.viewerOf(this.user_id));
    for (let after = erased_seq; ; ) {
      const pages = await store.readShown({ viewer, seq: after }, 'viewer', this.given_up);
      if (pages.length === 0) return;
      for (const { page, seq } of pages) {
        after = seq;
        const feed_id = page.feed === 0 ? undefined : `feed_${page.feed}`;
        const item_ids = [...page.items].map((key) => this.itemId(key)).filter((id) => id !== '');
        const { time, feed_type } = page;
        yield { kind: 'shown', timestamp: Math.floor(time), feed_type, feed_id, item_ids };
      }
    }
  }

  private get user(): number {
    const user = this.service.state.users.names.ordinal(this.key);
    if (user === NONE) throw noUser(this.user_id);
    return user;
  }

  private async profile(): Promise<object> {
    const { state, store } = this.service;
    const seq = state.users.content_seq(this.user);
    const content = seq > 0 ? (await store.readUsers([seq], this.given_up)).get(seq) : undefined;
    return { kind: 'profile', user_id: this.user_id, ...inWholeSeconds(content ?? {}) };
  }

  /** Follows in both directions, and blocks by the user. Blocks by other users are those users' data. */
  private *relations(): Generator<object> {
    const { follows, blocks, users } = this.service.state;
    const { user } = this;
    const idOf = (other: number) => users.names.id(other);
    // Hash tables have no useful order.
    const sorted = (entries: Iterable<PairEntry>) =>
      [...entries].sort((one, other) => one.time - other.time || one.target - other.target);
    for (const { target, time, current } of sorted(follows.entries(user))) {
      if (idOf(target) === '') continue;
      const action = current ? 'follow' : 'unfollow';
      yield { kind: 'follow', target_user_id: idOf(target), action, timestamp: Math.floor(time) };
    }
    for (const follower of follows.followers(user)) {
      const timestamp = Math.floor(follows.timestamp(follower, user));
      yield { kind: 'follower', user_id: idOf(follower), timestamp };
    }
    for (const { target, time, current } of sorted(blocks.entries(user))) {
      if (idOf(target) === '') continue;
      const action = current ? 'block' : 'unblock';
      yield { kind: 'block', target_user_id: idOf(target), action, timestamp: Math.floor(time) };
    }
  }

  private async *items(): AsyncGenerator<object> {
    const { state, store } = this.service;
    const { by_author, items } = state;
    const { user } = this;
    // Keys are copied first: while this waits for the store, ordinals may be reused for other items.
    const keys: Key[] = [];
    for (let at = by_author.start(user); at < by_author.end(user); at++)
      keys.push(items.names.key(by_author.item(at)));
    for (let start = 0; start < keys.length; start += ITEMS_READ) {
      const known = keys
        .slice(start, start + ITEMS_READ)
        .map((key) => items.names.ordinal(key))
        .filter((item) => item !== NONE && items.described(item) && items.author(item) === this.user)
        .map((item) => ({
          item_id: items.names.id(item),
          seq: items.content_seq(item),
          counts: countsOf(items, item),
        }));
      const contents = await store.readItems(
        known.map(({ seq }) => seq),
        this.given_up,
      );
      for (const { item_id, seq, counts } of known) {
        const content = contents.get(seq);
        if (content === undefined) continue;
        yield {
          kind: 'item',
          item_id,
          ...inWholeSeconds<Partial<ItemContent>>(sentContent(content)),
          ...counts,
        };
      }
    }
  }

  /** Stored acts in order of arrival, including those that were removed or replaced later. */
  private async *log(): AsyncGenerator<object> {
    const { store } = this.service;
    for (let after = 0; after < this.until; after += LIMITS.person_export_rows) {
      const until = Math.min(this.until, after + LIMITS.person_export_rows);
      // The getter throws if the user was erased.
      const changes =
        this.user === NONE ? [] : await store.readUserLog(this.key, { after, until }, this.given_up);
      for (const change of changes) yield* this.logged(change);
      await nextTurn();
    }
  }

  private *logged(change: UserChange): Generator<object> {
    const timestamp = Math.floor(change.timestamp);
    if (change.kind === 'event') {
      const action = change.action === 1 ? 'add' : 'remove';
      const about = change.target === NONE ? this.act(change) : this.followed(change.target);
      yield { kind: 'event', event_id: change.event_id, ...about, action, timestamp };
      return;
    }
    if (this.itemId(change.item) === '') return;
    const action = change.action === 1 ? 'add' : 'remove';
    const event_id = change.event_id === '' ? {} : { event_id: change.event_id };
    yield { kind: 'interaction', ...this.act(change), action, timestamp, ...event_id };
  }

  /** Item and type of an act. Empty for an unknown item. */
  private act({ item, event_type }: { item: Key; event_type: number }): object {
    const item_id = this.itemId(item);
    return item_id === '' ? {} : { item_id, event_type: EVENT_TYPES[event_type] };
  }

  private followed(target: Key): object {
    const { names } = this.service.state.users;
    const user = names.ordinal(target);
    return user === NONE ? {} : { target_user_id: names.id(user) };
  }

  /** Empty for an item whose identifier was purged. */
  private itemId(key: Key): string {
    const { names } = this.service.state.items;
    const item = names.ordinal(key);
    return item === NONE ? '' : names.id(item);
  }
}

/** The variants of current and last periods. Arms of earlier periods and deleted experiments are not known any more. */
function variantsIn({ experiments }: State): Map<number, { id: string; variant: string }> {
  return new Map(
    experiments
      .all()
      .flatMap(([number, { variants }]) =>
        variants.map(({ arm, name }) => [arm, { id: experimentId(number), variant: name }] as const),
      ),
  );
}

/** Truncates times: answers have whole seconds. */
function inWholeSeconds<T extends ItemContent | UserContent>(content: T): T {
  const times = (['created_at', 'updated_at', 'hidden_by_network_at'] as const).flatMap((name) => {
    const time = content[name];
    return time === undefined ? [] : [[name, Math.floor(time)]];
  });
  return { ...content, ...Object.fromEntries(times) };
}
