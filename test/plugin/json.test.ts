import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  JSON_CONTAINERS_MAX,
  JSON_LEVELS_MAX,
  JSON_SLICE_LENGTH,
  parseJson,
  parseLongJson,
  TooNested,
} from '../../src/plugin/json.ts';
import { checkAsync } from '../support/long.ts';

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
