import { type Fault, isStateFull, ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { describeFaults, kindOfWarning } from '../model/values/refusal.ts';

export interface IngestResult {
  accepted: number;
  rejected_count: number;
  /** The first ones: of a body at most 100. */
  rejected: { index: number; detail: string }[];
  warnings: string[];
}

export class Outcome {
  private accepted = 0;
  private readonly rejected: { index: number; faults: readonly Fault[] }[] = [];
  private readonly without_room: { index: number; error: ServiceError }[] = [];
  /** The first warning of each kind, with its record. */
  private readonly warnings = new Map<string, { warning: string; index: number }>();

  /** Whether a record found no room in the state. */
  get lacked_room(): boolean {
    return this.without_room.length > 0;
  }

  accept(index: number, warnings: readonly string[], further: readonly string[] = []): void {
    this.accepted++;
    if (warnings.length + further.length === 0) return;
    for (const warning of [...warnings, ...further]) {
      // There are more than an answer lists.
      if (this.warnings.size > LIMITS.warnings_listed_max) return;
      const kind = kindOfWarning(warning);
      if (!this.warnings.has(kind)) this.warnings.set(kind, { warning, index });
    }
  }

  /** Records may be rejected in any order: first by the parser, later against the known state. */
  reject(index: number, faults: readonly Fault[]): void {
    this.rejected.push({ index, faults });
  }

  /** Prepares a record. Undefined if the state has no room for it, which `result` reports. */
  unlessFull<T>(index: number, prepare: () => T): T | undefined {
    try {
      return prepare();
    } catch (error) {
      if (!isStateFull(error)) throw error;
      this.without_room.push({ index, error });
      return undefined;
    }
  }

  /**
   * @param listed_max number of rejected records that are listed
   * @throws ServiceError `state_full` if some records found no room; the others are stored
   */
  result(listed_max: number = LIMITS.rejections_listed_max): IngestResult {
    if (this.without_room.length > 0) throw this.stateFull();
    const first = this.rejected.sort((one, other) => one.index - other.index);
    return {
      accepted: this.accepted,
      rejected_count: this.rejected.length,
      rejected: first
        .slice(0, listed_max)
        .map(({ index, faults }) => ({ index, detail: describeFaults(faults) })),
      warnings: listedWarnings(
        [...this.warnings.values()].map(({ warning, index }) => `${warning} (first in record ${index})`),
      ),
    };
  }

  private stateFull(): ServiceError {
    const [{ index, error }] = this.without_room.sort((one, other) => one.index - other.index);
    const refused = this.without_room.length;
    const others = `${refused} of the records were not stored because there was no room, the first is record ${index}`;
    return new ServiceError('state_full', `${error.detail}; ${others}; the other valid records are stored`);
  }
}

/** The warnings that an answer lists, with a note if there are more. */
export function listedWarnings(warnings: readonly string[]): string[] {
  const listed = warnings.slice(0, LIMITS.warnings_listed_max);
  return warnings.length > listed.length ? [...listed, 'further warnings are not listed'] : listed;
}
