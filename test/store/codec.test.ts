import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../src/limits.ts';
import type { Change } from '../../src/state/change.ts';
import { boundRow, decodeBatch, decodeRows, encodeBatch, encodeRows } from '../../src/store/codec.ts';
import { changeAt, restoredText, storableText } from '../../src/store/rows.ts';
import { anyChange, deleted, everyKind, interaction, named, shown } from './changes.ts';

function roundTrip(changes: readonly Change[], base: number): Change[] {
  const batch = decodeBatch(encodeBatch(changes));
  expect(batch.rows).toBe(changes.length);
  const decoded: Change[] = [];
  for (const rows of batch.tables) {
    const { table, positions } = rows;
    const bound = Array.from(positions, (_, index) => boundRow(rows, index, base));
    const read = decodeRows(table, encodeRows(table, bound));
    expect(read.count).toBe(bound.length);
    for (let at = 0; at < read.count; at++) decoded.push(changeAt(table.kind, read, at));
  }
  return decoded.sort((a, b) => a.seq - b.seq);
}

function stamped(changes: readonly Change[], base: number): Change[] {
  return changes.map((change, index) => ({ ...change, seq: base + 1 + index }));
}

describe('the wire to the writer, and back from what is stored', () => {
  test('brings every kind of change over unharmed', () => {
    expect(roundTrip(everyKind(), 41)).toEqual(stamped(everyKind(), 41));
  });

  test('brings any list of changes over unharmed and in order', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 40 }), fc.nat(), (changes, base) => {
        expect(roundTrip(changes, base)).toEqual(stamped(changes, base));
      }),
    );
  });

  test('brings over the largest key that is given', () => {
    const last = LIMITS.keys_max - 1;
    const changes = [named('item', last, 'x'), interaction(last, last), shown(last, [last]), deleted(last)];
    expect(roundTrip(changes, 0)).toEqual(stamped(changes, 0));
  });

  test('carries an empty list', () => {
    expect(roundTrip([], 0)).toEqual([]);
  });
});

describe('storable text', () => {
  test('is well-formed without NUL, and any text comes back from it', () => {
    const units = fc.array(fc.oneof(fc.constantFrom(0, 0x1a, 0xd83d, 0xde00), fc.nat(0xffff)));
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes);
        const kept = storableText(text);
        expect(kept.isWellFormed() && !kept.includes('\0')).toBe(true);
        expect(restoredText(kept)).toBe(text);
      }),
    );
  });

  test('is the text itself in all usual cases', () => {
    for (const text of ['', '0xabc', 'Zoë 😀', '\ufeffmark']) expect(storableText(text)).toBe(text);
  });

  test('keeps different texts different', () => {
    expect(storableText('\0')).not.toBe(storableText('\u001a0000'));
  });
});
