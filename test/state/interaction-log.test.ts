import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NONE } from '../../src/model/key.ts';
import { InteractionLog } from '../../src/state/interaction-log.ts';
import { EVENT_KINDS_MAX } from '../../src/state/vocabulary.ts';
import { check } from '../support/long.ts';

const entry = fc.record({
  subject: fc.nat(2),
  other: fc.oneof(fc.nat(3), fc.constant(2 ** 32 - 1)),
  event_type: fc.nat(EVENT_KINDS_MAX - 1),
  time: fc.constantFrom(0, 5, 5.001, 5.999, 6, 1_700_000_000.125, 2 ** 32 - 1 + 0.999),
  removed: fc.boolean(),
  named: fc.boolean(),
});

function list(log: InteractionLog, subject: number) {
  const entries: object[] = [];
  for (let at = log.start(subject); at < log.end(subject); at++) {
    entries.push({
      subject,
      other: log.other(at),
      event_type: log.event_type(at),
      time: log.timestamp(at),
      removed: log.removed(at),
      named: log.named(at),
    });
    expect(log.seconds(at)).toBe(Math.floor(log.timestamp(at)));
  }
  return entries;
}

describe('an interaction log', () => {
  test('an interaction log keeps every field, ordered by time and then by arrival', () => {
    check(150, [fc.array(entry, { maxLength: 60, size: 'max' })], (entries) => {
      const log = new InteractionLog();
      for (const { subject, other, event_type, time, removed, named } of entries) {
        log.add(subject, other, event_type, time, removed, named);
      }
      for (const subject of [0, 1, 2]) {
        const own = entries.filter((each) => each.subject === subject);
        expect(list(log, subject)).toEqual(own.toSorted((one, other) => one.time - other.time));
        expect(log.length(subject)).toBe(own.length);
      }
    });
  });

  test('an interaction log finds the latest entry of a type, or the one of a moment', () => {
    const log = new InteractionLog();
    log.add(0, 7, 1, 10, false, false);
    log.add(0, 7, 1, 12, true, false);
    log.add(0, 7, 2, 13, false, false);
    log.add(0, 8, 1, 14, false, false);
    const timeAt = (at: number) => (at === NONE ? NONE : log.timestamp(at));
    expect(timeAt(log.find(0, 7, 1))).toBe(12);
    expect(timeAt(log.findAt(0, 7, 1, 10))).toBe(10);
    expect(log.findAt(0, 7, 1, 11)).toBe(NONE);
    expect(log.find(0, 9, 1)).toBe(NONE);
    expect(log.find(1, 7, 1)).toBe(NONE);
  });

  test('an interaction log distinguishes entries with and without identifier, and current and removed ones', () => {
    const log = new InteractionLog();
    log.add(0, 7, 2, 10, false, false);
    log.add(0, 7, 2, 10, true, true);
    expect(log.findAt(0, 7, 2, 10)).toBe(log.start(0));
    expect(log.findNamed(0, 7, 10, true)).toBe(log.start(0) + 1);
    expect(log.findNamed(0, 7, 10, false)).toBe(NONE);
    expect(log.findNamed(0, 7, 11, true)).toBe(NONE);
  });

  test('an interaction log loses nothing when entries are removed or a subject is cleared', () => {
    const log = new InteractionLog();
    for (let index = 0; index < 1000; index++) log.add(index % 2, index, 1, index, false, false);
    log.removeAt(0, log.start(0));
    log.clear(1);
    expect(log.length(1)).toBe(0);
    expect(log.length(0)).toBe(499);
    for (let index = 0; index < 499; index++) expect(log.other(log.start(0) + index)).toBe(2 + 2 * index);
  });

  test('an interaction log finds the latest current entries of some types, newest first, and all current types', () => {
    const ALL = 2 ** EVENT_KINDS_MAX - 1;
    const types = fc.oneof(fc.nat(ALL), fc.constantFrom(0, ALL));
    const limit = fc.oneof(fc.nat(12), fc.nat(100));
    const ordinal = entry.map((drawn) => ({ ...drawn, other: drawn.other % 1000 }));
    const entries = fc.array(ordinal, { maxLength: 60, size: 'max' });
    const limits = fc.record({ most: limit, among: limit, place: fc.nat(5) });
    check(200, [entries, types, limits], (drawn, types, { most, among, place }) => {
      const log = new InteractionLog();
      for (const { subject, other, event_type, time, removed, named } of drawn)
        log.add(subject, other, event_type, time, removed, named);
      // The last of these has no entries.
      for (const subject of [0, 1, 2, 3]) {
        const end = log.end(subject);
        const start = Math.max(log.start(subject), end - among);
        const latest = Array.from({ length: end - start }, (_, index) => end - 1 - index);
        const of = (at: number) => (log.removed(at) ? 0 : 1 << log.event_type(at));
        const wanted = latest.filter((at) => (of(at) & types) !== 0).slice(0, most);
        const before = Array<number>(place).fill(-7);
        const others = new Int32Array(place + most).fill(-7);
        const times = new Uint32Array(place + most).fill(7);
        expect(log.positions(start, end, types, most, others, place)).toBe(wanted.length);
        expect([...others.subarray(0, place + wanted.length)]).toEqual([...before, ...wanted]);
        expect(log.latest(subject, most, among, types, others, times, place)).toBe(wanted.length);
        const written = (column: Int32Array | Uint32Array) => [...column.subarray(0, place + wanted.length)];
        expect(written(others)).toEqual([...before, ...wanted.map((at) => log.other(at))]);
        expect(written(times)).toEqual([...before.map(() => 7), ...wanted.map((at) => log.seconds(at))]);
        const all = Array.from({ length: log.length(subject) }, (_, index) => log.start(subject) + index);
        expect(log.types(subject)).toBe(all.reduce((bits, at) => bits | of(at), 0));
      }
    });
  });
});
