import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InterchangeFile } from '../ingest/interchange/files.ts';
import type { ImportLog } from '../ingest/interchange/report.ts';
import type { Community } from './community.ts';
import type { OnProgress } from './progress.ts';
import type { Timeline } from './timeline.ts';

/** What every protocol works on. */
export interface Stage {
  /** Empty so far. */
  community: Community;
  timeline: Timeline;
  /** The folder, as it was given. */
  data: string;
  log: ImportLog;
  /** Told every now and then how much of a phase is done. */
  onProgress: OnProgress;
}

/** Pages between two turns of the event loop. */
const PAGES_PER_TURN = 64;

/** Tells how far the work is, and lets the event loop turn; `done` counts up by one. */
export async function progressed(stage: Stage, done: number, total: number): Promise<void> {
  if (done % PAGES_PER_TURN !== 0 && done < total) return;
  stage.onProgress('asking', done, total);
  await nextTurn();
}

/** The seed of the nth request: every request has another, the same ones in each run. */
export function seedOf(seed: number, request: number): number {
  return (seed + request) >>> 0;
}

/** All of them, each time another first: that one pays for what the last acts have outdated. */
export function takingTurns<T>(all: readonly T[], turn: number): T[] {
  const first = turn % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

/** A file with held-out acts, in the form of `interactions.csv`. */
export type TestFile = InterchangeFile & { kind: 'interactions' };
