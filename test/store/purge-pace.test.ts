import { describe, expect, test } from 'bun:test';
import { monotonicMs } from '../../src/clock.ts';
import type { Change } from '../../src/model/change.ts';
import { deleted, erased, follow, interaction, itemVersion, named } from './changes.ts';
import { ENGINES, type Serving, serve, withPlace, withServing } from './engines.ts';

/** Use more interactions for measurements: `FEEDLOOM_PURGE_ROWS=1000000 bun test test/store/purge-pace.test.ts`. */
const ROWS = Number(Bun.env.FEEDLOOM_PURGE_ROWS ?? 60_000);
const ROWS_PER_MESSAGE = 2_000;
const ITEMS = 1_000;
const GONE = 7;

async function fill({ store }: Serving): Promise<void> {
  await store.submit([named('user', GONE, 'gone'), ...Array.from({ length: ITEMS }, anItem)]);
  for (let start = 0; start < ROWS; start += ROWS_PER_MESSAGE) {
    const acts = Array.from({ length: ROWS_PER_MESSAGE }, (_, at): Change => {
      const row = start + at;
      return interaction(row % 10_000, row % ITEMS);
    });
    await store.submit(acts);
  }
}

/** One in fifty is by the user who will be erased. */
function anItem(_: unknown, item: number): Change {
  return itemVersion(item, item % 50 === 0 ? GONE : 1 + (item % 5), `text ${item}`);
}

/** The longest wait of a write while the purge ran, and the number of writes. */
async function writesUntil({ store }: Serving, purging: Promise<void>): Promise<[number, number]> {
  const progress = { over: false };
  purging.finally(() => {
    progress.over = true;
  });
  let longest = 0;
  let writes = 0;
  while (!progress.over) {
    const start = monotonicMs();
    await store.submit([follow(1, 2)]);
    longest = Math.max(longest, monotonicMs() - start);
    writes++;
  }
  return [longest, writes];
}

describe.each(ENGINES)('purge on $name', (engine) => {
  test(
    `lets writes through while it purges ${ROWS} interactions (prints measurements)`,
    () =>
      withServing(engine, async (serving) => {
        await fill(serving);
        await serving.store.submit([erased(GONE), deleted(3)]);
        const start = monotonicMs();
        const purging = serving.store.purge();
        const [longest_ms, writes] = await writesUntil(serving, purging);
        const took_ms = monotonicMs() - start;
        const again = monotonicMs();
        await serving.store.purge();
        const idle_ms = monotonicMs() - again;
        console.log(
          `${engine.name}: purge of ${ROWS} interactions ${took_ms.toFixed(0)} ms, ${writes} writes meanwhile, ` +
            `longest wait ${longest_ms.toFixed(1)} ms; nothing to purge ${idle_ms.toFixed(2)} ms`,
        );
        expect(writes).toBeGreaterThan(10);
        // Compared with the purge itself, so that a slow machine passes. A purge in one step would block a write for
        // all of it.
        expect(longest_ms).toBeLessThan(took_ms / 2);
        expect(idle_ms).toBeLessThan(took_ms / 2);
      }),
    600_000,
  );

  test('remembers the highest keys that it removed', () =>
    withPlace(engine, async (place) => {
      const { store } = await serve(place);
      await store.submit([
        named('user', 4, 'stays'),
        named('user', 9, 'goes'),
        named('item', 30, 'goes'),
        itemVersion(30, 9, 'text'),
        erased(9),
      ]);
      await store.purge();
      await store.submit([named('user', 10, 'goes too'), erased(10)]);
      await store.purge();
      await store.close();
      const again = await serve(place);
      const { keys_from } = await again.store.replay(() => {});
      await again.store.close();
      expect(keys_from).toEqual({ user: 11, item: 31 });
    }));
});
