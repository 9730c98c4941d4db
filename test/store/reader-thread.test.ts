import { describe, expect, test } from 'bun:test';
import { StartupError } from '../../src/errors.ts';
import type { Change } from '../../src/model/change.ts';
import type { Location } from '../../src/store/connection.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { ReaderLink } from '../../src/store/reader-link.ts';
import type { ReadValues } from '../../src/store/reading.ts';
import { type Replayed, type ReplayOptions, replay } from '../../src/store/replay.ts';
import { RowReader } from '../../src/store/row-reader.ts';
import { CHANGE_TABLES } from '../../src/store/tables.ts';
import { everyKind } from './any-change.ts';
import { follow, followList, interaction, itemVersion, userVersion } from './changes.ts';
import { ENGINES, type Place, refusal, withServing } from './engines.ts';

/** More rows than a chunk of large rows, from two tables, in runs and alternating. */
const MANY: readonly Change[] = [
  ...everyKind(),
  ...Array.from({ length: 2_500 }, (_, index) => userVersion(index, `user ${index}`)),
  ...Array.from({ length: 4_200 }, (_, index) =>
    index % 2 === 0 ? followList(index, [index, 7], []) : interaction(index, 3),
  ),
  ...Array.from({ length: 2_000 }, (_, index) => userVersion(index, `user ${index} again`)),
  follow(1, 2),
];

const locationOf = ({ data, database_url }: Place): Location => ({ data, database_url });

async function readFrom(
  location: Location,
  options: ReplayOptions,
): Promise<{ changes: Change[]; replayed: Replayed }> {
  const connection = await openConnection(location, 2);
  try {
    const changes: Change[] = [];
    const replayed = await replay(connection, (change) => changes.push(change), {
      with_events: true,
      ...options,
    });
    return { changes, replayed };
  } finally {
    await connection.close();
  }
}

describe.each(ENGINES)('changes read by a reader thread, %p', (engine) => {
  test('are the same in the same order from every starting point', () =>
    withServing(engine, async ({ store }, place) => {
      for (let at = 0; at < MANY.length; at += 1_000) {
        await store.submit(MANY.slice(at, at + 1_000).map((change) => ({ ...change })));
      }
      const location = locationOf(place);
      for (const after of [0, 2_300, MANY.length - 1, MANY.length]) {
        const alone = await readFrom(location, { after });
        const reader_thread = await readFrom(location, { after, reader_thread: { location, from: 0 } });
        expect(reader_thread).toEqual(alone);
        expect(reader_thread.changes.map(({ seq }) => seq)).toEqual(
          Array.from({ length: MANY.length - after }, (_, index) => after + 1 + index),
        );
      }
    }));

  test('come from one snapshot, unaffected by concurrent writes and removals', () =>
    withServing(engine, async ({ store }, place) => {
      for (let at = 0; at < MANY.length; at += 1_000) {
        await store.submit(MANY.slice(at, at + 1_000).map((change) => ({ ...change })));
      }
      const location = locationOf(place);
      let changed = false;
      const slice = async () => {
        if (changed) return;
        changed = true;
        await store.submit([follow(5, 6)]);
        // These are in the third chunk, which is read only after the first was processed.
        await place.run(`delete from users where seq > ${MANY.length - 300}`);
      };
      const { changes } = await readFrom(location, { slice, reader_thread: { location, from: 0 } });
      expect([changed, changes.length]).toEqual([true, MANY.length]);
      expect((await readFrom(location, {})).changes).toHaveLength(MANY.length + 1 - 299);
    }));

  test('end with the error of the visitor, and leave nothing open', () =>
    withServing(engine, async ({ store }, place) => {
      await store.submit(MANY.slice(0, 4_000).map((change) => ({ ...change })));
      const connection = await openConnection(locationOf(place), 2);
      const visit = ({ seq }: Change) => {
        if (seq === 3_000) throw new Error('enough');
      };
      const reader_thread = { location: locationOf(place), from: 0 };
      expect((await refusal(replay(connection, visit, { reader_thread }))).message).toBe('enough');
      // An open snapshot would block the sweep.
      expect(await connection.sweeper()()).toBe(true);
      await connection.close();
    }));
});

test('a replay lets signals and timers run between its chunks', () =>
  withServing(ENGINES[0], async ({ store }, place) => {
    await store.submit(everyKind());
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const connection = await openConnection(locationOf(place), 1);
    turns = 0;
    await replay(connection, () => {});
    clearImmediate(next);
    await connection.close();
    expect(turns).toBeGreaterThan(0);
  }));

test('large rows come in smaller chunks of at least one row', () =>
  withServing(ENGINES[0], async ({ store }, place) => {
    const texts = [10, 10, 3_000, 10, 10, 10, 5_000, 5_000, 10].map((length) => 'x'.repeat(length));
    await store.submit(texts.map((text, index) => itemVersion(index, 0, text)));
    const connection = await openConnection(locationOf(place), 1);
    const table = CHANGE_TABLES.findIndex(({ kind }) => kind === 'item');
    const seqs: number[][] = [];
    await connection.snapshot(async (read) => {
      const reader = new RowReader(connection.db, read, { after: 0, until: texts.length }, 2_500);
      for (let is_last = false; !is_last; ) {
        const chunk = await reader.next(table);
        seqs.push([...chunk.rows.seqs]);
        ({ is_last } = chunk);
      }
    });
    await connection.close();
    expect(seqs).toEqual([[1, 2, 3], [4, 5, 6, 7], [8], [9]]);
  }));

test('few large rows are read at a time, and increasing numbers of small ones', () =>
  withServing(ENGINES[0], async ({ store }, place) => {
    const lengths = [...Array(8_000).fill(1), ...Array(400).fill(1_000)];
    const changes = lengths.map((length, index) => itemVersion(index, 0, 'x'.repeat(length)));
    for (let at = 0; at < changes.length; at += 1_000) await store.submit(changes.slice(at, at + 1_000));
    const connection = await openConnection(locationOf(place), 1);
    const table = CHANGE_TABLES.findIndex(({ kind }) => kind === 'item');
    const rows_read: number[] = [];
    await connection.snapshot(async (read) => {
      const counting: ReadValues = async (query) => {
        const rows = await read(query);
        rows_read.push(rows.length);
        return rows;
      };
      const reader = new RowReader(connection.db, counting, { after: 0, until: lengths.length }, 1_000_000);
      while (!(await reader.next(table)).is_last);
    });
    await connection.close();
    // However small these rows are, the next ones may be large.
    expect(rows_read.slice(0, 8)).toEqual([64, 128, 256, 512, 1024, 2_000, 2_000, 2_000]);
    expect(rows_read.slice(9).every((count) => count <= 1_000)).toBe(true);
    expect(rows_read.reduce((sum, count) => sum + count)).toBe(lengths.length);
  }));

describe('unreadable data', () => {
  test('is reported with its cause, by a reader thread when it opens or reads the data, and without one', async () => {
    const range = { after: 0, until: 10 };
    const nowhere = { data: '/dev/null/feedloom' };
    expect((await refusal(ReaderLink.open(nowhere, range, 1))).message).toContain('/dev/null/feedloom');
    await withServing(ENGINES[0], async ({ store }, place) => {
      await store.submit(everyKind());
      await place.run('drop table follows');
      const location = locationOf(place);
      for (const options of [{}, { reader_thread: { location, from: 0 } }]) {
        const failed = await refusal(readFrom(location, options));
        expect(failed).toBeInstanceOf(StartupError);
        expect(failed.message).toBe('the stored data cannot be read (no such table: follows)');
      }
    });
  });
});
