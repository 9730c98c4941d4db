import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import type { Ordinal } from '../../src/plugin/index.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { Meanings } from '../../src/signals/meanings.ts';
import { packedMeaningsFault } from '../../src/signals/packed-meanings.ts';
import { WalkSteps } from '../../src/signals/walk-steps.ts';
import { MissedChanges } from '../../src/state/missed-changes.ts';
import type { State } from '../../src/state/state.ts';
import { Scene } from '../support/scene.ts';

const OPTIONS = { history: 50, half_life_hours: 24 };

/** A vector near that of a topic, in base64. */
function about(topic: number, random: () => number): string {
  const vector = Int8Array.from({ length: 32 }, (_, at) =>
    Math.round(20 * random() + (at === topic ? 80 : 0)),
  );
  return Buffer.from(vector.buffer).toString('base64');
}

/** Items of 8 topics. */
function topics(items: number, random = seededRandom(3)): Scene {
  const scene = new Scene();
  for (let item = 0; item < items; item++) {
    scene.now++;
    scene.item(`${item % 8}-${item}`, { embedding: about(item % 8, random) });
  }
  return scene;
}

const meaningsOf = (state: State, exact = true) => new Meanings(state, new WalkSteps(state), exact);

function reached(meanings: Meanings, { state }: Scene, user: string): Map<string, number> {
  const into = new Accumulator(state.setup.ordinal_hash);
  meanings.reach(state.users.names.find(user), OPTIONS, into);
  const found = new Map<string, number>();
  into.forEach((item, weight) => {
    found.set(state.items.names.id(item), weight);
  });
  return found;
}

const idsOf = (found: Map<string, number>) => [...found.keys()];
const anyItem = (_: Ordinal) => true;

function similar(meanings: Meanings, { state }: Scene, id: string, limit = 10): string[] {
  const found = meanings.similarTo(state.items.names.find(id), limit, anyItem);
  return found.map(({ item }) => state.items.names.id(item));
}

describe('the meaning of a viewer’s items', () => {
  test('leads to items of the same topic that nobody has touched, older and newer ones', () => {
    const scene = topics(400).act('viewer', 'like', '3-203').act('viewer', 'like', '3-211');
    const found = reached(meaningsOf(scene.state), scene, 'viewer');
    const ids = idsOf(found);
    expect(ids.length).toBeGreaterThan(30);
    expect(ids.filter((id) => !id.startsWith('3-'))).toEqual([]);
    expect(ids).not.toContain('3-203');
    expect(ids.some((id) => Number(id.slice(2)) < 203)).toBe(true);
    expect(ids.some((id) => Number(id.slice(2)) > 211)).toBe(true);
  });

  test('leads to an item that comes later', () => {
    const scene = topics(100).act('viewer', 'like', '3-19');
    const meanings = meaningsOf(scene.state);
    reached(meanings, scene, 'viewer');
    scene.item('3-new', { embedding: about(3, seededRandom(9)) });
    expect(idsOf(reached(meanings, scene, 'viewer'))).toContain('3-new');
  });

  test('does not lead to items whose embedding was removed or replaced, whoever has their place now', () => {
    const scene = topics(400).act('viewer', 'like', '3-203');
    const meanings = meaningsOf(scene.state);
    const [first, second, third] = idsOf(reached(meanings, scene, 'viewer'));
    scene.item(first, { embedding: about(5, seededRandom(1)) });
    scene.delete(second).retire(third);
    for (let at = 0; at < 3; at++) scene.item(`7-later ${at}`, { embedding: about(7, seededRandom(at)) });
    const ids = idsOf(reached(meanings, scene, 'viewer'));
    for (const id of [first, second, third]) expect(ids).not.toContain(id);
    expect(ids.filter((id) => !id.startsWith('3-'))).toEqual([]);
    expect(similar(meanings, scene, '5-5', 60)).toContain(first);
  });

  test('is indexed in steps, and what waits is left out', () => {
    const scene = topics(40).act('viewer', 'like', '3-19');
    const meanings = meaningsOf(scene.state, false);
    expect(meanings.figures).toEqual({ indexed: 0, waiting: 40 });
    expect(reached(meanings, scene, 'viewer').size).toBe(0);
    for (let step = 0; step < 40; step++) expect(meanings.step()).toBe(true);
    expect(meanings.step()).toBe(false);
    expect(meanings.figures).toEqual({ indexed: 40, waiting: 0 });
    expect(reached(meanings, scene, 'viewer').size).toBeGreaterThan(0);
  });

  test('is empty without embeddings', () => {
    const scene = new Scene().item('a').item('b').act('viewer', 'like', 'a');
    const meanings = meaningsOf(scene.state);
    expect(reached(meanings, scene, 'viewer').size).toBe(0);
    expect(similar(meanings, scene, 'a')).toEqual([]);
  });
});

describe('items similar to one', () => {
  test('are of its topic, the most similar first, without itself', () => {
    const scene = topics(160);
    const meanings = meaningsOf(scene.state);
    const ids = similar(meanings, scene, '2-42', 15);
    expect(ids).toHaveLength(15);
    expect(ids.filter((id) => !id.startsWith('2-') || id === '2-42')).toEqual([]);
    const slot = (id: string) => scene.state.embeddings.slotOf(scene.state.items.names.find(id));
    const similarities = ids.map((id) => scene.state.embeddings.similarity(slot('2-42'), slot(id)));
    expect(similarities).toEqual(similarities.toSorted((one, other) => other - one));
  });
});

/** Everything that a later process gets. */
function stored(meanings: Meanings): Int32Array[] {
  const pieces: Int32Array[] = [];
  for (let from = 0; ; ) {
    const words = new Int32Array(2_000);
    const { next, used } = meanings.pack(from, words);
    if (used === 0) return pieces;
    pieces.push(words.slice(0, used));
    from = next;
  }
}

describe('a stored index', () => {
  test('gives the same items, also after many changes', () => {
    const scene = topics(300).act('viewer', 'like', '3-19').act('viewer', 'like', '6-30');
    const meanings = meaningsOf(scene.state);
    reached(meanings, scene, 'viewer');
    for (let item = 0; item < 100; item += 3) scene.delete(`${item % 8}-${item}`);
    const random = seededRandom(4);
    for (let item = 300; item < 400; item++)
      scene.item(`${item % 8}-${item}`, { embedding: about(item % 8, random) });
    scene.act('viewer', 'like', '3-299');
    const expected = reached(meanings, scene, 'viewer');
    const pieces = stored(meanings);
    expect(pieces.length).toBeGreaterThan(1);
    const again = meaningsOf(scene.state, false);
    const missed = new MissedChanges(scene.state);
    missed.end();
    for (const piece of pieces) {
      expect(packedMeaningsFault(piece, (key) => scene.state.items.names.ordinal(key) >= 0)).toBeUndefined();
      again.unpack(piece, missed);
    }
    expect(again.step()).toBe(false);
    expect(reached(again, scene, 'viewer')).toEqual(expected);
    expect(similar(again, scene, '3-299')).toEqual(similar(meanings, scene, '3-299'));
  });

  test('leaves out items whose embedding changed since, until they are indexed again', () => {
    const scene = topics(400).act('viewer', 'like', '3-203');
    const meanings = meaningsOf(scene.state);
    const [changed, gone] = idsOf(reached(meanings, scene, 'viewer'));
    const pieces = stored(meanings);
    const missed = new MissedChanges(scene.state);
    scene.item(changed, { embedding: about(1, seededRandom(5)) }).delete(gone);
    missed.end();
    const again = meaningsOf(scene.state, false);
    for (const piece of pieces) again.unpack(piece, missed);
    expect(idsOf(reached(again, scene, 'viewer'))).not.toContain(changed);
    expect(again.step()).toBe(true);
    expect(again.step()).toBe(false);
    const ids = idsOf(reached(again, scene, 'viewer'));
    for (const id of [changed, gone]) expect(ids).not.toContain(id);
    expect(similar(again, scene, '1-9', 60)).toContain(changed);
  });

  test('that is damaged is recognised', () => {
    const scene = topics(40);
    const meanings = meaningsOf(scene.state);
    while (meanings.step());
    const [piece] = stored(meanings);
    const fault = (change: (words: Int32Array) => void, known = true) => {
      const words = piece.slice();
      change(words);
      return packedMeaningsFault(words, () => known);
    };
    expect(fault(() => {})).toBeUndefined();
    expect(fault(() => {}, false)).toContain('which is not stored');
    for (const length of [0, 1, -5, 1_000_000])
      expect(fault((words) => words.set([length], 1))).toContain('no valid length');
    expect(fault((words) => words.set([999], words.length - 1))).toContain('no valid weight');
  });
});

describe('an index that is filled in the background', () => {
  /** 24 items near a liked one, then as many that are nearer, all indexed. */
  function crowded(): { scene: Scene; meanings: Meanings } {
    const scene = topics(200).act('viewer', 'like', '3-3');
    const random = seededRandom(8);
    for (let at = 0; at < 48; at++) {
      scene.now++;
      scene.item(`spam ${at}`, { author: 'spammer', embedding: about(3, () => 0.7 * random()) });
    }
    const meanings = meaningsOf(scene.state, false);
    while (meanings.step());
    return { scene, meanings };
  }
  const wantedOf = (found: Map<string, number>) => idsOf(found).filter((id) => id.startsWith('3-'));

  test('leaves out hidden items at once, and fills their places when the service is idle', () => {
    const { scene, meanings } = crowded();
    const before = reached(meanings, scene, 'viewer');
    expect(idsOf(before).filter((id) => id.startsWith('spam')).length).toBeGreaterThan(12);
    scene.user('spammer', { hidden: true });
    const now = reached(meanings, scene, 'viewer');
    expect(idsOf(now).filter((id) => id.startsWith('spam'))).toEqual([]);
    while (meanings.step());
    const found = reached(meanings, scene, 'viewer');
    expect(wantedOf(found)).toHaveLength(24);
    expect(meanings.figures).toEqual({ indexed: 200, waiting: 0 });
  });

  test('is stored without hidden items and with copies, and lists with gaps are built anew after a start', () => {
    const { scene, meanings } = crowded();
    const copied = scene.state.embeddings.encoded(scene.state.items.names.find('3-3'));
    for (const id of ['copy 1', 'copy 2']) scene.item(id, { embedding: copied });
    while (meanings.step());
    scene.user('spammer', { hidden: true });
    const pieces = stored(meanings);
    const missed = new MissedChanges(scene.state);
    missed.end();
    const again = meaningsOf(scene.state, false);
    for (const piece of pieces) {
      expect(packedMeaningsFault(piece, (key) => scene.state.items.names.ordinal(key) >= 0)).toBeUndefined();
      again.unpack(piece, missed);
    }
    while (again.step());
    expect(again.figures).toEqual({ indexed: 202, waiting: 0 });
    expect(idsOf(reached(again, scene, 'viewer'))).toEqual(expect.arrayContaining(['copy 1', 'copy 2']));
    expect(wantedOf(reached(again, scene, 'viewer'))).toHaveLength(24);
    expect(similar(again, scene, 'copy 1', 2).toSorted()).toEqual(['3-3', 'copy 2']);
  });
});

/** The bytes of all arrays of numbers in an object. */
function bytesOf(value: unknown, seen = new Set<object>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const parts = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  return parts.reduce((bytes: number, part) => bytes + bytesOf(part, seen), 0);
}

describe('the memory of the index', () => {
  /** The bytes that the index and the embeddings take. */
  const bytes = (meanings: Meanings, { state }: Scene): number => {
    const of_state = new Set<object>();
    bytesOf(state, of_state);
    return bytesOf(meanings, of_state) + bytesOf(state.embeddings);
  };

  test('is freed when all embeddings are removed, and when most are', () => {
    const scene = topics(6_000);
    const meanings = meaningsOf(scene.state);
    while (meanings.step());
    const full = bytes(meanings, scene);
    for (let item = 300; item < 6_000; item++) scene.delete(`${item % 8}-${item}`);
    scene.act('viewer', 'like', '3-203');
    const found = reached(meanings, scene, 'viewer');
    expect(found.size).toBeGreaterThan(20);
    expect(idsOf(found).filter((id) => !id.startsWith('3-'))).toEqual([]);
    expect(meanings.figures).toEqual({ indexed: 300, waiting: 0 });
    expect(bytes(meanings, scene)).toBeLessThan(full / 2);
    for (let item = 0; item < 300; item++) scene.delete(`${item % 8}-${item}`);
    while (meanings.step());
    expect(bytes(meanings, scene)).toBeLessThan(full / 20);
    scene.item('3-new', { embedding: about(3, seededRandom(9)) });
    scene.item('3-other', { embedding: about(3, seededRandom(10)) });
    expect(similar(meanings, scene, '3-new')).toEqual(['3-other']);
  });
});
