/**
 * Reads one untrusted JSON record with its shape.
 *
 * Every given field is checked. Unknown fields are accepted with a warning. The parsers of the record kinds add only
 * rules about several fields.
 */
import type { Fault } from '../../errors.ts';
import {
  clip,
  Dropped,
  type FieldCheck,
  isPlainObject,
  pointerStep,
  type ReadOptions,
  Reduced,
  Refusal,
  WARNINGS_MAX,
} from './refusal.ts';

export type Parsed<T> =
  | {
      ok: true;
      record: T;
      /**
       * Ignored or changed parts, one sentence per kind. What follows `; got ` is the value.
       *
       * These are unknown fields, at most `WARNINGS_MAX`, and values that could not be kept.
       */
      warnings: string[];
    }
  | {
      ok: false;
      /** At least one. Paths are JSON pointers into the record ('' is the record itself). */
      faults: Fault[];
    };

export interface Shape<T> {
  checks: ReadonlyMap<string, FieldCheck<unknown>>;
  required: readonly (keyof T & string)[];
}

export interface FieldNames {
  required: readonly string[];
  optional: readonly string[];
}

/** @param further additional required fields */
export function fieldNames<T>(shape: Shape<T>, further: readonly string[] = []): FieldNames {
  const required = [...shape.required, ...further];
  return { required, optional: [...shape.checks.keys()].filter((name) => !required.includes(name)) };
}

export function refused<T>(path: string, message: string): Parsed<T> {
  return { ok: false, faults: [{ path, message }] };
}

/** The fault of a field that is not given. */
export const IS_REQUIRED = 'is required';

/**
 * Reads the fields of `value` that `shape` has. `null` and undefined count as not given, but with `null_clears` a field
 * of `null` is present with the value undefined.
 * A value that its reader has refused already is a `Refusal`. Never throws.
 */
export function readRecord<T extends object>(
  value: unknown,
  shape: Shape<T>,
  options?: ReadOptions,
): Parsed<T> {
  if (value instanceof Refusal) return { ok: false, faults: [...value.faults] };
  if (!isPlainObject(value)) return refused('', 'expected a JSON object');
  const fields: Record<string, unknown> = {};
  const warnings: string[] = [];
  const dropped: string[] = [];
  const faults: Fault[] = [];
  for (const name of Object.keys(value)) {
    const check = shape.checks.get(name);
    if (check === undefined) {
      if (warnings.length < WARNINGS_MAX) warnings.push(unknownField(name));
      continue;
    }
    const given = value[name];
    if (given === null && options?.null_clears) fields[name] = undefined;
    if (given === null || given === undefined) continue;
    const checked = given instanceof Refusal ? given : check(given, options);
    if (checked instanceof Refusal) addFaults(faults, name, checked);
    else if (checked instanceof Dropped) dropped.push(`${name}: ${checked.warning}`);
    else if (checked instanceof Reduced) {
      fields[name] = checked.value;
      dropped.push(...checked.warnings.map((warning) => `${name}: ${warning}`));
    } else fields[name] = checked;
  }
  for (const name of shape.required) {
    const given = value[name];
    if (given === null || given === undefined) faults.push({ path: pointerStep(name), message: IS_REQUIRED });
  }
  if (faults.length > 0) return { ok: false, faults };
  // Safe: each field passed the check of its type, and all required ones are present.
  return { ok: true, record: fields as T, warnings: [...dropped, ...warnings] };
}

export function unknownField(name: string): string {
  return `unknown field '${clip(name)}' was ignored`;
}

function addFaults(faults: Fault[], name: string, refusal: Refusal): void {
  for (const { path, message } of refusal.faults) faults.push({ path: pointerStep(name) + path, message });
}
