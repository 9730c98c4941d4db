import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { CONNECTOR_RECORD_KINDS, type ConnectorRecord, type ConnectorRecordKind } from '../plugin/index.ts';
import { textOf } from '../plugin/text-of.ts';
import type { Hiding, ItemContent, UserContent } from '../state/change.ts';
import type { ConnectorCursor } from '../store/cursors.ts';
import { type EventSlice, eventOf } from './event-acts.ts';
import { atOnce } from './in-turns.ts';
import { needsLanguage } from './merged-content.ts';
import type { NewVersion } from './new-versions.ts';
import { type IngestResult, Outcome } from './outcome.ts';
import type { Numbered } from './parse-all.ts';
import type { Base } from './prepare.ts';
import { type ActRecord, prepareAct, prepareItem, prepareUser } from './prepare-record.ts';
import { warningsAbout } from './record-warnings.ts';
import {
  type FollowListRecord,
  type ItemDeletionRecord,
  type ItemRecord,
  type Parsed,
  parseAct,
  parseBlock,
  parseFollow,
  parseFollowListRecord,
  parseItem,
  parseItemDeletion,
  parseUser,
  parseUserDeletion,
  type UserDeletionRecord,
  type UserRecord,
} from './records/index.ts';
import type { Removals } from './removals.ts';
import type { ChangeBatch } from './state-capacity.ts';
import type { Latest, Versions } from './versions.ts';
import { type Queued, runAll, type Workbench } from './workbench.ts';

type Task =
  | { of: 'item'; record: ItemRecord }
  | { of: 'user'; record: UserRecord }
  | { of: 'act'; record: ActRecord }
  | { of: 'follow_list'; record: FollowListRecord }
  | { of: 'item_deletion'; record: ItemDeletionRecord }
  | { of: 'user_deletion'; record: UserDeletionRecord };

const PARSE: Readonly<Record<ConnectorRecordKind, (value: unknown) => Parsed<Task>>> = {
  item: (value) => as('item', ofNetwork(parseItem(value))),
  user: (value) => as('user', ofNetwork(parseUser(value))),
  follow: (value) => as('act', parseFollow(value)),
  follow_list: (value) => as('follow_list', parseFollowListRecord(value)),
  block: (value) => as('act', parseBlock(value)),
  interaction: (value) => as('act', parseAct(value)),
  item_deletion: (value) => as('item_deletion', parseItemDeletion(value)),
  user_deletion: (value) => as('user_deletion', parseUserDeletion(value)),
};

function as<T extends Task>(of: T['of'], parsed: Parsed<T['record']>): Parsed<Task> {
  return parsed.ok ? { ...parsed, record: { of, record: parsed.record } as T } : parsed;
}

/** Takes `hidden` of a source for what the network says, so that it does not undo the decision of a moderator. */
function ofNetwork<R extends { content: Hiding }>(parsed: Parsed<R>): Parsed<R> {
  if (!parsed.ok || parsed.record.content.hidden === undefined) return parsed;
  const { hidden, ...content } = parsed.record.content;
  return { ...parsed, record: { ...parsed.record, content: { ...content, hidden_by_network: hidden } } };
}

/** What an ordered batch asks of ingest. */
interface Known {
  /** @throws ServiceError `write_queue_full`, `store_unavailable` */
  ensureRoom(records: number): void;
  itemExists(item_id: string): boolean;
}

/** The latest versions and events that the records of a batch build on. */
interface Loaded {
  item: Latest<Base<ItemContent>>;
  user: Latest<UserContent>;
  event: EventSlice['latest'];
}

/**
 * Records of all kinds that are prepared in their order and stored in one transaction, with any cursor behind them.
 *
 * Nothing may follow an erasure, because it also removes the names of the user's items when it is applied.
 */
export class OrderedBatch {
  private readonly outcome = new Outcome();
  private readonly tasks: Numbered<Task>[] = [];
  private readonly onApplied: (() => void)[] = [];
  private erases = false;

  constructor(
    private readonly known: Known,
    private readonly removals: Removals,
    records: readonly ConnectorRecord[],
    private readonly cursor: ConnectorCursor | undefined,
  ) {
    if (records.length > LIMITS.ingest_slice_records)
      throw new Error(`a batch has at most ${LIMITS.ingest_slice_records} records`);
    for (const [index, record] of records.entries()) this.parse(record, index);
  }

  /** The whole lists of follows among the records. */
  get follow_lists(): FollowListRecord[] {
    return this.tasks.flatMap(({ record }) => (record.of === 'follow_list' ? record.record : []));
  }

  /** @throws ServiceError `write_queue_full`, `store_unavailable` */
  async queue(bench: Workbench, now: number): Promise<Queued> {
    const loaded = await this.load(bench);
    const records = this.tasks.length;
    this.known.ensureRoom(records);
    const changes = bench.batch();
    for (const task of this.tasks) this.take(task, bench, loaded, changes, now);
    const queued = bench.submit({
      changes,
      records,
      cursor: this.outcome.lacked_room ? undefined : this.cursor,
      onApplied: () => runAll(this.onApplied),
    });
    // An erasure deletes the user's items when it is applied, also those that are prepared until then.
    if (this.erases) await Promise.allSettled([queued.durable]);
    return queued;
  }

  /** @throws ServiceError `state_full` if some records found no room; the others are stored, the cursor is not */
  result(): IngestResult {
    return this.outcome.result();
  }

  private parse(given: unknown, index: number): void {
    const { kind, record } = (given ?? {}) as Partial<ConnectorRecord>;
    const parse = kind !== undefined && Object.hasOwn(PARSE, kind) ? PARSE[kind] : undefined;
    if (parse === undefined) {
      const message = `must be one of ${CONNECTOR_RECORD_KINDS.join(', ')}, not '${textOf(kind)}'`;
      this.outcome.reject(index, [{ path: '/kind', message }]);
      return;
    }
    const parsed = parse(record);
    if (parsed.ok) this.tasks.push({ index, record: parsed.record, warnings: parsed.warnings });
    else this.outcome.reject(index, parsed.faults);
  }

  /** Reads again if a commit failed meanwhile, since the versions may then be wrong. */
  private async load(bench: Workbench): Promise<Loaded> {
    const { item_versions, user_versions, events } = bench;
    const tasks = this.tasks.map(({ record }) => record);
    if (tasks.some((task) => task.of === 'item' && needsLanguage(task.record))) await bench.languages.load();
    const item_ids = tasks.flatMap((task) => ('item_id' in task.record ? task.record.item_id : []));
    const user_ids = tasks.flatMap(({ of, record }) =>
      (of === 'user' || of === 'user_deletion') && 'user_id' in record ? record.user_id : [],
    );
    const names = tasks.flatMap(({ record }) => eventOf(record) ?? []);
    const failures = () => item_versions.failures + user_versions.failures + events.versions.failures;
    for (;;) {
      const before = failures();
      const loaded = {
        event: await latestOf(events.versions, events.idsOf(names)),
        item: await latestOf(item_versions, item_ids),
        user: await latestOf(user_versions, user_ids),
      };
      if (failures() === before) return loaded;
    }
  }

  private take(
    { index, record: task, warnings }: Numbered<Task>,
    bench: Workbench,
    loaded: Loaded,
    changes: ChangeBatch,
    now: number,
  ): void {
    const prepare = () => this.prepare(task, index, bench, loaded, changes, now);
    const further = this.outcome.unlessFull(index, () => this.unlessInvalid(index, prepare));
    if (further !== undefined) this.outcome.accept(index, [...warnings, ...further]);
  }

  /** Rejects a record that only the state proves invalid. */
  private unlessInvalid<T>(index: number, prepare: () => T): T | undefined {
    try {
      return prepare();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.errors === undefined) throw error;
      this.outcome.reject(index, error.errors);
      return undefined;
    }
  }

  /** @returns warnings; undefined if the record was rejected. @throws ServiceError `state_full` */
  private prepare(
    task: Task,
    index: number,
    bench: Workbench,
    loaded: Loaded,
    changes: ChangeBatch,
    now: number,
  ): readonly string[] | undefined {
    switch (task.of) {
      case 'item': {
        const { item_id } = task.record;
        const made = prepareItem(bench, task.record, loaded.item(item_id), now, changes);
        return this.versioned(index, made, item_id, bench.item_versions);
      }
      case 'user': {
        const { user_id } = task.record;
        const made = prepareUser(bench, task.record, loaded.user(user_id), now, changes);
        return this.versioned(index, made, user_id, bench.user_versions);
      }
      case 'act':
        return this.act(task.record, index, bench, {
          latest: loaded.event,
          applied_at: now,
          changes,
          onApplied: this.onApplied,
        });
      case 'follow_list':
        return this.followList(task.record, bench, changes, now);
      case 'item_deletion': {
        const removal = this.removals.removal('item', task.record.item_id, task.record, now);
        this.removals.addItem(bench, removal, loaded.item, { changes, onApplied: this.onApplied });
        return removal.warnings;
      }
      case 'user_deletion':
        return this.erase(task.record, bench, loaded, changes, now);
    }
  }

  private versioned<V>(
    index: number,
    made: NewVersion<V>,
    id: string,
    versions: Versions<V>,
  ): readonly string[] | undefined {
    if ('faults' in made) {
      this.outcome.reject(index, made.faults);
      return undefined;
    }
    if (made.version !== undefined) {
      const version = versions.set(id, made.version);
      this.onApplied.push(() => versions.applied(id, version));
    }
    return made.warnings;
  }

  private act(
    record: ActRecord,
    index: number,
    bench: Workbench,
    slice: EventSlice,
  ): readonly string[] | undefined {
    const outdated = bench.deletions.outdatedAct(record, slice.applied_at);
    if (outdated !== undefined) return [outdated];
    const { faults = [], warnings = [] } = prepareAct(bench, record, slice);
    if (faults.length > 0) {
      this.outcome.reject(index, faults);
      return undefined;
    }
    const isDescribed = (item_id: string) => this.known.itemExists(item_id);
    return [...warnings, ...warningsAbout(record, slice.applied_at, isDescribed)];
  }

  /** @throws ServiceError `state_full`, without any change */
  private followList(
    sent: FollowListRecord,
    { deletions, preparer, queued_changes }: Workbench,
    changes: ChangeBatch,
    now: number,
  ): readonly string[] {
    const { follow_lists } = preparer;
    const comparison = atOnce(follow_lists.compare(sent, now, deletions));
    // In one turn, nothing else is queued.
    queued_changes.unwatch(comparison.watch);
    return follow_lists.write(comparison, changes)?.warnings ?? [];
  }

  private erase(
    record: UserDeletionRecord,
    bench: Workbench,
    loaded: Loaded,
    changes: ChangeBatch,
    now: number,
  ): readonly string[] {
    const { user_id } = record;
    const removal = this.removals.removal('user', user_id, record, now);
    const length = changes.length;
    this.removals.addUser(bench, removal, loaded.user, { changes, onApplied: this.onApplied });
    if (changes.length > length) this.erases = true;
    return removal.warnings;
  }
}

/** The latest versions of these identifiers, which also show versions that are set later. */
function latestOf<T>(versions: Versions<T>, ids: readonly string[]): Promise<Latest<T>> {
  return versions.withLatest(ids, (latest) => latest);
}
