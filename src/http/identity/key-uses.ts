import type { Clock, Seconds } from '../../clock.ts';
import type { KeyStore } from '../../store/keys.ts';

/** Minimum time between two writes, seconds. */
const WRITE_SECONDS = 60;

/**
 * Records when keys were last used.
 *
 * Requests only change memory; one write per minute stores all uses since the last. A failed write is repeated with
 * the next one. Failures are not logged here: the requests that need the store report them.
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

  /** Writes if the last write is long enough ago. The caller runs it periodically. */
  async writeWhenDue(): Promise<void> {
    const elapsed = this.clock.now() - this.written_at;
    // Negative after the clock was set back.
    if (elapsed >= 0 && elapsed < WRITE_SECONDS) return;
    await this.write();
  }

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
