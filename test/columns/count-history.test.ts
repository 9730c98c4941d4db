import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CountHistory } from '../../src/columns/count-history.ts';
import { check } from '../support/long.ts';
import { DAY, NOW } from '../support/scene.ts';

interface Count {
  time: number;
  count: number;
}

/** Records counts in order, and returns the stored ones before the last. */
function stored(counts: readonly Count[]): Count[] {
  const history = new CountHistory();
  // A neighbour list, so that positions are not indexes.
  history.supersede(0, 1, NOW, 2, NOW + 1);
  for (const [at, { time, count }] of counts.entries()) {
    if (at > 0) history.supersede(1, counts[at - 1].count, counts[at - 1].time, count, time);
  }
  return Array.from({ length: history.end(1) - history.start(1) }, (_, at) => ({
    time: history.time(history.start(1) + at),
    count: history.count(history.start(1) + at),
  }));
}

/** The lowest count recorded at `since` or later. */
function lowest(counts: readonly Count[], since: number): number {
  const last = counts.findLastIndex(({ time }) => time <= since);
  return Math.min(...counts.slice(Math.max(0, last)).map(({ count }) => count));
}

const course = fc
  .array(fc.tuple(fc.constantFrom(0, 0.001, 1, DAY, 5.5 * DAY, 40 * DAY), fc.integer({ min: 0, max: 6 })), {
    minLength: 1,
    maxLength: 30,
    size: 'max',
  })
  .map((steps) => {
    let time = NOW;
    return steps.map(([wait, count]) => {
      time = Math.round((time + wait) * 1000) / 1000;
      return { time, count };
    });
  })
  // Of counts with equal times the last wins.
  .map((counts) => counts.filter(({ time }, at) => counts[at + 1]?.time !== time));

test('former counts are the counts of the last 31 days that were not lowered later', () => {
  check(100, [course], (counts) => {
    const last = counts[counts.length - 1];
    const kept = [...stored(counts), last];
    for (const { time } of counts) {
      for (const since of [time, time + 0.5]) {
        if (since >= last.time - 31 * DAY) expect(lowest(kept, since)).toBe(lowest(counts, since));
      }
    }
  });
});

test('former counts rise, contain no value three times, and are in order of time', () => {
  check(100, [course], (counts) => {
    const kept = [...stored(counts), counts[counts.length - 1]];
    for (let at = 1; at < kept.length; at++) {
      expect(kept[at].time).toBeGreaterThan(kept[at - 1].time);
      expect(kept[at].count).toBeGreaterThanOrEqual(kept[at - 1].count);
      if (at > 1) expect(kept[at].count).toBeGreaterThan(kept[at - 2].count);
    }
    if (kept.length > 1) expect(kept[1].count).toBeGreaterThan(kept[0].count);
    const old = kept.filter(({ time }) => time <= counts[counts.length - 1].time - 31 * DAY);
    expect(old.length).toBeLessThanOrEqual(1);
  });
});

test('recording former counts again gives the same list', () => {
  check(100, [course], (counts) => {
    const kept = stored(counts);
    expect(stored([...kept, counts[counts.length - 1]])).toEqual(kept);
  });
});
