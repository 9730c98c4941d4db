import { describe, expect } from 'bun:test';
import { ManualClock, monotonicMs } from '../../src/clock.ts';
import { purgeCommunity } from '../../src/community.ts';
import type { Change } from '../../src/model/change.ts';
import type { TrendChange } from '../../src/model/changes/trend.ts';
import { closeService, openService, type Service } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { erased, follow, interaction, named } from './changes.ts';
import { testServing as it, type Place, stored, testPlace, withPlace } from './engines.ts';

const START = 1_767_225_600;
const ODD_NUMBERS = [Number.POSITIVE_INFINITY, -0, 0.1, 5e-324, -1.5, 2 ** 53, START + 0.123];

function trend(...numbers: number[]): TrendChange {
  return { kind: 'trend', numbers: Float64Array.from(numbers), seq: 0, applied_at: START };
}

function kinds(changes: readonly Change[]): string[] {
  return changes.map(({ kind, seq }) => `${seq} ${kind}`);
}

/** A service on the data of a place, with a stopped clock. */
function open({ data, database_url }: Place, clock: ManualClock): Promise<Service> {
  const settings = { ...readSettings({}), data, database_url, derived_lag_ms: 0 };
  return openService(settings, { command: 'test', clock, monotonicMs });
}

/** In rounds ten minutes apart, two of `count` users engage with one of five items each. */
async function engage({ ingest }: Service, clock: ManualClock, rounds: number, count = 7): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    clock.advance(600);
    const likes = [0, 1].map((each) => {
      const at = Math.floor(clock.now() / 600) + each;
      return { user_id: `u${(at * 3) % count}`, item_id: `i${at % 5}`, event_type: 'comment' };
    });
    expect((await ingest.ingest('interactions', likes)).accepted).toBe(2);
  }
}

async function post({ ingest }: Service): Promise<void> {
  const items = [0, 1, 2, 3, 4].map((each) => ({
    item_id: `i${each}`,
    author_id: `author ${each}`,
    created_at: START,
  }));
  expect((await ingest.ingest('items', items)).accepted).toBe(5);
}

describe('learnt trends,', () => {
  it('are read back bit by bit, in order of seq', async ({ store }) => {
    expect(await store.latestTrend()).toBe(0);
    await store.submit([follow(1, 2), trend(...ODD_NUMBERS), follow(2, 3)]);
    const changes = await stored(store);
    expect(kinds(changes)).toEqual(['1 follow', '2 trend', '3 follow']);
    expect(changes[1]).toEqual({ ...trend(...ODD_NUMBERS), seq: 2 });
    expect(await store.latestTrend()).toBe(2);
  });

  it('are removed by a purge when there is a later row', async ({ store }) => {
    await store.submit([trend(1), follow(1, 2), trend(2), trend(3), follow(2, 3)]);
    await store.purge();
    expect(kinds(await stored(store))).toEqual(['2 follow', '4 trend', '5 follow']);
    expect(await store.latestTrend()).toBe(4);
    await store.purge();
    expect(await store.latestTrend()).toBe(4);
  });

  it('limit a purge, because later rows are not learnt yet', async ({ store }) => {
    const names = [named('user', 1, 'one'), named('user', 2, 'two'), named('item', 1, 'i')];
    await store.submit([...names, interaction(1, 1), interaction(2, 1), erased(1), trend(1), erased(2)]);
    await store.purge();
    const left = ['2 name', '3 name', '5 interaction', '6 erasure', '7 trend', '8 erasure'];
    expect(kinds(await stored(store))).toEqual(left);
    await store.submit([trend(2)]);
    await store.purge();
    expect(kinds(await stored(store))).toEqual(['3 name', '6 erasure', '8 erasure', '9 trend']);
  });

  testPlace('continue after restarts as without them', async (place) =>
    withPlace(place.engine, async (other_place) => {
      const [clock, other_clock] = [new ManualClock(START), new ManualClock(START)];
      let service = await open(place, clock);
      const other = await open(other_place, other_clock);
      await post(service);
      await post(other);
      for (const rounds of [3, 40, 1, 30]) {
        await engage(service, clock, rounds);
        await engage(other, other_clock, rounds);
        await closeService(service);
        service = await open(place, clock);
        expect(service.state.trend.numbers()).toEqual(other.state.trend.numbers());
      }
      expect(service.state.trend.events).toBeGreaterThan(100);
      await closeService(service);
      await closeService(other);
    }),
  );

  testPlace('are stored before a purge removes the rows they were learnt from', async (place) => {
    const clock = new ManualClock(START);
    let service = await open(place, clock);
    await post(service);
    await engage(service, clock, 40);
    await service.ingest.deleteUser('u3');
    await service.ingest.deleteUser('author 2');
    await engage(service, clock, 5);
    await purgeCommunity(service);
    const known = service.state.trend.numbers();
    const kept = (await stored(service.store)).filter(({ kind }) => kind === 'interaction').length;
    expect(kept).toBeLessThan(85);
    await closeService(service);
    service = await open(place, clock);
    expect(service.state.trend.numbers()).toEqual(known);
    await closeService(service);
  });

  testPlace('do not delay the purge of later erasures, even if nothing else happens', async (place) => {
    const clock = new ManualClock(START);
    const service = await open(place, clock);
    await post(service);
    await engage(service, clock, 10);
    await purgeCommunity(service);
    await service.ingest.deleteUser('u3');
    await purgeCommunity(service);
    const names = (await stored(service.store)).filter(({ kind }) => kind === 'name');
    expect(names.some((change) => change.kind === 'name' && change.id === 'u3')).toBe(false);
    const trends = async () => (await stored(service.store)).filter(({ kind }) => kind === 'trend');
    const [{ seq }, ...more] = await trends();
    expect(more).toEqual([]);
    // Nothing happened since, so nothing is written.
    await purgeCommunity(service);
    expect((await trends()).map((change) => change.seq)).toEqual([seq]);
    await closeService(service);
  });
});
