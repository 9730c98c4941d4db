import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fieldsOf, KINDS } from '../../src/mapping/kinds.ts';
import {
  COMPARISONS,
  type ColumnSource,
  type Condition,
  type FileMap,
  MapFault,
  type Rule,
  UNITS,
} from '../../src/mapping/map.ts';
import { parseMap, parseMaps, parseRules } from '../../src/mapping/parse-map.ts';
import { rulesText, writeMap } from '../../src/mapping/write-map.ts';
import { check } from '../support/long.ts';

function sourceOf(map: string, field = 'created_at') {
  return parseMap(map).fields.get(field);
}

function messageOf(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    if (error instanceof MapFault) return error.message;
    throw error;
  }
}

describe('a map', () => {
  test.each([
    ['a.csv=items:created_at=ts@ms', { column: 'ts', unit: 'ms', rules: [] }],
    ['a.csv=items:created_at="a, b"@us', { column: 'a, b', unit: 'us', rules: [] }],
    ['a.csv=items:created_at="a@ms"', { column: 'a@ms', rules: [] }],
    ['a.csv=items:created_at=a@min', { column: 'a@min', rules: [] }],
    ['a.csv=items:created_at=ts@dd.mm.yyyy', { column: 'ts', unit: 'dd.mm.yyyy', rules: [] }],
    ['a.csv=items:created_at="a b"@mm/dd/yyyy', { column: 'a b', unit: 'mm/dd/yyyy', rules: [] }],
    ['a.csv=items:created_at=a@dd-mm-yyyy', { column: 'a@dd-mm-yyyy', rules: [] }],
    ['a.csv=items:created_at=a.b.0', { column: 'a.b.0', rules: [] }],
    ['a.csv=items:created_at="a.b"', { column: 'a.b', is_literal: true, rules: [] }],
    ['a.csv=items:created_at=7', { column: '7', rules: [] }],
    ['a.csv=items:created_at="7"', { column: '7', is_literal: true, rules: [] }],
    ['a.csv=items:created_at= when ', { column: 'when', rules: [] }],
    ["a.csv=items:created_at='it''s'", { constant: "it's" }],
    [
      'a.csv=items:created_at=ts@ns[ x : y ]',
      { column: 'ts', unit: 'ns', rules: [{ when: { is: 'x' }, to: 'y' }] },
    ],
  ])('%s has the source %j', (map, source) => {
    expect(sourceOf(map)).toEqual(
      source as FileMap['fields'] extends ReadonlyMap<string, infer T> ? T : never,
    );
  });

  test.each<[string, Rule[]]>([
    ['a:b', [{ when: { is: 'a' }, to: 'b' }]],
    ['a b:c:d', [{ when: { is: 'a b' }, to: 'c:d' }]],
    [':x', [{ when: { is: '' }, to: 'x' }]],
    ["'':x", [{ when: { is: '' }, to: 'x' }]],
    ["a:''", [{ when: { is: 'a' }, to: '' }]],
    ['"[deleted]":\'\'', [{ when: { is: '[deleted]' }, to: '' }]],
    ["'a:b, c]':\"it's\"", [{ when: { is: 'a:b, c]' }, to: "it's" }]],
    ['a:skip', [{ when: { is: 'a' }, to: undefined }]],
    ["a:'skip'", [{ when: { is: 'a' }, to: 'skip' }]],
    ['"*":x', [{ when: { is: '*' }, to: 'x' }]],
    [
      '>=4:like, <-1.5:hide , *:skip',
      [
        { when: { comparison: '>=', number: 4 }, to: 'like' },
        { when: { comparison: '<', number: -1.5 }, to: 'hide' },
        { when: { is_rest: true }, to: undefined },
      ],
    ],
    [
      '>1:a,<=2:b',
      [
        { when: { comparison: '>', number: 1 }, to: 'a' },
        { when: { comparison: '<=', number: 2 }, to: 'b' },
      ],
    ],
  ])('has for [%s] the rules %j', (rules, expected) => {
    expect(sourceOf(`a.csv=interactions:event_type=x[${rules}]`, 'event_type')).toEqual({
      column: 'x',
      rules: expected,
    });
  });

  test('may name several columns that only decide which rows stay out', () => {
    const { skips, fields } = parseMap(
      'a.csv=items:skip=deleted_at[*:skip],item_id=id,skip=kind[1:keep,*:skip]',
    );
    expect([...fields.keys()]).toEqual(['item_id']);
    expect(skips.map(({ column }) => column)).toEqual(['deleted_at', 'kind']);
  });

  test.each([
    ['a.csv=items:skip=a', 'skip says which rows stay out: expected skip=column[text:skip,text:keep]'],
    ["a.csv=items:skip='x'", 'skip says which rows stay out'],
    ['a.csv=items:skip=a[x:skp]', "expected skip=column[text:skip,text:keep]; got 'skp'"],
    ['a.csv=items:created_at=a[>=four:x]', "'>=four' compares with no number"],
    ['a.csv=items:created_at=a[x:y', "'x:y' is not understood; expected [from:to,from:to]"],
    ['a.csv=items:created_at=a[x:y]z', 'is not understood'],
    ['a.csv=items:created_at=""', 'is not understood'],
    ['a.csv=items:created_at=@ms', 'is not understood'],
    ['a.xml=items', 'expected a file that ends with .csv, .tsv, .jsonl, .ndjson, .json'],
  ])('%s is refused: %s', (map, message) => {
    expect(messageOf(() => parseMap(map))).toContain(message);
  });

  test('is read as it was written', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        '7',
        ',',
        ':',
        "'",
        '"',
        '[',
        ']',
        '@ms',
        '@dd/mm/yyyy',
        ' ',
        '*',
        '>',
        '=',
        'é',
      ),
      maxLength: 6,
    });
    const when: fc.Arbitrary<Condition> = fc.oneof(
      fc.record({ is: text }),
      fc.record({
        comparison: fc.constantFrom(...COMPARISONS),
        number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
      }),
      fc.constant({ is_rest: true as const }),
    );
    const rule: fc.Arbitrary<Rule> = fc.record({ when, to: fc.option(text, { nil: undefined }) });
    const unit = fc.option(fc.constantFrom(...UNITS), { nil: undefined });
    const name = fc.oneof(
      fc.record({ column: fc.constantFrom('id', 'a.b.0', '12', 'two words') }),
      fc.record({ column: fc.constantFrom('a.b', '12', 'a, "b".c'), is_literal: fc.constant(true as const) }),
      fc.record({ column: text.filter((one) => one !== '' && !/^\d+$/.test(one)) }),
    );
    const sourceWith = (rules: fc.Arbitrary<Rule[]>): fc.Arbitrary<ColumnSource> =>
      fc
        .tuple(name, unit, rules)
        .map(([named, given, all]) => ({ ...named, ...(given && { unit: given }), rules: all }));
    const map = fc.constantFrom(...KINDS).chain((kind): fc.Arbitrary<FileMap> => {
      const source = fc.oneof(sourceWith(fc.array(rule, { maxLength: 3 })), fc.record({ constant: text }));
      const skip = rule.map(({ when }): Rule => ({ when, to: undefined }));
      return fc.record({
        file: fc.constantFrom('a.csv', 'b c.jsonl.gz'),
        kind: fc.constant(kind),
        fields: fc
          .dictionary(fc.constantFrom(...fieldsOf(kind)), source)
          .map((all) => new Map(Object.entries(all))),
        skips: fc.array(sourceWith(fc.array(skip, { minLength: 1, maxLength: 2 })), { maxLength: 2 }),
      });
    });
    check(300, [map], (given) => {
      expect(parseMap(writeMap(given))).toEqual(given);
      for (const { rules } of given.skips) expect(parseRules(rulesText(rules))).toEqual([...rules]);
    });
  });
});

describe('a file of maps', () => {
  test('has one a line, with blank lines and comments', () => {
    const text = '# posts\r\na.csv=items:item_id=id\r\n\n  # x\n b.csv=users\n';
    expect(parseMaps(text).map(({ file, kind }) => `${file} ${kind}`)).toEqual([
      'a.csv items',
      'b.csv users',
    ]);
  });

  test('names the line that is not understood', () => {
    expect(messageOf(() => parseMaps('a.csv=items\n\nb.csv=post'))).toStartWith(
      "line 3: there is no kind 'post'",
    );
  });
});
