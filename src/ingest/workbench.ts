import type { ItemContent, UserContent } from '../state/change.ts';
import type { ConnectorCursor } from '../store/cursors.ts';
import type { Deletions } from './deletions.ts';
import type { EventActs } from './event-acts.ts';
import type { EventBook } from './event-book.ts';
import type { KeyAllocator } from './key-allocator.ts';
import type { Base, Preparer } from './prepare.ts';
import type { QueuedChanges } from './queued-changes.ts';
import type { LanguageDetector } from './records/index.ts';
import type { ChangeBatch } from './state-capacity.ts';
import type { Versions } from './versions.ts';

/** The data for preparing changes, all including queued changes. */
export interface Workbench {
  preparer: Preparer;
  event_acts: EventActs;
  user_keys: KeyAllocator;
  item_keys: KeyAllocator;
  item_versions: Versions<Base<ItemContent>>;
  user_versions: Versions<UserContent>;
  events: EventBook;
  languages: LanguageDetector;
  queued_changes: QueuedChanges;
  deletions: Deletions;
  /**
   * Queues changes in the turn that assigned their keys.
   *
   * A failed commit frees keys that are not queued.
   */
  submit(prepared: Prepared): Queued;
  /** Makes an empty batch, to be filled and submitted in this turn. */
  batch(): ChangeBatch;
}

/** Changes that are ready to be queued together. */
export interface Prepared {
  changes: ChangeBatch;
  /** Number of records behind the changes. Default: the number of changes. */
  records?: number;
  /** Stored in the same transaction. */
  cursor?: ConnectorCursor;
  onApplied?(): void;
}

/** Changes in the store's queue. */
export interface Queued {
  /** Resolves when they are durable and applied. */
  durable: Promise<void>;
}

/** Calls the callbacks of applied changes. */
export function runAll(callbacks: readonly (() => void)[]): void {
  for (const callback of callbacks) callback();
}
