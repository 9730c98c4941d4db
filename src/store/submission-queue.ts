import type { ServiceError } from '../errors.ts';
import type { Change } from '../state/change.ts';
import type { ConnectorCursor } from './cursors.ts';

/** `express` submissions are small, block a reader (impressions), and go before `bulk` submissions. */
export type Priority = 'express' | 'bulk';

/** Changes that are stored together or not at all, with the callbacks of the submitter. */
export interface Submission {
  changes: Change[];
  records: number;
  /** Stored in the same transaction. */
  cursor?: ConnectorCursor;
  resolve(): void;
  reject(error: ServiceError): void;
}

/** Submissions that wait for the store, in order of submission within each priority. */
export class SubmissionQueue {
  private readonly express: Submission[] = [];
  private readonly bulk: Submission[];

  /** @param waiting go into one queue, in this order */
  constructor(waiting: readonly Submission[] = []) {
    this.bulk = [...waiting];
  }

  get empty(): boolean {
    return this.express.length + this.bulk.length === 0;
  }

  add(priority: Priority, submission: Submission): void {
    this[priority].push(submission);
  }

  /** Takes whole submissions of at most `rows_max` changes in total, express first, and at least one if any waits. */
  take(rows_max: number): Submission[] {
    const taken: Submission[] = [];
    let rows = 0;
    for (const queue of [this.express, this.bulk]) {
      let count = 0;
      for (const { changes } of queue) {
        if (rows > 0 && rows + changes.length > rows_max) break;
        rows += changes.length;
        count += 1;
      }
      taken.push(...queue.splice(0, count));
      // Bulk submissions may use names that the rest of the express queue defines.
      if (queue.length > 0) break;
    }
    return taken;
  }

  takeAll(): Submission[] {
    return [...this.express.splice(0), ...this.bulk.splice(0)];
  }
}
