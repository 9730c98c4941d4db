import { describe, expect } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { openStore } from '../../src/store/open-store.ts';
import { follow, follows, interaction, userVersion } from './changes.ts';
import { testServing as it, optionsFor, refusal, serve, stored, testPlace } from './engines.ts';

const HIDE = 'alter table interactions rename to hidden';
const SHOW = 'alter table hidden rename to interactions';

/** The outcome of each promise, in order. */
async function outcomes(promises: Promise<void>[]): Promise<string[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => (result.status === 'fulfilled' ? 'stored' : result.reason.code));
}

describe('writer', () => {
  it('puts the submissions of one turn into one transaction, in order', async ({ store, messages }) => {
    await Promise.all([
      store.submit([follow(1, 2)]),
      store.submit([follow(3, 4)]),
      store.submit([follow(5, 6)]),
    ]);
    expect(messages.map((changes) => changes.map(({ seq }) => seq))).toEqual([[1, 2, 3]]);
    expect((await stored(store)).map((change) => 'user' in change && change.user)).toEqual([1, 3, 5]);
  });

  it('collects submissions that arrive during a message into the next', async ({ store, messages }) => {
    const first = store.submit([follow(1, 2)]);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.all([first, store.submit([follow(3, 4)]), store.submit([follow(5, 6)])]);
    expect(messages.map((changes) => changes.length)).toEqual([1, 2]);
  });

  testPlace(
    'applies committed changes in portions of whole submissions, and acknowledges each with its portion',
    async (place) => {
      const store = await openStore(optionsFor(place));
      const applied: number[] = [];
      await store.startWriter({
        onCommitted: (changes) => applied.push(...changes.map(({ seq }) => seq)),
        onFailed() {},
        last_applied_at: 0,
      });
      const rows = LIMITS.applied_rows_max;
      const sizes = [1, rows - 1, rows + 10, 1, 1];
      const known: number[] = [];
      await Promise.all(
        sizes.map((size) => store.submit(follows(size)).then(() => known.push(applied.length))),
      );
      await store.close();
      expect(known).toEqual([rows, rows, 2 * rows + 10, 2 * rows + 12, 2 * rows + 12]);
      expect(applied).toEqual(Array.from({ length: 2 * rows + 12 }, (_, at) => at + 1));
    },
  );

  testPlace('shows committed changes to the hook before their submitter continues', async (place) => {
    const store = await openStore(optionsFor(place));
    const events: string[] = [];
    await store.startWriter({
      onCommitted: (changes) => events.push(`committed ${changes.map(({ seq }) => seq)}`),
      onFailed: () => events.push('failed'),
      last_applied_at: 0,
    });
    const first = store.submit([follow(1, 2)]).then(() => events.push('first goes on'));
    const second = store.submit([follow(3, 4)]).then(() => events.push('second goes on'));
    await Promise.all([first, second]);
    await store.close();
    expect(events).toEqual(['committed 1,2', 'first goes on', 'second goes on']);
  });

  testPlace('never lets applied_at go back, not even over a restart', async (place) => {
    const first = await serve(place);
    await Promise.all([first.store.submit([follow(1, 2, 10)]), first.store.submit([follow(1, 3, 5)])]);
    await first.store.submit([follow(1, 4, 12), follow(1, 5, 11)]);
    await first.store.close();
    const second = await serve(place);
    await second.store.submit([follow(1, 6, 1)]);
    const changes = await stored(second.store);
    await second.store.close();
    expect(changes.map(({ applied_at }) => applied_at)).toEqual([10, 10, 12, 12, 12]);
  });

  it(
    'refuses submissions that do not fit the queue and takes them when there is room',
    async ({ store }) => {
      const fits = store.submit(follows(10));
      expect(store.queued_records).toBe(10);
      expect(await refusal(store.submit([follow(1, 2)]))).toMatchObject({
        code: 'write_queue_full',
        retry_after_seconds: 1,
      });
      await fits;
      expect(store.queued_records).toBe(0);
      await store.submit([follow(1, 2)]);
      expect(await stored(store)).toHaveLength(11);
    },
    { write_queue: 10 },
  );

  it('acknowledges an empty submission at once', async ({ store, messages }) => {
    await store.submit([]);
    expect(messages).toEqual([]);
  });

  it('acknowledges or refuses an empty submission together with the earlier ones', async ({
    store,
    messages,
    place,
  }) => {
    const order: string[] = [];
    const first = store.submit([follow(1, 2)]).then(() => order.push('first'));
    await Promise.resolve();
    await Promise.resolve();
    await Promise.all([first, store.submit([]).then(() => order.push('empty'))]);
    expect(order).toEqual(['first', 'empty']);
    expect(messages).toHaveLength(1);
    await place.run(HIDE);
    const failing = store.submit([interaction(1, 1)]);
    await Promise.resolve();
    await Promise.resolve();
    expect(await outcomes([failing, store.submit([])])).toEqual(Array(2).fill('store_unavailable'));
    await place.run(SHOW);
    await store.submit([]);
    await store.submit([follow(2, 3)]);
    expect(await stored(store)).toHaveLength(2);
  });

  it('refuses a message that cannot be written and everything behind it, and stores nothing', async (serving) => {
    const { place, store } = serving;
    await place.run(HIDE);
    const failing = store.submit([userVersion(1, 'x'), interaction(1, 1)]);
    await Promise.resolve();
    await Promise.resolve();
    const behind = [store.submit([follow(1, 2)]), store.submit([follow(1, 1)])];
    expect(await outcomes([failing, ...behind])).toEqual(Array(3).fill('store_unavailable'));
    expect(serving.failures).toBe(1);
    expect(store.queued_records).toBe(0);

    await place.run(SHOW);
    const again = [userVersion(1, 'x'), interaction(1, 1)];
    await store.submit(again);
    expect(await stored(store)).toEqual(again);
    expect(again.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('reports that the store is unavailable without the reason, and keeps the cause', async ({
    store,
    place,
  }) => {
    await place.run(HIDE);
    const error = await store.submit([interaction(1, 1)]).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'store_unavailable', status: 503, retry_after_seconds: 5 });
    expect(error.detail).not.toContain('interactions');
    expect(String(error.cause)).toContain('interactions');
  });

  it('stops for good when another process has written', async (serving) => {
    const { place, store } = serving;
    await store.submit([follow(1, 2)]);
    await place.run("update meta set value = '77' where name = 'highest_seq'");
    expect(await outcomes([store.submit([follow(1, 3)])])).toEqual(['store_unavailable']);
    await place.run("update meta set value = '1' where name = 'highest_seq'");
    expect(await outcomes([store.submit([follow(1, 4)])])).toEqual(['store_unavailable']);
    expect(await stored(store)).toHaveLength(1);
  });

  testPlace('stops for good when committed changes could not be applied', async (place) => {
    const store = await openStore(optionsFor(place));
    await store.startWriter({
      onCommitted: () => {
        throw new Error('a fault in apply');
      },
      onFailed() {},
      last_applied_at: 0,
    });
    expect(await outcomes([store.submit([follow(1, 2)])])).toEqual(['store_unavailable']);
    expect(await outcomes([store.submit([follow(1, 2)])])).toEqual(['store_unavailable']);
    await store.close();
  });

  testPlace('drains the queue when closing and refuses later submissions', async (place) => {
    const { store, messages } = await serve(place);
    const submitted = [store.submit(follows(1_500)), store.submit(follows(1_500))];
    const closing = store.close();
    expect(await outcomes([store.submit([follow(1, 2)])])).toEqual(['shutting_down']);
    await closing;
    expect(await outcomes(submitted)).toEqual(['stored', 'stored']);
    expect(messages.flat()).toHaveLength(3_000);
  });
});
