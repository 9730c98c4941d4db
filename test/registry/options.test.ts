import { describe, expect, test } from 'bun:test';
import { type TSchema, Type } from '../../src/plugin/index.ts';
import { OptionsChecker } from '../../src/registry/options.ts';

const schema = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 9, default: 5 }),
    mode: Type.Union([Type.Literal('near'), Type.Literal('far')], { default: 'near' }),
    words: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    when: Type.Optional(Type.Number({ description: 'Seconds since the epoch.' })),
  },
  { additionalProperties: false },
);

function faults(value: unknown) {
  const checked = new OptionsChecker(schema).check(value, '/filters/x');
  if (checked.ok) throw new Error('expected faults');
  return checked.faults;
}

describe('options', () => {
  test('get defaults for missing members', () => {
    const checker = new OptionsChecker(schema);
    expect(checker.defaults()).toEqual({ limit: 5, mode: 'near' });
    expect(checker.check({}, '')).toEqual({ ok: true, options: { limit: 5, mode: 'near' } });
    expect(checker.check({ limit: 2 }, '')).toEqual({ ok: true, options: { limit: 2, mode: 'near' } });
  });

  test('have the members of every part of their schema', () => {
    const part = (name: string) => Type.Object({ [name]: Type.Number() });
    const parts = Type.Intersect([part('a'), Type.Union([part('b'), Type.Intersect([part('c')])])]);
    const checker = new OptionsChecker(parts);
    const names = ['a', 'b', 'c', 'd', 'toString'];
    expect(names.filter((name) => checker.has(name))).toEqual(['a', 'b', 'c']);
    expect(new OptionsChecker(Type.Integer()).has('a')).toBe(false);
  });

  test('can be checked without filling in defaults', () => {
    const checker = new OptionsChecker(Type.Object({ limit: Type.Integer({ default: 5 }) }));
    expect(checker.faults({ limit: 2 }, '')).toEqual([]);
    expect(checker.faults({}, '/x')).toEqual([{ path: '/x/limit', message: 'is required' }]);
    expect(checker.check({}, '/x').ok).toBe(true);
  });

  test('keep their given values, and the given object is not changed', () => {
    const given = { words: ['a'] };
    const checked = new OptionsChecker(schema).check(given, '');
    expect(checked).toEqual({ ok: true, options: { limit: 5, mode: 'near', words: ['a'] } });
    expect(given).toEqual({ words: ['a'] });
  });

  test.each<[string, TSchema, unknown, string]>([
    [
      'too many characters',
      Type.String({ minLength: 1, maxLength: 3 }),
      '👍👍👍👍',
      'expected 1 to 3 characters',
    ],
    ['too many of any number', Type.String({ maxLength: 3 }), 'four', 'expected at most 3 characters'],
    ['too few', Type.String({ minLength: 2 }), '👍', 'expected at least 2 characters'],
    ['no text', Type.String({ maxLength: 3 }), 5, 'expected string'],
    ['another form', Type.String({ maxLength: 3, pattern: '^a' }), 'b', "expected string to match '^a'"],
  ])('are told of a text with %s', (_what, text, value, message) => {
    const checked = new OptionsChecker(Type.Object({ text })).check({ text: value }, '');
    expect(checked).toEqual({ ok: false, faults: [{ path: '/text', message }] });
  });

  test('count characters, not UTF-16 units', () => {
    const checker = new OptionsChecker(Type.Object({ text: Type.String({ minLength: 2, maxLength: 3 }) }));
    expect(['👍👍', '👍👍👍'].map((text) => checker.check({ text }, '').ok)).toEqual([true, true]);
  });

  test('with faults list each fault with its place and what is allowed', () => {
    expect(faults({ limit: 10 })).toEqual([
      { path: '/filters/x/limit', message: 'expected integer to be less or equal to 9' },
    ]);
    expect(faults({ mode: 'beside' })).toEqual([
      { path: '/filters/x/mode', message: 'must be one of near, far' },
    ]);
    expect(faults({ when: 'now' })).toEqual([
      { path: '/filters/x/when', message: 'must be seconds since the epoch' },
    ]);
    expect(faults({ limits: 3 })).toEqual([
      { path: '/filters/x/limits', message: 'is not a known field here' },
    ]);
    expect(faults({ words: ['a', '', 3] }).map(({ path }) => path)).toEqual([
      '/filters/x/words/1',
      '/filters/x/words/2',
    ]);
  });

  test.each([[0], [1.5], [Number.NaN], [Infinity], [-1], ['5'], [null], [true], [[5]], [{}]])(
    'reject %p as an integer',
    (limit) => {
      expect(faults({ limit }).map(({ path }) => path)).toEqual(['/filters/x/limit']);
    },
  );

  test('that are not an object are rejected with the fields of the object', () => {
    const items = Type.Array(Type.Object({ item_id: Type.String(), rank: Type.Optional(Type.Integer()) }));
    const checked = new OptionsChecker(Type.Object({ items })).check({ items: ['p-3'] }, '');
    expect(checked).toEqual({
      ok: false,
      faults: [{ path: '/items/0', message: 'must be {"item_id","rank"?}' }],
    });
    const near = Type.Object({ km: Type.Number({ default: 5 }), of: Type.String() });
    expect(new OptionsChecker(Type.Object({ near })).check({ near: 5 }, '')).toEqual({
      ok: false,
      faults: [{ path: '/near', message: 'must be {"km"?,"of"}' }],
    });
  });

  test('with a list that is too long are rejected without faults of its entries', () => {
    const list = Type.Array(Type.Object({ km: Type.Number({ default: 5 }) }), { maxItems: 2 });
    const checked = new OptionsChecker(Type.Object({ list })).check({ list: [{}, {}, {}] }, '');
    expect(checked).toMatchObject({ ok: false, faults: [{ path: '/list' }] });
    expect('faults' in checked && checked.faults).toHaveLength(1);
  });

  test('with a field named __proto__ at any depth are rejected, since copies lose it', () => {
    const entry = Type.Union([Type.String(), Type.Object({ label: Type.String() })]);
    const checker = new OptionsChecker(Type.Object({ 'a/b': Type.Optional(Type.Array(entry)) }));
    for (const [text, path] of [
      ['{"__proto__":{"a/b":["x"]}}', '/o/__proto__'],
      ['{"a/b":["x",{"label":"y","__proto__":1}]}', '/o/a~1b/1/__proto__'],
    ]) {
      expect(checker.check(JSON.parse(text), '/o')).toEqual({
        ok: false,
        faults: [{ path, message: 'is not a known field here' }],
      });
    }
  });

  test('that are required are reported as missing', () => {
    const checked = new OptionsChecker(Type.Object({ id: Type.String() })).check({}, '/scoring/options');
    expect(checked).toEqual({
      ok: false,
      faults: [{ path: '/scoring/options/id', message: 'is required' }],
    });
  });
});
