import type { ServiceError } from '../errors.ts';
import type { Change } from '../model/change.ts';
import type { ConnectorCursor } from './cursors.ts';

/** Changes that are stored together or not at all, with the callbacks of the submitter. */
export interface Submission {
  changes: Change[];
  records: number;
  /** Stored in the same transaction. */
  cursor?: ConnectorCursor;
  resolve(): void;
  reject(error: ServiceError): void;
}

/** Takes the first submissions out of a queue: at most `rows_max` changes in total, and at least one submission. */
export function takeSubmissions(queue: Submission[], rows_max: number): Submission[] {
  let rows = 0;
  let count = 0;
  for (const { changes } of queue) {
    if (rows > 0 && rows + changes.length > rows_max) break;
    rows += changes.length;
    count++;
  }
  return queue.splice(0, count);
}
