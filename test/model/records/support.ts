import type { Fault } from '../../../src/errors.ts';
import type { Parsed } from '../../../src/model/values/record.ts';
import { type Check, Refusal } from '../../../src/model/values/refusal.ts';

/** The record of a valid result. Otherwise fails with the faults. */
export function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(`refused: ${JSON.stringify(parsed.faults)}`);
  return parsed.record;
}

/** The faults of an invalid result. Otherwise fails with the record. */
export function faultsOf<T>(parsed: Parsed<T>): Fault[] {
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(parsed.record)}`);
  return parsed.faults;
}

export function pathsOf<T>(parsed: Parsed<T>): string[] {
  return faultsOf(parsed).map((fault) => fault.path);
}

/** The normalised value, or the message of the first fault. */
export function outcome<T>(check: Check<T>, value: unknown): T | { refused: string } {
  const checked = check(value);
  return checked instanceof Refusal ? { refused: checked.faults[0].message } : checked;
}
