import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { InteractionRecord } from './records/index.ts';

/** A comment without an identifier and a time, so that nothing distinguishes it from others. */
export function isUndatedComment({ event_type, event_id, timestamp }: InteractionRecord): boolean {
  return event_type === 'comment' && event_id === undefined && timestamp === undefined;
}

/**
 * The faults of an interaction that removes an unspecified comment, or dates a comment too far ahead.
 *
 * A removal must name its comment. A comment without an identifier is identified by its timestamp, and a timestamp far
 * ahead would not be kept.
 */
export function faultsOfAct(record: InteractionRecord, applied_at: number): Fault[] {
  const { event_type, event_id = '', timestamp = applied_at, action } = record;
  if (event_type !== 'comment' || event_id !== '') return [];
  if (action === 'remove' && isUndatedComment(record))
    return [{ path: '/action', message: 'removing a comment needs its event_id or its timestamp' }];
  if (timestamp <= applied_at + LIMITS.future_tolerance_seconds) return [];
  const message = `a comment without event_id may lie at most ${LIMITS.future_tolerance_seconds} s ahead of the service's clock; send its own time, or an event_id`;
  return [{ path: '/timestamp', message }];
}
