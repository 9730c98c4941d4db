import { EncodedText, type HashKey, halfSipHash } from '../columns/keyed-hash.ts';
import type { EventChange, EventSpace } from '../model/changes/event.ts';
import { type Key, NONE } from '../model/key.ts';
import type { Store } from '../store/store.ts';
import type { KeyAllocator } from './key-allocator.ts';
import { Versions } from './versions.ts';

/** A fact about a named event: one of its acts, or that it was taken back. */
export type EventFact = Pick<
  EventChange,
  'action' | 'target' | 'item' | 'event_type' | 'timestamp' | 'list_id'
>;

export type EventFacts = readonly EventFact[];

export interface EventName {
  space: EventSpace;
  user_id: string;
  event_id: string;
}

/**
 * The acts of named events.
 *
 * They are in the store, and memory holds only queued ones. The facts of an event are read before a record that names
 * it is prepared.
 */
export class EventIndex {
  readonly versions: Versions<EventFacts>;
  private readonly encoded = new EncodedText();

  constructor(
    private readonly hash_key: HashKey,
    private readonly store: Pick<Store, 'readEvents'>,
    private readonly users: KeyAllocator,
  ) {
    this.versions = new Versions((ids) => this.read(ids));
  }

  /** The identifiers of events in `versions`. A user without a key has no known events. */
  idsOf(names: readonly EventName[]): string[] {
    return names.flatMap(({ space, user_id, event_id }) => {
      const user = this.users.find(user_id);
      return user === NONE ? [] : [idOf(space, user, event_id)];
    });
  }

  /** A keyed hash, so that clients cannot choose colliding identifiers. */
  hash(space: EventSpace, user: Key, event_id: string): number {
    return this.hashOf(idOf(space, user, event_id));
  }

  private hashOf(id: string): number {
    const { encoded, hash_key } = this;
    encoded.set(id);
    return halfSipHash(encoded.words, encoded.length_bytes, ...hash_key);
  }

  private async read(ids: readonly string[]): Promise<Map<string, EventFacts>> {
    const wanted = new Set(ids);
    const facts = new Map<string, EventFact[]>();
    for (const fact of await this.store.readEvents([...wanted].map((id) => this.hashOf(id)))) {
      const id = idOf(fact.space, fact.user, fact.event_id);
      if (!wanted.has(id)) continue;
      const { action, target, item, event_type, timestamp, list_id } = fact;
      const known = facts.get(id) ?? [];
      facts.set(id, known);
      known.push({ action, target, item, event_type, timestamp, list_id });
    }
    return facts;
  }
}

export function idOf(space: EventSpace, user: Key, event_id: string): string {
  return `${space} ${user} ${event_id}`;
}
