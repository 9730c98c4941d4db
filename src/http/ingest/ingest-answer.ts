import { ServiceError } from '../../errors.ts';
import type { Removed } from '../../ingest/ingest.ts';
import type { IngestResult } from '../../ingest/outcome.ts';
import { problemOf } from '../transport/problem.ts';

/**
 * The answer to an ingest body: accepted and rejected records. If no record was accepted it is a 400 with the same
 * fields in addition to those of the problem.
 */
export function ingestAnswer(
  { accepted, rejected_count, rejected, warnings }: IngestResult,
  set: { status?: number | string; headers: Record<string, string | number> },
): object {
  const counts = { accepted, rejected_count, rejected, ...(warnings.length > 0 ? { warnings } : {}) };
  if (rejected_count === 0 || accepted > 0) return { status: 'success', ...counts };
  const [first] = rejected;
  const more = rejected_count > 1 ? ` (and ${rejected_count - 1} more records)` : '';
  const error = new ServiceError('invalid_value', `record ${first.index}: ${first.detail}${more}`);
  set.status = error.status;
  set.headers['content-type'] = 'application/problem+json';
  return { ...problemOf(error, ''), ...counts };
}

/** The answer to a deletion. @param done what was done to the subject, in one word */
export function removalAnswer(subject: string, done: string, { is_done, warnings }: Removed): object {
  const message = `${subject} ${is_done ? done : `not ${done}: see warnings`}`;
  return { status: 'success', message, ...(warnings.length > 0 ? { warnings } : {}) };
}
