import { describe, expect, test } from 'bun:test';
import { cycles, differences, type FileImport, tableOfRooms } from './support/rooms.ts';

/** A house of four rooms, and what its files import. */
const TABLE_OF_FOUR = `
## The rooms

| Room                   | What is in it         | May import  |
| ---------------------- | --------------------- | ----------- |
| [high](high)           | the top               | mid (types) |
| [mid](mid)             | the middle            | low/a       |
| [clock.ts](clock.ts)   | for all rooms: a time | nothing     |
| [low](low)             | the ground            | nothing     |

## Words
`;
const IMPORTS_OF_FOUR: FileImport[] = [
  { from: 'src/high/a.ts', to: 'src/mid/a.ts', type_only: true },
  { from: 'src/high/a.ts', to: 'src/clock.ts', type_only: false },
  { from: 'src/mid/a.ts', to: 'src/low/a.ts', type_only: false },
];

describe('a table of rooms and the imports', () => {
  test.each<[string, FileImport[], string[]]>([
    ['nothing when all is well', [], []],
    ['a room without a row', [{ from: 'src/new/a.ts', to: 'src/low/a.ts', type_only: true }], ['lacks new']],
    [
      'a value where it says types',
      [{ from: 'src/high/a.ts', to: 'src/mid/a.ts', type_only: false }],
      ['src/high/a.ts imports src/mid/a.ts'],
    ],
    [
      'another file than it says',
      [{ from: 'src/mid/a.ts', to: 'src/low/b.ts', type_only: true }],
      ['src/mid/a.ts imports types of src/low/b.ts'],
    ],
    [
      'types where it says nothing',
      [{ from: 'src/low/a.ts', to: 'src/high/a.ts', type_only: true }],
      ['src/low/a.ts imports types of src/high/a.ts'],
    ],
    [
      'what stands alone and uses what is for all rooms',
      [{ from: 'src/low/a.ts', to: 'src/clock.ts', type_only: false }],
      ['src/low/a.ts imports src/clock.ts'],
    ],
  ])('differ by %s', (_, more, expected) => {
    const rows = tableOfRooms(TABLE_OF_FOUR);
    const imports = [...IMPORTS_OF_FOUR, ...more];
    const faults = differences(
      rows,
      imports.flatMap(({ from, to }) => [from, to]),
      imports,
    );
    expect(faults.length).toBe(expected.length);
    for (const [index, part] of expected.entries()) expect(faults[index]).toContain(part);
  });

  test('differ by an entry that no file imports any more', () => {
    const imports = IMPORTS_OF_FOUR.map((one) => ({ ...one, type_only: true }));
    const files = imports.flatMap(({ from, to }) => [from, to]);
    const faults = differences(tableOfRooms(TABLE_OF_FOUR), files, imports);
    expect(faults).toEqual([expect.stringContaining('lets mid import low/a,')]);
  });

  test('differ by every import when the rows stand upside down', () => {
    const files = IMPORTS_OF_FOUR.flatMap(({ from, to }) => [from, to]);
    const faults = differences(tableOfRooms(TABLE_OF_FOUR).reverse(), files, IMPORTS_OF_FOUR);
    expect(faults.map((fault) => fault.split(' imports ')[0])).toEqual([
      'src/mid/a.ts',
      'src/high/a.ts',
      'src/high/a.ts',
    ]);
  });
});

describe('import cycles', () => {
  const imports = (...pairs: [string, string][]): FileImport[] =>
    pairs.map(([from, to]) => ({ from, to, type_only: true }));

  test('are found through several files, and once each', () => {
    expect(cycles(imports(['a', 'b'], ['b', 'c'], ['c', 'b'], ['c', 'd']))).toEqual(['b → c → b']);
    expect(cycles(imports(['a', 'a']))).toEqual(['a → a']);
  });

  test('are not found where several ways lead to one file', () => {
    expect(cycles(imports(['a', 'b'], ['a', 'c'], ['b', 'd'], ['c', 'd']))).toEqual([]);
  });
});
