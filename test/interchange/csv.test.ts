import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { csvFields, csvRecord } from '../../src/interchange/csv.ts';

describe('a record of CSV', () => {
  test.each([
    ['a,b', ['a', 'b']],
    ['', ['']],
    [',', ['', '']],
    ['a,', ['a', '']],
    ['"a"', ['a']],
    ['"a,b",c', ['a,b', 'c']],
    ['"",x', ['', 'x']],
    ['"say ""hi""",x', ['say "hi"', 'x']],
    ['"""",x', ['"', 'x']],
    ['"two\nlines",x', ['two\nlines', 'x']],
    [' a , b ', [' a ', ' b ']],
    ['5" disk,x', ['5" disk', 'x']],
    ['"a"b,x', ['ab', 'x']],
  ])('%p has the fields %p', (text, fields) => {
    expect(csvFields(text)).toEqual(fields);
  });

  test.each(['"', 'a,"b', '"a""', '"a,b\n', 'x,"""'])('%p continues in the next line', (text) => {
    expect(csvFields(text)).toBeUndefined();
  });

  test('is parsed as it was written', () => {
    const character = fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é', '\u{1f600}', '\ufeff');
    const field = fc.string({ unit: character, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), (fields) => {
        expect(csvFields(csvRecord(fields).slice(0, -1))).toEqual(fields);
      }),
    );
  });
});
