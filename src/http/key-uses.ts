import type { Clock, Seconds } from '../clock.ts';
import type { KeyStore } from '../store/keys.ts';

/** Between two writes, however many requests come meanwhile. */
const WRITE_SECONDS = 60;

/**
 * When keys were last used. Requests only change memory; all uses since the last write go into one write, at most once a
 * minute. A write that fails is repeated with the next one. Nothing is logged: whatever keeps the store from writing is
 * reported by the requests that need it.
 */
export class KeyUses {
  private readonly pending = new Map<string, Seconds>();
  private written_at = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly keys: Pick<KeyStore, 'noteUse'>,
    private readonly clock: Clock,
  ) {}

  note(key_id: string): void {
    this.pending.set(key_id, this.clock.now());
  }

  /** To be called again and again. */
  async writeWhenDue(): Promise<void> {
    const elapsed = this.clock.now() - this.written_at;
    // Negative after the clock was put back.
    if (elapsed >= 0 && elapsed < WRITE_SECONDS) return;
    await this.write();
  }

  /** Writes all uses that are not stored yet. */
  async write(): Promise<void> {
    if (this.pending.size === 0) return;
    this.written_at = this.clock.now();
    const uses = [...this.pending].map(([key_id, used_at]) => ({ key_id, used_at }));
    this.pending.clear();
    try {
      await this.keys.noteUse(uses);
    } catch {
      for (const { key_id, used_at } of uses)
        if (!this.pending.has(key_id)) this.pending.set(key_id, used_at);
    }
  }
}
