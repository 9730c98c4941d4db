import { type Clock, systemClock } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import type { Change } from '../model/change.ts';
import { BLOCK } from '../model/changes/block.ts';
import { ERASURE } from '../model/changes/erasure.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { INTERACTION } from '../model/changes/interaction.ts';
import { USER } from '../model/changes/user.ts';
import { type Key, NONE, SPACES } from '../model/key.ts';
import type { ItemContent } from '../model/records/item.ts';
import { NO_PREFERENCES } from '../model/records/preferences.ts';
import type { UserContent } from '../model/records/user.ts';
import { csvRecord } from '../rows/csv.ts';
import { SeenRow } from '../seen/seen-row.ts';
import { type StoredSeen, viewerHash } from '../seen/seen-store.ts';
import { nextRow } from '../seen/seen-write.ts';
import { applyChange } from '../state/apply.ts';
import { namedPreferences } from '../state/named-preferences.ts';
import { State } from '../state/state.ts';
import { WALLETS } from '../state/vocabulary.ts';
import { type BadRow, refuseBadRow, replayLeniently } from '../store/bad-rows.ts';
import type { Store } from '../store/store.ts';
import { itemRecord } from './current-records.ts';
import { ENGAGEMENT_COLUMNS, engagementRows, isCounted, recordCounters } from './export-counts.ts';
import type { ExportFolder } from './export-folder.ts';
import { type ActKind, ExportLog, OTHERS } from './export-log.ts';
import { feedLine } from './feed-file.ts';
import { EXPORT_NAMES, type ExportKind } from './files.ts';
import { ShownLines } from './shown-lines.ts';

/** Lines per file. Files without lines are not written. */
export type ExportResult = { kind: ExportKind; lines: number }[];

const LABEL_COLUMNS = [
  ...['labeler_id', 'item_id', 'user_id', 'value'],
  ...['action', 'timestamp', 'expires_at', 'hides'],
];

/** Number of contents in memory at a time. */
const CONTENTS_CHUNK = 1_000;

/** What the totals of running experiments are computed from. */
interface ExperimentData {
  state: State;
  rows: Store['experiment_rows'];
  viewerOf(user_id: string): string;
  now(): number;
}

/** What an export needs from rooms above. */
export interface ExportHelpers {
  /** Makes the lines of `experiments.jsonl`. Without it there are none. */
  experimentsOf?(data: ExperimentData): AsyncIterable<object>;
  /** The name of a signal by its key, for `shown.jsonl`. Without it there are no shown pages. */
  signalName?(key: number): string;
}

/**
 * Writes the stored data as interchange files, from one snapshot, beside a running service.
 *
 * Erased users, retired items, deleted feeds, and acts that were taken back are left out. Of deleted items it exports
 * impressions and the acts since the deletion. Saved feeds and what viewers have seen are read after the snapshot.
 * @param onBadRow gets rows that cannot be read, which are left out; without it the first one ends the export
 */
export async function exportFiles(
  store: Store,
  folder: ExportFolder,
  onBadRow: (row: BadRow) => void = refuseBadRow,
  { experimentsOf, signalName }: ExportHelpers = {},
  clock: Clock = systemClock,
): Promise<ExportResult> {
  const state = new State({ hash_key: await store.hashKey() });
  const shown = signalName && new ShownLines(store, state, signalName);
  const log = await replayed(store, state, onBadRow, (change) => shown?.note(change));
  const result = await new Export(store, state, log, folder, onBadRow, clock.now()).run();
  const write = async (kind: ExportKind, records: AsyncIterable<object>) => {
    const lines = await folder.write(EXPORT_NAMES[kind], '', jsonLines(records));
    if (lines > 0) result.push({ kind, lines });
  };
  if (shown !== undefined) await write('shown', shown.lines());
  if (experimentsOf === undefined) return result;
  const key = await store.seenKey();
  const viewerOf = (user_id: string) => viewerHash(key, user_id);
  const experiments = experimentsOf({
    state,
    rows: store.experiment_rows,
    viewerOf,
    now: () => clock.now(),
  });
  await write('experiments', experiments);
  return result;
}

/** Writes the stored data of wallets as interchange files. Otherwise as `exportFiles`. */
export async function exportWallets(
  store: Store,
  folder: ExportFolder,
  onBadRow: (row: BadRow) => void = refuseBadRow,
): Promise<ExportResult> {
  const state = new State({ vocabulary: WALLETS, hash_key: await store.hashKey() });
  const log = await replayed(store, state, onBadRow);
  return new Export(store, state, log, folder, onBadRow, 0).ofWallets();
}

/** Applies all stored changes to an empty state. @returns their acts */
async function replayed(
  store: Store,
  state: State,
  onBadRow: (row: BadRow) => void,
  note: (change: Change) => void = () => {},
): Promise<ExportLog> {
  const log = new ExportLog(state);
  await replayLeniently(store, onBadRow, (change) => {
    note(change);
    log.note(change);
    applyChange(state, change);
  });
  log.finish();
  return log;
}

class Export {
  private readonly result: ExportResult = [];
  /** Items that were removed during the export, with their acts. */
  private readonly gone = new Set<number>();

  constructor(
    private readonly store: Store,
    private readonly state: State,
    private readonly log: ExportLog,
    private readonly folder: ExportFolder,
    private readonly onBadRow: (row: BadRow) => void,
    private readonly now: number,
  ) {}

  async run(): Promise<ExportResult> {
    await this.write('users', undefined, this.users());
    await this.write('items', undefined, this.items());
    await this.write('engagement', ENGAGEMENT_COLUMNS, this.engagement());
    await this.writeActs('follows', FOLLOW.kind, ['user_id', 'target_user_id', 'timestamp']);
    await this.writeActs('interactions', INTERACTION.kind, ['user_id', 'item_id', 'event_type', 'timestamp']);
    await this.write('impressions', ['user_id', 'item_id', 'timestamp'], this.impressions());
    await this.writeActs('blocks', BLOCK.kind, ['user_id', 'target_user_id', 'timestamp']);
    await this.write('labels', LABEL_COLUMNS, this.labels());
    await this.write('lists', undefined, this.lists());
    await this.write('preferences', undefined, this.preferences());
    await this.write('feeds', undefined, this.feeds());
    return this.result;
  }

  /** The order of events at the same time determines which wallet holds an item. */
  async ofWallets(): Promise<ExportResult> {
    await this.writeActs('events', INTERACTION.kind, [
      'wallet_address',
      'item_id',
      'event_type',
      'timestamp',
    ]);
    await this.write('tokens', undefined, this.tokens());
    return this.result;
  }

  private async write(
    kind: ExportKind,
    header: readonly string[] | undefined,
    lines: AsyncIterable<string> | Iterable<string>,
  ): Promise<void> {
    const written = await this.folder.write(EXPORT_NAMES[kind], header ? csvRecord(header) : '', lines);
    if (written > 0) this.result.push({ kind, lines: written });
  }

  /** In the order of their last versions, because the last of two users who list a wallet owns it. */
  private async *users(): AsyncGenerator<string> {
    const { users } = this.state;
    const purged = new Set<Key>();
    const described = ordinals(users.size, (user) => users.described(user) && users.names.id(user) !== '');
    described.sort((one, other) => users.content_seq(one) - users.content_seq(other));
    for (const chunk of chunks(described)) {
      const contents = await this.store.readUsers(chunk.map((user) => users.content_seq(user)));
      for (const user of chunk) {
        const content = contents.get(users.content_seq(user));
        if (content === undefined) purged.add(users.names.key(user));
        else yield jsonLine({ user_id: users.names.id(user), ...content });
      }
    }
    if (purged.size === 0) return;
    for (const [key, content] of await this.laterProfiles(purged)) {
      yield jsonLine({ user_id: users.names.id(users.names.ordinal(key)), ...content });
    }
  }

  /** Later profiles of users whose versions a purge removed during the export, in order. Erased users have none. */
  private async laterProfiles(of_users: ReadonlySet<Key>): Promise<Map<Key, UserContent>> {
    const later = new Map<Key, UserContent>();
    const visit = (change: Change): void => {
      if (change.kind !== USER.kind && change.kind !== ERASURE.kind) return;
      if (!of_users.has(change.user)) return;
      later.delete(change.user);
      if (change.kind === USER.kind) later.set(change.user, change.content);
    };
    await this.store.replay(visit, { after: this.state.seq });
    return later;
  }

  /** By time, and at the same time by their last version; then items without a description. */
  private async *items(): AsyncGenerator<string> {
    const { items } = this.state;
    const contents = this.contents((one, other) => items.content_seq(one) - items.content_seq(other));
    for await (const [item, content] of contents) yield jsonLine(itemRecord(this.state, item, content));
    for (const item of this.undescribed()) {
      const item_id = items.names.id(item);
      yield jsonLine({ item_id, author_id: null, created_at: null, ...recordCounters(items, item) });
    }
  }

  /** Items with more data than their events contain, by time and name. An import may create them in another order. */
  private async *tokens(): AsyncGenerator<string> {
    const { items } = this.state;
    const first_event = new Map<number, number>();
    for (const { other, time } of this.log.acts(INTERACTION.kind))
      if (!first_event.has(other)) first_event.set(other, time);
    const contents = this.contents((one, other) => items.names.compare(one, other));
    for await (const [item, { dated, hidden, metadata }] of contents) {
      const created_at = items.created_at(item);
      const says_more = dated === true || hidden !== undefined || metadata !== undefined;
      if (first_event.get(item) !== created_at || says_more)
        yield jsonLine({ item_id: items.names.id(item), created_at, hidden, ...metadata });
    }
  }

  /** Described items with their contents, by time. @param compare decides at the same time */
  private async *contents(
    compare: (one: number, other: number) => number,
  ): AsyncGenerator<[item: number, content: ItemContent]> {
    const { items } = this.state;
    const described = ordinals(items.size, (item) => items.described(item) && items.names.id(item) !== '');
    described.sort((one, other) => items.created_at(one) - items.created_at(other) || compare(one, other));
    for (const chunk of chunks(described)) {
      const contents = await this.store.readItems(chunk.map((item) => items.content_seq(item)));
      for (const item of chunk) {
        const content = contents.get(items.content_seq(item));
        if (content === undefined) this.gone.add(item);
        else yield [item, content];
      }
    }
  }

  private engagement(): Iterable<string> {
    const { items } = this.state;
    return engagementRows(
      items,
      ordinals(items.size, (item) => this.isNamed(item)),
    );
  }

  /** Items with counts or acts but without a description, by identifier. */
  private undescribed(): number[] {
    const { items } = this.state;
    const acted = new Set<number>();
    for (const { other } of this.log.acts(INTERACTION.kind)) if (!items.described(other)) acted.add(other);
    const found = ordinals(
      items.size,
      (item) => this.isNamed(item) && !items.described(item) && (acted.has(item) || isCounted(items, item)),
    );
    return found.sort((one, other) => items.names.compare(one, other));
  }

  /** Writes a table of acts. It has the column `event_id` only if some act has one. */
  private async writeActs(kind: ExportKind, acts: ActKind, columns: readonly string[]): Promise<void> {
    const named = this.log.hasEventIds(acts);
    const header = named ? [...columns, 'event_id'] : columns;
    await this.write(kind, header, this.actLines(acts, named));
  }

  private *actLines(kind: ActKind, named: boolean): Generator<string> {
    const { users, vocabulary, [OTHERS[kind]]: others } = this.state;
    for (const { user, other, event_type, time, event_id } of this.log.acts(kind)) {
      if (others === this.state.items && !this.isNamed(other)) continue;
      const type = kind === INTERACTION.kind ? [vocabulary.names[event_type]] : [];
      const id = named ? [event_id] : [];
      yield csvRecord([users.names.id(user), others.names.id(other), ...type, time, ...id]);
    }
  }

  /** What known users have seen: by user, then by time. Rows are folded first, as the next page would do. */
  private async *impressions(): AsyncGenerator<string> {
    const { users, items } = this.state;
    const known = ordinals(users.size, (user) => users.names.id(user) !== '');
    known.sort((one, other) => users.names.compare(one, other));
    const key = await this.store.seenKey();
    for (const chunk of chunks(known)) {
      const viewers = chunk.map((user) => viewerHash(key, users.names.id(user)));
      const stored = await this.store.seen.read(viewers.map((viewer) => ({ viewer, number: 0 })));
      const rows = new Map(stored.map((each) => [each.viewer, each]));
      for (const [at, user] of chunk.entries())
        for (const [item_key, time] of this.seenItems(rows.get(viewers[at]))) {
          const item = items.names.ordinal(item_key);
          if (item !== NONE && this.isNamed(item))
            yield csvRecord([users.names.id(user), items.names.id(item), time]);
        }
    }
  }

  private seenItems(stored: StoredSeen | undefined): [key: Key, time: number][] {
    if (stored === undefined) return [];
    try {
      const { row } = nextRow(SeenRow.from(stored), {}, this.now);
      const seen = Array.from(row.inOrder(), (key): [Key, number] => [key, row.lastSeen(key) ?? 0]);
      return seen.sort(([, one], [, other]) => one - other);
    } catch (error) {
      this.onBadRow({ table: 'seen', seq: stored.number, reason: reasonOf(error) });
      return [];
    }
  }

  /** The latest message about each label, by subject. */
  private *labels(): Generator<string> {
    const { users, items, labels } = this.state;
    for (const space of SPACES) {
      const { names } = space === 'user' ? users : items;
      for (const subject of labels.labelled(space).sort((one, other) => names.compare(one, other))) {
        const id = names.id(subject);
        const ids = space === 'user' ? ['', id] : [id, ''];
        // Hash tables have no useful order.
        const rows = Array.from(labels.of(space, subject), ({ labeler, value, ...fact }) => {
          const { stands, hides, time, expires_at } = fact;
          const said = [stands ? 'add' : 'remove', time, expires_at || '', String(hides)];
          return csvRecord([users.names.id(labeler), ...ids, value, ...said]);
        });
        yield* rows.sort();
      }
    }
  }

  private *lists(): Generator<string> {
    const { user_lists, users } = this.state;
    for (const list_id of user_lists.ids()) {
      const { name = '', users: members = () => [] } = user_lists.get(list_id) ?? {};
      const user_ids = members().map((user) => users.names.id(user));
      yield jsonLine({ list_id, ...(name === '' ? {} : { name }), user_ids: user_ids.sort() });
    }
  }

  /** By user. Who only named users that were erased has none any more. */
  private *preferences(): Generator<string> {
    const { preferences, users } = this.state;
    for (const user of preferences.users().sort((one, other) => users.names.compare(one, other))) {
      const user_id = users.names.id(user);
      const named = namedPreferences(this.state, user_id);
      if (!Bun.deepEquals(named, NO_PREFERENCES)) yield jsonLine({ user_id, ...named });
    }
  }

  /** Feeds of all accounts, the oldest first, in their current state. */
  private async *feeds(): AsyncGenerator<string> {
    for (const feed of await this.store.feeds.all()) yield jsonLine(feedLine(feed));
  }

  /** Whether the item has an identifier. Erased and retired items have none. */
  private isNamed(item: number): boolean {
    return !this.gone.has(item) && this.state.items.names.id(item) !== '';
  }
}

function jsonLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

async function* jsonLines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield jsonLine(record);
}

function ordinals(size: number, wanted: (ordinal: number) => boolean): number[] {
  const found: number[] = [];
  for (let ordinal = 0; ordinal < size; ordinal++) if (wanted(ordinal)) found.push(ordinal);
  return found;
}

function* chunks(all: readonly number[]): Generator<number[]> {
  for (let start = 0; start < all.length; start += CONTENTS_CHUNK)
    yield all.slice(start, start + CONTENTS_CHUNK);
}
