import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import {
  EncodedText,
  type HashKey,
  halfSipHash,
  type IntegerHash,
  integerHashOf,
  spread,
} from '../../src/columns/keyed-hash.ts';
import { SubjectTables } from '../../src/columns/subject-tables.ts';

function keyOf(seed: number): HashKey {
  const random = seededRandom(seed);
  return [(random() * 2 ** 32) | 0, (random() * 2 ** 32) | 0];
}
const KEYS = [1, 2, 3].map(keyOf);

function hashOf(text: string, [low, high]: HashKey): number {
  const encoded = new EncodedText();
  encoded.set(text);
  return halfSipHash(encoded.words, encoded.length_bytes, low, high);
}

/** The former hash of tables: FNV-1a with a final mix. Its steps can be computed one after another. */
const FNV_START = 0x811c9dc5;
const fnvStep = (state: number, text: string) =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), state);
function fnv(text: string): number {
  let hash = fnvStep(FNV_START, text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** 2^`stages` texts with the same FNV-1a hash: at each stage two blocks lead to the same state (Joux 2004). */
function collidingTexts(stages: number): string[] {
  let texts = [''];
  let state = FNV_START;
  for (let stage = 0; stage < stages; stage++) {
    const blocks_by_state = new Map<number, string>();
    for (let number = 0; ; number++) {
      const block = number.toString(36).padStart(5, '0');
      const next = fnvStep(state, block);
      const twin = blocks_by_state.get(next);
      blocks_by_state.set(next, block);
      if (twin === undefined) continue;
      texts = texts.flatMap((text) => [text + twin, text + block]);
      state = next;
      break;
    }
  }
  return texts;
}

/**
 * The number of slots that linear probing examines while all hashes are put into a table of at least twice as many
 * slots.
 */
function probesFor(hashes: readonly number[]): number {
  const mask = 2 ** Math.ceil(Math.log2(2 * hashes.length)) - 1;
  const taken = new Uint8Array(mask + 1);
  let probes = 0;
  for (const hash of hashes) {
    let slot = hash & mask;
    for (probes++; taken[slot] === 1; probes++) slot = (slot + 1) & mask;
    taken[slot] = 1;
  }
  return probes;
}

describe('HalfSipHash-1-3', () => {
  // From lib/tests/siphash_kunit.c of Linux. Its vectors are of inputs 00 01 02 … under the key 00 … 07.
  test.each([
    [0, 0x5814c896],
    [1, 0xe7e864ca],
    [2, 0xbc4b0e30],
    [3, 0x01539939],
    [4, 0x7e059ea6],
    [7, 0x9d38d9d6],
    [8, 0x577999b1],
    [63, 0x87178304],
  ])('HalfSipHash-1-3 of %d bytes equals the published hash', (length, published) => {
    const bytes = new Uint8Array(64);
    for (let at = 0; at < length; at++) bytes[at] = at;
    expect(halfSipHash(new Int32Array(bytes.buffer), length, 0x03020100, 0x07060504) >>> 0).toBe(published);
  });
});

describe('texts chosen to collide', () => {
  const texts = collidingTexts(12);
  const random = seededRandom(5);
  const others = texts.map(({ length }) =>
    Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join(''),
  );

  test('the chosen texts collide under the hash without a key', () => {
    expect(new Set(texts).size).toBe(4096);
    expect(new Set(texts.map(fnv)).size).toBe(1);
    expect(probesFor(texts.map(fnv))).toBeGreaterThan(1000 * probesFor(others.map(fnv)));
  });

  test.each(KEYS.map((key) => [key]))(
    'the chosen texts cost at most twice as much as random ones under the key %p',
    (key) => {
      const probes = (all: readonly string[]) => probesFor(all.map((text) => hashOf(text, key)));
      expect(probes(texts)).toBeLessThan(2 * probes(others));
    },
  );
});

describe('ordinals chosen to be adjacent', () => {
  const ORDINALS = 2 ** 18;
  /** An attacker who knows the hash and names many users can follow those that share a small part of a table. */
  const KNOWN = integerHashOf(KEYS[0]);
  const chosen: number[] = [];
  for (let ordinal = 0; chosen.length < 2_000; ordinal++) {
    if (spread(ordinal, KNOWN.salt, KNOWN.multiplier) >>> 0 < 2 ** 25) chosen.push(ordinal);
  }
  const random = seededRandom(7);
  const drawn = [...new Set(chosen.map(() => Math.floor(random() * ORDINALS)))];

  /** The average distance of keys from their homes. */
  function distance(keys: readonly number[], hash: IntegerHash): number {
    const tables = new SubjectTables({}, 0, hash);
    for (const key of keys) tables.put(0, key);
    const capacity = tables.end(0) - tables.start(0);
    const steps = keys.map((key) => (tables.find(0, key) - tables.near(0, key) + capacity) % capacity);
    return steps.reduce((sum, each) => sum + each, 0) / keys.length;
  }

  test('the chosen ordinals are adjacent under the key for which they were chosen', () => {
    expect(distance(chosen, KNOWN)).toBeGreaterThan(100 * distance(drawn, KNOWN));
  });

  test('under another key, chosen ordinals are at most twice as far from home as random ones', () => {
    for (let seed = 10; seed < 40; seed++) {
      const hash = integerHashOf(keyOf(seed));
      expect(distance(chosen, hash)).toBeLessThan(2 * distance(drawn, hash));
    }
  });

  test('under another key, equally spaced ordinals are at most twice as far from home as random ones', () => {
    for (const step of [1, 2, 3, 7, 64, 233, 1000, 4096]) {
      const keys = chosen.map((_, index) => index * step);
      for (let seed = 40; seed < 50; seed++) {
        const hash = integerHashOf(keyOf(seed));
        expect(distance(keys, hash)).toBeLessThan(3 * distance(drawn, hash));
      }
    }
  });
});
