import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { partOf, readCheckpoint, writeCheckpoint } from '../../src/checkpoint/file.ts';
import { Unusable } from '../../src/checkpoint/head.ts';
import { makeOf } from '../../src/checkpoint/load.ts';
import { imageOf } from '../../src/columns/image.ts';
import { Fields } from '../../src/state/fields.ts';
import { State } from '../../src/state/state.ts';
import { WALLETS } from '../../src/state/vocabulary.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkAsync } from '../support/long.ts';
import { fold, randomChanges } from '../support/random-changes.ts';

const folder = temporaryFolder('checkpoint');

const HEAD = { name: 'one', seq: 17, make: 'this' };
const slice = async () => {};
const [CHANGES] = fc.sample(randomChanges({ longest: 200 }), { seed: 1, numRuns: 1 });

const image = () => imageOf(fold(CHANGES, new Fields(['item.text'])));
const WANTED = {
  ...HEAD,
  digest: (await writeCheckpoint(join(folder, 'first'), HEAD, image(), slice)).digest,
};

async function written(name: string): Promise<string> {
  const file = join(folder, name);
  await writeCheckpoint(file, HEAD, image(), slice);
  return file;
}

async function refused(file: string, wanted = WANTED): Promise<string> {
  const outcome = await readCheckpoint(file, wanted, slice).catch((error: unknown) => error);
  if (!(outcome instanceof Unusable)) throw new Error(`it was not refused: ${outcome}`);
  return outcome.message;
}

describe('a checkpoint file', () => {
  test('a checkpoint file returns the written content, and leaves no other files', async () => {
    const file = await written('whole');
    const { outline, specs, columns } = await readCheckpoint(file, WANTED, slice);
    const given = image();
    expect(outline).toEqual(given.outline);
    expect(specs).toEqual(JSON.parse(JSON.stringify(given.columns)));
    const own = columns.filter((column) => column !== undefined);
    const used = specs.filter(({ over }) => over === undefined).map(({ used_bytes }) => used_bytes);
    expect(own.map((column, at) => new Uint8Array(column.buffer, 0, used[at]))).toEqual(
      given.bytes.map((bytes) => new Uint8Array(bytes)),
    );
    expect(readdirSync(folder).sort()).toEqual(['first', 'whole']);
  });

  test('a checkpoint file is rejected if any byte is changed, missing or added', async () => {
    const bytes = readFileSync(await written('damaged'));
    const file = join(folder, 'copy');
    const sizes = fc.integer({ min: 0, max: bytes.length - 1 });
    await checkAsync(300, [sizes, fc.integer({ min: 1, max: 255 })], async (at, difference) => {
      const copy = Buffer.from(bytes);
      copy[at] ^= difference;
      writeFileSync(file, copy);
      await refused(file);
      writeFileSync(file, bytes.subarray(0, at));
      await refused(file);
    });
  });

  test('a checkpoint file is rejected if it belongs to other data or another program version, or does not exist', async () => {
    const file = await written('other');
    expect(await refused(file, { ...WANTED, name: 'two' })).toContain('other data');
    expect(await refused(file, { ...WANTED, make: 'that' })).toContain('another version');
    expect(await refused(file, { ...WANTED, seq: 18 })).toContain('not the checkpoint');
    expect(await refused(join(folder, 'nowhere'))).toContain('ENOENT');
  });

  test('a checkpoint file is read until its reader is told to stop', async () => {
    const file = await written('stopped');
    const stop = () => Promise.reject(new Error('SIGTERM'));
    await expect(readCheckpoint(file, WANTED, stop)).rejects.toThrow('SIGTERM');
  });

  test('a checkpoint file does not exist if it could not be written', async () => {
    const file = join(folder, 'broken-off');
    const stop = () => Promise.reject(new Error('broken off'));
    await expect(writeCheckpoint(file, HEAD, imageOf(fold(CHANGES)), stop)).rejects.toThrow('broken off');
    const left = readdirSync(folder).map((name) => join(folder, name));
    expect(left).not.toContain(file);
    expect(left).not.toContain(partOf(file));
  });
});

describe('the fingerprint of a state', () => {
  test('the fingerprint of a state depends on fields, their order and vocabularies, and not on applied changes', () => {
    const makes = [
      new State(),
      new State({ fields: new Fields(['item.text']) }),
      new State({ fields: new Fields(['item.channel']) }),
      new State({ fields: new Fields(['user.metadata.channel']) }),
      new State({ vocabulary: WALLETS }),
    ].map(makeOf);
    expect(new Set(makes).size).toBe(makes.length);
    expect(makeOf(new State({ learns_from: 5, fields: new Fields(['item.text', 'item.text']) }))).toBe(
      makes[1],
    );
  });
});
