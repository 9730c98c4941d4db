import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { PIECE_LENGTH, parsePieces } from '../../src/http/json-pieces.ts';
import { check } from '../support/long.ts';

/** What parsing gives, or what it complains of. */
async function outcome(parse: () => unknown): Promise<{ value: unknown } | { complaint: string }> {
  try {
    return { value: await parse() };
  } catch (error) {
    return { complaint: String(error) };
  }
}

async function agrees(text: string): Promise<void> {
  expect(await outcome(() => parsePieces(text))).toEqual(await outcome(() => JSON.parse(text)));
}

/** An array's text that is longer than some pieces. */
function long(element: string, between = ','): string {
  const count = Math.ceil((3.5 * PIECE_LENGTH) / (element.length + between.length));
  return `[${Array(count).fill(element).join(between)}]`;
}

describe('JSON parsed in pieces', () => {
  test('JSON parsed in slices has the same value as JSON parsed at once', async () => {
    await check(
      fc.asyncProperty(fc.json(), fc.constantFrom(',', ' ,\n', ',\t'), async (element, between) => {
        await agrees(`\n ${long(element, between)} `);
      }),
      20,
    );
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

  test('JSON that is not an array is one value', async () => {
    for (const text of ['{"a":1}', `"${'x'.repeat(2 * PIECE_LENGTH)}"`, `{"a":${long('1')}}`, '[]', ' [ ] '])
      await agrees(text);
    await agrees(`[${' '.repeat(2 * PIECE_LENGTH)}]`);
    await agrees(`[${long('{"a":[1,2]}')}]`);
  });

  test('invalid JSON is refused with the same error as at once', async () => {
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
    await parsePieces(long('{"a":1}'));
    running = false;
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
