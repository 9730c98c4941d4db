import type { Fault } from '../errors.ts';
import type { Outcome } from './outcome.ts';
import type { Numbered } from './parse-all.ts';

/** The faults of a record, or else its warnings. */
export interface PreparedEvent {
  faults?: readonly Fault[];
  warnings?: readonly string[];
}

/**
 * Prepares records of follows, blocks and interactions, and reports the results to `outcome`.
 * @param prepare puts the changes of a record into a batch
 * @param warningsAbout makes warnings, and is called only while there is room for them
 */
export function newEvents<R>(
  parsed: readonly Numbered<R>[],
  outcome: Outcome,
  prepare: (record: R) => PreparedEvent,
  warningsAbout: (record: R) => string[],
): void {
  for (const { record, index, warnings } of parsed) {
    const prepared = outcome.unlessFull(index, () => prepare(record));
    if (prepared === undefined) continue;
    const { faults = [], warnings: further = [] } = prepared;
    if (faults.length > 0) outcome.reject(index, faults);
    else if (outcome.has_all_warnings) outcome.accept(index, []);
    else outcome.accept(index, [...warnings, ...further, ...warningsAbout(record)]);
  }
}
