import type { Timers } from '../clock.ts';
import type { Connection } from './connection.ts';
import type { Errand, ErrandReply, PurgeKind } from './messages.ts';
import { purge, sweepApart } from './purge.ts';

/** What the purges of an open store run on. */
export interface PurgeOptions {
  connection: Connection;
  timers: Timers;
  /** Aborted when the process is to end: see `sweepApart`. */
  hurried: AbortSignal;
  /** Has the writer do something. */
  run(errand: Errand): Promise<ErrandReply>;
}

/** Purges of an open store, one after another: what is erased while one is under way is left to the next. */
export class Purges {
  /** Ends with the purge that was asked for last. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly options: PurgeOptions) {}

  /** While there is no writer. @throws as `purge` */
  unwritten(): Promise<void> {
    return this.inTurn(() => purge(this.options.connection, this.options.timers));
  }

  /** By the writer, between its messages. @param stopping ends it after a step when it is aborted */
  byWriter(of: PurgeKind, stopping?: AbortSignal): Promise<void> {
    const { connection, timers, hurried, run } = this.options;
    return this.inTurn(async () => {
      for (let first = true; stopping?.aborted !== true; first = false) {
        const { step } = await run({ type: 'purge', of, first });
        if (step === undefined) return;
        if (step === 'sweep') await sweepApart(connection, timers, hurried);
      }
    });
  }

  private inTurn(run: () => Promise<void>): Promise<void> {
    const purging = this.last.then(run);
    this.last = purging.catch(() => {});
    return purging;
  }
}
