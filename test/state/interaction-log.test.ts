import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NONE } from '../../src/state/change.ts';
import { InteractionLog } from '../../src/state/interaction-log.ts';
import { EVENT_KINDS_MAX } from '../../src/state/vocabulary.ts';

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
  test('keeps every field, ordered by time, of one moment by arrival', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60, size: 'max' }), (entries) => {
        const log = new InteractionLog();
        for (const { subject, other, event_type, time, removed, named } of entries) {
          log.add(subject, other, event_type, time, removed, named);
        }
        for (const subject of [0, 1, 2]) {
          const own = entries.filter((each) => each.subject === subject);
          expect(list(log, subject)).toEqual(own.toSorted((one, other) => one.time - other.time));
          expect(log.length(subject)).toBe(own.length);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('finds the latest entry of a kind, or the one of a moment', () => {
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

  test('tells comments with an identifier from those without, and standing ones from those taken back', () => {
    const log = new InteractionLog();
    log.add(0, 7, 2, 10, false, false);
    log.add(0, 7, 2, 10, true, true);
    expect(log.findAt(0, 7, 2, 10)).toBe(log.start(0));
    expect(log.findNamed(0, 7, 10, true)).toBe(log.start(0) + 1);
    expect(log.findNamed(0, 7, 10, false)).toBe(NONE);
    expect(log.findNamed(0, 7, 11, true)).toBe(NONE);
  });

  test('loses nothing when entries are removed or a subject is cleared', () => {
    const log = new InteractionLog();
    for (let index = 0; index < 1000; index++) log.add(index % 2, index, 1, index, false, false);
    log.removeAt(0, log.start(0));
    log.clear(1);
    expect(log.length(1)).toBe(0);
    expect(log.length(0)).toBe(499);
    for (let index = 0; index < 499; index++) expect(log.other(log.start(0) + index)).toBe(2 + 2 * index);
  });

  test('writes the latest entries of some types, newest first, behind what is written already', () => {
    const ALL = 2 ** EVENT_KINDS_MAX - 1;
    const types = fc.oneof(fc.nat(ALL), fc.constantFrom(0, ALL));
    const limit = fc.oneof(fc.nat(12), fc.nat(100));
    const ordinal = entry.map((drawn) => ({ ...drawn, other: drawn.other % 1000 }));
    const entries = fc.array(ordinal, { maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(entries, types, limit, fc.nat(5), (drawn, types, limit, place) => {
        const log = new InteractionLog();
        for (const { subject, other, event_type, time, removed, named } of drawn)
          log.add(subject, other, event_type, time, removed, named);
        // The last of these has no entries.
        for (const subject of [0, 1, 2, 3]) {
          const wanted: [other: number, time: number][] = Array(place).fill([-7, -7]);
          for (
            let at = log.end(subject) - 1;
            at >= log.start(subject) && at >= log.end(subject) - limit;
            at--
          ) {
            if (log.removed(at) || ((types >> log.event_type(at)) & 1) === 0) continue;
            wanted.push([log.other(at), log.seconds(at)]);
          }
          const room = place + Math.min(limit, log.length(subject));
          const others = new Int32Array(room).fill(-7);
          const times = new Float64Array(room).fill(-7);
          const written = log.latest(subject, limit, types, others, times, place);
          expect(written).toBe(wanted.length - place);
          const found = wanted.map((_, at) => [others[at], times[at]]);
          expect(found).toEqual(wanted);
        }
      }),
      { numRuns: 200 },
    );
  });
});
