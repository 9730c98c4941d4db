import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InterchangeFile } from '../interchange/files.ts';
import type { ImportLog } from '../interchange/report.ts';
import type { Community } from './community.ts';
import type { OnProgress, Phase } from './progress.ts';
import type { Timeline } from './timeline.ts';

export interface Stage {
  /** Empty at the start. */
  community: Community;
  timeline: Timeline;
  /** The data folder, as given by the user. */
  data: string;
  log: ImportLog;
  /** Called periodically with the progress of a phase. */
  onProgress: OnProgress;
}

/** Number of pages between two turns of the event loop. */
const PAGES_PER_TURN = 64;

/** Reports progress and lets the event loop run; `done` is incremented by one per call. */
export async function progressed(
  stage: Stage,
  done: number,
  total: number,
  phase: Phase = 'asking',
): Promise<void> {
  if (done % PAGES_PER_TURN !== 0 && done < total) return;
  stage.onProgress(phase, done, total);
  await nextTurn();
}

/** The seed of the nth request. Requests have different seeds, which are the same in each run. */
export function seedOf(seed: number, request: number): number {
  return (seed + request) >>> 0;
}

/** A file with held-out acts, in the form of `interactions.csv`. */
export type TestFile = InterchangeFile & { kind: 'interactions' };
