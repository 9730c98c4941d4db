import type { Change } from '../model/change.ts';
import { NAME } from '../model/changes/name.ts';
import { type Key, NONE } from '../model/key.ts';
import type { Preferences } from '../model/records/preferences.ts';
import type { UserContent } from '../model/records/user.ts';
import type { SeenBook } from '../seen/seen-book.ts';
import type { SeenStore } from '../seen/seen-store.ts';
import { seenViewers } from '../seen/seen-viewers.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { ActTimes } from './act-times.ts';
import { CapacityEstimates } from './capacity-estimates.ts';
import { Deletions } from './deletions.ts';
import type { LanguageDetector } from './detect-language.ts';
import { type EventFacts, EventIndex, type EventName } from './event-index.ts';
import { KeyAllocator } from './key-allocator.ts';
import { QueuedChanges } from './queued-changes.ts';
import { StateCapacity } from './state-capacity.ts';
import { type ItemVersion, readItems, readUsers, type StoredVersions } from './stored-versions.ts';
import { type Latest, Versions } from './versions.ts';

export interface Reads {
  /** Items and users whose latest versions the records build on. */
  items: string[];
  users: string[];
  events: EventName[];
  /** Users who are to be erased. */
  erased: string[];
  /** Whether the language of a text may have to be detected. */
  language: boolean;
}

export interface LatestData {
  item: Latest<ItemVersion>;
  user: Latest<UserContent>;
  event: Latest<EventFacts>;
  /** Users of `Reads.erased` without a user record of whom it is stored what they saw. */
  strangers: ReadonlySet<string>;
}

/** Reads what records are compared with, besides the state. */
export interface IngestStore extends StoredVersions, Pick<Store, 'readEvents' | 'readShown'> {
  readonly seen: Pick<SeenStore, 'read'>;
}

/** The data that records are compared with: the state and, in everything but `state`, all queued changes. */
export class IngestContext {
  readonly user_keys: KeyAllocator;
  readonly item_keys: KeyAllocator;
  readonly item_versions: Versions<ItemVersion>;
  readonly user_versions: Versions<UserContent>;
  /** Queued preferences of users. Applied ones are in the state. */
  readonly preferences = new Versions<Preferences>(async () => new Map());
  readonly events: EventIndex;
  readonly queued_changes = new QueuedChanges();
  readonly deletions: Deletions;
  readonly act_times: ActTimes;
  readonly capacity: StateCapacity;
  readonly estimates: CapacityEstimates;

  /** @param first_key the least key that it assigns */
  constructor(
    readonly state: State,
    private readonly store: IngestStore,
    readonly languages: LanguageDetector,
    private readonly seen: Pick<SeenBook, 'viewerOf'>,
    first_key: Key = 0,
  ) {
    this.user_keys = new KeyAllocator('user', state.users.names, first_key);
    this.item_keys = new KeyAllocator('item', state.items.names, first_key);
    this.item_versions = new Versions((ids) => readItems(state, store, ids));
    this.user_versions = new Versions((ids) => readUsers(state, store, ids));
    this.events = new EventIndex(state.setup.hash_key, store, this.user_keys);
    this.deletions = new Deletions(state, this.user_keys);
    this.act_times = new ActTimes(state, this.queued_changes);
    this.capacity = new StateCapacity(state);
    this.estimates = new CapacityEstimates(state, this.user_keys, this.item_keys, this.queued_changes);
  }

  /** Number of failed commits. What was read before one must be read again. */
  get failures(): number {
    return this.item_versions.failures;
  }

  /** Reads data that includes queued changes. Nothing else may be prepared until the caller has queued its changes. */
  async read({ items, users, events, erased, language }: Reads): Promise<LatestData> {
    if (language) await this.languages.load();
    const event = await this.events.versions.read(this.events.idsOf(events));
    const item = await this.item_versions.read(items);
    const user = await this.user_versions.read(users);
    return { event, item, user, strangers: await this.strangersOf(erased) };
  }

  /** The row of what a viewer has seen. */
  viewerOf(user_id: string): string {
    return this.seen.viewerOf(user_id);
  }

  private async strangersOf(user_ids: readonly string[]): Promise<Set<string>> {
    const unknown = user_ids.filter((id) => this.user_keys.find(id) === NONE);
    const viewers = unknown.map((id) => this.viewerOf(id));
    const isLogged = async (viewer: string, after: number) =>
      (await this.store.readShown({ viewer, seq: after }, 'viewer')).length > 0;
    const seen = await seenViewers(this.store.seen, viewers, isLogged);
    return new Set(unknown.filter((_, at) => seen.has(viewers[at])));
  }

  /** Whether the item is described, or its description is queued. */
  itemExists(item_id: string): boolean {
    return this.createdAt(item_id) !== undefined;
  }

  /** The creation time of an item that exists, in seconds. */
  createdAt(item_id: string): number | undefined {
    const pending = this.item_versions.get(item_id);
    if (pending !== undefined) return pending.content?.content.created_at;
    const { items } = this.state;
    const item = items.names.find(item_id);
    return item !== NONE && items.described(item) ? items.created_at(item) : undefined;
  }

  applied(change: Change): void {
    this.queued_changes.applied(change);
    this.deletions.applied(change);
    if (change.kind !== NAME.kind) return;
    const keys = change.space === 'user' ? this.user_keys : this.item_keys;
    keys.named(change.id, change.key);
  }

  reset(): void {
    this.user_keys.reset();
    this.item_keys.reset();
    this.item_versions.reset();
    this.user_versions.reset();
    this.preferences.reset();
    this.events.versions.reset();
    this.queued_changes.reset();
    this.deletions.reset();
    this.act_times.reset();
  }
}
