import { type Fault, isStateFull, ServiceError } from '../errors.ts';
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
  private readonly without_room: { index: number; error: ServiceError }[] = [];
  /** Each warning with the first record that it is about. */
  private readonly warnings = new Map<string, number>();

  /** Whether nothing more is to be warned of: there are more warnings than an answer lists. */
  get has_all_warnings(): boolean {
    return this.warnings.size > LIMITS.warnings_listed_max;
  }

  accept(index: number, warnings: readonly string[]): void {
    this.accepted++;
    for (const warning of warnings) {
      if (this.has_all_warnings) return;
      if (!this.warnings.has(warning)) this.warnings.set(warning, index);
    }
  }

  /** In any order: records are refused by the parser first, then by what is known of them. */
  reject(index: number, faults: readonly Fault[]): void {
    this.rejected.push({ index, faults });
  }

  /** Prepares a record; undefined when the state has no room for it, which `result` will say. */
  unlessFull<T>(index: number, prepare: () => T): T | undefined {
    try {
      return prepare();
    } catch (error) {
      if (!isStateFull(error)) throw error;
      this.without_room.push({ index, error });
      return undefined;
    }
  }

  /** @throws ServiceError `state_full` when there was no room for some records; the others are stored all the same */
  result(): IngestResult {
    if (this.without_room.length > 0) throw this.stateFull();
    const first = this.rejected.sort((one, other) => one.index - other.index);
    return {
      accepted: this.accepted,
      rejected_count: this.rejected.length,
      rejected: first
        .slice(0, LIMITS.rejections_listed_max)
        .map(({ index, faults }) => ({ index, detail: describeFaults(faults) })),
      warnings: listedWarnings(
        [...this.warnings].map(([warning, index]) => `${warning} (first in record ${index})`),
      ),
    };
  }

  private stateFull(): ServiceError {
    const [{ index, error }] = this.without_room.sort((one, other) => one.index - other.index);
    const refused = this.without_room.length;
    const others = `${refused} of the records were not stored for want of room, the first is record ${index}`;
    return new ServiceError('state_full', `${error.detail}; ${others}; what else was valid is stored`);
  }
}

/** The first warnings, as many as an answer lists; it says when there are more. */
export function listedWarnings(warnings: readonly string[]): string[] {
  const listed = warnings.slice(0, LIMITS.warnings_listed_max);
  return warnings.length > listed.length ? [...listed, 'further warnings are not listed'] : listed;
}

/** What is wrong with a record, in one line. */
export function describeFaults(faults: readonly Fault[]): string {
  return faults.map(({ path, message }) => `${path.slice(1) || 'record'}: ${message}`).join('; ');
}
