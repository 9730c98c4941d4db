import { FIXED_HASH_KEY, type HashKey } from '../columns/keyed-hash.ts';
import { ServiceError } from '../errors.ts';
import type { Change } from '../model/change.ts';
import { ERASURE } from '../model/changes/erasure.ts';
import { EVENT, type EventChange } from '../model/changes/event.ts';
import type { InteractionChange } from '../model/changes/interaction.ts';
import { ITEM } from '../model/changes/item.ts';
import type { ShownChange } from '../model/changes/shown.ts';
import { USER } from '../model/changes/user.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import type { AuditStore } from './audit.ts';
import type { ConnectorCursor } from './cursors.ts';
import type { ExperimentRows } from './experiment-rows.ts';
import type { FeedStore } from './feeds.ts';
import type { FoundUser } from './find-users.ts';
import type { KeyStore } from './keys.ts';
import type { FormerModel } from './models.ts';
import type { Replayed } from './replay.ts';
import type { Store } from './store.ts';
import { VolatileSeen } from './volatile-seen.ts';
import type { WriterHooks } from './writer.ts';

/**
 * A store in memory, for a community that ends with its process.
 *
 * Changes are applied when they are submitted. It has no keys and no saved feeds.
 */
export class VolatileStore implements Store {
  readonly engine = 'memory';
  readonly queued_records = 0;
  readonly is_stopped = false;
  readonly writes = true;
  readonly log = undefined;
  readonly is_silent = false;
  readonly log_bytes = undefined;
  readonly checkpoints = undefined;
  readonly keys: KeyStore = {
    ...refusing('create', 'revoke', 'noteUse', 'tokenSecret'),
    list: async () => [],
    all: async () => [],
    revision: async () => 0,
  };
  readonly feeds: FeedStore = {
    ...refusing('create', 'replace', 'delete', 'restore', 'undelete', 'forget'),
    all: async () => [],
    changed: async () => ({ saved: [], deleted: [], until: 0, is_last: true }),
    keyOwner: async () => undefined,
    deleted: async () => undefined,
    allDeleted: async () => [],
    revisions: async () => [],
    revision: async () => undefined,
  };
  readonly seen = new VolatileSeen();
  /** It has no saved feeds, so there are no experiments. */
  readonly experiment_rows: ExperimentRows = { pages: async () => [], outcomes: async () => [] };
  readonly audit: AuditStore = { entries: async () => [] };
  private readonly cursors = new Map<string, string>();
  private hooks: WriterHooks | undefined;
  /** Changes that are being applied, which later ones wait for. */
  private applying: Promise<unknown> | undefined;
  private seq = 0;
  private applied_at = 0;
  private readonly items = new Map<number, ItemContent>();
  private readonly users = new Map<number, UserContent>();
  /** By hash. */
  private readonly events = new Map<number, EventChange[]>();

  async replay(): Promise<Replayed> {
    return { highest_seq: 0, highest_applied_at: 0, changes: 0, keys_from: { user: 0, item: 0 } };
  }

  /** It has no saved feeds. */
  async modelHistory(): Promise<FormerModel[]> {
    return [];
  }

  async latestTrend(): Promise<number> {
    return 0;
  }

  async hashKey(): Promise<HashKey> {
    return FIXED_HASH_KEY;
  }

  /** Constant, because no answer of a community in memory leaves the process. */
  async cursorSecret(): Promise<Uint8Array> {
    return new Uint8Array(32);
  }

  /** Constant, as above. */
  async seenKey(): Promise<Uint8Array> {
    return new Uint8Array(32);
  }

  /** Nothing else writes it. */
  async lead(): Promise<void> {}

  async startWriter(hooks: WriterHooks): Promise<void> {
    this.hooks = hooks;
  }

  async connectorCursor(connector: string): Promise<string | undefined> {
    return this.cursors.get(connector);
  }

  async submit(changes: Change[], _records?: number, cursor?: ConnectorCursor): Promise<void> {
    if (this.hooks === undefined) throw new Error('submit before startWriter');
    for (const change of changes) {
      change.seq = ++this.seq;
      this.applied_at = Math.max(this.applied_at, change.applied_at);
      change.applied_at = this.applied_at;
      if (change.kind === ITEM.kind) this.items.set(change.seq, change.content);
      if (change.kind === USER.kind) this.users.set(change.seq, change.content);
      if (change.kind === ERASURE.kind) this.seen.erase(change);
      if (change.kind === EVENT.kind) {
        this.events.set(change.event_hash, [...(this.events.get(change.event_hash) ?? []), change]);
      }
    }
    if (cursor !== undefined) this.cursors.set(cursor.connector, cursor.cursor);
    const { hooks, applying } = this;
    const applied =
      applying === undefined ? hooks.onCommitted(changes) : applying.then(() => hooks.onCommitted(changes));
    if (!(applied instanceof Promise)) return;
    this.applying = applied;
    await applied;
    if (this.applying === applied) this.applying = undefined;
  }

  async readItems(seqs: readonly number[]): Promise<Map<number, ItemContent>> {
    return found(this.items, seqs);
  }

  async readUsers(seqs: readonly number[]): Promise<Map<number, UserContent>> {
    return found(this.users, seqs);
  }

  async readEvents(hashes: readonly number[]): Promise<EventChange[]> {
    return hashes.flatMap((hash) => this.events.get(hash) ?? []);
  }

  async highestSeq(): Promise<number> {
    return this.seq;
  }

  /** This store is not searched. */
  async findUsers(): Promise<FoundUser[]> {
    return [];
  }

  /** This store keeps no log. */
  async readPersonLog(): Promise<Change[]> {
    return [];
  }

  /** This store keeps no log. */
  async readNamedActs(): Promise<InteractionChange[]> {
    return [];
  }

  /** This store keeps no log. */
  async readShown(): Promise<ShownChange[]> {
    return [];
  }

  /** This store keeps no log. */
  async purge(): Promise<void> {}

  stopWaiting(): void {}

  async shrinkLog(): Promise<boolean> {
    return true;
  }

  async hasRetired(): Promise<boolean> {
    return false;
  }

  async hasOldShown(): Promise<boolean> {
    return false;
  }

  async purgeRetired(): Promise<void> {}

  async walletsRefusal(): Promise<undefined> {}

  async backup(): Promise<void> {
    await refused();
  }

  async endWriting(): Promise<void> {}

  async close(): Promise<void> {}
}

function found<T>(contents: ReadonlyMap<number, T>, seqs: readonly number[]): Map<number, T> {
  const known = new Map<number, T>();
  for (const seq of seqs) {
    const content = contents.get(seq);
    if (content !== undefined) known.set(seq, content);
  }
  return known;
}

function refusing<Name extends string>(...names: Name[]): Record<Name, typeof refused> {
  return Object.fromEntries(names.map((name) => [name, refused])) as Record<Name, typeof refused>;
}

async function refused(): Promise<never> {
  throw new ServiceError('store_unavailable', 'a community in memory keeps neither keys nor saved feeds');
}
