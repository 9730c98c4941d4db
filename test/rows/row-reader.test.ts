import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Row } from '../../src/rows/row.ts';
import { RowReader } from '../../src/rows/row-reader.ts';
import { check } from '../support/long.ts';

interface Read {
  rows: Row[];
  notes: readonly string[];
}

/** @param pieces lengths of the pieces in which the bytes come, again and again */
function read(name: string, file: string | Uint8Array, pieces: readonly number[] = [1 << 20]): Read {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const reader = new RowReader(name);
  const rows: Row[] = [];
  const take = () => {
    for (let row = reader.next(); row !== undefined; row = reader.next()) rows.push(row);
  };
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const length = pieces[turn % pieces.length];
    reader.push(bytes.subarray(at, at + length));
    at += length;
    take();
  }
  reader.end();
  take();
  return { rows, notes: reader.notes };
}

function cellsOf(file: string | Uint8Array): unknown[] {
  return read('a.csv', file).rows.map(({ cells, fault }) => fault ?? cells);
}

function valuesOf(name: string, file: string | Uint8Array): unknown[] {
  return read(name, file).rows.map(({ line, value, fault }) => [line, fault ?? value]);
}

describe('the separator of a CSV file', () => {
  test.each<[string, string, string[][], string[]]>([
    [
      'a comma',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
      [],
    ],
    [
      'a semicolon',
      'a;b\n1;2,5\n',
      [
        ['a', 'b'],
        ['1', '2,5'],
      ],
      ['the cells are separated by semicolons'],
    ],
    [
      'a semicolon in a file with commas in its header',
      'id;price, EUR;name\n1;3,50;x\n2;4,50;y\n',
      [
        ['id', 'price, EUR', 'name'],
        ['1', '3,50', 'x'],
        ['2', '4,50', 'y'],
      ],
      ['the cells are separated by semicolons'],
    ],
    [
      'a tab',
      'a\tb c\n1\t"2\t3"\n',
      [
        ['a', 'b c'],
        ['1', '2\t3'],
      ],
      ['the cells are separated by tabs'],
    ],
    [
      'a bar',
      'a|b\n1|2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
      ['the cells are separated by bars (|)'],
    ],
    [
      'a comma where cells have lists',
      'a,b|c\n1,2|3\n',
      [
        ['a', 'b|c'],
        ['1', '2|3'],
      ],
      [],
    ],
    [
      'a comma where texts have semicolons',
      'a,b\n1,x;y;z\n2,;;;\n',
      [
        ['a', 'b'],
        ['1', 'x;y;z'],
        ['2', ';;;'],
      ],
      [],
    ],
    ['none in a file of one column', 'a\n1;2\n', [['a'], ['1;2']], []],
  ])('is %s', (_case, file, cells, notes) => {
    expect(cellsOf(file)).toEqual(cells);
    expect(read('a.csv', file).notes).toEqual(notes);
  });
});

describe('a CSV file', () => {
  test('has no rows of empty cells and blank lines', () => {
    const { rows } = read('a.csv', 'a,b\r\n,\r\n\r\n" ",\n,x\n');
    expect(rows.map(({ line, cells }) => [line, cells])).toEqual([
      [1, ['a', 'b']],
      [4, [' ', '']],
      [5, ['', 'x']],
    ]);
  });

  test.each<[string, string[]]>([
    ['1,"he said \\"hi\\""', ['1', 'he said "hi"']],
    ['1,"\\"hi\\", she said"', ['1', '"hi", she said']],
    ['1,"C:\\\\dir \\" ""x"""', ['1', 'C:\\dir " "x"']],
  ])('whose quotes are escaped by a backslash is read: %s', (row, cells) => {
    const file = `a,b\n0,"plain ""x"""\n${row}\n2,"a\\"b"\n`;
    expect(cellsOf(file)).toEqual([['a', 'b'], ['0', 'plain "x"'], cells, ['2', 'a"b']]);
    expect(read('a.csv', file).notes).toEqual(['quotes within cells are written with a backslash']);
  });

  test('whose quotes are escaped by a backslash may have them in texts of several lines', () => {
    const file = 'id,text,by\n1,"he said \\"hi\\" and\\\nleft, \\"bye\\"",ann\n2,"x",bo\n';
    expect(cellsOf(file)).toEqual([
      ['id', 'text', 'by'],
      ['1', 'he said "hi" and\nleft, "bye"', 'ann'],
      ['2', 'x', 'bo'],
    ]);
  });

  test.each([
    ['a quote within a later cell', '3,said "x",c'],
    ['a later cell in quotes', '3,"x",c'],
  ])('loses no rows to a quote that is not closed: %s', (_case, later) => {
    const rows = cellsOf(`id,text,by\n1,"open,b\n2,x,b\n${later}\n`);
    expect(rows.slice(0, 3)).toEqual([['id', 'text', 'by'], 'a quoted field is not closed', ['2', 'x', 'b']]);
    expect(rows[3]).toEqual(['3', expect.stringMatching(/^(said "x"|x)$/), 'c']);
  });

  test('that a database wrote between tabs has its characters and line ends as they were, and no quotes', () => {
    const file =
      'id\ttext\tdeleted_at\r\n1\tone\\ntwo\\\\ C:\\\\new\\tend\t\\N\r\n2\t"open\t2026-01-01\n3\tsaid "x"\t\\N\n4\ta\\\nb\\\tc\t\\N\n5\t\\N\t\\N\n';
    expect(cellsOf(file)).toEqual([
      ['id', 'text', 'deleted_at'],
      ['1', 'one\ntwo\\ C:\\new\tend', '\\N'],
      ['2', '"open', '2026-01-01'],
      ['3', 'said "x"', '\\N'],
      ['4', 'a\nb\tc', '\\N'],
      ['5', '\\N', '\\N'],
    ]);
    expect(read('a.tsv', file).notes).toEqual([
      'the cells are separated by tabs',
      'backslashes escape characters, and quotes are characters',
    ]);
  });

  test.each(['1,"C:\\dir\\"', '1,"a\\"",x"', '1,"two\nlines \\"",x"'])(
    'keeps backslashes before quotes where these are doubled or end a cell: %j',
    (row) => {
      const file = `a,b\n${row}\n`;
      expect(read('a.csv', file).notes).toEqual([]);
      expect(cellsOf(file)[1]).toEqual(['1', expect.stringContaining('\\')]);
    },
  );
});

describe('the encoding of a file', () => {
  const text = 'a,b\n1,é\n2,\u{1f600}\n';
  const utf16 = (mark: string, is_big: boolean) => {
    const bytes = new Uint8Array(Buffer.from(mark + text, 'utf16le'));
    return is_big ? Buffer.from(bytes).swap16() : bytes;
  };
  test.each([
    ['UTF-16, little-endian with a mark', utf16('\ufeff', false)],
    ['UTF-16, big-endian with a mark', utf16('\ufeff', true)],
  ])('may be %s', (_case, bytes) => {
    for (const pieces of [[1], [3], [1000]]) {
      const { rows, notes } = read('a.csv', bytes, pieces);
      expect(rows.map(({ cells }) => cells)).toEqual([
        ['a', 'b'],
        ['1', 'é'],
        ['2', '\u{1f600}'],
      ]);
      expect(notes).toEqual(['the encoding is UTF-16']);
    }
  });

  test('may be UTF-16 without a mark', () => {
    for (const is_big of [false, true]) {
      const bytes = Buffer.from('id,name\n1,x\n', 'utf16le');
      expect(cellsOf(is_big ? bytes.swap16() : bytes)).toEqual([
        ['id', 'name'],
        ['1', 'x'],
      ]);
    }
  });

  test.each([
    ['caf\xe9', 'café'],
    ['f\xfcr \x84uns\x93', 'für „uns“'],
    ['\x93quoted\x94 \x96 100 \x80', '“quoted” – 100 €'],
    ['na\xefve \xa9', 'naïve ©'],
  ])('is Windows-1252 for %j', (latin, expected) => {
    const file = (name: string, start: string, end: string) =>
      read(name, Buffer.from(start + latin + end, 'latin1'));
    const { rows, notes } = file('a.csv', 'a,b\n1,', '\n2,x\n');
    expect(rows[1].cells).toEqual(['1', expected]);
    expect(notes).toEqual(['the bytes are no UTF-8, so they are read as Windows-1252']);
    for (const start of ['{"a":"', '[{"a":"']) {
      const json = file('a.jsonl', start, start.startsWith('[') ? '"}]' : '"}\n');
      expect(json.rows[0].value).toEqual({ a: expected });
    }
  });

  test.each([
    ['a character of UTF-8 that is cut off', [0x61, 0xc3, 0x22]],
    ['a longer character of UTF-8 that is cut off', [0x61, 0xe2, 0x82, 0x22]],
    ['one line among others of UTF-8', [0x61, 0xe9, 0x62, 0x0a, 0xc3, 0xa9]],
    ['bytes that no text has', [0x61, 0xff, 0x62]],
  ])('is UTF-8 with a bad line for %s', (_case, bytes) => {
    const { rows, notes } = read('a.csv', new Uint8Array([0x61, 0x0a, ...bytes, 0x0a]));
    expect([rows[1].fault, ...notes]).toEqual(['the line is not valid UTF-8']);
    const text = new Uint8Array(bytes.filter((byte) => byte !== 0x22 && byte !== 0x0a));
    const array = Buffer.concat([Buffer.from('[{"a":"é"},\n{"a":"'), text, Buffer.from('"},\n{"a":"ß"}]')]);
    for (const pieces of [[1], [7], [1000]]) {
      const elements = read('a.json', array, pieces);
      const expected = ['é', 'the element is not valid UTF-8', 'ß'];
      expect(elements.rows.map(({ value, fault }) => fault ?? value?.a)).toEqual(expected);
      expect(elements.notes).toEqual(['the file is an array of JSON']);
    }
  });

  test('may turn out to be Windows-1252 after much that is ASCII alone', () => {
    const elements = Array.from({ length: 5_000 }, (_, id) => ({ id, text: 'plain text' }));
    const file = JSON.stringify([...elements, { id: 5_000, text: 'Grüße, für' }]);
    const { rows, notes } = read('a.json', Buffer.from(file, 'latin1'), [10_000]);
    expect(rows.at(-1)?.value).toEqual({ id: 5_000, text: 'Grüße, für' });
    expect(notes).toContain('the bytes are no UTF-8, so they are read as Windows-1252');
  });
});

describe('a file of JSON', () => {
  test('with an object a line has no rows of null and blank lines', () => {
    expect(valuesOf('a.ndjson', '{"a":1}\r\nnull\n\n{"a":2}\n[3]\n{"a"')).toEqual([
      [1, { a: 1 }],
      [4, { a: 2 }],
      [5, 'record: expected a JSON object'],
      [6, expect.stringMatching(/^not valid JSON: /)],
    ]);
  });

  const array = '[\n  {"a": "x, ]\\"}", "b": [1, {"c": 2}]},\n  null,\n  {"a"\n: 2},\n  {"a":,},\n  3\n]\n';
  test('that is one array has its elements as rows', () => {
    expect(valuesOf('a.json', array)).toEqual([
      [2, { a: 'x, ]"}', b: [1, { c: 2 }] }],
      [4, { a: 2 }],
      [6, expect.stringMatching(/^not valid JSON: /)],
      [7, 'record: expected a JSON object'],
    ]);
    expect(read('a.jsonl', array).notes).toEqual(['the file is an array of JSON']);
    expect(valuesOf('a.json', '[{"a":1}]\n[{"a":2}]')).toEqual([
      [1, { a: 1 }],
      [2, { a: 2 }],
    ]);
    expect(valuesOf('a.json', '[{"a":1},{"a":')).toEqual([
      [1, { a: 1 }],
      [1, 'the array of JSON is not closed'],
    ]);
  });

  test('that is the result of a query has its rows', () => {
    const file =
      '{"success":true,"params":{"columns":1},\n"columns":["id","na]me"],"rows":[[1161888007138312192,"x"],\n[2,null]],"more":[[3]]}';
    expect(valuesOf('query.json', file)).toEqual([
      [2, { id: '1161888007138312192', 'na]me': 'x' }],
      [3, { id: 2, 'na]me': null }],
    ]);
    expect(read('query.json', file).notes).toEqual(['the file has the columns and rows of a query']);
  });

  test('has the same rows in any pieces', () => {
    const value = fc.record({
      a: fc.string({ unit: 'grapheme' }),
      b: fc.array(fc.dictionary(fc.string(), fc.string())),
    });
    const pieces = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 5 });
    check(
      50,
      [fc.array(value, { minLength: 1 }), fc.option(fc.constant(2)), pieces],
      (given, indent, lengths) => {
        const file = JSON.stringify([...given, { a: 'x'.repeat(70_000) }], null, indent ?? undefined);
        const whole = read('a.json', file);
        expect(whole.rows.slice(0, -1).map((row) => row.value)).toEqual(given);
        expect(read('a.json', file, lengths)).toEqual(whole);
      },
    );
  });
});
