import { describe, expect } from 'bun:test';
import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import { applyChange } from '../../src/state/apply.ts';
import { checkpointEntry, enterCheckpoint } from '../../src/store/checkpoint-store.ts';
import type { Connection } from '../../src/store/connection.ts';
import { purgeSteps } from '../../src/store/purge.ts';
import { purgeRetiredSteps } from '../../src/store/purge-retired.ts';
import { replay } from '../../src/store/replay.ts';
import { checkAsync } from '../support/long.ts';
import { purged, purgedOfRetired, type Row } from '../support/purged.ts';
import { EVENT_IDS, fold, randomChanges, START, settled, WALLETS } from '../support/random-changes.ts';
import { digest } from '../support/state-digest.ts';
import { erased, itemVersion, named } from './changes.ts';
import { serve, stored, testOn, withPlace } from './engines.ts';
import { append, testConnection as it, rowsOf, run } from './purge-support.ts';

const RUNS = 8;
const FEW_RUNS = 3;
const PROBES = { wallets: WALLETS, event_ids: EVENT_IDS };
/** Histories in which items change authors and are deleted, and users are erased, repeatedly. */
const CHANGES = randomChanges({ longest: 80, users: ['u0', 'u1', 'u2'], items: ['i0', 'i1', 'i2'] });
const PART = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);

const digestOf = (changes: readonly Change[]) => digest(fold(changes), PROBES);

/** Versions of experiments in rows, without what the store may remove from former ones. */
function withoutDetails(rows: readonly Change[]): Change[] {
  return rows.map((row) => {
    if (row.kind !== 'experiment') return row;
    const variants = row.content.variants.map((variant) => ({ ...variant, name: '', left: [] }));
    return { ...row, content: { ...row.content, name: '', variants, ended: [] } };
  });
}

/** The store removes former versions of experiments when it stores others. */
function withoutExperiments(rows: readonly Change[]): Change[] {
  return rows.filter(({ kind }) => kind !== 'experiment');
}

/** Rows as they are read back: unknown values are absent, and erasures do not show that they were purged. */
function asStored(rows: readonly Row[]): Change[] {
  return rows.map(({ purged, ...row }) => {
    if (row.kind === 'deletion' && (row.author ?? NONE) === NONE) {
      const { author, ...marker } = row;
      return marker;
    }
    return row;
  });
}

/** Runs a purge for at most `steps` steps. */
async function purgeFor(
  connection: Connection,
  steps: number,
  step_rows?: number,
  markers_max?: number,
): Promise<void> {
  await run(connection, purgeSteps(connection, step_rows, markers_max), steps);
}

/** The same for retired items. */
async function purgeRetiredFor(connection: Connection, steps: number, step_rows?: number): Promise<void> {
  await run(connection, purgeRetiredSteps(connection, step_rows), steps);
}

/**
 * The stored rows are these. Where the same item was kept from two erased authors, one after the other, the reference
 * does not know which of its former versions a purge keeps. The state is compared in any case.
 */
async function expectRows(connection: Connection, rows: Change[], changes: readonly Change[]): Promise<void> {
  const released = changes.flatMap((change) => (change.kind === 'release' ? [...change.items] : []));
  if (new Set(released).size !== released.length) return;
  expect(withoutDetails(await rowsOf(connection))).toEqual(withoutDetails(asStored(rows)));
}

describe('a replay after a purge', () => {
  it('keeps items that were released before the first of two erasures of their author', async (fresh) => {
    const stamp = { seq: 0, applied_at: START };
    const release = (...items: number[]): Change => {
      return { kind: 'release', user: 0, items: Uint32Array.from(items), ...stamp };
    };
    const erasure = { ...erased(0), ...stamp };
    const post = [named('user', 0, 'u0'), named('item', 0, 'i0'), itemVersion(0, 0, 'text')];
    const changes = [...post, release(0), erasure, release(), erasure].map((change, at) => {
      return { ...change, seq: at + 1 };
    });
    for (const markers_max of [1, 2]) {
      const connection = await fresh();
      await append(connection, changes, 0);
      await purgeFor(connection, Number.POSITIVE_INFINITY, undefined, markers_max);
      const left = fold(await rowsOf(connection));
      expect(left.items.names.find('i0')).toBe(0);
      expect(digest(left, PROBES)).toEqual(digestOf(changes));
    }
  });

  it('gives the same state, also after more changes and another purge', async (fresh) => {
    await checkAsync(RUNS, [CHANGES, PART], async (changes, part) => {
      const connection = await fresh();
      const cut = Math.floor(changes.length * part);
      await append(connection, changes.slice(0, cut), 0);
      await purgeFor(connection, Number.POSITIVE_INFINITY);
      const first = purged(changes.slice(0, cut));
      await expectRows(connection, first, changes.slice(0, cut));
      await append(connection, changes.slice(cut), cut);
      expect(digestOf(await rowsOf(connection))).toEqual(digestOf(changes));
      await purgeFor(connection, Number.POSITIVE_INFINITY);
      const second = purged([...first, ...changes.slice(cut)]);
      await expectRows(connection, second, changes);
      expect(digestOf(asStored(second))).toEqual(digestOf(changes));
    });
  });

  it('gives the same state after an interruption anywhere in the purge, and the next purge completes it', async (fresh) => {
    await checkAsync(
      RUNS,
      [
        CHANGES,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5 }),
      ],
      async (changes, steps, step_rows, markers_max) => {
        const connection = await fresh();
        await append(connection, changes, 0);
        await purgeFor(connection, steps, step_rows, markers_max);
        expect(digestOf(await rowsOf(connection))).toEqual(digestOf(changes));
        await purgeFor(connection, Number.POSITIVE_INFINITY, step_rows, markers_max);
        expect(digestOf(await rowsOf(connection))).toEqual(digestOf(changes));
        await expectRows(connection, purged(changes), changes);
      },
    );
  });

  it('gives the same state from a checkpoint that is still valid, after an interruption anywhere in the purge', async (fresh) => {
    await checkAsync(
      RUNS,
      [CHANGES, PART, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20 })],
      async (changes, part, steps, step_rows) => {
        const connection = await fresh();
        await append(connection, changes, 0);
        const cut = Math.floor(changes.length * part);
        await enterCheckpoint(connection.db, { name: 'one', seq: cut, digest: '' });
        await purgeFor(connection, steps, step_rows);
        const entry = await checkpointEntry(connection.db);
        const erased = changes.some(
          ({ kind, seq }) => seq > cut && ['erasure', 'deletion', 'act_deletion'].includes(kind),
        );
        if (!erased) expect(entry).toEqual({ name: 'one', seq: cut, digest: '' });
        if (entry === undefined) return;
        const state = fold(changes.slice(0, cut));
        await replay(connection, (change) => applyChange(state, change), { after: cut });
        expect(digest(settled(state), PROBES)).toEqual(digestOf(changes));
      },
    );
  });

  it('of retired items contains nothing about them, even if an earlier purge was interrupted', async (fresh) => {
    await checkAsync(
      RUNS,
      [CHANGES, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20 }), fc.boolean()],
      async (changes, steps, step_rows, with_erased) => {
        const connection = await fresh();
        await append(connection, changes, 0);
        if (with_erased) await purgeFor(connection, steps, step_rows);
        await purgeRetiredFor(connection, steps, step_rows);
        expect(digestOf(await rowsOf(connection))).toEqual(digestOf(changes));
        await purgeRetiredFor(connection, Number.POSITIVE_INFINITY, step_rows);
        expect(digestOf(await rowsOf(connection))).toEqual(digestOf(changes));
        if (!with_erased)
          expect(withoutExperiments(await rowsOf(connection))).toEqual(
            withoutExperiments(asStored(purgedOfRetired(changes))),
          );
        await purgeFor(connection, Number.POSITIVE_INFINITY, step_rows);
        expect(digestOf(await rowsOf(connection))).toEqual(digestOf(changes));
      },
    );
  });

  it('of retired items works with an earlier checkpoint, after an interruption anywhere in the purge', async (fresh) => {
    await checkAsync(
      RUNS,
      [CHANGES, PART, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20 })],
      async (changes, part, steps, step_rows) => {
        const connection = await fresh();
        const cut = Math.floor(changes.length * part);
        await append(connection, changes, 0);
        await enterCheckpoint(connection.db, { name: 'one', seq: cut, digest: '' });
        const markers = changes.filter(({ kind, seq }) => kind === 'retirement' && seq > cut);
        for (const so_many of [steps, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]) {
          await purgeRetiredFor(connection, so_many, step_rows);
          expect(await checkpointEntry(connection.db)).toEqual({ name: 'one', seq: cut, digest: '' });
          const state = fold(changes.slice(0, cut));
          await replay(connection, (change) => applyChange(state, change), { after: cut });
          expect(digest(settled(state), PROBES)).toEqual(digestOf(changes));
        }
        const left = (await rowsOf(connection)).filter(({ kind }) => kind === 'retirement');
        expect(left).toEqual(markers);
        await enterCheckpoint(connection.db, { name: 'two', seq: changes.length, digest: '' });
        await purgeRetiredFor(connection, Number.POSITIVE_INFINITY, step_rows);
        expect(withoutExperiments(await rowsOf(connection))).toEqual(
          withoutExperiments(asStored(purgedOfRetired(changes))),
        );
      },
    );
  });

  testOn('gives the same state after restarts of the store', async (engine) => {
    await checkAsync(FEW_RUNS, [CHANGES, PART], (changes, part) =>
      withPlace(engine, async (place) => {
        const cut = Math.floor(changes.length * part);
        for (const some of [changes.slice(0, cut), changes.slice(cut)]) {
          const { store } = await serve(place);
          await store.submit(some);
          await store.purge();
          await store.close();
        }
        const { store } = await serve(place);
        const left = await stored(store);
        await store.close();
        expect(digestOf(left)).toEqual(digestOf(changes));
      }),
    );
  });
});
