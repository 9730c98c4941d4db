import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { runCheckpointJob, WRITE_CHECKPOINT } from '../checkpoint/child.ts';
import { writeNext } from '../checkpoint/write-next.ts';

/** Adds the hidden command by which a service has checkpoints written in a process of their own. */
export function addWriteCheckpoint(feedloom: Command): void {
  feedloom
    .command(WRITE_CHECKPOINT, { hidden: true })
    .action(() => runCheckpointJob((job) => writeNext(job, nextTurn)));
}
