import { describe, expect, test } from 'bun:test';
import { Type } from '../../src/plugin/index.ts';
import { ON_TRUST } from '../../src/plugin/testing/known-signals.ts';
import { broken, kitOf, perItem, type Step } from './kit-support.ts';

/** Faults that any extension may have that says something of each item. */

/** What faulty extensions remember from one item to the next. */
const remembered = new Set<number>();

/** Says something else of each item than the last time. */
const forgetful: Step = () => {
  remembered.clear();
  return (item) => {
    remembered.add(item);
    return remembered.size / 100;
  };
};
const TIMES: Record<string, () => number> = {
  'Date.now': () => Date.now(),
  'new Date': () => new Date().getUTCDate(),
  Date: () => Date().length,
  'Math.random': () => Math.random(),
  'performance.now': () => performance.now(),
  'crypto.getRandomValues': () => crypto.getRandomValues(new Uint8Array(1))[0],
  'crypto.randomUUID': () => crypto.randomUUID().length,
};

describe.each([
  ['scoring_functions', 0.5, { depends_on: undefined }],
  ['signals', 0.5, { depends_on: 'viewer' }],
  ['filters', true, { kind: 'inclusion' }],
  ['visibility_rules', true, {}],
] as const)('of %s', (kind, sound, fields) => {
  const faults = (extension: object) => broken(kitOf(kind, { ...fields, ...extension }), kind);

  test('a sound one has no fault', async () => {
    expect(await faults(perItem(() => () => sound))).toEqual({});
  });

  test('a value that is none is found', async () => {
    for (const value of [Number.NaN, -1, undefined, Number.POSITIVE_INFINITY, '1']) {
      const found = await faults(perItem(() => () => value));
      expect(Object.keys(found)[0]).toMatch(/^(gives every item a|says true or false)/);
      expect(Object.values(found)[0]).toContain("item 'bare'");
    }
  });

  test('dependence on what was asked before is found', async () => {
    const step: Step = typeof sound === 'boolean' ? () => flipping() : forgetful;
    expect(Object.keys(await faults(perItem(step)))).toEqual([
      'says the same of an item whatever was asked before',
    ]);
  });

  test.each(Object.entries(TIMES))('%s is found, also when the plugin catches it', async (_, ask) => {
    const asking: Step = () => (item) => {
      try {
        if (item < 0) return sound;
        ask();
      } catch {
        return sound;
      }
      return sound;
    };
    const found = await faults(perItem(asking));
    expect(Object.keys(found)).toEqual(['asks neither the clock nor chance']);
    expect(Object.values(found)[0]).toContain('request.now');
  });

  test('dates of given moments are allowed', async () => {
    const dated: Step = (request) => () => (new Date(request.now * 1000).getUTCFullYear() > 0 ? sound : 0);
    expect(await faults(perItem(dated))).toEqual({});
  });

  test('a change of the options is found', async () => {
    const options = Type.Object({ list: Type.Array(Type.Integer(), { default: [3, 1, 2] }) });
    const compile = ({ list }: { list: number[] }) => {
      list.sort();
      return () => () => sound;
    };
    expect(Object.keys(await faults({ options, compile }))).toEqual([
      'changes neither its options nor the request',
    ]);
  });

  test('a field that it does not declare is found', async () => {
    const reading: Step = (request) => (item) => (request.text(item) === 'x' ? sound : sound);
    const found = await faults(perItem(reading));
    expect(Object.values(found)[0]).toContain("'text' is not in its reads");
    expect(await faults({ reads: ['text'], ...perItem(reading) })).toEqual({});
  });

  test('trouble with values of another type than expected is found', async () => {
    const priced: Step = (request) => (item) => {
      const price = request.item_field(item, 'metadata.price') as string;
      return price.length > 0 ? sound : sound;
    };
    expect(await faults({ reads: ['item.metadata.price'], ...perItem(priced) })).not.toEqual({});
  });

  test('a signal that nobody has is found', async () => {
    const asking: Step = (request) => {
      const value = request.signal('popular');
      return (item) => (value(item) >= 0 ? sound : sound);
    };
    const knowing = (knows: boolean) =>
      broken(
        kitOf(kind, { ...fields, ...perItem(asking) }, () => (knows ? ON_TRUST : undefined)),
        kind,
      );
    expect(await knowing(true)).toEqual({});
    expect(Object.values(await knowing(false))[0]).toContain("'popular'");
  });

  test('options without default or example are tried with the least that they allow', async () => {
    for (const options of [
      Type.Object({
        n: Type.Number({ exclusiveMinimum: 0 }),
        words: Type.Array(Type.String(), { minItems: 2 }),
      }),
      Type.Object({
        n: Type.Integer({ exclusiveMinimum: 3 }),
        m: Type.Number({ exclusiveMinimum: 0, maximum: 0.5 }),
      }),
      Type.Object({ inner: Type.Object({ n: Type.Number({ exclusiveMinimum: 1 }) }) }),
    ]) {
      expect(await faults({ options, ...perItem(() => () => sound) })).toEqual({});
    }
  });

  test('options that cannot be tried are found', async () => {
    const wrong: [object, string][] = [
      [Type.Object({ n: Type.Integer({ maximum: 3, default: 4 }), m: Type.Integer() }), 'default of /n'],
      [Type.Object({ n: Type.Integer({ maximum: 3 }) }, { examples: [{ n: 4 }] }), 'example {"n":4}'],
      [Type.Object({ n: Type.String({ pattern: '^a+$' }) }), 'no options to try'],
    ];
    for (const [options, reason] of wrong) {
      const found = await faults({ options, ...perItem(() => () => sound) });
      expect(found['has options that can be tried: valid defaults and examples']).toContain(reason);
    }
  });
});

function flipping(): (item: number) => boolean {
  let asked = 0;
  return () => asked++ % 3 === 0;
}
