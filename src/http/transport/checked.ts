import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { ParseError, ValidationError } from 'elysia';
import { type Fault, invalidValue } from '../../errors.ts';
import { listedWarnings } from '../../ingest/outcome.ts';
import { LIMITS } from '../../limits.ts';
import { type Check, Reduced, Refusal, refuse, whole } from '../../model/values/refusal.ts';
import type { ValueType } from '../../model/values/values.ts';
import { named } from '../openapi/schema.ts';

const CHECKED = 'FeedloomChecked';

TypeRegistry.Set<TSchema>(CHECKED, ({ check }, value) => !(check(value) instanceof Refusal));

/**
 * A schema whose values a function checks and converts, for rules and texts that JSON Schema does not have.
 *
 * Elysia decodes queries twice, so `check` must also accept the values that it returns.
 * Handlers get the converted value: Elysia types it by the static type of the schema.
 * @param schema what the document shows
 */
export function checkedBy<T>(schema: TSchema, check: Check<T>) {
  return (
    Type.Transform(Type.Unsafe<T>({ ...schema, [Kind]: CHECKED, check }))
      // Not a refusal: Elysia checks before it decodes.
      .Decode((value) => check(value) as T)
      .Encode((value) => value)
  );
}

/** Where `documentedAs` keeps its schema. Elysia must not find it: it would fill in the defaults. */
const DOCUMENTED = Symbol('documented');

/** A schema that the document shows as another one. */
export function documentedAs<T extends TSchema>(shown: TSchema, schema: T): T {
  return { ...schema, [DOCUMENTED]: shown };
}

/** A checked body, and warnings about what was ignored. */
export interface Body<T> {
  value: T;
  warnings: string[];
}

/** How Elysia takes validators of other libraries: the interface called Standard Schema. */
interface BodySchema<T> {
  '~standard': { types?: { input: unknown; output: Body<T> }; validate(given: unknown): { value: Body<T> } };
  [DOCUMENTED]: TSchema;
}

/** A body of a type of values. An empty one is an object without fields. */
export function bodyOf<T>(type: ValueType<T>): BodySchema<T> {
  const validate = (given: unknown) => ({ value: readBody(type, given) });
  const { schema } = type;
  const shown = schema.title === undefined ? schema : named(schema.title, schema);
  return { '~standard': { validate }, [DOCUMENTED]: shown };
}

/** @throws ServiceError `invalid_value` with every fault */
export function readBody<T>({ check }: ValueType<T>, given: unknown): Body<T> {
  const checked = check(given ?? {});
  const value = whole(checked);
  if (value instanceof Refusal) throw invalidValue([...value.faults]);
  return { value, warnings: checked instanceof Reduced ? listedWarnings(checked.warnings) : [] };
}

/** A schema for the document only: the handler checks the body itself, or writes the answer itself. */
export function unchecked(schema: TSchema) {
  return documentedAs(schema, Type.Unknown());
}

/** An object whose members the handler checks. */
export function anyObject(schema: TSchema) {
  const object = Type.Object({}, { additionalProperties: true });
  return documentedAs(schema, Type.Unsafe<Record<string, unknown>>(object));
}

/** The schema that the document shows. */
export function documentedSchema(schema: TSchema): TSchema {
  const shown: TSchema | undefined = Reflect.get(schema, DOCUMENTED);
  return shown ?? schema;
}

/** What a parser threw, or the faults that a schema found. Other errors are returned as they are. */
export function causeOf(error: unknown): unknown {
  if (error instanceof ParseError) return error.cause;
  return error instanceof ValidationError ? invalidValue(faultsOf(error)) : error;
}

/** The faults of a request, one per place unless a check found several there. */
function faultsOf({ validator, value }: ValidationError): Fault[] {
  if (!('Errors' in validator)) throw new Error('only TypeBox schemas are supported');
  const faults = new Map<string, Fault[]>();
  for (const { path, schema, value: wrong } of validator.Errors(value)) {
    if (!faults.has(path)) faults.set(path, faultsAt(path, schema, wrong));
    if (faults.size === LIMITS.faults_listed_max) break;
  }
  return [...faults.values()].flat();
}

function faultsAt(path: string, schema: TSchema, value: unknown): Fault[] {
  const { faults }: Refusal = schema[Kind] === CHECKED ? schema.check(value) : refuse(allowed(schema, value));
  return faults.map((fault) => ({ path: path + fault.path, message: fault.message }));
}

function allowed(
  { type, minimum, maximum, properties, additionalProperties }: TSchema,
  value: unknown,
): string {
  if (additionalProperties === false)
    return `is not known here; known are ${Object.keys(properties).join(', ')}`;
  if (type === 'object') return 'must be a JSON object';
  if (type === 'integer') return `must be an integer from ${minimum} to ${maximum}`;
  return value === undefined ? 'is required' : `must be a ${type}`;
}
