import type { ServiceError } from '../errors.ts';
import type { Change } from '../state/change.ts';

/** `express`: small and waited for by a reader (impressions); goes before `bulk`. */
export type Lane = 'express' | 'bulk';

/** Changes that are stored together or not at all, and who waits for them. */
export interface Submission {
  changes: Change[];
  /** How many records they come from. */
  records: number;
  resolve(): void;
  reject(error: ServiceError): void;
}

/** What waits for the store, in order of submission within each lane. */
export class Lanes {
  private readonly express: Submission[] = [];
  private readonly bulk: Submission[];

  /** @param waiting all of them in one lane */
  constructor(waiting: readonly Submission[] = []) {
    this.bulk = [...waiting];
  }

  get empty(): boolean {
    return this.express.length + this.bulk.length === 0;
  }

  add(lane: Lane, submission: Submission): void {
    this[lane].push(submission);
  }

  /** Whole submissions of at most `rows_max` changes together, express first; at least one if any waits. */
  take(rows_max: number): Submission[] {
    const taken: Submission[] = [];
    let rows = 0;
    for (const lane of [this.express, this.bulk]) {
      let count = 0;
      for (const { changes } of lane) {
        if (rows > 0 && rows + changes.length > rows_max) break;
        rows += changes.length;
        count += 1;
      }
      taken.push(...lane.splice(0, count));
      // What waits in the bulk lane may build on names that the rest of the express lane gives.
      if (lane.length > 0) break;
    }
    return taken;
  }

  takeAll(): Submission[] {
    return [...this.express.splice(0), ...this.bulk.splice(0)];
  }
}
