import { seededRandom } from '../clock.ts';
import type { ImportLog } from '../interchange/report.ts';
import type { TestFile } from './protocol.ts';
import { pairOf } from './targets.ts';
import { readRecords, type Timeline } from './timeline.ts';

/** An act that pages are to predict. */
export interface HeldOut {
  user: number;
  item: number;
  /** Seconds. Undefined if the file has no time. */
  acted_at: number | undefined;
}

/** Reads the acts of a test file by users of the data. */
export async function heldOutByFile(timeline: Timeline, test: TestFile, log: ImportLog): Promise<HeldOut[]> {
  const held_out: HeldOut[] = [];
  await readRecords(test, log, (entry) => {
    if (entry.kind !== 'interactions') return;
    const { user_id, item_id, event_type, action, timestamp } = entry.record;
    if (action === 'remove' || event_type === 'hide' || event_type === 'report') return;
    const user = timeline.users.find(user_id);
    if (user !== undefined) held_out.push({ user, item: timeline.items.add(item_id), acted_at: timestamp });
  });
  return held_out;
}

/**
 * Takes a share of each user's items out of the timeline, with all acts of the user on them: those that the user acted
 * on last. Items of the same time are in random order. One item of each user stays, and one is taken if there are two.
 */
export function heldOutOfHistory(timeline: Timeline, share: number, seed: number): HeldOut[] {
  const { acts } = timeline;
  const random = seededRandom(seed);
  const first_acts = new Map<number, HeldOut & { order: number; acted_at: number }>();
  for (let act = 0; act < acts.length; act++) {
    const pair = pairOf(acts, act);
    if (!acts.engages(act) || first_acts.has(pair)) continue;
    const [user, item, acted_at] = [acts.user[act], acts.item[act], acts.time[act]];
    first_acts.set(pair, { user, item, acted_at, order: random() });
  }
  const taken = new Map<number, HeldOut>();
  for (const items of Map.groupBy(first_acts, ([, { user }]) => user).values()) {
    if (items.length < 2) continue;
    items.sort(([, one], [, other]) => one.acted_at - other.acted_at || one.order - other.order);
    const count = Math.min(items.length - 1, Math.max(1, Math.round(items.length * share)));
    for (const [pair, act] of items.slice(-count)) taken.set(pair, act);
  }
  timeline.withhold((act) => taken.has(pairOf(acts, act)));
  return [...taken.values()];
}
