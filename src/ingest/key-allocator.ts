import { LIMITS } from '../limits.ts';
import { type Key, type NameChange, NONE, type Space } from '../state/change.ts';
import type { Names } from '../state/names.ts';
import type { Priority } from '../store/submission-queue.ts';

interface Pending {
  /** NONE: the identifier is being erased; whoever uses it next is somebody new. */
  key: Key;
  priority: Priority;
}

/**
 * Gives keys to identifiers that the state has not named yet. A key given here is *pending* until its
 * NameChange has been applied; when a commit fails, all pending keys are free again.
 */
export class KeyAllocator {
  private readonly pending = new Map<string, Pending>();
  private next: Key;

  constructor(
    private readonly space: Space,
    private readonly names: Names,
  ) {
    this.next = names.next_key;
  }

  /** The key of an identifier, applied or pending; NONE when there is none. */
  find(id: string): Key {
    const pending = this.pending.get(id);
    if (pending !== undefined) return pending.key;
    const ordinal = this.names.find(id);
    return ordinal === NONE ? NONE : this.names.key(ordinal);
  }

  /** The key of an identifier; when it has none, one is given and its NameChange put into `changes`, which have room for it. */
  keyOf(
    id: string,
    applied_at: number,
    priority: Priority,
    changes: { push(change: NameChange): void },
  ): Key {
    const known = this.find(id);
    if (known !== NONE) return known;
    const key = this.following;
    if (key >= LIMITS.keys_max) throw new Error('a key was asked for without room for it');
    this.next = key + 1;
    this.pending.set(id, { key, priority });
    changes.push({ kind: 'name', space: this.space, key, id, seq: 0, applied_at });
    return key;
  }

  /** The key that is given next. */
  private get following(): Key {
    return Math.max(this.next, this.names.next_key);
  }

  /** Changes that name this identifier may not overtake what is queued in the bulk priority. */
  needsBulk(id: string): boolean {
    return this.pending.get(id)?.priority === 'bulk';
  }

  /** From now on the identifier belongs to somebody new: its erasure is queued. */
  markErased(id: string): void {
    this.pending.set(id, { key: NONE, priority: 'bulk' });
  }

  /** A NameChange has been applied. */
  named(id: string, key: Key): void {
    if (this.pending.get(id)?.key === key) this.pending.delete(id);
  }

  /** The erasure of an identifier has been applied; a key given meanwhile stays pending. */
  erased(id: string): void {
    if (this.pending.get(id)?.key === NONE) this.pending.delete(id);
  }

  /** A commit failed: nothing that was pending will come. */
  reset(): void {
    this.pending.clear();
    this.next = this.names.next_key;
  }
}
