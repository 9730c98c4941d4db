import { NONE } from '../model/key.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { State } from '../state/state.ts';
import { BOUNDS } from './bounds.ts';

/**
 * Public acts in the logs of users and items.
 *
 * The logs also hold views and other private acts, often many more than public ones. All functions here pass by them, so
 * a private act changes no answer. Only the latest `entries_examined_max` entries of a log are examined.
 */

/** The positions of a subject's latest public acts, newest first. */
export function latestPublicActs(
  log: InteractionLog,
  { vocabulary }: State,
  subject: number,
  most: number,
): Int32Array {
  const end = log.end(subject);
  const positions = new Int32Array(most);
  const start = examinedFrom(log, subject);
  return positions.subarray(0, log.positions(start, end, vocabulary.counted_by_any, most, positions, 0));
}

/** The number of public acts of a user. */
export function publicActCount({ interactions, vocabulary }: State, user: number): number {
  const log = interactions.by_user;
  const before = examinedFrom(log, user) - 1;
  const after = before < log.start(user) ? NONE : log.timestamp(before);
  return log.count(user, vocabulary.counted_by_any, after);
}

function examinedFrom(log: InteractionLog, subject: number): number {
  return Math.max(log.start(subject), log.end(subject) - BOUNDS.entries_examined_max);
}
