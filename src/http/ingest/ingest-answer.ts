import type { Removed } from '../../ingest/ingest.ts';
import type { IngestResult } from '../../ingest/outcome.ts';
import { success, warned } from '../transport/answers.ts';
import { DetailedError } from '../transport/problem.ts';
import { notedDryRun } from './dry-run.ts';

/**
 * The answer to an ingest body: accepted and rejected records.
 * @throws DetailedError with the same counts, if no record was accepted
 */
export function ingestAnswer(
  { accepted, rejected_count, rejected, warnings }: IngestResult,
  dry_run = false,
) {
  const counts = { accepted, rejected_count, rejected, ...warned(warnings), ...notedDryRun(dry_run) };
  if (rejected_count === 0 || accepted > 0) return success(counts);
  const [first] = rejected;
  const more = rejected_count > 1 ? ` (and ${rejected_count - 1} more records)` : '';
  throw new DetailedError('invalid_value', `record ${first.index}: ${first.detail}${more}`, counts);
}

/** The answer to a deletion. @param done what was done to the subject, in one word */
export function removalAnswer(subject: string, done: string, { is_done, warnings }: Removed) {
  return success({ message: `${subject} ${is_done ? done : `not ${done}: see warnings`}` }, warnings);
}
