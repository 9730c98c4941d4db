import { existsSync } from 'node:fs';
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Fault } from '../errors.ts';
import { compileOptions } from '../feeds/compile-options.ts';
import type { ConnectTools } from '../plugin/index.ts';
import type { OptionsChecker } from '../registry/options.ts';
import type { Registered } from '../registry/registry.ts';
import { readMaps } from '../registry/table-maps.ts';

/** Lists options to try an extension with: its defaults, its examples, or the minimum that its schema allows. */
export function optionsToTry({ options: checker }: Registered<unknown>): unknown[] {
  const given = [...examplesOf(checker), {}, undefined].flatMap((value) => filledIn(checker, value));
  if (given.length > 0)
    return [...new Map(given.map((options) => [JSON.stringify(options), options])).values()];
  return filledIn(checker, leastOf(checker.schema));
}

/** Describes why an extension cannot be tried with its examples or other options. Undefined if it can. */
export function optionsProblem(registered: Registered<unknown>): string | undefined {
  const { options: checker } = registered;
  const wrong = examplesOf(checker).find((example) => !checker.check(example, '').ok);
  if (wrong !== undefined) return `the example ${JSON.stringify(wrong)} is not allowed by its own schema`;
  if (optionsToTry(registered).length > 0) return undefined;
  return 'there are no options to try it with; add `examples: [ … ]` to the schema';
}

/** The members of extensions that get their options first. */
const COMPILING = ['compile', 'reaches', 'connect', 'receive', 'describe'] as const;

type Compilable = {
  [M in (typeof COMPILING)[number]]?: (options: never, tools: ConnectTools) => unknown;
};

/** Examples of options name files that are not there. */
const TOOLS: ConnectTools = { readMaps: (path) => (existsSync(path) ? readMaps(path) : []) };

/** Gives options to an extension as a feed or a setting does. @throws Error if it rejects them */
export function compiledWith<R>(registered: Registered<Compilable>, given: unknown): R {
  const faults: Fault[] = [];
  const compiled = attempt<R>(registered, given, faults);
  if (compiled === undefined)
    throw new Error(faults.map(({ path, message }) => `options${path}: ${message}`).join('; '));
  return compiled;
}

/** Whether an extension rejects options. */
export function rejects(registered: Registered<Compilable>, given: unknown): boolean {
  return attempt(registered, given, []) === undefined;
}

function attempt<R>(registered: Registered<Compilable>, given: unknown, faults: Fault[]): R | undefined {
  const { extension } = registered;
  const member = COMPILING.find((name) => extension[name] !== undefined);
  const given_member = member === undefined ? undefined : extension[member];
  const compile = (options: unknown) =>
    (given_member as (options: unknown, tools: ConnectTools) => R)(options, TOOLS);
  return compileOptions<R, { compile: typeof compile }>(
    { ...registered, extension: { compile } },
    given,
    '',
    faults,
  )?.run;
}

function examplesOf({ schema }: OptionsChecker): unknown[] {
  return Array.isArray(schema.examples) ? schema.examples : [];
}

function filledIn(checker: OptionsChecker, value: unknown): unknown[] {
  const checked = checker.check(value, '');
  return checked.ok ? [checked.options] : [];
}

/** Creates minimal options. Undefined if TypeBox cannot satisfy a constraint of the schema, such as a pattern. */
function leastOf(schema: TSchema): unknown {
  try {
    return Value.Create(withinLimits(schema));
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
