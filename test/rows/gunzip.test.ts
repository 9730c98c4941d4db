import { describe, expect, test } from 'bun:test';
import { gunzip } from '../../src/rows/gunzip.ts';

/** @param step length of the pieces in which the file comes */
async function unpacked(file: Uint8Array, step: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < file.length; at += step) pieces.push(file.subarray(at, at + step));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const parts: Uint8Array[] = [];
  for await (const part of stream.pipeThrough(gunzip())) parts.push(part);
  return Buffer.concat(parts).toString();
}

const texts = ['id\n', `${'a1\n'.repeat(50_000)}`, 'b\n'];

describe('gzip in a browser', () => {
  test('is read to its end if it has several parts', async () => {
    const file = Buffer.concat(texts.map((text) => Bun.gzipSync(text)));
    for (const step of [1, 7, 1 << 20]) expect(await unpacked(file, step)).toBe(texts.join(''));
  });

  test.each<[string, Uint8Array]>([
    ['was cut off', Bun.gzipSync(texts[1]).subarray(0, -20)],
    [
      'was cut off within its last part',
      Buffer.concat(texts.map((text) => Bun.gzipSync(text))).subarray(0, -9),
    ],
    ['is none of gzip', new TextEncoder().encode(texts[1])],
    ['is empty', new Uint8Array(0)],
  ])('is refused if it %s', async (_case, file) => {
    for (const step of [5, 1 << 20]) await expect(unpacked(file, step)).rejects.toThrow();
  });
});
