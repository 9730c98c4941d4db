import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** What became of a body of records. */
export interface IngestResult {
  accepted: number;
  rejected_count: number;
  /** The first 100. */
  rejected: { index: number; detail: string }[];
  warnings: string[];
}

/** Collects the fate of each record of a body. */
export class Outcome {
  private accepted = 0;
  private readonly rejected: { index: number; faults: readonly Fault[] }[] = [];
  private readonly unknown_fields = new Map<string, number>();

  accept(index: number, unknown_fields: readonly string[]): void {
    this.accepted++;
    for (const field of unknown_fields) {
      if (this.unknown_fields.size > LIMITS.warnings_listed_max) return;
      if (!this.unknown_fields.has(field)) this.unknown_fields.set(field, index);
    }
  }

  /** In any order: records are refused by the parser first, then by what is known of them. */
  reject(index: number, faults: readonly Fault[]): void {
    this.rejected.push({ index, faults });
  }

  result(): IngestResult {
    const first = this.rejected.sort((one, other) => one.index - other.index);
    return {
      accepted: this.accepted,
      rejected_count: this.rejected.length,
      rejected: first
        .slice(0, LIMITS.rejections_listed_max)
        .map(({ index, faults }) => ({ index, detail: describeFaults(faults) })),
      warnings: unknownFieldWarnings(
        [...this.unknown_fields].map(([field, index]) => [field, ` (first in record ${index})`]),
      ),
    };
  }
}

/** Warnings of the first fields, each with what is to be said of where it was; more are told of, but not counted. */
export function unknownFieldWarnings(fields: readonly (readonly [field: string, where: string])[]): string[] {
  const listed = fields.slice(0, LIMITS.warnings_listed_max);
  const warnings = listed.map(([field, where]) => `unknown field '${field}' was ignored${where}`);
  return fields.length > listed.length ? [...warnings, 'further unknown fields were ignored'] : warnings;
}

/** What is wrong with a record, in one line. */
export function describeFaults(faults: readonly Fault[]): string {
  return faults.map(({ path, message }) => `${path.slice(1) || 'record'}: ${message}`).join('; ');
}
