import type { ImpressionRecord } from '../ingest/records/index.ts';
import type { WriteBatch } from '../ingest/write-batch.ts';
import { type Key, NONE } from '../state/change.ts';
import { TOUCHED } from '../state/touched.ts';

/** Groups impressions of one user at one time into a page, which is one change. */
export class ImpressionPages {
  private user_id: string | undefined;
  private timestamp = 0;
  private user: Key = NONE;
  private applied_at = 0;
  private items: Key[] = [];

  constructor(private readonly batch: WriteBatch) {}

  /** @returns false if the user is known to have seen the item @throws ServiceError `state_full` */
  add({ user_id, item_id, timestamp }: ImpressionRecord): boolean {
    const { batch } = this;
    if (this.isKnown(user_id, item_id)) return false;
    batch.require(batch.context.estimates.seen(user_id, item_id, this.items.length + 1));
    if (user_id !== this.user_id || timestamp !== this.timestamp) {
      this.close();
      this.user_id = user_id;
      this.timestamp = timestamp;
      this.user = batch.userKey(user_id);
    }
    this.applied_at = batch.applied_at;
    const item = batch.itemKey(item_id);
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
      this.batch.push({ kind: 'impression', user, items, timestamp, seq: 0, applied_at });
    }
    this.user_id = undefined;
    this.items = [];
  }

  private isKnown(user_id: string, item_id: string): boolean {
    const { users, items, interactions } = this.batch.context.state;
    const user = users.names.find(user_id);
    const item = items.names.find(item_id);
    if (user === NONE || item === NONE) return false;
    return (interactions.touched.flags(user, item) & TOUCHED.impression) !== 0;
  }
}
