import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/value';
import { type Fault, pointerSegment } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { countedProblem, countingCharacters } from './counted-text.ts';
import { withDefaults } from './defaults.ts';
import { referencesOf } from './schema-parts.ts';

export type Checked = { ok: true; options: unknown } | { ok: false; faults: Fault[] };

/** Checks values against one options schema and fills in defaults. Compiles the schema at first use. */
export class OptionsChecker {
  private counted_schema: TSchema | undefined;
  private compiled: TypeCheck<TSchema> | undefined;

  constructor(readonly schema: TSchema) {}

  private get counted(): TSchema {
    this.counted_schema ??= countingCharacters(this.schema);
    return this.counted_schema;
  }

  defaults(): unknown {
    return withDefaults(this.counted, undefined);
  }

  has(name: string): boolean {
    return hasMember(this.schema, name);
  }

  /**
   * @param value undefined if none is given
   * @param path JSON pointer of the value, used in faults
   */
  check(value: unknown, path: string): Checked {
    const stray = prototypeFaults(value, path);
    if (stray.length > 0) return { ok: false, faults: stray };
    const options = withDefaults(this.counted, value);
    const faults = this.faults(options, path);
    return faults.length === 0 ? { ok: true, options } : { ok: false, faults };
  }

  /** The faults of a value without filling in defaults. Empty if it is valid. */
  faults(value: unknown, path: string): Fault[] {
    this.compiled ??= TypeCompiler.Compile(this.counted, referencesOf(this.counted));
    return this.compiled.Check(value) ? [] : describeErrors(this.compiled.Errors(value), path);
  }
}

/** Intersections and unions have the members of all their parts. */
function hasMember({ properties, allOf = [], anyOf = [] }: TSchema, name: string): boolean {
  if (properties !== undefined && Object.hasOwn(properties, name)) return true;
  return [...allOf, ...anyOf].some((part: TSchema) => hasMember(part, name));
}

/** Rejects fields named `__proto__`, which copies would lose. */
function prototypeFaults(value: unknown, path: string): Fault[] {
  const steps = wayToPrototype(value);
  if (steps === undefined) return [];
  const place = steps.map((step) => `/${pointerSegment(step)}`).join('');
  return [{ path: path + place, message: 'is not a known field here' }];
}

/** The path to such a field. Builds no text before one is found, since there may be a million places. */
function wayToPrototype(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const way = wayToPrototype(value[at]);
      if (way !== undefined) return [String(at), ...way];
    }
    return undefined;
  }
  if (Object.hasOwn(value, '__proto__')) return ['__proto__'];
  for (const name in value) {
    const way = wayToPrototype(value[name as keyof typeof value]);
    if (way !== undefined) return [name, ...way];
  }
  return undefined;
}

/** Converts TypeBox errors to faults: one per place, with what is allowed, up to the limit. */
function describeErrors(errors: Iterable<ValueError>, path: string): Fault[] {
  const faults = new Map<string, Fault>();
  const emptied: { list: unknown[]; entries: unknown[] }[] = [];
  for (const error of errors) {
    const place = path + error.path;
    if (!faults.has(place)) faults.set(place, { path: place, message: describeError(error) });
    if (faults.size === LIMITS.faults_listed_max) break;
    // Entries of a list that is too long have no defaults filled in, so their errors are meaningless. They may be
    // millions, so TypeBox must not read them: it reads entries up to the length at that time.
    if (error.type === ValueErrorType.ArrayMaxItems && Array.isArray(error.value))
      emptied.push({ list: error.value, entries: error.value.splice(0) });
  }
  for (const { list, entries } of emptied) for (const entry of entries) list.push(entry);
  return [...faults.values()];
}

function describeError(error: ValueError): string {
  const { schema } = error;
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return 'is not a known field here';
  if (error.type === ValueErrorType.ObjectRequiredProperty) return 'is required';
  if (typeof schema.description === 'string') return `must be ${lowerFirst(schema.description)}`;
  if (error.type === ValueErrorType.Object && schema.properties !== undefined)
    return `must be ${formOf(schema)}`;
  const choices = unionChoices(schema);
  if (choices !== undefined) return `must be one of ${choices.join(', ')}`;
  return lowerFirst(countedProblem(schema, error.value) ?? error.message);
}

/** `{"item_id","rank"?}`: the fields of an object, with `?` for optional ones. */
function formOf({ properties, required = [] }: TSchema): string {
  const needs = (name: string) => required.includes(name) && !('default' in properties[name]);
  const fields = Object.keys(properties).map((name) => `"${name}"${needs(name) ? '' : '?'}`);
  return `{${fields.join(',')}}`;
}

function unionChoices(schema: TSchema): string[] | undefined {
  if (!Array.isArray(schema.anyOf)) return undefined;
  const constants = schema.anyOf.map((choice: TSchema) => choice.const);
  return constants.every((constant) => constant !== undefined) ? constants.map(String) : undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
