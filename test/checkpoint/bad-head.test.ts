import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { writeCheckpoint } from '../../src/checkpoint/file.ts';
import { Unusable } from '../../src/checkpoint/head.ts';
import { loadCheckpoint, makeOf } from '../../src/checkpoint/load.ts';
import { imageOf } from '../../src/columns/image.ts';
import { State } from '../../src/state/state.ts';
import type { CheckpointEntry } from '../../src/store/checkpoint-store.ts';
import { allPages } from '../simulation/support/contention.ts';
import { checkAsync, longTest } from '../support/long.ts';
import { fold, randomChanges } from '../support/random-changes.ts';
import { checkpointsIn, Place, write } from './support.ts';

const PREFIX_BYTES = 24;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Holder = Record<string, Json>;

/** Rewrites the head of a checkpoint with correct hashes. @returns the new digest of the file */
function rewriteHead(file: string, change: (head: Holder) => Json): string {
  const bytes = readFileSync(file);
  const end = PREFIX_BYTES + bytes.readDoubleLE(8);
  const head = Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString('utf8', PREFIX_BYTES, end)))));
  const prefix = Buffer.from(bytes.subarray(0, PREFIX_BYTES));
  prefix.writeDoubleLE(head.length, 8);
  prefix.writeBigUInt64LE(Bun.hash.xxHash3(head), 16);
  writeFileSync(file, Buffer.concat([prefix, head, bytes.subarray(end)]));
  return prefix.toString('hex', 16) + bytes.toString('hex', bytes.length - 8);
}

/** All paths of values that can be replaced. */
function placesIn(value: Json, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]))];
}

function replaced(value: Json, [key, ...rest]: string[], by: Json | undefined): Json {
  if (key === undefined) return by ?? null;
  const copy = structuredClone(value) as Holder;
  if (rest.length === 0 && by === undefined) delete copy[key];
  else copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const set =
  (path: string, value: Json | undefined) =>
  (head: Holder): Json =>
    replaced(head, path.split('/'), value);

describe('a start from a checkpoint with correct hashes and an invalid head', () => {
  let place: Place;
  beforeEach(() => {
    place = new Place();
  });
  afterEach(() => place.end());

  const HEADS: [string, (head: Holder) => Json][] = [
    ['a column that claims more bytes than it has', set('specs/0/used_bytes', 1e9)],
    ['a column that would take terabytes', set('specs/0/length', 2 ** 50)],
    ['no columns', set('specs', [])],
    ['no outline', set('outline', null)],
    ['a number instead of a column', set('outline/fields/users/fields/flags', 5)],
    ['another seq', set('seq', 3)],
  ];
  // Short runs show that one of them does not prevent a start; the properties below load every kind of head.
  for (const [at, [what, change]] of HEADS.entries()) {
    const ofRun = at === 0 ? test : longTest;
    ofRun(`a checkpoint with ${what} is dropped and logged once, and the changes are replayed`, async () => {
      const running = await place.open();
      await place.contend(running, 3, 2);
      await write(running);
      const pages = await allPages(running.service);
      await place.close(running);
      rewriteHead(join(place.data, checkpointsIn(place.data)[0]), change);
      const again = await place.open();
      expect(again.service.loaded.checkpoint_seq).toBe(0);
      expect(await allPages(again.service)).toEqual(pages);
      expect(place.said('cannot be used')).toBe(1);
      expect(checkpointsIn(place.data)).toEqual([]);
    });
  }
});

describe('any change of the head of a checkpoint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-bad-head-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'checkpoint');
  const slice = async () => {};
  const EMPTY = JSON.stringify(imageOf(new State()));

  const head = { name: 'one', seq: 60, make: makeOf(new State()) };
  let entry: CheckpointEntry;
  let bytes: Uint8Array;
  beforeAll(async () => {
    const [changes] = fc.sample(randomChanges({ longest: 60 }), { seed: 4, numRuns: 1 });
    entry = { ...head, ...(await writeCheckpoint(file, head, imageOf(fold(changes)), slice)) };
    bytes = readFileSync(file);
  });

  const VALUES = fc.oneof(
    fc.constantFrom<Json | undefined>(undefined, null, -1, 0.5, 2 ** 40, 1e300, 'NaN', '', true, [], {}),
    fc.constantFrom<Json>({ column: 0 }, { column: 1e6 }, { list: 0 }, { number: 'NaN' }, { map: [[0, 0]] }),
    fc.constantFrom<Json>({ of: 'Object', fields: {} }, { of: 'State', fields: {} }),
    fc.integer({ min: 0, max: 300 }),
  );
  const CHANGE = fc.record({ at: fc.nat(), value: VALUES });

  /** Changes one place of the original head. @returns the digest, or undefined if nothing changed */
  function changeHead({ at, value }: { at: number; value: Json | undefined }): string | undefined {
    writeFileSync(file, bytes);
    const digest = rewriteHead(file, (head) => {
      const places = placesIn(head);
      return replaced(head, places[at % places.length], value);
    });
    return digest === entry.digest ? undefined : digest;
  }

  async function load(wanted: CheckpointEntry): Promise<'loaded' | 'dropped'> {
    const state = new State();
    try {
      await loadCheckpoint(state, file, wanted, slice);
      return 'loaded';
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      expect(JSON.stringify(imageOf(state))).toBe(EMPTY);
      return 'dropped';
    }
  }

  test('any change of the head makes a checkpoint unusable, whatever its hashes, and leaves the state empty', async () => {
    expect(await load(entry)).toBe('loaded');
    await checkAsync(80, [CHANGE], async (change) => {
      if (changeHead(change) !== undefined) expect(await load(entry)).toBe('dropped');
    });
  });

  test('a recorded checkpoint with a changed head is loaded or dropped, and never prevents a start', async () => {
    await checkAsync(80, [CHANGE], async (change) => {
      const digest = changeHead(change);
      if (digest !== undefined) await load({ ...entry, digest });
    });
  });
});
