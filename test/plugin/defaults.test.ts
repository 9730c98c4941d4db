import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type TSchema, Type } from '../../src/plugin/index.ts';
import { OptionsChecker } from '../../src/registry/options.ts';
import { check } from '../support/long.ts';

/** The options that the service passes to `compile`. @param given undefined if there are none */
function compiledFrom(schema: TSchema, given: unknown): unknown {
  const checked = new OptionsChecker(schema).check(given, '');
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.options;
}

function isRefused(schema: TSchema, given: unknown): boolean {
  return !new OptionsChecker(schema).check(given, '').ok;
}

const CLOSED = { additionalProperties: false };
const likes = Type.Object({ by: Type.Literal('likes'), least: Type.Integer({ default: 1 }) }, CLOSED);
const age = Type.Object({ by: Type.Literal('age'), hours: Type.Number({ default: 6 }) }, CLOSED);
const weights = Type.Record(Type.String(), Type.Number(), { default: { popular: 1 } });

describe('a default', () => {
  test.each<[string, TSchema, unknown, unknown]>([
    ['a record', weights, { trending: 1 }, { trending: 1 }],
    ['a record without entries', weights, {}, {}],
    ['a record within an object', Type.Object({ weights }), { weights: { a: 2 } }, { weights: { a: 2 } }],
    [
      'an object',
      Type.Object(
        { a: Type.Optional(Type.Integer()), b: Type.Integer({ default: 2 }) },
        { default: { a: 1 } },
      ),
      {},
      { b: 2 },
    ],
    [
      'a choice of a union',
      Type.Union([likes, age], { default: { by: 'likes', least: 2 } }),
      { by: 'age' },
      { by: 'age', hours: 6 },
    ],
    [
      'an intersection',
      Type.Intersect(
        [Type.Object({ a: Type.Optional(Type.Integer()) }), Type.Object({ b: Type.Integer() })],
        {
          default: { a: 1, b: 1 },
        },
      ),
      { b: 2 },
      { b: 2 },
    ],
    ['a list', Type.Array(Type.Integer(), { default: [1, 2] }), [], []],
    ['anything', Type.Unknown({ default: { a: 1 } }), { b: 1 }, { b: 1 }],
  ])('is not added to what is given: %s', (_what, schema, given, wanted) => {
    expect(compiledFrom(schema, given)).toEqual(wanted);
  });

  test.each<[string, TSchema, unknown, unknown]>([
    ['the whole', weights, undefined, { popular: 1 }],
    ['a member', Type.Object({ weights }), {}, { weights: { popular: 1 } }],
    [
      'a member of the default of the options',
      Type.Object({ a: Type.Integer(), b: Type.Integer({ default: 2 }) }, { default: { a: 1 } }),
      undefined,
      { a: 1, b: 2 },
    ],
    [
      'a member of the entries of a record',
      Type.Record(Type.String(), Type.Object({ n: Type.Integer({ default: 3 }) })),
      { x: {}, y: { n: 1 } },
      { x: { n: 3 }, y: { n: 1 } },
    ],
    [
      'a member of additional properties',
      Type.Object({}, { additionalProperties: Type.Object({ n: Type.Integer({ default: 3 }) }) }),
      { x: {} },
      { x: { n: 3 } },
    ],
    ['a member of the entries of a list', Type.Array(likes), [{ by: 'likes' }], [{ by: 'likes', least: 1 }]],
    ['an entry of a tuple', Type.Tuple([Type.Integer(), Type.Integer({ default: 2 })]), [1], [1, 2]],
    ['one of several forms', Type.Union([Type.Null(), likes]), { by: 'likes' }, { by: 'likes', least: 1 }],
    [
      'each part of an intersection',
      Type.Intersect([
        Type.Object({ o: Type.Object({ a: Type.Integer({ default: 1 }) }) }),
        Type.Object({ o: Type.Object({ b: Type.Integer({ default: 2 }) }) }),
      ]),
      { o: {} },
      { o: { a: 1, b: 2 } },
    ],
    [
      'all parts of an intersection',
      Type.Intersect([
        Type.Object({ a: Type.Integer() }, { default: { a: 1 } }),
        Type.Object({ b: Type.Integer() }, { default: { b: 2 } }),
      ]),
      undefined,
      { a: 1, b: 2 },
    ],
    [
      'a member of a recursive schema',
      Type.Recursive((tree) =>
        Type.Object({ n: Type.Integer({ default: 1 }), inner: Type.Optional(Type.Array(tree)) }),
      ),
      { inner: [{}, { inner: [{ n: 3 }] }] },
      { n: 1, inner: [{ n: 1 }, { n: 1, inner: [{ n: 3 }] }] },
    ],
    [
      "a member of a module's definition",
      Type.Module({ n: Type.Integer({ default: 1 }), pair: Type.Object({ n: Type.Ref('n') }) }).Import(
        'pair',
      ),
      {},
      { n: 1 },
    ],
    [
      'a part that another part refers to',
      Type.Object({
        a: Type.Optional(Type.Object({ n: Type.Integer({ default: 1 }) }, { $id: 'A' })),
        b: Type.Ref('A'),
      }),
      { b: {} },
      { b: { n: 1 } },
    ],
    ['what is made anew', Type.Array(Type.Integer(), { default: () => [1] }), undefined, [1]],
    [
      'a member with the name of an Object.prototype member',
      Type.Object({ valueOf: Type.Integer({ default: 1 }) }),
      {},
      { valueOf: 1 },
    ],
  ])('stands where nothing is given: %s', (_what, schema, given, wanted) => {
    expect(compiledFrom(schema, given)).toEqual(wanted);
  });

  test('leaves a list a list', () => {
    for (const given of [[2], []]) expect(isRefused(weights, given)).toBe(true);
  });

  test('is copied each time', () => {
    const checker = new OptionsChecker(weights);
    Object.assign(checker.defaults() as object, { popular: 9 });
    expect(checker.defaults()).toEqual({ popular: 1 });
  });

  test('of one choice leaves the example of another choice valid', () => {
    const example = { by: 'age', hours: 2 };
    const schema = Type.Union([likes, age], { default: { by: 'likes', least: 2 } });
    expect(compiledFrom(schema, example)).toEqual(example);
  });

  test('is checked by characters, not by UTF-16 units', () => {
    const text = Type.String({ maxLength: 2 });
    const schema = Type.Union([Type.Null(), Type.Object({ text, n: Type.Integer({ default: 1 }) })]);
    expect(compiledFrom(schema, { text: '👍👍' })).toEqual({ text: '👍👍', n: 1 });
  });
});

/** Schemas, each with values that it allows. */
interface Form {
  schema: TSchema;
  values: fc.Arbitrary<unknown>;
}

const number: fc.Arbitrary<Form> = fc.constant({ schema: Type.Integer(), values: fc.integer() });
const text: fc.Arbitrary<Form> = fc.integer({ min: 0, max: 3 }).map((maxLength) => ({
  schema: Type.String({ maxLength }),
  values: fc.string({ maxLength, unit: 'grapheme-ascii' }),
}));

const forms = fc.letrec<{ form: Form }>((tie) => {
  const inner = tie('form');
  const named = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.tuple(inner, fc.boolean()), { maxKeys: 3 });
  const object = fc.tuple(named, fc.boolean()).map(([members, additionalProperties]) => {
    const entries = Object.entries(members);
    const optional = (schema: TSchema, may_lack: boolean) => (may_lack ? Type.Optional(schema) : schema);
    const fields = entries.map(([name, [{ schema }, may_lack]]) => [name, optional(schema, may_lack)]);
    return {
      schema: Type.Object(Object.fromEntries(fields), { additionalProperties }),
      values: fc.record(Object.fromEntries(entries.map(([name, [{ values }]]) => [name, values])), {
        requiredKeys: entries.filter(([, [, may_lack]]) => !may_lack).map(([name]) => name),
      }),
    };
  });
  const record = inner.map(({ schema, values }) => ({
    schema: Type.Record(Type.String(), schema),
    values: fc.dictionary(fc.constantFrom('a', 'b', 'z'), values),
  }));
  const list = inner.map(({ schema, values }) => ({
    schema: Type.Array(schema),
    values: fc.array(values, { maxLength: 3 }),
  }));
  const tuple = fc.array(inner, { minLength: 1, maxLength: 3 }).map((all) => ({
    schema: Type.Tuple(all.map(({ schema }) => schema)),
    values: fc.tuple(...all.map(({ values }) => values)),
  }));
  const union = fc.array(inner, { minLength: 1, maxLength: 3 }).map((all) => ({
    schema: Type.Union(all.map(({ schema }) => schema)),
    values: fc.oneof(...all.map(({ values }) => values)),
  }));
  const plain = fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    text,
    object,
    record,
    list,
    tuple,
    union,
  );
  const defaulted = plain.chain((form) =>
    form.values.map((value) => ({ ...form, schema: { ...form.schema, default: value } })),
  );
  return { form: fc.oneof(plain, defaulted) };
});

/** Whether all given values are unchanged at their places. */
function keeps(given: unknown, options: unknown): boolean {
  if (typeof given !== 'object' || given === null) return Object.is(given, options);
  if (typeof options !== 'object' || options === null || Array.isArray(given) !== Array.isArray(options))
    return false;
  if (Array.isArray(given) && given.length !== (options as unknown[]).length) return false;
  return Object.entries(given).every(([name, member]) => keeps(member, Reflect.get(options, name)));
}

test('valid options stay valid and keep their values with any schema', () => {
  const tried = forms.form.chain(({ schema, values }) => values.map((given) => ({ schema, given })));
  check(300, [tried], ({ schema, given }) => {
    const before = structuredClone(given);
    const options = compiledFrom(schema, given);
    expect(given).toEqual(before);
    expect(keeps(given, options)).toBe(true);
    expect(compiledFrom(schema, options)).toEqual(options);
  });
});

test('nested unions fill in an object only once per choice', () => {
  let filled = 0;
  const told = Type.Number({
    default: () => {
      filled++;
      return 1;
    },
  });
  const query = Type.Recursive((part) =>
    Type.Union([
      Type.Object({ op: Type.Literal('and'), of: Type.Array(part) }),
      Type.Object({ op: Type.Literal('or'), of: Type.Array(part) }),
      Type.Object({ word: Type.String(), told }),
    ]),
  );
  let wrong: object = { word: 5 };
  for (let depth = 0; depth < 14; depth++) wrong = { op: 'or', of: [wrong] };
  expect(isRefused(query, wrong)).toBe(true);
  expect(filled).toBeLessThan(100);
});

test('a default object that is used twice becomes two objects', () => {
  const place = Type.Object({ km: Type.Number() }, { $id: 'Place', default: { km: 5 } });
  const options = compiledFrom(Type.Object({ near: place, far: Type.Ref('Place') }), {}) as Record<
    string,
    object
  >;
  expect(options).toEqual({ near: { km: 5 }, far: { km: 5 } });
  expect(options.near).not.toBe(options.far);
});
