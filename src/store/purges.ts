import type { Timers } from '../clock.ts';
import type { Connection } from './connection.ts';
import type { PurgeKind, WriterTask } from './messages.ts';
import { purge, sweepConcurrently } from './purge.ts';

export interface PurgeOptions {
  connection: Connection;
  timers: Timers;
  /** Aborted when the process ends, see `sweepConcurrently`. */
  ending: AbortSignal;
  run(task: WriterTask): Promise<unknown>;
}

/** Runs the purges of an open store one after another. Erasures during a purge are left to the next one. */
export class Purges {
  /** Resolves when the last requested purge ends. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly options: PurgeOptions) {}

  /** Purges while there is no writer. @throws as `purge` */
  unwritten(): Promise<void> {
    return this.inTurn(() => purge(this.options.connection, this.options.timers));
  }

  /** Purges on the writer, between its messages. @param stopping ends the purge after a step */
  byWriter(of: PurgeKind, stopping?: AbortSignal): Promise<void> {
    const { connection, timers, ending, run } = this.options;
    return this.inTurn(async () => {
      for (let first = true; stopping?.aborted !== true; first = false) {
        const step = await run({ type: 'purge', of, first });
        if (step === undefined) return;
        if (step === 'sweep') await sweepConcurrently(connection, timers, ending);
      }
    });
  }

  private inTurn(run: () => Promise<void>): Promise<void> {
    const purging = this.last.then(run);
    this.last = purging.catch(() => {});
    return purging;
  }
}
