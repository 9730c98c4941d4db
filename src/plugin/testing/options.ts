import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { withDefaults } from '../defaults.ts';
import { InvalidOptions } from '../invalid-options.ts';
import { referencesOf } from '../schema-parts.ts';
import { allows, countedProblem, countingCharacters } from '../text-length.ts';
import { unfitDefault } from '../unfit-default.ts';

/**
 * Lists options to try an extension with: its defaults, its examples, or the minimum that its schema allows.
 *
 * Each entry is a separate copy.
 */
export function optionsToTry(schema: TSchema): unknown[] {
  const given = [...examplesOf(schema), {}, undefined].map((value) => filledIn(schema, value));
  const fitting = given.filter((options) => allows(schema, options));
  if (fitting.length > 0) return withoutRepeats(fitting);
  const least = leastOf(schema);
  return least === undefined ? [] : [least.options];
}

/** Describes a fault in a schema. Undefined if there is none. */
export function schemaProblem(schema: TSchema): string | undefined {
  const unfit = unfitDefault(schema);
  if (unfit !== undefined) return `the default of ${unfit || 'the options'} is not allowed by its own schema`;
  const wrong = examplesOf(schema).find((example) => !allows(schema, filledIn(schema, example)));
  if (wrong !== undefined) return `the example ${JSON.stringify(wrong)} is not allowed by its own schema`;
  if (optionsToTry(schema).length > 0) return undefined;
  return 'there are no options to try it with; add `examples: [ … ]` to the schema';
}

/**
 * Prepares options as the service does.
 *
 * @param given undefined if there are none @throws Error if the schema rejects them
 */
export function checkedOptions(schema: TSchema, given: unknown): unknown {
  const options = filledIn(schema, given);
  const counted = countingCharacters(schema);
  const [error] = Value.Errors(counted, referencesOf(counted), options);
  if (error !== undefined) {
    const problem = countedProblem(error.schema, error.value) ?? error.message;
    throw new Error(`options${error.path}: ${problem}`);
  }
  return options;
}

/** An extension of any kind, with the function that gets its options. */
export type Refusing = { options: TSchema } & (
  | { compile(options: never): unknown }
  | { start(options: never): unknown }
);

/** Whether the schema, `compile` or `start` rejects options. */
export function refuses(extension: Refusing, given: unknown): boolean {
  const options = filledIn(extension.options, given);
  if (!allows(extension.options, options)) return true;
  try {
    if ('compile' in extension) extension.compile(options as never);
    else extension.start(options as never);
    return false;
  } catch (error) {
    if (error instanceof InvalidOptions) return true;
    throw error;
  }
}

function filledIn(schema: TSchema, value: unknown): unknown {
  return withDefaults(countingCharacters(schema), value);
}

function examplesOf(schema: TSchema): unknown[] {
  return Array.isArray(schema.examples) ? schema.examples : [];
}

function withoutRepeats(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/**
 * Creates minimal options.
 *
 * Undefined if the schema has constraints, such as patterns, that TypeBox cannot satisfy.
 */
function leastOf(schema: TSchema): { options: unknown } | undefined {
  try {
    const options = Value.Create(withinLimits(schema));
    return allows(schema, options) ? { options } : undefined;
  } catch {
    return undefined;
  }
}

/** Adds a default to numbers with an exclusive minimum, for which TypeBox cannot create a value. */
function withinLimits(schema: TSchema): TSchema {
  const { exclusiveMinimum: above, maximum, exclusiveMaximum, properties } = schema;
  if (typeof above === 'number' && schema.default === undefined) {
    const most: number = Math.min(maximum ?? above + 2, exclusiveMaximum ?? above + 2);
    return { ...schema, default: (above + most) / 2 };
  }
  if (properties === undefined) return schema;
  const inner = Object.entries<TSchema>(properties).map(([name, each]) => [name, withinLimits(each)]);
  return { ...schema, properties: Object.fromEntries(inner) };
}
