import type { ImpressionRecord } from '../ingest/records/index.ts';
import type { ChangeBatch } from '../ingest/state-capacity.ts';
import type { Workbench } from '../ingest/workbench.ts';
import { type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

/** Groups impressions of one user at one time into a page, which is one change. */
export class ImpressionPages {
  private user_id: string | undefined;
  private timestamp = 0;
  private user: Key = NONE;
  private applied_at = 0;
  private items: Key[] = [];

  constructor(
    private readonly state: State,
    private readonly bench: Workbench,
    private readonly changes: ChangeBatch,
  ) {}

  /** @returns false if the user is known to have seen the item @throws ServiceError `state_full` */
  add({ user_id, item_id, timestamp }: ImpressionRecord, applied_at: number): boolean {
    if (this.isKnown(user_id, item_id)) return false;
    this.changes.require(this.bench.preparer.needs.seen(user_id, item_id, this.items.length + 1));
    if (user_id !== this.user_id || timestamp !== this.timestamp) {
      this.close();
      this.user_id = user_id;
      this.timestamp = timestamp;
      this.user = this.bench.user_keys.keyOf(user_id, applied_at, 'bulk', this.changes);
    }
    this.applied_at = applied_at;
    const item = this.bench.item_keys.keyOf(item_id, applied_at, 'bulk', this.changes);
    if (this.items.includes(item)) return false;
    this.items.push(item);
    return true;
  }

  /** Ends the open page, if there is one. */
  close(): void {
    const { user, applied_at } = this;
    if (this.items.length > 0) {
      const timestamp = Math.min(this.timestamp, applied_at);
      const items = Uint32Array.from(this.items);
      this.changes.push({ kind: 'impression', user, items, timestamp, seq: 0, applied_at });
    }
    this.user_id = undefined;
    this.items = [];
  }

  private isKnown(user_id: string, item_id: string): boolean {
    const { users, items, interactions } = this.state;
    const user = users.names.find(user_id);
    const item = items.names.find(item_id);
    if (user === NONE || item === NONE) return false;
    return (interactions.touched.flags(user, item) & TOUCHED.impression) !== 0;
  }
}
