import type { Fault } from '../errors.ts';
import { IngestContext, type IngestStore, type LatestData } from '../ingest/context.ts';
import type { LanguageDetector } from '../ingest/detect-language.ts';
import { IN_ORDER_KINDS } from '../ingest/in-order.ts';
import { addPreferences } from '../ingest/prepare-preferences.ts';
import { addItem } from '../ingest/prepare-versions.ts';
import { BODY_KINDS, CONNECTOR_KINDS, type RecordKind } from '../ingest/record-kinds.ts';
import { WriteBatch } from '../ingest/write-batch.ts';
import { currentRecords } from '../interchange/current-records.ts';
import type { Change } from '../model/change.ts';
import { INTERACTION, type InteractionChange } from '../model/changes/interaction.ts';
import { ITEM } from '../model/changes/item.ts';
import { USER } from '../model/changes/user.ts';
import type { ItemRecord } from '../model/records/index.ts';
import type { ItemContent } from '../model/records/item.ts';
import { PreferencesPatch } from '../model/records/preferences.ts';
import type { UserContent } from '../model/records/user.ts';
import { describeFaults, Refusal, whole } from '../model/values/refusal.ts';
import type { ConnectorHost, ConnectorRecord, ConnectorRecordKind } from '../plugin/index.ts';
import { applyChange } from '../state/apply.ts';
import { State } from '../state/state.ts';
import { TEST_NOW } from './test-world.ts';

/** What was written is in the context, as versions that are still queued. */
const NOTHING_STORED: IngestStore = {
  readItems: async () => new Map(),
  readUsers: async () => new Map(),
  readEvents: async () => [],
  readShown: async () => [],
  seen: { read: async () => [] },
};

/** The data of a detector is too large for a test of a plugin. */
const NO_LANGUAGES: LanguageDetector = { load: async () => {}, detect: () => undefined };

/** The service's kinds of records, except that items may lack an author, as after its erasure. */
const KINDS: Readonly<Record<ConnectorRecordKind, RecordKind>> = {
  ...CONNECTOR_KINDS,
  item: {
    ...BODY_KINDS.items,
    prepare: (record: ItemRecord, batch) => ({
      faults: addItem({ ...record, author_id: record.author_id ?? null }, batch),
    }),
  } as RecordKind,
};

/** Takes records in as the service does: checked, compared with the state, and applied as changes. */
export class History {
  private readonly context: IngestContext;
  private readonly latest: LatestData;
  /** By `seq`. */
  private readonly items = new Map<number, ItemContent>();
  private readonly users = new Map<number, UserContent>();
  private readonly named_acts: InteractionChange[] = [];

  constructor(private readonly state: State) {
    const context = new IngestContext(state, NOTHING_STORED, NO_LANGUAGES, {
      viewerOf: (user_id) => user_id,
    });
    this.context = context;
    this.latest = {
      item: (id) => context.item_versions.get(id)?.content,
      user: (id) => context.user_versions.get(id)?.content,
      event: (id) => context.events.versions.get(id)?.content,
      strangers: new Set(),
    };
  }

  /** @param at seconds, not before that of the last record @throws Error if the service would reject the record */
  take({ kind: name, record: value, in_order }: ConnectorRecord, at: number): void {
    const kind = (in_order ? IN_ORDER_KINDS : KINDS)[name];
    if (kind === undefined)
      throw new Error(`unknown kind '${name}' of a record; allowed are ${Object.keys(KINDS).join(', ')}`);
    const parsed = kind.parse(value);
    const named = `${name} '${value.item_id ?? value.user_id}'`;
    this.write(named, at, (batch) => (parsed.ok ? kind.prepare(parsed.record, batch).faults : parsed.faults));
  }

  /** @throws Error or ServiceError if the service would reject the preferences */
  prefer(user_id: string, preferences: Readonly<Record<string, unknown>>, at: number): void {
    const given = whole(PreferencesPatch.check(preferences));
    this.write(`preferences of '${user_id}'`, at, (batch) => {
      if (given instanceof Refusal) return given.faults;
      addPreferences({ user_id, given, is_patch: false }, batch);
      return [];
    });
  }

  private write(
    named: string,
    at: number,
    prepare: (batch: WriteBatch) => readonly Fault[] | undefined,
  ): void {
    const batch = new WriteBatch(this.context, this.latest, at);
    const faults = prepare(batch) ?? [];
    if (faults.length > 0) throw new Error(`${named}: ${describeFaults(faults)}`);
    for (const change of batch.changes) {
      change.seq = this.state.seq + 1;
      applyChange(this.state, change);
      this.context.applied(change);
      this.keep(change);
    }
  }

  /** The records of a kind that stand after all that were taken. */
  readonly current: ConnectorHost['current'] = (kind) => {
    const store = {
      readItems: async () => this.items,
      readUsers: async () => this.users,
      readNamedActs: async ({ after, until }: { after: number; until: number }) =>
        this.named_acts.filter(({ seq }) => seq > after && seq <= until),
      highestSeq: async () => this.state.seq,
    };
    return currentRecords({ state: this.state, store }, kind);
  };

  private keep(change: Change): void {
    if (change.kind === ITEM.kind) this.items.set(change.seq, change.content);
    else if (change.kind === USER.kind) this.users.set(change.seq, change.content);
    else if (change.kind === INTERACTION.kind && change.event_id !== '') this.named_acts.push(change);
  }
}

/** @throws Error for the first record that an empty service would reject */
export function checkTaken(records: readonly ConnectorRecord[]): void {
  historyOf(records);
}

/** A service that was empty before these records. @throws Error for the first record that it would reject */
export function historyOf(records: readonly ConnectorRecord[]): History {
  const history = new History(new State());
  for (const record of records) history.take(record, TEST_NOW);
  return history;
}
