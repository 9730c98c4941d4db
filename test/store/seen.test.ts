import { describe, expect, test } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import { decodeHead, erasedHead, isEmpty } from '../../src/seen/head.ts';
import { firstNumber, type SeenWrite } from '../../src/seen/seen-store.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { eraseSeen } from '../../src/store/seen.ts';
import type { Store } from '../../src/store/store.ts';
import { deployText } from '../deploy/support.ts';
import { ENGINES, type Engine, type Place, serve, withPlace, withServing } from './engines.ts';

const NOW = 1_700_000_000;
const viewer = (digit: string): string => digit.repeat(32);
const [A, B, C] = ['1', '8', 'f'].map(viewer);
const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);

function write(
  of: string,
  built_from: number,
  content: Uint8Array,
  more: Partial<SeenWrite> = {},
): SeenWrite {
  const number = built_from === 0 ? firstNumber(NOW) : built_from + 1;
  return { viewer: of, built_from, number, updated_at: NOW, content, parts: [], ...more };
}

const FIRST = firstNumber(NOW);
const ERASED = [...erasedHead(9, NOW * 1000)];
const everything = (...viewers: string[]) => viewers.map((each) => ({ viewer: each, number: 0 }));
const plain = (rows: Awaited<ReturnType<Store['seen']['read']>>) =>
  rows.map(({ viewer: of, number, content, parts }) => ({
    of,
    number,
    content: content && [...content],
    parts: parts.map(({ part, content: stored }) => [part, ...stored]),
  }));

/** Runs `work` with a connection beside the store. */
async function beside<T>(
  place: Place,
  work: (connection: Awaited<ReturnType<typeof openConnection>>) => Promise<T>,
) {
  const connection = await openConnection(place, 2);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

const [, postgres] = ENGINES;
const DIVISION = deployText('postgres/partition-seen.sql');
/** PostgreSQL whose table is divided. */
const divided: Engine = {
  name: 'postgres',
  async place() {
    const place = await postgres.place();
    await place.run(DIVISION);
    return place;
  },
};

for (const engine of [...ENGINES, divided]) {
  describe(`rows of seen items on ${engine.name}${engine === divided ? ' in partitions' : ''}`, () => {
    test('are read as they were written, many at once, and only those that the reader does not have', () =>
      withServing(engine, async ({ store: { seen } }) => {
        expect(await seen.read([])).toEqual([]);
        expect(await seen.read(everything(A, B))).toEqual([]);
        expect(await seen.write([write(A, 0, bytes(0, 255, 10)), write(B, 0, bytes())])).toEqual([A, B]);
        expect(plain(await seen.read(everything(A, B, C)))).toEqual([
          { of: A, number: FIRST, content: [0, 255, 10], parts: [] },
          { of: B, number: FIRST, content: [], parts: [] },
        ]);
        expect(await seen.write([write(B, FIRST, bytes(2))])).toEqual([B]);
        const known = [A, B].map((each) => ({ viewer: each, number: FIRST }));
        expect(plain(await seen.read(known))).toEqual([
          { of: B, number: FIRST + 1, content: [2], parts: [] },
        ]);
      }));

    test('outlive the store', () =>
      withPlace(engine, async (place) => {
        const first = await serve(place);
        const key = await first.store.seenKey();
        await first.store.seen.write([write(A, 0, bytes(1))]);
        await first.store.close();
        const second = await serve(place);
        expect(await second.store.seenKey()).toEqual(key);
        expect(key).toHaveLength(32);
        expect(plain(await second.store.seen.read(everything(A)))).toMatchObject([{ content: [1] }]);
        await second.store.close();
      }));

    test('are written only from the number that is stored, whichever of a batch that concerns', () =>
      withServing(engine, async ({ store: { seen } }) => {
        await seen.write([write(A, 0, bytes(1)), write(B, 0, bytes(1))]);
        // Of two writers that built from the same rows, each writes what the other has not written.
        expect(await seen.write([write(A, FIRST, bytes(2))])).toEqual([A]);
        const late = [write(A, FIRST, bytes(3)), write(B, FIRST, bytes(3)), write(C, 0, bytes(3))];
        expect(await seen.write(late)).toEqual([B, C]);
        // A row that another writer made first, and one that is gone.
        expect(await seen.write([write(C, 0, bytes(4), { number: FIRST + 2 ** 20 })])).toEqual([]);
        expect(await seen.write([write(viewer('9'), 5, bytes(4))])).toEqual([]);
        expect(plain(await seen.read(everything(A, B, C))).map(({ content }) => content)).toEqual([
          [2],
          [3],
          [3],
        ]);
      }));

    test('of concurrent writers get each number once, in batches of all orders of arrival', () =>
      withServing(engine, async ({ store: { seen } }) => {
        const viewers = Array.from({ length: 40 }, (_, index) => index.toString(16).padStart(32, '0'));
        const numbers = new Map(viewers.map((each) => [each, 0]));
        const written = new Map(viewers.map((each) => [each, 0]));
        for (let round = 0; round < 5; round++) {
          const batch = (from: number) =>
            viewers
              .filter((_, at) => at % 3 !== from)
              .map((each) => write(each, numbers.get(each)!, bytes(round, from)));
          const results = await Promise.all([0, 1, 2].map((from) => seen.write(batch(from))));
          for (const each of results.flat()) written.set(each, written.get(each)! + 1);
          for (const row of await seen.read(everything(...viewers))) numbers.set(row.viewer, row.number);
        }
        expect([...written.values()]).toEqual(viewers.map(() => 5));
        expect([...numbers.values()]).toEqual(viewers.map(() => FIRST + 4));
      }));

    test('give the parts that were stored after the known number', () =>
      withServing(engine, async ({ store: { seen } }) => {
        const part = (number: number, ...content: number[]) => ({ part: number, content: bytes(...content) });
        await seen.write([write(A, 0, bytes(1), { parts: [part(1, 11)] }), write(B, 0, bytes(1))]);
        await seen.write([write(A, FIRST, bytes(2), { parts: [part(2, 22), part(3, 33)] })]);
        expect(plain(await seen.read(everything(A)))).toEqual([
          {
            of: A,
            number: FIRST + 1,
            content: [2],
            parts: [
              [1, 11],
              [2, 22],
              [3, 33],
            ],
          },
        ]);
        const known = [{ viewer: A, number: FIRST }];
        expect(plain(await seen.read(known))[0].parts).toEqual([
          [2, 22],
          [3, 33],
        ]);
        // Without its head, no part is written. A later part replaces the one of its number.
        await seen.write([write(A, FIRST, bytes(3), { parts: [part(1, 99)] })]);
        await seen.write([write(A, FIRST + 1, bytes(4), { parts: [part(1, 44)] })]);
        expect(plain(await seen.read(everything(A)))[0].parts).toEqual([
          [1, 44],
          [2, 22],
          [3, 33],
        ]);
      }));

    test('are not written by a version with another format', () =>
      withServing(engine, async ({ store: { seen } }, place) => {
        await seen.write([write(A, 0, bytes(1))]);
        await place.run("update meta set value = '2' where name = 'seen_format'");
        const parts = [{ part: 1, content: bytes(1) }];
        expect(await seen.write([write(A, FIRST, bytes(2), { parts }), write(B, 0, bytes(2))])).toEqual([]);
        expect(plain(await seen.read(everything(A, B)))).toEqual([
          { of: A, number: FIRST, content: [1], parts: [] },
        ]);
      }));

    test('are emptied by an erasure, which refuses writes under way, also of viewers without a row', () =>
      withServing(engine, async ({ store: { seen } }, place) => {
        await seen.write([write(A, 0, bytes(1), { parts: [{ part: 1, content: bytes(11) }] })]);
        const erasures = [B, A].map((each) => ({ viewer: each, seq: 9, applied_at: NOW }));
        await beside(place, ({ db }) =>
          db.transaction().execute((transaction) => eraseSeen(transaction, erasures)),
        );
        expect(await seen.write([write(A, FIRST, bytes(2)), write(B, 0, bytes(2))])).toEqual([]);
        expect(plain(await seen.read([{ viewer: A, number: FIRST }, ...everything(B)]))).toEqual([
          { of: A, number: FIRST + 1, content: ERASED, parts: [] },
          { of: B, number: FIRST, content: ERASED, parts: [] },
        ]);
        expect(await seen.write([write(A, FIRST + 1, bytes(3))])).toEqual([A]);
      }));

    test('keep nothing of an erasure whose transaction fails', () =>
      withServing(engine, async ({ store: { seen } }, place) => {
        await seen.write([write(A, 0, bytes(1), { parts: [{ part: 1, content: bytes(11) }] })]);
        const erasing = beside(place, ({ db }) =>
          db.transaction().execute(async (transaction) => {
            await eraseSeen(transaction, [{ viewer: A, seq: 9, applied_at: NOW }]);
            throw new Error('the change was not stored');
          }),
        );
        expect((await Promise.allSettled([erasing]))[0].status).toBe('rejected');
        expect(plain(await seen.read(everything(A)))).toEqual([
          { of: A, number: FIRST, content: [1], parts: [[1, 11]] },
        ]);
      }));

    test('are listed in order, some at a time, and removed unless they were written meanwhile', () =>
      withServing(engine, async ({ store: { seen } }) => {
        const parts = [1, 2].map((part) => ({ part, content: bytes(part, part) }));
        const old = { updated_at: NOW - 100, parts };
        await seen.write([
          write(A, 0, bytes(1), old),
          write(B, 0, bytes(2), old),
          write(C, 0, bytes(3), old),
        ]);
        await seen.write([write(B, FIRST, bytes(4))]);
        const first = await seen.list(undefined, 5);
        expect(first.map((row) => [row.viewer, row.part, row.bytes, row.updated_at])).toEqual([
          [A, 0, 1, NOW - 100],
          [A, 1, 2, NOW - 100],
          [A, 2, 2, NOW - 100],
          [B, 0, 1, NOW],
          [B, 1, 2, NOW - 100],
        ]);
        const others = await seen.list(first.at(-1), 5);
        expect(others.map(({ viewer: of, part }) => [of, part])).toEqual([
          [B, 2],
          [C, 0],
          [C, 1],
          [C, 2],
        ]);
        await seen.remove([
          { before: NOW - 50, viewers: [A, B], whole: true },
          { before: NOW - 50, viewers: [C], whole: false },
        ]);
        // The reader of A learns that there is no row.
        expect(plain(await seen.read([{ viewer: A, number: FIRST }, ...everything(B, C)]))).toEqual([
          { of: A, number: 0, content: undefined, parts: [] },
          {
            of: B,
            number: FIRST + 1,
            content: [4],
            parts: [
              [1, 1, 1],
              [2, 2, 2],
            ],
          },
          { of: C, number: FIRST, content: [3], parts: [] },
        ]);
        expect((await seen.list(undefined, 9)).map(({ viewer: of }) => of)).toEqual([B, B, B, C]);
        // The next row of such a viewer has a higher number.
        expect(await seen.write([write(A, FIRST, bytes(9))])).toEqual([]);
        const later = firstNumber(NOW + 1);
        expect(await seen.write([write(A, 0, bytes(9), { number: later })])).toEqual([A]);
        expect(later).toBeGreaterThan(FIRST + 1_000_000);
      }));
  });
}

test('rows of seen items stay when their table is divided into partitions beside an open store', () =>
  withServing(postgres, async ({ store: { seen } }, place) => {
    const parts = [{ part: 1, content: bytes(11) }];
    await seen.write([write(A, 0, bytes(1)), write(B, 0, bytes(2), { parts }), write(C, 0, bytes(3))]);
    const before = plain(await seen.read(everything(A, B, C)));
    await place.run(DIVISION);
    expect(plain(await seen.read(everything(A, B, C)))).toEqual(before);
    const filled = "select 1 from pg_class where relname ~ '^seen_' and relkind = 'r' and reltuples > 0";
    expect(await place.run(filled)).toHaveLength(3);
    expect(await seen.write([write(A, FIRST, bytes(4)), write(C, FIRST + 1, bytes(4))])).toEqual([A]);
  }));

/** Runs `work` while another node has written rows and not committed, and lets it commit when something waits for it. */
async function whileWriting(
  place: Place,
  first: SeenWrite[],
  last: SeenWrite[],
  work: () => Promise<unknown>,
): Promise<string[]> {
  return beside(place, async ({ db, writeSeen }) => {
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
    const { promise: end, resolve: letEnd } = Promise.withResolvers<void>();
    const other = db.transaction().execute(async (transaction) => {
      const written = await writeSeen(transaction, first);
      hasLocked();
      await end;
      return last.length === 0 ? written : [...written, ...(await writeSeen(transaction, last))];
    });
    await locked;
    const own = work();
    const waiting =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    while ((await place.run(waiting)).length === 0);
    letEnd();
    await own;
    return other;
  });
}

test('two batches over the same viewers wait for each other and do not block each other on postgres', () =>
  withServing(postgres, async ({ store: { seen } }, place) => {
    await seen.write([write(A, 0, bytes(1)), write(B, 0, bytes(1))]);
    const [first, last] = [A, B].map((each) => [write(each, FIRST, bytes(2))]);
    const written = await whileWriting(place, first, last, async () => {
      expect(await seen.write([write(A, FIRST, bytes(3)), write(B, FIRST, bytes(3))])).toEqual([]);
    });
    expect(written).toEqual([A, B]);
  }));

test('an erasure empties rows that another node is writing or beginning at the moment on postgres', () =>
  withServing(postgres, async ({ store }, place) => {
    const { seen } = store;
    await seen.write([write(A, 0, bytes(1))]);
    const parts = [{ part: 1, content: bytes(9) }];
    const under_way = [write(A, FIRST, bytes(2), { parts }), write(B, 0, bytes(2))];
    const erasures = [B, A].map((each): Change => {
      return { kind: 'erasure', user: NONE, viewer: each, seq: 0, applied_at: NOW };
    });
    expect(await whileWriting(place, under_way, [], () => store.submit(erasures))).toEqual([A, B]);
    const stored = await seen.read(everything(A, B));
    expect(stored.map(({ number }) => number)).toEqual([FIRST + 2, FIRST + 1]);
    expect(stored.map(({ content }) => decodeHead(content!).erased_seq)).toEqual([2, 1]);
    for (const { content, parts: left } of stored)
      expect([isEmpty(decodeHead(content!)), left]).toEqual([true, []]);
  }));

test('a write that is refused by the server stores nothing of its batch on postgres', () =>
  withServing(postgres, async ({ store: { seen } }) => {
    const broken = write(B, 0, bytes(1), { parts: [{ part: 2 ** 40, content: bytes(1) }] });
    expect((await Promise.allSettled([seen.write([write(A, 0, bytes(1)), broken])]))[0].status).toBe(
      'rejected',
    );
    expect(await seen.read(everything(A, B))).toEqual([]);
  }));
