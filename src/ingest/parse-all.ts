import type { Outcome } from './outcome.ts';
import type { Parsed } from './records/index.ts';

/** A record with its index in the body. */
export interface Numbered<T> {
  index: number;
  record: T;
  warnings: string[];
}

/**
 * Parses records, the first of which has index `offset`. Returns the valid ones and reports the others to `outcome`.
 */
export function parseAll<T>(
  parse: (value: unknown) => Parsed<T>,
  records: readonly unknown[],
  offset: number,
  outcome: Outcome,
): Numbered<T>[] {
  const good: Numbered<T>[] = [];
  for (let at = 0; at < records.length; at++) {
    const parsed = parse(records[at]);
    if (parsed.ok) good.push({ index: offset + at, record: parsed.record, warnings: parsed.warnings });
    else outcome.reject(offset + at, parsed.faults);
  }
  return good;
}
