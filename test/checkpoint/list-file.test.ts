import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Unusable } from '../../src/checkpoint/head.ts';
import { readLists, writeLists } from '../../src/checkpoint/list-file.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkAsync } from '../support/long.ts';

const folder = temporaryFolder('lists');

const slice = async () => {};
const PIECES = [[1, 2, 3], [-1, 7], new Array(100).fill(5)];

/** Pieces that share their memory, as those of a service do. */
function* pieces(): Generator<Int32Array<ArrayBuffer>> {
  const words = new Int32Array(200);
  for (const piece of PIECES) {
    words.set(piece);
    yield words.subarray(0, piece.length);
  }
}

/** What a read adds and clears. */
class Added {
  pieces: number[][] = [];
  cleared = 0;
  add(piece: Int32Array): void {
    this.pieces.push([...piece]);
  }
  clear(): void {
    this.pieces = [];
    this.cleared++;
  }
}

const FILE = join(folder, 'lists');
const { digest, bytes } = await writeLists(FILE, 'one', { pieces }, slice);

async function refused(file: string, wanted = { name: 'one', digest }): Promise<string> {
  const added = new Added();
  const outcome = await readLists(file, wanted, added, slice).catch((error: unknown) => error);
  if (!(outcome instanceof Unusable)) throw new Error(`it was not refused: ${outcome}`);
  expect([added.pieces, added.cleared]).toEqual([[], 1]);
  return outcome.message;
}

test('a file of lists returns the written pieces, and leaves no other files', async () => {
  const added = new Added();
  await readLists(FILE, { name: 'one', digest }, added, slice);
  expect([added.pieces, added.cleared]).toEqual([PIECES, 0]);
  expect(readFileSync(FILE)).toHaveLength(bytes);
  expect(readdirSync(folder)).toEqual(['lists']);
});

test('a file of lists is refused if any byte is changed, missing or added', async () => {
  const whole = readFileSync(FILE);
  const file = join(folder, 'copy');
  for (let at = 0; at < whole.length; at++) {
    writeFileSync(file, whole.subarray(0, at));
    await refused(file);
  }
  writeFileSync(file, Buffer.concat([whole, Buffer.alloc(1)]));
  await refused(file);
  const places = fc.integer({ min: 0, max: whole.length - 1 });
  await checkAsync(300, [places, fc.integer({ min: 1, max: 255 })], async (at, difference) => {
    const copy = Buffer.from(whole);
    copy[at] ^= difference;
    writeFileSync(file, copy);
    await refused(file);
  });
  rmSync(file);
});

test('a file of lists of another checkpoint is refused', async () => {
  expect(await refused(FILE, { name: 'two', digest })).toContain('damaged');
  expect(await refused(FILE, { name: 'one', digest: digest.replace(/./, 'x') })).toContain('recorded');
});

test('a write of lists that is ended leaves no file, and so does one that fails', async () => {
  const file = join(folder, 'ended');
  const stop = () => Promise.reject(new Error('ended'));
  await expect(writeLists(file, 'one', { pieces }, stop)).rejects.toThrow('ended');
  expect(readdirSync(folder)).toEqual(['lists']);
});

test('the thread is free between pieces', async () => {
  let slices = 0;
  const turn = async () => {
    slices++;
  };
  await writeLists(join(folder, 'sliced'), 'one', { pieces }, turn);
  expect(slices).toBe(PIECES.length);
  await readLists(join(folder, 'sliced'), { name: 'one', digest }, new Added(), turn);
  expect(slices).toBe(2 * PIECES.length);
});
