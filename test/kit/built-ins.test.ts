import { describe, expect, test } from 'bun:test';
import { BUILT_IN, FOR_WALLETS } from '../../plugins/index.ts';
import { Kit } from '../../src/kit/kit.ts';
import { PLUGIN_API, type Plugin, type TSchema } from '../../src/plugin/index.ts';
import { partsOf } from '../../src/plugin/schema-parts.ts';
import { KINDS } from '../../src/registry/kinds.ts';
import { OptionsChecker } from '../../src/registry/options.ts';

/** The built-in extensions satisfy what the testing kit and the guide require of plugins. */

const plugin: Plugin = { meta: { name: 'built-in', version: '1.0.0', api: PLUGIN_API }, ...BUILT_IN };
const kit = new Kit(plugin);

describe.each([...KINDS])('%s', (kind) => {
  for (const id of Object.keys(BUILT_IN[kind])) {
    test(id, async () => {
      for (const { run } of kit.invariants(kind, id)) await run();
    });
  }
});

/** Lists and texts that only the size of a request limits, and moments. */
const WITHOUT_LIMITS = ['filters'];

describe.each([...KINDS])('the options of %s', (kind) => {
  const all: Record<string, { options: TSchema }> = { ...BUILT_IN[kind], ...FOR_WALLETS[kind] };

  test.each(Object.entries(all))('%s rejects a misspelt option', (_id, { options }) => {
    expect(places(options, isOpen)).toEqual([]);
    if (options.type !== 'object') return;
    const misspelt = { ...(new OptionsChecker(options).defaults() as object), misspelt: 1 };
    const fault = { path: '/misspelt', message: 'is not a known field here' };
    expect(new OptionsChecker(options).faults(misspelt, '')).toContainEqual(fault);
  });

  if (WITHOUT_LIMITS.includes(kind)) return;
  test.each(Object.entries(all))('%s has limits for each option', (_id, { options }) => {
    expect(places(options, isEndless)).toEqual([]);
  });
});

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
