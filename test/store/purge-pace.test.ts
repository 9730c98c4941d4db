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

/** The number of writes, one after another, while the purge ran. */
async function writesUntil({ store }: Serving, purging: Promise<void>): Promise<number> {
  const progress = { over: false };
  purging.finally(() => {
    progress.over = true;
  });
  let writes = 0;
  for (; !progress.over; writes++) await store.submit([follow(1, 2)]);
  return writes;
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
        const writes = await writesUntil(serving, purging);
        const took_ms = monotonicMs() - start;
        const again = monotonicMs();
        await serving.store.purge();
        const idle_ms = monotonicMs() - again;
        console.log(
          `${engine.name}: purge of ${ROWS} interactions ${took_ms.toFixed(0)} ms, ${writes} writes meanwhile; ` +
            `nothing to purge ${idle_ms.toFixed(2)} ms`,
        );
        // A purge in one step would let one or two through.
        expect(writes).toBeGreaterThan(10);
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
