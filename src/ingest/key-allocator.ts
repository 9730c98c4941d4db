import { LIMITS } from '../limits.ts';
import { NAME, type NameChange } from '../model/changes/name.ts';
import { type Key, NONE, type Space } from '../model/key.ts';
import type { Names } from '../state/names.ts';

/**
 * Assigns keys to identifiers without one.
 *
 * A key is *pending* until its NameChange has been applied. When a commit fails, all pending keys are free again.
 */
export class KeyAllocator {
  /** NONE while the erasure of the identifier is queued. The next use of it creates a new user. */
  private readonly pending = new Map<string, Key>();

  constructor(
    private readonly space: Space,
    private readonly names: Names,
    private next: Key = 0,
  ) {}

  find(id: string): Key {
    const pending = this.pending.get(id);
    if (pending !== undefined) return pending;
    const ordinal = this.names.find(id);
    return ordinal === NONE ? NONE : this.names.key(ordinal);
  }

  /**
   * The key of an identifier. Assigns one if needed and adds its NameChange to `changes`, which must have room for it.
   */
  keyOf(id: string, applied_at: number, changes: { push(change: NameChange): void }): Key {
    const known = this.find(id);
    if (known !== NONE) return known;
    const key = this.following;
    if (key >= LIMITS.keys_max) throw new Error('a key was requested without room for it');
    this.next = key + 1;
    this.pending.set(id, key);
    changes.push({ kind: NAME.kind, space: this.space, key, id, seq: 0, applied_at });
    return key;
  }

  private get following(): Key {
    return Math.max(this.next, this.names.next_key);
  }

  /** Notes that the erasure of the identifier is queued. The next use of it creates a new user. */
  markErased(id: string): void {
    this.pending.set(id, NONE);
  }

  named(id: string, key: Key): void {
    if (this.pending.get(id) === key) this.pending.delete(id);
  }

  /** Notes that an erasure has been applied. A key assigned since stays pending. */
  erased(id: string): void {
    if (this.pending.get(id) === NONE) this.pending.delete(id);
  }

  reset(): void {
    this.pending.clear();
    this.next = 0;
  }
}
