import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { JSON_SLICE_LENGTH, type JsonReading, parseJson } from '../../src/plugin/json.ts';
import { lostDigits } from '../../src/plugin/json-digits.ts';
import { parseLongJson } from '../../src/plugin/json-long.ts';
import type { JsonPath } from '../../src/plugin/json-members.ts';
import { JSON_CONTAINERS_MAX, JSON_LEVELS_MAX, TooNested } from '../../src/plugin/json-scanner.ts';
import { check, checkAsync } from '../support/long.ts';

/** What parsing gives. Parts of an invalid text may have other error messages than the whole. */
async function outcome(parse: () => unknown): Promise<{ value: unknown } | { refused: unknown }> {
  try {
    return { value: await parse() };
  } catch (error) {
    return { refused: error instanceof SyntaxError };
  }
}

async function agrees(text: string): Promise<void> {
  expect(await outcome(() => parseLongJson(text))).toEqual(await outcome(() => JSON.parse(text)));
}

/** An array's text that is longer than some pieces. */
function long(element: string, between = ','): string {
  const count = Math.ceil((3.5 * JSON_SLICE_LENGTH) / (element.length + between.length));
  return `[${Array(count).fill(element).join(between)}]`;
}

describe('JSON parsed in pieces', () => {
  test('JSON parsed in slices has the same value as JSON parsed at once', async () => {
    await checkAsync(20, [fc.json(), fc.constantFrom(',', ' ,\n', ',\t')], async (element, between) => {
      await agrees(`\n ${long(element, between)} `);
    });
  });

  test('splitting JSON respects quotes, escapes and brackets in strings', async () => {
    for (const element of [
      '"a,b"',
      '"\\\\"',
      '"\\",\\\\\\""',
      '{"]":["}",[",{"]]}',
      '"[{"',
      '""',
      '1e3',
      'null',
    ]) {
      await agrees(long(element));
    }
  });

  test('JSON of any form has the same value in slices as at once', async () => {
    for (const text of [
      '{"a":1}',
      `"${'x'.repeat(2 * JSON_SLICE_LENGTH)}"`,
      `{"a":${long('1')}}`,
      '[]',
      ' [ ] ',
    ])
      await agrees(text);
    await agrees(`[${' '.repeat(2 * JSON_SLICE_LENGTH)}]`);
    await agrees(`[${long('{"a":[1,2]}')}]`);
    const members = Array.from({ length: 20_000 }, (_, at) => `"${at % 15_000}x":[${at}]`).join();
    await agrees(`{"first":0,"a":{"b":[1,{ "c" :${long('[]')} },2],"__proto__":${long('{}')}},${members}}`);
    await agrees(`{"__proto__":1,${members},"a":${long('"b"')},"a":${long('3')} ,"z":null}`);
  });

  test('what is invalid at once is invalid in slices', async () => {
    const sound = long('{"a":1}');
    const inner = sound.slice(1, -1);
    for (const blank of ['\u00a0', '\ufeff', '\v', '\u2028']) {
      await agrees(blank + sound);
      await agrees(sound + blank);
    }
    await agrees(`\r\n\t ${sound}\r\n\t `);
    const broken = [
      `[${inner},]`,
      `[,${inner}]`,
      `[${inner},,${inner}]`,
      `[${inner}`,
      `${inner}]`,
      `${sound}]`,
    ];
    const more = [
      `${sound},${sound}`,
      `[${inner},"]`,
      `[${inner},{]`,
      `[${inner}],[${inner}]`,
      `[${inner},"\\"]`,
    ];
    const misplaced = [`[1${sound}]`, `[${sound}1]`, `{"a"${sound}}`, `{${sound}}`, `[[${inner}},1]`];
    const inside = [`{"a":${sound},}`, `{,"a":${sound}}`, `[${sound},,${sound}]`, `[${sound} ${sound}]`];
    for (const text of [...misplaced, ...inside]) await agrees(text);
    for (const text of [...broken, ...more, `[${inner}x${inner}]`, `[${inner},{"a":]]`, `{${inner}}`])
      await agrees(text);
  });

  test('the event loop runs between slices of JSON', async () => {
    let turns = 0;
    let running = true;
    const count = () => {
      turns++;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    for (const text of [long('{"a":1}'), `{"a":{"b":[${long('[1]')}]}}`]) {
      turns = 0;
      await parseLongJson(text);
      expect(turns).toBeGreaterThanOrEqual(3);
    }
    running = false;
  });

  test('levels, objects and arrays are counted before anything is parsed', async () => {
    const nested = (levels: number, inner = '') => '['.repeat(levels) + inner + ']'.repeat(levels);
    const string = JSON.stringify('[{"\\'.repeat(JSON_LEVELS_MAX));
    expect(parseJson(nested(JSON_LEVELS_MAX, string))).toBeArray();
    await agrees(nested(JSON_LEVELS_MAX - 2, long('[]')));
    const of_levels = `more than ${JSON_LEVELS_MAX} levels`;
    const of_count = `more than ${JSON_CONTAINERS_MAX} objects and arrays`;
    for (const [text, reason] of [
      // No parser could accept what follows the brackets.
      [`${'[{"a":'.repeat(JSON_LEVELS_MAX / 2)}[?`, of_levels],
      [`${long('1')}${nested(JSON_LEVELS_MAX + 1)}`, of_levels],
      [`[${'[],'.repeat(JSON_CONTAINERS_MAX)}?`, of_count],
    ] as const) {
      for (const parse of [parseJson, parseLongJson]) {
        const parsed = (async () => parse(text))();
        const error = await parsed.catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(TooNested);
        expect(String(error)).toContain(reason);
      }
    }
  });
});

/** A JSON text with chosen member names, and what is to be found in it. */
interface Written {
  text: string;
  /** Where a member has the name of an earlier one of its object. */
  repeated: (string | number)[][];
}

const NAMES = ['a', 'b', '__proto__', 'é', '"\\u0061"'];

/** JSON of objects and arrays in which names repeat. `"\u0061"` is the name `a`. */
const withRepeated: fc.Arbitrary<Written> = fc.letrec<{ any: Written }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc
      .constantFrom('1', '"{\\"a\\":1,\\"a\\":2}"', 'null', '1.5e3', '"x,:"')
      .map((text): Written => ({ text, repeated: [] })),
    fc.array(tie('any'), { maxLength: 4 }).map(
      (elements): Written => ({
        text: `[${elements.map(({ text }) => text).join(' , ')}]`,
        repeated: elements.flatMap(({ repeated }, at) => repeated.map((path) => [at, ...path])),
      }),
    ),
    fc.array(fc.tuple(fc.constantFrom(...NAMES), tie('any')), { maxLength: 4 }).map((members): Written => {
      const named = members.map(([name, inner]) => ({ name: name.includes('u0061') ? 'a' : name, inner }));
      const texts = members.map(
        ([name, { text }]) => `${name.startsWith('"') ? name : JSON.stringify(name)} : ${text}`,
      );
      const repeated = named.flatMap(({ name, inner }, at) => [
        ...(named.findIndex((other) => other.name === name) < at ? [[name]] : []),
        ...inner.repeated.map((path) => [name, ...path]),
      ]);
      return { text: `{${texts.join()}}`, repeated };
    }),
  ),
})).any;

function repeatedIn(text: string): JsonPath[] {
  const repeated: JsonPath[] = [];
  expect(parseJson(text, undefined, { repeated })).toEqual(JSON.parse(text));
  return repeated;
}

describe('members with a name that their object already has', () => {
  test('are found in any JSON: the first, or the first within each element of an array', () => {
    check(300, [withRepeated], ({ text, repeated }) => {
      const of_each = text.startsWith('[')
        ? repeated.filter(([at], index) => repeated.findIndex(([other]) => other === at) === index)
        : repeated.slice(0, 1);
      expect(repeatedIn(text)).toEqual(of_each);
    });
  });

  test('are found in JSON that is parsed in slices, within one slice and in two', async () => {
    const inner = long('{"a":{"b":1}}');
    for (const [text, paths] of [
      [`{"a":1,"b":${inner},"a":2}`, [['a']]],
      [`[${inner.slice(1, -1)},{"x":{"y":1,"y":2}}]`, [[JSON.parse(inner).length, 'x', 'y']]],
      [`{"list":${inner},"c":0}`, []],
    ] as const) {
      const repeated: JsonPath[] = [];
      await parseLongJson(text, undefined, { repeated });
      expect(repeated).toEqual(paths.map((path) => [...path]));
    }
  });
});

describe('numbers with more digits than a number keeps', () => {
  const LOST = [
    '1610521604143693812',
    '-9007199254740993',
    '0.1234567890123456789',
    '12345678901.123456789e-3',
  ];
  const KEPT = [
    ...[
      '9007199254740992',
      '1161888007138312000',
      '100000000000000000000000',
      '0.30000000000000004',
      '1e300',
    ],
    ...['-0.00001234567890123456', '5.0000000000000000000000', '0000'.slice(3), '1.7976931348623157e308'],
  ];

  test('are noted with their source at the object or array that has them', () => {
    const text = `{"list":[${[...LOST, ...KEPT].join()}],"x":{"id":${LOST[0]},"n":1}}`;
    const value = parseJson(text, undefined, { long_numbers: 'noted' }) as { list: number[]; x: object };
    expect(value as object).toEqual(JSON.parse(text));
    expect([...lostDigits(value.list)]).toEqual(LOST.map((source, at) => [String(at), source]));
    expect([...lostDigits(value.x)]).toEqual([['id', LOST[0]]]);
    expect(lostDigits(value).size).toBe(0);
  });

  test('are their sources where integers become texts', () => {
    const text = `[${LOST.join()},${KEPT[0]}]`;
    const value = parseJson(text, undefined, { long_numbers: 'text' }) as unknown[];
    expect(value).toEqual([LOST[0], LOST[1], ...LOST.slice(2).map(Number), Number(KEPT[0])]);
    expect([...lostDigits(value).keys()]).toEqual(['2', '3']);
  });

  test('no number is noted that a program has printed', () => {
    check(
      500,
      [fc.double({ noDefaultInfinity: true, noNaN: true }), fc.maxSafeInteger()],
      (number, integer) => {
        const numbers = [number, integer].map((each) => JSON.stringify(each));
        const value = parseJson(`[${numbers.join()}]`, undefined, { long_numbers: 'noted' });
        expect(lostDigits(value as object).size).toBe(0);
      },
    );
  });

  test('are noted in JSON that is parsed in slices', async () => {
    for (const between of [long('1'), long('{"id":1}')]) {
      const text = `{"first":${LOST[0]},"all":${between},"o":[{"id":${LOST[1]}}],"last":${LOST[2]}}`;
      const reading: JsonReading = { long_numbers: 'noted' };
      const value = (await parseLongJson(text, undefined, reading)) as { o: object[] };
      expect([...lostDigits(value)]).toEqual([
        ['first', LOST[0]],
        ['last', LOST[2]],
      ]);
      expect([...lostDigits(value.o[0])]).toEqual([['id', LOST[1]]]);
    }
    const list = (await parseLongJson(long(LOST[0]), undefined, { long_numbers: 'noted' })) as number[];
    expect(lostDigits(list).size).toBe(list.length);
  });
});
