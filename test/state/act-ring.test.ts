import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ActRing } from '../../src/state/act-ring.ts';
import { type Change, NONE } from '../../src/state/change.ts';
import { CHANGES_KEPT } from '../../src/state/change-ring.ts';
import type { InteractionLog } from '../../src/state/interaction-log.ts';
import { State } from '../../src/state/state.ts';
import { randomChanges } from '../support/random-changes.ts';
import { itemOf, NOW, Scene } from '../support/scene.ts';

type Pair = [user: number, item: number];

/** What a ring says since a version; undefined when that is not all. */
function since(ring: ActRing, version: number): Pair[] | undefined {
  const pairs: Pair[] = [];
  const all = ring.visitSince(version, (user, item) => pairs.push([user, item]));
  if (all) return pairs;
  expect(pairs).toEqual([]);
  return undefined;
}

function ringOf(count: number): ActRing {
  const ring = new ActRing();
  for (let number = 0; number < count; number++) ring.note(number, number + 7);
  return ring;
}

describe('the ring of acts', () => {
  test('visits what was noted since a version, oldest first, repeats included', () => {
    const ring = ringOf(2);
    const { version } = ring;
    const noted: Pair[] = [
      [7, 3],
      [7, NONE],
      [NONE, 3],
      [7, 3],
    ];
    for (const [user, item] of noted) ring.note(user, item);
    expect(since(ring, version)).toEqual(noted);
    expect(since(ring, 1)).toEqual([[1, 8], ...noted]);
    expect(since(ring, ring.version)).toEqual([]);
    expect(since(new ActRing(), 0)).toEqual([]);
  });

  test('visits all that it holds, or nothing when older pairs are gone', () => {
    for (const count of [CHANGES_KEPT - 1, CHANGES_KEPT, CHANGES_KEPT + 1, 3 * CHANGES_KEPT + 5]) {
      const ring = ringOf(count);
      expect(ring.version).toBe(count);
      const oldest = Math.max(0, count - CHANGES_KEPT);
      const held = Array.from({ length: count - oldest }, (_, at): Pair => [oldest + at, oldest + at + 7]);
      expect(since(ring, oldest)).toEqual(held);
      expect(since(ring, count - 1)).toEqual(held.slice(-1));
      if (oldest > 0) expect(since(ring, oldest - 1)).toBeUndefined();
    }
  });
});

/** All that is known of each pair, in both directions. */
function known(state: State): Map<string, string> {
  const { by_user, by_item } = state.interactions;
  const facts = new Map<string, string>();
  const read = (log: InteractionLog, subjects: number, name: (subject: number, other: number) => string) => {
    for (let subject = 0; subject < subjects; subject++) {
      for (let at = log.start(subject); at < log.end(subject); at++) {
        const pair = name(subject, log.other(at));
        const fact = [log.event_type(at), log.timestamp(at), log.removed(at), log.named(at)].join(' ');
        facts.set(pair, `${facts.get(pair) ?? ''}, ${fact}`);
      }
    }
  };
  read(by_user, state.users.size, (user, item) => `${user} ${item}`);
  read(by_item, state.items.size, (item, user) => `${user} ${item}`);
  return facts;
}

function differences(before: Map<string, string>, after: Map<string, string>): Pair[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((pair) => before.get(pair) !== after.get(pair))
    .map((pair) => pair.split(' ').map(Number) as Pair);
}

/** What a change is about is gone for good, or all that was done with it. */
const TAKES_OUT = new Set<Change['kind']>(['erasure', 'deletion', 'retirement']);

describe('acts', () => {
  test('are noted by their pair when they change what is known of it, and only then', () => {
    let [news, taken_out] = [0, 0];
    fc.assert(
      fc.property(randomChanges(), (changes) => {
        const state = new State();
        const { noted } = state.interactions;
        for (const change of changes) {
          const { version } = noted;
          const before = known(state);
          state.apply(change);
          const changed = differences(before, known(state));
          const pairs = since(noted, version) ?? [];
          if (!TAKES_OUT.has(change.kind)) {
            expect(pairs).toEqual(changed);
            // Told once more it is no news.
            if (change.kind === 'interaction') state.apply(change);
            expect(noted.version).toBe(version + changed.length);
            news += changed.length;
            continue;
          }
          // Each is of all users, or of all items.
          expect(pairs.filter((pair) => pair.filter((ordinal) => ordinal === NONE).length !== 1)).toEqual([]);
          const isNoted = ([user, item]: Pair) => pairs.some((pair) => pair[0] === user || pair[1] === item);
          expect(changed.filter((pair) => !isNoted(pair))).toEqual([]);
          taken_out += changed.length;
        }
      }),
      { numRuns: 60 },
    );
    expect(Math.min(news, taken_out)).toBeGreaterThan(20);
  });

  test('are noted when they are recorded, taken back, and gone with their user or their item', () => {
    const scene = new Scene().user('a').user('b').item('x').item('y', { author: 'b' });
    const { state } = scene;
    const [a, b] = ['a', 'b'].map((id) => state.users.names.find(id));
    const [x, y] = ['x', 'y'].map((id) => itemOf(scene, id));
    const { noted } = state.interactions;
    const after = (happen: () => void): Pair[] | undefined => {
      const { version } = noted;
      happen();
      return since(noted, version);
    };
    expect(after(() => scene.act('a', 'like', 'x', NOW - 5))).toEqual([[a, x]]);
    // The same again, and what is older.
    expect(after(() => scene.act('a', 'like', 'x', NOW - 5).act('a', 'like', 'x', NOW - 6))).toEqual([]);
    expect(after(() => scene.unact('a', 'like', 'x', NOW - 6))).toEqual([]);
    expect(after(() => scene.unact('a', 'like', 'x', NOW - 4))).toEqual([[a, x]]);
    expect(after(() => scene.unact('b', 'comment', 'x'))).toEqual([[b, x]]);
    expect(after(() => scene.act('a', 'hide', 'y').act('a', 'comment', 'y'))).toEqual([
      [a, y],
      [a, y],
    ]);
    expect(after(() => scene.show('a', 'x', 'y').count('x', 9).follow('a', 'b').block('a', 'b'))).toEqual([]);
    expect(after(() => scene.delete('x'))).toEqual([[NONE, x]]);
    expect(after(() => scene.item('x'))).toEqual([]);
    expect(after(() => scene.retire('x'))).toEqual([[NONE, x]]);
    // With their items.
    expect(after(() => scene.erase('b'))).toEqual([
      [NONE, y],
      [b, NONE],
    ]);
  });
});
