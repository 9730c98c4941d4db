import type { SuspensionHooks } from './suspension.ts';

/**
 * Called for every interaction that is added or removed, to update counters.
 * @param kept whether the act was counted before and outlived the deletion of its item
 */
export type CountListener = (
  user: number,
  item: number,
  event_type: number,
  time: number,
  delta: 1 | -1,
  kept?: boolean,
) => void;

export interface InteractionHooks extends SuspensionHooks {
  onCount: CountListener;
}
