import { describe, expect } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../src/limits.ts';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import { purgeEventsSteps } from '../../src/store/purge-events.ts';
import { checkAsync } from '../support/long.ts';
import { event, follow } from './changes.ts';
import { append, testConnection as it, rowsOf, run } from './purge-support.ts';

const DAY = 86_400;
const KEPT_DAYS = LIMITS.event_removal_seconds / DAY;

/** Events of all kinds, days apart, mixed with other changes. */
const CHANGES = fc
  .array(
    fc.record({
      days: fc.integer({ min: 0, max: 40 }),
      about: fc.constantFrom('item', 'user', 'nothing', 'no event'),
      action: fc.constantFrom(0, 1),
    }),
    { minLength: 1, maxLength: 30, size: 'max' },
  )
  .map((steps) => {
    let applied_at = 1_700_000_000;
    return steps.map(({ days, about, action }): Change => {
      applied_at += days * DAY;
      if (about === 'no event') return follow(1, 2, applied_at);
      if (about === 'item') return event({ applied_at, action, item: 5 });
      if (about === 'user') return event({ applied_at, action, space: 'follow', target: 6 });
      // Nothing else is known about an event that was taken back before it arrived.
      return event({ applied_at, action: 0 });
    });
  });

/** The changes that a purge keeps: all but expired removals of events that never arrived. */
function left(changes: readonly Change[]): Change[] {
  const latest = changes.findLast(({ kind }) => kind === 'event')?.applied_at ?? 0;
  return changes.filter((change) => {
    if (change.kind !== 'event' || change.item !== NONE || change.target !== NONE) return true;
    return change.applied_at >= latest - KEPT_DAYS * DAY;
  });
}

describe('removals of events that never arrived', () => {
  it(`are purged after ${KEPT_DAYS} days, and nothing else is, even if the purge is interrupted`, async (fresh) => {
    await checkAsync(
      20,
      [CHANGES, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 12 })],
      async (changes, steps, step_rows) => {
        const connection = await fresh();
        await append(connection, changes, 0);
        const stored = await rowsOf(connection);
        for (const so_many of [steps, Number.POSITIVE_INFINITY]) {
          await run(connection, purgeEventsSteps(connection, step_rows), so_many);
        }
        expect(await rowsOf(connection)).toEqual(left(stored));
      },
    );
  });
});
