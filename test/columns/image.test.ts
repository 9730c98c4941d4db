import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { emptyColumn, type Image, imageOf, restore } from '../../src/columns/image.ts';
import type { Change } from '../../src/model/change.ts';
import { applyChange } from '../../src/state/apply.ts';
import { Fields } from '../../src/state/fields.ts';
import { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { EVENT_IDS, fold, RECYCLING, randomChanges, WALLETS } from '../support/random-changes.ts';
import { viewerOf } from '../support/random-history.ts';
import { digest } from '../support/state-digest.ts';

const RUNS = 20;
const PROBES = { wallets: WALLETS, event_ids: EVENT_IDS };
const CHANGES = fc.oneof(randomChanges(), randomChanges(RECYCLING));
const PART = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);

const fields = () => new Fields(['item.text', 'item.channel', 'item.ai_labels', 'user.geo_location']);

/** An image as read from a file: it shares nothing with the original state. */
function copied({ outline, columns, bytes }: Image): Image {
  return {
    outline: JSON.parse(JSON.stringify(outline)),
    columns: JSON.parse(JSON.stringify(columns)),
    bytes: bytes.map((each) => each.slice()),
  };
}

function loaded(image: Image): State {
  const { outline, columns, bytes } = copied(image);
  const rest = [...bytes];
  const state = new State({ fields: fields(), viewerOf });
  restore(
    state,
    outline,
    columns,
    columns.map((spec) => {
      if (spec.over !== undefined) return undefined;
      const column = emptyColumn(spec);
      new Uint8Array(column.buffer).set(rest.shift()!);
      return column;
    }),
  );
  return state;
}

/** Comparable byte for byte. */
function flat({ outline, columns, bytes }: Image): unknown[] {
  return [JSON.stringify(outline), columns, bytes.map((each) => Buffer.from(each).toString('base64'))];
}

function goOn(state: State, changes: readonly Change[]): State {
  for (const change of changes) applyChange(state, change);
  return state;
}

/** A state with pending suspensions, unlike after a start. */
function unsettled(changes: readonly Change[]): State {
  return goOn(new State({ fields: fields(), viewerOf }), changes);
}

describe('a state restored from its image', () => {
  test('a restored state equals the original byte for byte', () => {
    check(RUNS, [CHANGES], (changes) => {
      const state = fold(changes, fields());
      const image = imageOf(state);
      const again = loaded(image);
      expect(flat(imageOf(again))).toEqual(flat(image));
      expect(digest(again, PROBES)).toEqual(digest(state, PROBES));
    });
  });

  test('a restored state continues like the original, byte for byte', () => {
    check(RUNS, [CHANGES, PART], (changes, part) => {
      const cut = Math.floor(changes.length * part);
      const resumed = goOn(loaded(imageOf(unsettled(changes.slice(0, cut)))), changes.slice(cut));
      const straight = unsettled(changes);
      expect(flat(imageOf(resumed))).toEqual(flat(imageOf(straight)));
      expect(digest(resumed, PROBES)).toEqual(digest(straight, PROBES));
    });
  });

  test('an image of a state whose unused groups were forgotten restores the same contents', () => {
    check(RUNS, [CHANGES, PART], (changes, part) => {
      const cut = Math.floor(changes.length * part);
      const begun = unsettled(changes.slice(0, cut));
      begun.forgetUnused();
      const resumed = goOn(loaded(imageOf(begun)), changes.slice(cut));
      expect(digest(resumed, PROBES)).toEqual(digest(unsettled(changes), PROBES));
    });
  });

  test('a restored state learns from the lists that were pending', () => {
    const changes = fc.sample(randomChanges({ longest: 200 }), { seed: 7, numRuns: 20 });
    const noted = changes.some((each) => {
      const hourly = each.map((change) => ({ ...change, applied_at: 1_700_000_000 + change.seq * 60 }));
      const state = fold(hourly, fields());
      const again = loaded(imageOf(state));
      expect(again.trend.numbers()).toEqual(state.trend.numbers());
      return state.trend.events > 0;
    });
    expect(noted).toBe(true);
  });
});

describe('an image', () => {
  test('an image omits the zeros at the ends of columns', () => {
    const held = { few: new Float64Array(1 << 20), odd: new Uint8Array(13), none: new Uint16Array(3) };
    held.few[2] = 1;
    held.odd[9] = 1;
    expect(imageOf(held).bytes.map(({ length }) => length)).toEqual([24, 10, 0]);
  });

  test('an image keeps numbers that JSON cannot represent, and columns that share memory', () => {
    const make = () => ({
      numbers: [Number.NaN, Number.NEGATIVE_INFINITY, -0],
      wide: new Float64Array(4),
      narrow: new Int32Array(0),
    });
    const held = make();
    held.wide[1] = Math.PI;
    held.narrow = new Int32Array(held.wide.buffer);
    const { outline, columns, bytes } = copied(imageOf(held));
    const wide = emptyColumn(columns[0]);
    new Uint8Array(wide.buffer).set(bytes[0]);
    const again = make();
    restore(again, outline, columns, [wide]);
    expect(again).toEqual(held);
    expect(Object.is(again.numbers[2], -0)).toBe(true);
    expect(again.narrow.buffer).toBe(again.wide.buffer);
  });

  test('an image stores long number lists as columns and restores them as lists', () => {
    const lists = [
      Array.from({ length: 100 }, (_, index) => index - 50),
      Array.from({ length: 100 }, (_, index) => index / 3),
      [...new Array(99).fill(0), -0],
      [...new Array(99).fill(1), 'one'],
    ];
    const { outline, columns, bytes } = copied(imageOf({ lists }));
    expect(columns.map(({ type }) => type)).toEqual(['Int32Array', 'Float64Array', 'Float64Array']);
    const filled = columns.map((spec, at) => {
      const column = emptyColumn(spec);
      new Uint8Array(column.buffer).set(bytes[at]);
      return column;
    });
    const again = { lists: [] };
    restore(again, outline, columns, filled);
    expect(again).toEqual({ lists } as object as typeof again);
  });

  test('an object of another class rejects an image, and an invalid value has none', () => {
    const { outline, columns } = imageOf(new State());
    expect(() => restore(new Fields(), outline, columns, [])).toThrow();
    expect(() => imageOf({ held: new Set([1]) })).toThrow('cannot hold');
    expect(() => imageOf({ held: new Uint8Array(8).subarray(4) })).toThrow('a part of its buffer');
  });
});
