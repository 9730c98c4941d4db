import { describe, expect, test } from 'bun:test';
import { Type } from '../../src/plugin/index.ts';
import { broken, kitOf, perItem, type Step } from './support.ts';

/** Faults that any extension with a value per item can have. */

/** State that faulty extensions keep between items. */
const remembered = new Set<number>();

/** Returns another value for each item than the last time. */
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
  ['scoring_functions', 0.5, {}],
  ['signals', 0.5, { depends_on: 'viewer' }],
  ['filters', true, {}],
  ['visibility_rules', true, {}],
] as const)('of %s', (kind, sound, fields) => {
  const faults = (extension: object) => broken(kitOf(kind, { ...fields, ...extension }), kind);

  test('finds no fault in a correct extension', async () => {
    expect(await faults(perItem(() => () => sound))).toEqual({});
  });

  test('finds an invalid value', async () => {
    for (const value of [Number.NaN, -1, undefined, Number.POSITIVE_INFINITY, '1']) {
      const found = await faults(perItem(() => () => value));
      expect(Object.keys(found)[0]).toMatch(
        /^(returns for every item a|gives every item a|returns true or false)/,
      );
      expect(Object.values(found)[0]).toContain("item 'bare'");
    }
  });

  test('finds a dependence on earlier calls', async () => {
    const step: Step = typeof sound === 'boolean' ? () => flipping() : forgetful;
    expect(await faults(perItem(step))).toContainKey(
      'returns the same value for an item after any other items',
    );
  });

  test.each(Object.entries(TIMES))(
    'finds a call of %s even if the plugin catches the error',
    async (_, ask) => {
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
      expect(Object.keys(found)).toEqual(['uses neither the clock nor Math.random']);
      expect(Object.values(found)[0]).toContain('request.now');
    },
  );

  test.each(['Date.now', 'Math.random'])('finds a call of %s when it is compiled', async (name) => {
    const compile = () => {
      const found = TIMES[name]();
      return () => (item: number) => (item + found < 0 ? Number.NaN : sound);
    };
    expect(Object.keys(await faults({ compile }))).toEqual(['uses neither the clock nor Math.random']);
  });

  test('finds a dependence on how often it was compiled', async () => {
    let flips = 0;
    const compile = () => {
      const value = typeof sound === 'boolean' ? flips++ % 2 === 0 : (flips++ % 100) / 100;
      return () => () => value;
    };
    expect(await faults({ compile })).toContainKey(
      'returns the same value for an item after any other items',
    );
  });

  test('allows dates of explicit moments', async () => {
    const dated: Step = (request) => () => (new Date(request.now * 1000).getUTCFullYear() > 0 ? sound : 0);
    expect(await faults(perItem(dated))).toEqual({});
  });

  test('finds a change of the options', async () => {
    const options = Type.Object({ list: Type.Array(Type.Integer(), { default: [3, 1, 2] }) });
    const compile = ({ list }: { list: number[] }) => {
      list.sort();
      return () => () => sound;
    };
    expect(Object.values(await faults({ options, compile }))[0]).toContain('readonly');
  });

  test('finds a read of an undeclared field', async () => {
    const reading: Step = (request) => (item) => (request.item.field(item, 'text') === 'x' ? sound : sound);
    const found = await faults(perItem(reading));
    expect(Object.values(found)[0]).toContain("'item.text' is not in its reads");
    expect(await faults({ reads: ['item.text'], ...perItem(reading) })).toEqual({});
  });

  test('finds errors with values of unexpected types', async () => {
    const priced: Step = (request) => (item) => {
      const price = request.item.field(item, 'metadata.price') as string;
      return price.length > 0 ? sound : sound;
    };
    expect(await faults({ reads: ['item.metadata.price'], ...perItem(priced) })).not.toEqual({});
  });

  test('finds a use of an unregistered signal', async () => {
    const asking: Step = (request) => {
      const value = request.signal('other/mood');
      return (item) => (value(item) >= 0 ? sound : sound);
    };
    const knowing = (knows: boolean) =>
      broken(
        kitOf(kind, { ...fields, ...perItem(asking) }, () => (knows ? { depends_on: 'item' } : undefined)),
        kind,
      );
    expect(await knowing(true)).toEqual({});
    expect(Object.values(await knowing(false))[0]).toContain("'other/mood'");
  });

  // No feed gives options to a signal, so each of them needs a default.
  if (kind === 'signals') return;

  test('tries options without default or example with minimal values', async () => {
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

  test('finds options that cannot be tested', async () => {
    const wrong: [object, string][] = [
      [Type.Object({ n: Type.Integer({ maximum: 3 }) }, { examples: [{ n: 4 }] }), 'example {"n":4}'],
      [Type.Object({ n: Type.String({ pattern: '^a+$' }) }), 'no options to try'],
    ];
    for (const [options, reason] of wrong) {
      const found = await faults({ options, ...perItem(() => () => sound) });
      expect(found['has valid examples or defaults, so that it can be tested']).toContain(reason);
    }
  });
});

function flipping(): (item: number) => boolean {
  let asked = 0;
  return () => asked++ % 3 === 0;
}
