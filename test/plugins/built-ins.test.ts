import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from '../../src/plugin/index.ts';
import { KINDS, type Kind } from '../../src/registry/kinds.ts';
import { OptionsChecker } from '../../src/registry/options.ts';
import { partsOf } from '../../src/registry/schema-parts.ts';
import { builtIn } from './built-in.ts';

/** What all built-in extensions have in common, beside what the testing kit requires of all plugins. */

const TESTS = [...new Bun.Glob('*/*.test.ts').scanSync(import.meta.dir)].map((path) =>
  readFileSync(join(import.meta.dir, path), 'utf8'),
);

/** The function of the kit for each kind. */
const TESTED_BY: Record<Kind, string> = {
  filters: 'testFilter',
  scoring_functions: 'testScoringFunction',
  visibility_rules: 'testVisibilityRule',
  signals: 'testSignal',
  promotion_strategies: 'testPromotionStrategy',
  integrations: 'test(Connector|Webhook|MetadataProvider)',
};

/** Lists and texts that only the size of a request limits, and moments. */
const WITHOUT_LIMITS = ['filters'];
/** Kinds whose options are objects. */
const WITH_OBJECTS = ['signals', 'visibility_rules', 'scoring_functions'];

describe.each([...KINDS])('of the %s', (kind) => {
  const all: Record<string, { options: TSchema }> = builtIn[kind] ?? {};

  test.each(Object.keys(all))('%s is tested with the kit', (id) => {
    const files = TESTS.filter((text) => new RegExp(`\\b${TESTED_BY[kind]}\\(builtIn, `).test(text));
    expect(files.some((text) => text.includes(`'${id}'`))).toBe(true);
  });

  test.each(Object.entries(all))('%s rejects a misspelt option', (_id, { options }) => {
    expect(places(options, isOpen)).toEqual([]);
    if (options.type !== 'object') return;
    const misspelt = { ...(new OptionsChecker(options).defaults() as object), misspelt: 1 };
    const fault = { path: '/misspelt', message: 'is not a known field here' };
    expect(new OptionsChecker(options).faults(misspelt, '')).toContainEqual(fault);
  });

  if (WITH_OBJECTS.includes(kind))
    test.each(Object.entries(all))(
      '%s rejects other options than objects, and numbers below 1, fractions and texts',
      (_id, { options }) => {
        const checker = new OptionsChecker(options);
        expect(checker.check(checker.defaults(), '').ok).toBe(true);
        for (const bad of [...badNumbers(options), 1, 'x', null, []])
          expect([bad, checker.check(bad, '').ok]).toEqual([bad, false]);
      },
    );

  if (WITHOUT_LIMITS.includes(kind)) return;
  test.each(Object.entries(all))('%s has limits for each option', (_id, { options }) => {
    expect(places(options, isEndless)).toEqual([]);
  });
});

/** Options with one number that no extension takes. */
function badNumbers({ properties = {} }: TSchema): object[] {
  return Object.entries<TSchema>(properties).flatMap(([name, { type, maximum = Infinity }]) => {
    if (type !== 'number' && type !== 'integer') return [];
    const bad = [0, -1, maximum + 1, Number.NaN, Infinity, '5', null, ...(type === 'integer' ? [1.5] : [])];
    return bad.map((value) => ({ [name]: value }));
  });
}

/** The paths within a schema at which a test is true. */
function places(schema: TSchema, is: (part: TSchema) => boolean, place = ''): string[] {
  const inner = [...partsOf(schema)].flatMap(([name, part]) => places(part, is, place + name));
  return is(schema) ? [place, ...inner] : inner;
}

/** An object that may have any member. */
function isOpen({ properties, additionalProperties }: TSchema): boolean {
  return properties !== undefined && additionalProperties !== false;
}

/** A number, text or list without a maximum, or a number without a minimum. */
function isEndless(schema: TSchema): boolean {
  const { type, minimum, exclusiveMinimum, maximum, exclusiveMaximum, maxLength, maxItems } = schema;
  if (type === 'string') return schema.const === undefined && maxLength === undefined;
  if (type === 'array') return maxItems === undefined;
  if (type !== 'number' && type !== 'integer') return false;
  return (minimum ?? exclusiveMinimum) === undefined || (maximum ?? exclusiveMaximum) === undefined;
}
