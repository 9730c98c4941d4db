import { type Key, NONE } from '../state/change.ts';
import type { Priority } from '../store/submission-queue.ts';
import type { IngestContext } from './context.ts';
import type { ChangeBatch } from './state-capacity.ts';

/** The items shown to a viewer. Keys, unlike ordinals, are never reused. */
export interface View {
  user_id: string;
  /** NONE if the viewer was unknown when the page was built. */
  user: Key;
  /** Number of erased users when the page was built. */
  erasures: number;
  items: Uint32Array;
}

/** Records pages as seen. Between building and recording, other data may have to be read. */
export class Views {
  constructor(private readonly context: Pick<IngestContext, 'state' | 'user_keys' | 'estimates'>) {}

  of(user_id: string, items: readonly number[]): View {
    const { state, user_keys } = this.context;
    const keys = state.items.names.keysOf(items);
    return { user_id, user: user_keys.find(user_id), erasures: state.erasures, items: keys };
  }

  /**
   * Adds the impression to `changes` and returns its priority.
   *
   * Undefined if the viewer was or may have been erased meanwhile: an unknown viewer could have been created and
   * erased.
   * @throws ServiceError `state_full`
   */
  record(
    { user_id, user: known, erasures, items }: View,
    applied_at: number,
    changes: ChangeBatch,
  ): Priority | undefined {
    const { state, user_keys, estimates } = this.context;
    const now_known = user_keys.find(user_id);
    if (known !== NONE && now_known !== known) return undefined;
    if (now_known === NONE && erasures !== state.erasures) return undefined;
    const priority = user_keys.needsBulk(user_id) ? 'bulk' : 'express';
    changes.require(estimates.impression(user_id, items));
    const user = now_known === NONE ? user_keys.keyOf(user_id, applied_at, priority, changes) : now_known;
    changes.push({ kind: 'impression', user, items, timestamp: applied_at, seq: 0, applied_at });
    return priority;
  }
}
