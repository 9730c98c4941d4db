import { type ImpressionChange, type Key, NONE } from '../state/change.ts';
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
  /**
   * The variant of an experiment that decided the page, see `ImpressionChange`. Without a time, that of recording is
   * taken.
   */
  counted?: Pick<ImpressionChange, 'arm' | 'is_short'> & Partial<Pick<ImpressionChange, 'timestamp'>>;
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
    { user_id, user: known, erasures, items, counted }: View,
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
    const { timestamp = applied_at, ...under } = counted ?? {};
    const is_counted = under.arm !== undefined && state.experiments.counts(under.arm, user);
    const variant = is_counted ? under : undefined;
    changes.push({ kind: 'impression', user, items, timestamp, ...variant, seq: 0, applied_at });
    return priority;
  }
}
