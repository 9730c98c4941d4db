import type { Relation } from '../ingest/acts.ts';
import { sentContent } from '../ingest/merged-content.ts';
import type { Fact } from '../ingest/queued-changes.ts';
import {
  type Change,
  EVENT_TYPES,
  type EventSpace,
  type ItemContent,
  type Key,
  NONE,
  type UserContent,
} from '../state/change.ts';
import type { Names } from '../state/names.ts';
import { State } from '../state/state.ts';
import { type BadRow, refuseBadRow, replayLeniently } from '../store/bad-rows.ts';
import type { Store } from '../store/store.ts';
import { csvRecord } from './csv.ts';
import { ENGAGEMENT_COLUMNS, engagementRows, isCounted, recordCounters } from './export-counts.ts';
import { type EventLine, EventLog, mergedByTime } from './export-events.ts';
import type { ExportFolder } from './export-folder.ts';
import { type ExportedAct, ExportLog } from './export-log.ts';
import { TrendLog } from './export-trends.ts';
import { feedLine } from './feed-file.ts';
import { type ExperimentKind, type FeedKind, type Kind, NAMES, type TrendKind } from './files.ts';

/** Lines per file. Files without lines are not written. */
export type ExportResult = { kind: ExportedKind; lines: number }[];

type ExportedKind = Kind | FeedKind | ExperimentKind | TrendKind;

/** Number of contents in memory at a time. */
const CONTENTS_CHUNK = 1_000;

/**
 * Writes the stored data as interchange files, from one snapshot, beside a running service.
 *
 * Erased users, retired items, deleted feeds, and ended follows and blocks are left out. Of deleted items it exports
 * impressions and the acts since the deletion. Saved feeds are read after the snapshot.
 * @param onBadRow gets rows that cannot be read, which are left out; without it the first one ends the export
 * @param experimentsOf makes the lines of `experiments.jsonl` from the state; without it there are none
 */
export async function exportFiles(
  store: Store,
  folder: ExportFolder,
  onBadRow: (row: BadRow) => void = refuseBadRow,
  experimentsOf?: (state: State) => AsyncIterable<object>,
): Promise<ExportResult> {
  const state = new State({ hash_key: await store.hashKey() });
  const log = new ExportLog(state);
  const trends = new TrendLog(state);
  const events = {
    interaction: new EventLog('interaction'),
    follow: new EventLog('follow'),
    block: new EventLog('block'),
  };
  await replayLeniently(store, onBadRow, (change) => {
    log.note(change);
    if (change.kind === 'event') events[change.space].note(change);
    trends.apply(change);
  });
  for (const each of Object.values(events)) each.finish();
  const result = await new Export(store, state, log, trends, events, folder).run();
  if (experimentsOf === undefined) return result;
  const lines = await folder.write(NAMES.experiments, '', jsonLines(experimentsOf(state)));
  return lines > 0 ? [...result, { kind: 'experiments', lines }] : result;
}

class Export {
  private readonly result: ExportResult = [];
  /** Items that were removed during the export, with their acts. */
  private readonly gone = new Set<number>();

  constructor(
    private readonly store: Store,
    private readonly state: State,
    private readonly log: ExportLog,
    private readonly trends: TrendLog,
    private readonly events: Readonly<Record<EventSpace, EventLog>>,
    private readonly folder: ExportFolder,
  ) {}

  async run(): Promise<ExportResult> {
    await this.write('users', undefined, this.users());
    await this.write('items', undefined, this.items());
    await this.write('engagement', ENGAGEMENT_COLUMNS, this.engagement());
    await this.writeRelations('follows', 'follow', this.state.follows);
    const events = this.eventsBesideActs();
    await this.write('interactions', ...table(ACT_COLUMNS, () => this.interactions(events)));
    await this.write('impressions', ['user_id', 'item_id', 'timestamp'], this.impressions());
    await this.writeRelations('blocks', 'block', this.state.blocks);
    if (this.result.length > 0) {
      await this.write('trends', undefined, [this.trends.line((item) => this.isNamed(item))]);
    }
    await this.write('feeds', undefined, this.feeds());
    return this.result;
  }

  private async write(
    kind: ExportedKind,
    header: readonly string[] | undefined,
    lines: AsyncIterable<string> | Iterable<string>,
  ): Promise<void> {
    const written = await this.folder.write(NAMES[kind], header ? csvRecord(header) : '', lines);
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
        else yield jsonLine(userRecord(users.names.id(user), content));
      }
    }
    if (purged.size === 0) return;
    for (const [key, content] of await this.laterProfiles(purged)) {
      yield jsonLine(userRecord(users.names.id(users.names.ordinal(key)), content));
    }
  }

  /** Later profiles of users whose versions a purge removed during the export, in order. Erased users have none. */
  private async laterProfiles(of_users: ReadonlySet<Key>): Promise<Map<Key, UserContent>> {
    const later = new Map<Key, UserContent>();
    const visit = (change: Change): void => {
      if (change.kind !== 'user' && change.kind !== 'erasure') return;
      if (!of_users.has(change.user)) return;
      later.delete(change.user);
      if (change.kind === 'user') later.set(change.user, change.content);
    };
    await this.store.replay(visit, { after: this.state.seq });
    return later;
  }

  /** By time, and at the same time by their last version; then items without a description. */
  private async *items(): AsyncGenerator<string> {
    const { items } = this.state;
    const described = ordinals(items.size, (item) => items.described(item) && items.names.id(item) !== '');
    described.sort(
      (one, other) =>
        items.created_at(one) - items.created_at(other) || items.content_seq(one) - items.content_seq(other),
    );
    for (const chunk of chunks(described)) {
      const contents = await this.store.readItems(chunk.map((item) => items.content_seq(item)));
      for (const item of chunk) {
        const content = contents.get(items.content_seq(item));
        if (content === undefined) this.gone.add(item);
        else yield jsonLine(this.itemRecord(item, content));
      }
    }
    for (const item of this.undescribed()) {
      const item_id = items.names.id(item);
      yield jsonLine({ item_id, author_id: null, created_at: null, ...recordCounters(items, item) });
    }
  }

  private itemRecord(item: number, content: ItemContent): object {
    const { items, users } = this.state;
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
    for (const { item } of this.acts()) if (!items.described(item)) acted.add(item);
    const found = ordinals(
      items.size,
      (item) => this.isNamed(item) && !items.described(item) && (acted.has(item) || isCounted(items, item)),
    );
    return found.sort((one, other) => compare(items.names.id(one), items.names.id(other)));
  }

  private writeRelations(kind: 'follows' | 'blocks', relation: Relation, pairs: Pairs): Promise<void> {
    const rows = this.relations(relation, pairs);
    return this.write(kind, ...table(RELATION_COLUMNS, () => rows));
  }

  /** By time and then identifiers, after events that no current relation belongs to. */
  private relations(relation: Relation, pairs: Pairs): EventRow[] {
    const { users } = this.state;
    const events = this.events[relation];
    const rank = ranks(users.size, (user) => users.names.id(user));
    const current: EventLine[] = [];
    for (let user = 0; user < users.size; user++) {
      for (const { target, time, current: stands } of pairs.entries(user)) {
        if (!stands || users.names.id(target) === '') continue;
        const keys = [users.names.key(user), users.names.key(target)] as const;
        const event_id = events.eventOf(...keys, 0, { time, stands });
        current.push({ user, other: target, event_type: 0, removed: false, time, event_id });
      }
    }
    current.sort(
      (one, other) =>
        one.time - other.time || rank[one.user] - rank[other.user] || rank[one.other] - rank[other.other],
    );
    const currentOf = (user: number, target: number): Fact | undefined => {
      const known = pairs.known(user, target);
      return known?.stands === true ? known : undefined;
    };
    const user = (key: Key) => users.names.ordinal(key);
    // Of ended relations, only those that their event took back are exported.
    const keeps = (fact: Fact | undefined, removed: boolean) => removed || fact !== undefined;
    const others = events.lines({ user, other: user }, currentOf, keeps);
    return [...mergedByTime(others, current)].map((line) => ({
      cells: [users.names.id(line.user), idOr('', users.names, line.other), line.time],
      action: line.removed ? `un${relation}` : relation,
      ...line,
    }));
  }

  /** Events of interactions that are not current, or that were taken back before they arrived. */
  private eventsBesideActs(): EventLine[] {
    const { users, items, interactions } = this.state;
    const known = (user: number, item: number, event_type: number) =>
      interactions.known({ user, item, event_type, add: true, time: 0, event_id: '' });
    const other = (key: Key): number => {
      const item = items.names.ordinal(key);
      return item !== NONE && this.isNamed(item) ? item : NONE;
    };
    const named = { user: (key: Key) => users.names.ordinal(key), other };
    return this.events.interaction.lines(named, known, (fact) => fact !== undefined);
  }

  /** By time. Acts come after events at the same time. */
  private *interactions(events: readonly EventLine[]): Generator<EventRow> {
    const { users, items } = this.state;
    for (const line of mergedByTime(events, this.actLines())) {
      const { user, other, event_type, time, removed } = line;
      const kind = other === NONE ? '' : EVENT_TYPES[event_type];
      const cells = [users.names.id(user), idOr('', items.names, other), kind, time];
      yield { cells, action: removed ? 'remove' : 'add', ...line };
    }
  }

  private *actLines(): Generator<EventLine> {
    const { users, items } = this.state;
    for (const { user, item, event_type, time, removed, event_id } of this.acts()) {
      const keys = [users.names.key(user), items.names.key(item)] as const;
      const event =
        event_id || this.events.interaction.eventOf(...keys, event_type, { time, stands: !removed });
      yield { user, other: item, event_type, time, removed, event_id: event };
    }
  }

  private *impressions(): Generator<string> {
    const { users, items } = this.state;
    for (const { user, item, time } of this.log.exportedImpressions()) {
      const user_id = users.names.id(user);
      if (user_id !== '' && this.isNamed(item)) yield csvRecord([user_id, items.names.id(item), time]);
    }
  }

  /** Feeds of all accounts, the oldest first, in their current state. */
  private async *feeds(): AsyncGenerator<string> {
    for (const feed of await this.store.feeds.all()) yield jsonLine(feedLine(feed));
  }

  private *acts(): Generator<ExportedAct> {
    for (const act of this.log.exportedActs()) {
      if (this.state.users.names.id(act.user) !== '' && this.isNamed(act.item)) yield act;
    }
  }

  /** Whether the item has an identifier. Erased and retired items have none. */
  private isNamed(item: number): boolean {
    return !this.gone.has(item) && this.state.items.names.id(item) !== '';
  }
}

/** Relations of one kind between users. */
type Pairs = Pick<State['blocks'], 'entries' | 'known'>;

/** A line of a table. The columns `action` and `event_id` are written only if some line needs them. */
interface EventRow {
  cells: readonly (string | number)[];
  action: string;
  removed: boolean;
  event_id: string;
}

const RELATION_COLUMNS = ['user_id', 'target_user_id', 'timestamp'];
const ACT_COLUMNS = ['user_id', 'item_id', 'event_type', 'timestamp'];

/** Makes the header and the lines of a table. @param rowsOf makes the rows again at each call */
function table(
  columns: readonly string[],
  rowsOf: () => Iterable<EventRow>,
): [header: readonly string[], lines: Iterable<string>] {
  if (!needsEvents(rowsOf())) return [columns, csvLines(rowsOf(), ({ cells }) => cells)];
  const lines = csvLines(rowsOf(), ({ cells, action, event_id }) => [...cells, action, event_id]);
  return [[...columns, 'action', 'event_id'], lines];
}

function needsEvents(rows: Iterable<EventRow>): boolean {
  for (const { removed, event_id } of rows) if (removed || event_id !== '') return true;
  return false;
}

function* csvLines(
  rows: Iterable<EventRow>,
  cellsOf: (row: EventRow) => readonly (string | number)[],
): Generator<string> {
  for (const row of rows) yield csvRecord(cellsOf(row));
}

function idOr(absent: string, names: Pick<Names, 'id'>, ordinal: number): string {
  return ordinal === NONE ? absent : names.id(ordinal);
}

function userRecord(user_id: string, content: UserContent): object {
  return { user_id, ...content };
}

function jsonLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

async function* jsonLines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield jsonLine(record);
}

/** Compares by code unit, independent of the machine's locale. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function ordinals(size: number, wanted: (ordinal: number) => boolean): number[] {
  const found: number[] = [];
  for (let ordinal = 0; ordinal < size; ordinal++) if (wanted(ordinal)) found.push(ordinal);
  return found;
}

/** The rank of each ordinal in the order of identifiers. */
function ranks(size: number, idOf: (ordinal: number) => string): Uint32Array {
  const ids = Array.from({ length: size }, (_, ordinal) => ({ ordinal, id: idOf(ordinal) }));
  ids.sort((one, other) => compare(one.id, other.id));
  const rank = new Uint32Array(size);
  for (const [place, { ordinal }] of ids.entries()) rank[ordinal] = place;
  return rank;
}

function* chunks(all: readonly number[]): Generator<number[]> {
  for (let start = 0; start < all.length; start += CONTENTS_CHUNK)
    yield all.slice(start, start + CONTENTS_CHUNK);
}
