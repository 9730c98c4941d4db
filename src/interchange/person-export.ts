import { setImmediate as nextTurn } from 'node:timers/promises';
import { notFound } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { sentContent } from '../ingest/merged-content.ts';
import { LIMITS } from '../limits.ts';
import { ITEM } from '../model/changes/item.ts';
import { PREFERENCES } from '../model/changes/preferences.ts';
import { SHOWN } from '../model/changes/shown.ts';
import { type ChangeDefinition, personalMembers } from '../model/define-change.ts';
import { experimentId } from '../model/experiment-id.ts';
import { type Key, NONE } from '../model/key.ts';
import { ITEM as ITEM_RECORD } from '../model/records/item.ts';
import { USER as USER_RECORD } from '../model/records/user.ts';
import { timesOf } from '../model/values/record-type.ts';
import { isEmpty } from '../seen/head.ts';
import type { SeenBook } from '../seen/seen-book.ts';
import type { PairEntry } from '../state/dated-pairs.ts';
import { namedPreferences } from '../state/named-preferences.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { type IdOf, LINES, type LineType, LOGGED } from './person-lines.ts';

/** Number of items whose contents are read at a time. */
const ITEMS_READ = 100;
/** Number of seen items that are listed before the row of the person is read again. */
const SEEN_READ = 1_000;
/** Approximate length of a chunk of lines, in characters. */
const CHUNK_LENGTH = 32 * 1024;

/** The data that an export reads. */
export interface PersonalData {
  state: State;
  store: Store;
  seen: SeenBook;
  ingest: Ingest;
}

/**
 * All data about a person, one JSON object per line.
 *
 * A chunk of whole lines is made when the client is ready for it. The last line marks a complete export.
 * @throws ServiceError `not_found` if there is neither a user nor anything that they saw, `store_unavailable`; while
 * reading also `not_found` if the person is erased
 */
export async function personExport(
  data: PersonalData,
  user_id: string,
  given_up: AbortSignal,
): Promise<AsyncGenerator<string>> {
  await data.ingest.shown.flushed();
  const person = new Person(data, user_id, given_up);
  if (!(await person.isKnown())) throw notFound('user', user_id);
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

class Person {
  /** NONE for a viewer without a user record. */
  private readonly key: Key;
  private readonly viewer: string;
  /** Seq of the last change when the export began. */
  private readonly until: number;
  /** By the arm of recorded pages. */
  private readonly variants: ReadonlyMap<number, ShownVariant>;

  constructor(
    private readonly data: PersonalData,
    private readonly user_id: string,
    private readonly given_up: AbortSignal,
  ) {
    const { state, seen } = data;
    const { names } = state.users;
    const user = names.find(user_id);
    this.key = user === NONE ? NONE : names.key(user);
    this.viewer = seen.viewerOf(user_id);
    this.until = state.seq;
    this.variants = variantsIn(state);
  }

  /** Shown pages may be kept of a viewer although none of them was recorded as seen. */
  async isKnown(): Promise<boolean> {
    const { seen, store } = this.data;
    if (this.key !== NONE) return true;
    const { head, erased_seq } = await seen.read(this.viewer);
    const pages = isEmpty(head) ? store.readShown({ viewer: this.viewer, seq: erased_seq }, 'viewer') : [1];
    return (await pages).length > 0;
  }

  async *lines(): AsyncGenerator<object> {
    if (this.key === NONE) yield { kind: 'profile', user_id: this.user_id };
    else {
      yield await this.profile();
      if (this.data.state.preferences.of(this.user) !== undefined)
        yield { kind: PREFERENCES.kind, ...namedPreferences(this.data.state, this.user_id) };
      yield* this.relations();
      yield* this.items();
    }
    yield* this.log();
    yield* this.seen();
    yield* this.shown();
  }

  /** Each item that they saw, when they last saw it. Longest ago first. */
  private async *seen(): AsyncGenerator<object> {
    const { seen } = this.data;
    const row = await seen.read(this.viewer);
    const experiments = new Map<Key, ShownVariant | undefined>();
    for (const { arm, keys } of row.pages)
      for (const key of keys) experiments.set(key, this.variants.get(arm));
    for (const [index, key] of row.inOrder().entries()) {
      const { erased_seq } = index % SEEN_READ === 0 ? await seen.read(this.viewer) : row;
      if (erased_seq > this.until) throw notFound('user', this.user_id);
      const item_id = this.idOf('item', key);
      const timestamp = Math.floor(row.lastSeen(key) ?? 0);
      const experiment = experiments.get(key);
      if (item_id !== '') yield { kind: 'impression', item_id, timestamp, ...(experiment && { experiment }) };
    }
  }

  /** Pages that were sent to them, as far as they are logged. */
  private async *shown(): AsyncGenerator<object> {
    const { seen, store } = this.data;
    const { viewer } = this;
    const { erased_seq } = await seen.read(viewer);
    for (let after = erased_seq; ; ) {
      const pages = await store.readShown({ viewer, seq: after }, 'viewer', this.given_up);
      if (pages.length === 0) return;
      for (const { page, seq } of pages) {
        after = seq;
        const feed_id = page.feed === 0 ? undefined : `feed_${page.feed}`;
        const item_ids = [...page.items].map((key) => this.idOf('item', key)).filter((id) => id !== '');
        const { time, feed_type } = page;
        yield { kind: SHOWN.kind, timestamp: Math.floor(time), feed_type, feed_id, item_ids };
      }
    }
  }

  private get user(): number {
    const user = this.data.state.users.names.ordinal(this.key);
    if (user === NONE) throw notFound('user', this.user_id);
    return user;
  }

  private async profile(): Promise<object> {
    const { state, store } = this.data;
    const seq = state.users.content_seq(this.user);
    const content = seq > 0 ? (await store.readUsers([seq], this.given_up)).get(seq) : undefined;
    return { kind: 'profile', user_id: this.user_id, ...inWholeSeconds(content ?? {}, TIMES_OF_USER) };
  }

  /** Follows in both directions, and blocks by the user. Blocks by other users are those users' data. */
  private *relations(): Generator<object> {
    const { follows, blocks, users } = this.data.state;
    const { user } = this;
    yield* this.pairs(LINES.follow, follows.entries(user));
    for (const follower of follows.followers(user)) {
      const timestamp = Math.floor(follows.timestamp(follower, user));
      yield { kind: 'follower', user_id: users.names.id(follower), timestamp };
    }
    yield* this.pairs(LINES.block, blocks.entries(user));
  }

  private *pairs({ lineOf }: LineType, entries: Iterable<PairEntry>): Generator<object> {
    const { names } = this.data.state.users;
    // Hash tables have no useful order.
    const sorted = [...entries].sort((one, other) => one.time - other.time || one.target - other.target);
    for (const { target, time, current } of sorted) {
      const pair = { target: names.key(target), timestamp: time, action: current ? 1 : 0 };
      const line = lineOf(pair, this.idOf);
      if (line !== undefined) yield line;
    }
  }

  private async *items(): AsyncGenerator<object> {
    const { state, store } = this.data;
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
          counts: items.counts(item),
        }));
      const contents = await store.readItems(
        known.map(({ seq }) => seq),
        this.given_up,
      );
      for (const { item_id, seq, counts } of known) {
        const content = contents.get(seq);
        if (content === undefined) continue;
        yield { kind: ITEM.kind, item_id, ...inWholeSeconds(sentContent(content), TIMES_OF_ITEM), ...counts };
      }
    }
  }

  /** Stored changes in order of arrival, including those that were removed or replaced later. */
  private async *log(): AsyncGenerator<object> {
    const { key: user, viewer } = this;
    const kinds = this.key === NONE ? LOGGED.filter(namesViewer) : LOGGED;
    if (kinds.length === 0) return;
    // A start does not count the changes beside the state that were stored last, so the state's seq may be lower.
    const last = await this.data.store.highestSeq(this.given_up);
    for (let after = 0; after < last; after += LIMITS.person_export_rows) {
      const until = Math.min(after + LIMITS.person_export_rows, last);
      // The getter throws if the user was erased.
      if (this.key !== NONE && this.user === NONE) return;
      const wanted = { kinds, user, viewer, after, until };
      const changes = await this.data.store.readPersonLog(wanted, this.given_up);
      for (const change of changes) {
        const line = LINES[change.kind].lineOf(change, this.idOf);
        if (line !== undefined) yield line;
      }
      await nextTurn();
    }
  }

  /** Empty for an identifier that was purged. */
  private readonly idOf: IdOf = (space, key) => {
    const { names } = space === 'user' ? this.data.state.users : this.data.state.items;
    const ordinal = names.ordinal(key);
    return ordinal === NONE ? '' : names.id(ordinal);
  };
}

function namesViewer(change: ChangeDefinition): boolean {
  return personalMembers(change).some(({ member }) => member.names_viewer);
}

interface ShownVariant {
  id: string;
  /** Undefined if variants are interleaved. */
  variant: string | undefined;
}

/** The variants of current and last periods. Arms of earlier periods and deleted experiments are not known any more. */
function variantsIn({ experiments }: State): Map<number, ShownVariant> {
  return new Map(
    experiments.all().flatMap(([number, { variants, method }]) =>
      variants.map(({ arm, name }) => {
        const variant = method === 'split' ? name : undefined;
        return [arm, { id: experimentId(number), variant }] as const;
      }),
    ),
  );
}

const TIMES_OF_USER = timesOf(USER_RECORD);
const TIMES_OF_ITEM = timesOf(ITEM_RECORD);

/** Truncates times: answers have whole seconds. */
function inWholeSeconds(content: object, times: readonly string[]): object {
  const fields = Object.entries(content).map(([name, value]) => [
    name,
    times.includes(name) ? Math.floor(value) : value,
  ]);
  return Object.fromEntries(fields);
}
