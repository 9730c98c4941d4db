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
  private rejected_count = 0;
  private readonly rejected: { index: number; detail: string }[] = [];
  private readonly unknown_fields = new Map<string, number>();

  accept(index: number, unknown_fields: readonly string[]): void {
    this.accepted++;
    for (const field of unknown_fields) {
      if (!this.unknown_fields.has(field)) this.unknown_fields.set(field, index);
    }
  }

  reject(index: number, faults: readonly Fault[]): void {
    this.rejected_count++;
    if (this.rejected.length >= LIMITS.rejections_listed_max) return;
    const detail = faults.map(({ path, message }) => `${path.slice(1) || 'record'}: ${message}`).join('; ');
    this.rejected.push({ index, detail });
  }

  result(): IngestResult {
    const warnings = [...this.unknown_fields].map(
      ([field, index]) => `unknown field '${field}' was ignored (first in record ${index})`,
    );
    return {
      accepted: this.accepted,
      rejected_count: this.rejected_count,
      rejected: this.rejected,
      warnings,
    };
  }
}
