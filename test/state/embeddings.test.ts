import { describe, expect, test } from 'bun:test';
import { emptyColumn, imageOf, restore } from '../../src/columns/image.ts';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import { Embeddings } from '../../src/state/embeddings.ts';
import type { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { purged } from '../support/purged.ts';
import { fold, ITEM_IDS, randomChanges } from '../support/random-changes.ts';

const LENGTH = 16;

function encoded(...numbers: number[]): string {
  const vector = new Int8Array(LENGTH);
  vector.set(numbers);
  return Buffer.from(vector.buffer).toString('base64');
}

/** Versions of items with and without embeddings, derived from the number of the change. */
function enriched(changes: readonly Change[]): Change[] {
  return changes.map((change) => {
    if (change.kind !== 'item') return change;
    const embedding = change.seq % 3 === 0 ? undefined : encoded(change.seq % 5, 1 + (change.seq % 2));
    return { ...change, content: { ...change.content, embedding } };
  });
}

function embeddingsOf(state: State): object {
  const { items, embeddings } = state;
  const held = ITEM_IDS.map((id) => [id, embeddings.encoded(items.names.find(id))]);
  return { held: Object.fromEntries(held), count: embeddings.count, length: embeddings.length };
}

describe('embeddings', () => {
  test('give the cosine similarity of two vectors', () => {
    const embeddings = new Embeddings();
    embeddings.set(0, encoded(100));
    embeddings.set(1, encoded(50, 50));
    embeddings.set(2, encoded(-3));
    embeddings.set(3, encoded(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9));
    const similarity = (one: number, other: number) =>
      embeddings.similarity(embeddings.slotOf(one), embeddings.slotOf(other));
    expect(similarity(0, 0)).toBeCloseTo(1, 6);
    expect(similarity(0, 1)).toBeCloseTo(Math.SQRT1_2, 6);
    expect(similarity(0, 2)).toBeCloseTo(-1, 6);
    expect(similarity(0, 3)).toBe(0);
  });

  test('of an odd length count their last number', () => {
    const embeddings = new Embeddings();
    const vector = Buffer.from(Int8Array.from({ length: 17 }, (_, at) => (at === 16 ? 5 : 0)).buffer);
    embeddings.set(0, vector.toString('base64'));
    embeddings.set(1, vector.toString('base64'));
    expect(embeddings.similarity(0, 1)).toBeCloseTo(1, 6);
  });

  test('of removed items leave their room to the next ones', () => {
    const embeddings = new Embeddings();
    for (let item = 0; item < 10; item++) embeddings.set(item, encoded(item + 1));
    for (let item = 0; item < 9; item++) embeddings.clear(item);
    for (let item = 100; item < 109; item++) embeddings.set(item, encoded(7));
    expect(embeddings.slots).toBe(10);
    expect(embeddings.count).toBe(10);
    expect(embeddings.encoded(9)).toBe(encoded(10));
    expect(embeddings.encoded(0)).toBeUndefined();
    expect(embeddings.encoded(104)).toBe(encoded(7));
  });

  test('may have another length once all are removed', () => {
    const embeddings = new Embeddings();
    embeddings.set(3, encoded(1));
    const longer = Buffer.alloc(32, 1).toString('base64');
    embeddings.set(4, longer);
    expect(embeddings.slotOf(4)).toBe(NONE);
    embeddings.clear(3);
    embeddings.set(4, longer);
    expect(embeddings.length).toBe(32);
    expect(embeddings.encoded(4)).toBe(longer);
  });

  test('tell a watcher about changed slots, but not about a vector that was sent again', () => {
    const embeddings = new Embeddings();
    const noted: number[] = [];
    embeddings.watch((slot) => noted.push(slot));
    embeddings.set(5, encoded(1));
    embeddings.set(6, encoded(2));
    embeddings.set(5, encoded(1));
    expect(noted).toEqual([0, 1]);
    embeddings.set(6, encoded(3));
    expect(noted).toEqual([0, 1, 1, 1]);
    embeddings.set(6, undefined);
    expect(noted).toEqual([0, 1, 1, 1, 1]);
  });

  test('of a fold are the same after a purge of outdated rows', () => {
    check(30, [randomChanges()], (random) => {
      const changes = enriched(random);
      expect(embeddingsOf(fold(purged(changes)))).toEqual(embeddingsOf(fold(changes)));
    });
  });

  test('continue after an image is restored', () => {
    const state = new Embeddings();
    for (let item = 0; item < 100; item++) state.set(item, encoded(item, 1));
    for (let item = 0; item < 100; item += 3) state.clear(item);
    const { outline, columns, bytes } = imageOf(state);
    const restored = new Embeddings();
    const held = columns.map((spec, index) => {
      const column = emptyColumn(spec);
      new Uint8Array(column.buffer).set(bytes[index]);
      return column;
    });
    restore(restored, outline, columns, held);
    for (const embeddings of [state, restored]) embeddings.set(7, encoded(9, 9));
    for (let item = 0; item < 100; item++) expect(restored.encoded(item)).toBe(state.encoded(item));
    expect(restored.slotOf(7)).toBe(state.slotOf(7));
  });
});
