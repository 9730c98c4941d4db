import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fold } from '../../src/checkpoint/fold.ts';
import { FollowsApart } from '../../src/checkpoint/follows-apart.ts';
import type { Change } from '../../src/state/change.ts';
import { type Image, imageOf } from '../../src/state/image.ts';
import { State } from '../../src/state/state.ts';
import type { Replayed, ReplayOptions } from '../../src/store/replay.ts';
import { RECYCLING, randomChanges } from '../support/random-changes.ts';

/** A store that has these changes, read some at a time. */
function storeOf(changes: readonly Change[], chunk = 5) {
  const replay = async (
    visit: (change: Change) => void,
    { after = 0, slice, ahead }: ReplayOptions = {},
  ): Promise<Replayed> => {
    const wanted = changes.filter(({ seq }) => seq > after);
    for (let at = 0; at < wanted.length; at += chunk) {
      for (const change of wanted.slice(at, at + chunk)) {
        ahead?.([change]);
        visit(change);
      }
      await slice?.();
    }
    const highest_seq = changes.at(-1)?.seq ?? 0;
    return { highest_seq, highest_applied_at: 0, changes: wanted.length, keys_from: { user: 0, item: 0 } };
  };
  return { replay };
}

const noSlice = async () => {};

/** Comparable byte for byte. */
function flat({ outline, columns, bytes }: Image): unknown[] {
  return [JSON.stringify(outline), columns, bytes.map((each) => Buffer.from(each).toString('base64'))];
}

async function folded(changes: readonly Change[], apart_from: number, state = new State()): Promise<State> {
  await fold(storeOf(changes), state, { after: state.seq, slice: noSlice, apart_from });
  return state;
}

describe('a fold that has follows recorded by a thread of its own', () => {
  test('gives the same state, byte for byte, whenever the thread begins', async () => {
    const changes = fc.oneof(randomChanges(), randomChanges(RECYCLING));
    await fc.assert(
      fc.asyncProperty(changes, fc.nat({ max: 5 }), async (all, from) => {
        const alone = await folded(all, Number.POSITIVE_INFINITY);
        const apart = await folded(all, from);
        expect(flat(imageOf(apart))).toEqual(flat(imageOf(alone)));
      }),
      { numRuns: 20 },
    );
  });

  test('gives a state that goes on: what comes later is recorded here, or by the next thread', async () => {
    await fc.assert(
      fc.asyncProperty(randomChanges(RECYCLING), async (all) => {
        const half = all.slice(0, all.length >> 1);
        const state = await folded(half, 0);
        await folded(all, 1, state);
        const alone = await folded(half, Number.POSITIVE_INFINITY);
        for (const change of all.slice(half.length)) alone.apply(change);
        expect(flat(imageOf(state))).toEqual(flat(imageOf(alone)));
      }),
      { numRuns: 10 },
    );
  });

  test('waits for the thread when too much would be under way, and loses nothing of it', async () => {
    const state = new State();
    const apart = new FollowsApart(state, 0, 0);
    let follows = 0;
    for (let batch = 0; batch < 3; batch++) {
      for (let at = 0; at < 70_000; at++, follows++) apart.record(at % 1_000, follows, true, 1_700_000_000);
      await apart.settle();
    }
    await apart.bringHome(noSlice);
    expect(state.follows.size).toBe(follows);
    expect(state.follows.count(999)).toBe(follows / 1_000);
  });

  test('fails when the thread dies, and lets go of it', async () => {
    const state = new State();
    const apart = new FollowsApart(state, 0);
    // Nobody has such an ordinal: there is no memory for all up to it.
    apart.record(2 ** 32 - 1, 0, true, 1_700_000_000);
    await expect(apart.bringHome(noSlice)).rejects.toThrow();
    apart.end();
    expect(state.follow_writer).toBe(state.follows);
  });
});
