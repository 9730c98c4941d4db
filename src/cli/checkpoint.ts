import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { runCheckpointJob, WRITE_CHECKPOINT } from '../checkpoint/child.ts';
import { writeNext } from '../checkpoint/write-next.ts';

/** Adds the hidden command with which a service writes checkpoints in a child process. */
export function addWriteCheckpoint(feedloom: Command): void {
  feedloom
    .command(WRITE_CHECKPOINT, { hidden: true })
    .action(() => runCheckpointJob((job) => writeNext(job, nextTurn)));
}
