import { closeSync, existsSync, renameSync, rmSync } from 'node:fs';
import type { Logger } from 'pino';
import { rootReasonOf } from '../errors.ts';
import { openNewFile } from '../files/new-file.ts';
import type { LeaderClient } from './leader-client.ts';

/** Where the leader sends the files of its checkpoint. */
export const CHECKPOINT_PATH = '/internal/checkpoint';

/** The files of a checkpoint: the state, and the neighbour lists. */
export type CheckpointPart = 'state' | 'lists';

const TRANSFER_MS = 600_000;

/** Gets the files of the current checkpoint from the leader, for a node that does not have them. */
export class CheckpointTransfer {
  constructor(
    private readonly to_leader: LeaderClient,
    private readonly log: Logger,
  ) {}

  /**
   * Copies a file, unless it is there. After a failure it is missing, and the log is read from its start.
   * @param name of the checkpoint
   */
  async obtain(name: string, part: CheckpointPart, file: string): Promise<void> {
    if (existsSync(file)) return;
    const partial = `${file}.part`;
    try {
      const path = `${CHECKPOINT_PATH}?${new URLSearchParams({ name, part })}`;
      const answer = await this.to_leader.send({ method: 'GET', path, patience_ms: TRANSFER_MS });
      if (!answer.ok) throw new Error(`the leader answered ${answer.status}`);
      // `Bun.write` keeps the mode of an existing file. Other accounts must not read this one.
      closeSync(openNewFile(partial));
      await Bun.write(partial, answer);
      renameSync(partial, file);
    } catch (error) {
      rmSync(partial, { force: true });
      this.log.info(
        { cause: rootReasonOf(error), part },
        'the checkpoint could not be copied from the leader',
      );
    }
  }
}
