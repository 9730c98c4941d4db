/**
 * One untrusted JSON record against its shape: every field that is given is checked, unknown ones are
 * tolerated and named. The parsers of the record kinds add only what concerns several fields at once.
 */
import type { Fault } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import {
  clip,
  Dropped,
  type FieldCheck,
  isPlainObject,
  pointerStep,
  type ReadOptions,
  Reduced,
  Refusal,
} from './refusal.ts';

/** A record in its normal form, or everything that is wrong with it. */
export type Parsed<T> =
  | {
      ok: true;
      record: T;
      /**
       * What was ignored or dropped, a sentence for each kind of it, whatever the values: unknown fields, at most
       * `UNKNOWN_FIELDS_MAX`, and what could not be kept.
       */
      warnings: string[];
    }
  | {
      ok: false;
      /** At least one; paths are JSON pointers into the record ('' is the record itself). */
      faults: Fault[];
    };

/** Unknown fields of one object, or within its lists, that are looked at: one more than are listed tells of more. */
export const UNKNOWN_FIELDS_MAX = LIMITS.warnings_listed_max + 1;

/** The fields of a kind of record, with their checks. */
export interface Shape<T> {
  checks: ReadonlyMap<string, FieldCheck<unknown>>;
  required: readonly (keyof T & string)[];
}

/** Makes a shape; the types see to it that every field of `T` has a check that yields its type. */
export function shapeOf<T extends object>(
  checks: { [K in keyof T]-?: FieldCheck<T[K]> },
  required: readonly (keyof T & string)[],
): Shape<T> {
  return { checks: new Map(Object.entries<FieldCheck<unknown>>(checks)), required };
}

/** Names of the fields of a line, for whoever writes one. */
export interface FieldNames {
  required: readonly string[];
  optional: readonly string[];
}

/** @param further fields that are required beside those that every record of the shape needs */
export function fieldNames<T>(shape: Shape<T>, further: readonly string[] = []): FieldNames {
  const required = [...shape.required, ...further];
  return { required, optional: [...shape.checks.keys()].filter((name) => !required.includes(name)) };
}

export function refused<T>(path: string, message: string): Parsed<T> {
  return { ok: false, faults: [{ path, message }] };
}

/** Reads the fields of `value` that `shape` knows. `null` and undefined count as not given. Never throws. */
export function readRecord<T extends object>(
  value: unknown,
  shape: Shape<T>,
  options?: ReadOptions,
): Parsed<T> {
  if (!isPlainObject(value)) return refused('', 'expected a JSON object');
  const fields: Record<string, unknown> = {};
  const warnings: string[] = [];
  const dropped: string[] = [];
  const faults: Fault[] = [];
  for (const name of Object.keys(value)) {
    const check = shape.checks.get(name);
    if (check === undefined) {
      if (warnings.length < UNKNOWN_FIELDS_MAX) warnings.push(unknownField(name));
      continue;
    }
    const given = value[name];
    if (given === null || given === undefined) continue;
    const checked = check(given, options);
    if (checked instanceof Refusal) addFaults(faults, name, checked);
    else if (checked instanceof Dropped) dropped.push(`${name}: ${checked.warning}`);
    else if (checked instanceof Reduced) {
      fields[name] = checked.value;
      dropped.push(...checked.warnings.map((warning) => `${name}: ${warning}`));
    } else fields[name] = checked;
  }
  for (const name of shape.required) {
    const given = value[name];
    if (given === null || given === undefined)
      faults.push({ path: pointerStep(name), message: 'is required' });
  }
  if (faults.length > 0) return { ok: false, faults };
  // Sound: each name in `fields` passed the check of its type, and the required ones are among them.
  return { ok: true, record: fields as T, warnings: [...dropped, ...warnings] };
}

/** The warning of a field that means nothing here. */
export function unknownField(name: string): string {
  return `unknown field '${clip(name)}' was ignored`;
}

function addFaults(faults: Fault[], name: string, refusal: Refusal): void {
  for (const { path, message } of refusal.faults) faults.push({ path: pointerStep(name) + path, message });
}
