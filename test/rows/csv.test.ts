import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { csvFields, csvRecord, spreadsheetRecord } from '../../src/rows/csv.ts';
import { check } from '../support/long.ts';

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
    [' a b , c,', ['a b', 'c', '']],
    [' " a " ,"b" , c "d', [' a ', 'b', 'c "d']],
    ['5" disk,x', ['5" disk', 'x']],
    ['"a"b,x', ['"a"b', 'x']],
    [' "a b" is  quoted , x', ['"a b" is  quoted', 'x']],
  ])('%p has the fields %p', (text, fields) => {
    expect(csvFields(text)).toEqual(fields);
  });

  test.each(['"', 'a,"b', '"a""', '"a,b\n', 'x,"""'])('%p continues in the next line', (text) => {
    expect(csvFields(text)).toBeUndefined();
  });

  test('is parsed as it was written', () => {
    const character = fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é', '\u{1f600}', '\ufeff');
    const field = fc.string({ unit: character, maxLength: 6 });
    check(100, [fc.array(field, { minLength: 1, maxLength: 5 })], (fields) => {
      expect(csvFields(csvRecord(fields).slice(0, -1))).toEqual(fields);
    });
  });
});

describe('a record of a spreadsheet', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1'])('has %j as text', (text) => {
    expect(csvFields(spreadsheetRecord(['id', text]).slice(0, -1))).toEqual(['id', `'${text}`]);
    expect(csvFields(csvRecord(['id', text]).slice(0, -1))).toEqual(['id', text]);
  });

  test('has numbers, negative ones too, and other texts as they are', () => {
    expect(spreadsheetRecord([-0.5, 'a=1', '', "'", 'a-b'])).toBe("-0.5,a=1,,',a-b\n");
  });
});
