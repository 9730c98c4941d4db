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
      warnings: this.warnings(),
    };
  }

  private warnings(): string[] {
    const listed = [...this.unknown_fields].slice(0, LIMITS.warnings_listed_max);
    const warnings = listed.map(
      ([field, index]) => `unknown field '${field}' was ignored (first in record ${index})`,
    );
    const more = this.unknown_fields.size - listed.length;
    if (more > 0) warnings.push(`${more} more unknown fields were ignored`);
    return warnings;
  }
}

/** What is wrong with a record, in one line. */
export function describeFaults(faults: readonly Fault[]): string {
  return faults.map(({ path, message }) => `${path.slice(1) || 'record'}: ${message}`).join('; ');
}
