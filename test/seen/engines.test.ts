import { expect, test } from 'bun:test';
import { ManualClock } from '../../src/clock.ts';
import { SeenBook } from '../../src/seen/seen-book.ts';
import { ENGINES, withServing } from '../store/engines.ts';

for (const engine of ENGINES) {
  test(`two processes that show one viewer pages by turns know all of them on ${engine.name}`, () =>
    withServing(engine, async ({ store }) => {
      const clock = new ManualClock(1_700_000_000);
      const options = { store: store.seen, key: await store.seenKey(), clock, is_shared: true };
      const books = [0, 1].map(() => new SeenBook({ ...options, cache_bytes_max: 2 ** 20 }));
      const viewer = books[0].viewerOf('anna');
      const shown: number[] = [];
      for (let day = 0; day < 24; day++) {
        clock.advance(86_400);
        const book = books[day % 2];
        const row = await book.read(viewer);
        expect([...row.inOrder()]).toEqual(shown);
        const keys = Uint32Array.from({ length: 90 }, (_, index) => 2_000 * day + 11 * index);
        const page = { keys, feed: 1, arm: 0 };
        expect(await book.record(row, { page_id: day, page, applied_seq: 0 })).toBe('written');
        shown.push(...keys);
      }
      const [stored] = await store.seen.read([{ viewer, number: 0 }]);
      expect(stored.parts.length).toBeGreaterThan(0);
      for (const book of [...books, new SeenBook({ ...options, cache_bytes_max: 0 })])
        expect([...(await book.read(viewer)).inOrder()]).toEqual(shown);
    }));
}
