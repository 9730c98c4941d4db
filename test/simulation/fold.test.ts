import { describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { freshSeed, ManualClock, type Random, seededRandom } from '../../src/clock.ts';
import type { Service } from '../../src/service.ts';
import { temporaryFolder } from '../support/folder.ts';
import { times } from '../support/long.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { Rounds } from '../support/rounds.ts';
import { openTestService, START, type TestServiceOptions } from '../support/service.ts';
import { allPages, Contention } from './support/contention.ts';
import { Trading } from './support/trading.ts';

const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());

const folder = temporaryFolder('fold');

/** What writes to a community, and its pages. */
interface Writers {
  run(service: Service, rounds: number): Promise<void>;
  pages(service: Service): Promise<Map<string, string>>;
}

const COMMUNITIES: Record<string, (clock: ManualClock, random: Random) => Writers> = {
  content: (clock, random) => ({
    run: (service, rounds) => new Contention(service, clock, random).run(rounds),
    pages: allPages,
  }),
  wallets: (clock, random) => new Trading(clock, random),
};

/** Pages of a service that replays the stored changes. The service is closed again. */
async function pagesAfterStart(options: TestServiceOptions, pages = allPages): Promise<Map<string, string>> {
  await using opened = await openTestService(options);
  return await pages(opened.service);
}

/** The first page that differs, in a readable form. */
function firstDifference(before: Map<string, string>, after: Map<string, string>): unknown[] {
  for (const [request, page] of before) {
    if (after.get(request) !== page)
      return [request, JSON.parse(page), JSON.parse(after.get(request) ?? 'null')];
  }
  return [];
}

describe('a replay of the stored changes', () => {
  const runs = Object.entries(COMMUNITIES).flatMap(([name, writersOf]) =>
    Array.from({ length: times(1) }, (_, at) => ({ name, writersOf, seed: SEED + at })),
  );
  test.each(runs)(
    'a replay of the stored changes of $name gives the pages of the running service byte for byte (seed $seed)',
    async ({ name, writersOf, seed }) => {
      const data = join(folder, `${name}-${seed}`);
      const copied = join(folder, `${name}-copy-${seed}`);
      const clock = new ManualClock(START);
      const opened = await openTestService({ data, clock });
      const writers = writersOf(clock, seededRandom(seed));
      await writers.run(opened.service, 40);
      // An idle period and a stop store nothing.
      clock.advance(86_400);
      const pages = (service: Service) => writers.pages(service);
      const live = await pages(opened.service);
      // The data after a power loss: nothing was purged, and all changes are still in the log.
      cpSync(data, copied, { recursive: true });
      await opened.close();
      const crashed = await pagesAfterStart({ data: copied, clock }, pages);
      expect(firstDifference(live, crashed)).toEqual([]);
      const stopped = await pagesAfterStart({ data, clock }, pages);
      expect(firstDifference(live, stopped)).toEqual([]);
    },
  );

  test(`a replay gives the pages of a service that retired items and reused their ordinals (seed ${SEED})`, async () => {
    const data = join(folder, 'retired');
    const copied = join(folder, 'retired-copy');
    const clock = new ManualClock(START);
    const rounds = new Rounds();
    const settings = { retention_days: 6 };
    const opened = await openTestService({
      data,
      clock,
      settings,
      opening: { retires_items: true, timers: rounds },
    });
    const { state, retention } = opened.service;
    let turns = 0;
    const meanwhile = () => (++turns % 4 === 0 ? rounds.purge() : rounds.retire());
    await new Contention(opened.service, clock, seededRandom(SEED), meanwhile).run(90);
    expect(retention?.retired).toBeGreaterThan(100);
    expect(state.recycler.completed).toBeGreaterThan(2);
    expect(state.items.size).toBeLessThan(retention?.retired ?? 0);
    const live = await allPages(opened.service);
    cpSync(data, copied, { recursive: true });
    await rounds.purge();
    await opened.close();
    const crashed = await pagesAfterStart({ data: copied, clock, settings });
    expect(firstDifference(live, crashed)).toEqual([]);
    const purged = await pagesAfterStart({ data, clock, settings });
    expect(firstDifference(live, purged)).toEqual([]);
  });

  test(`a replay gives the same pages on PostgreSQL (seed ${SEED})`, async () => {
    const database_url = await emptyDatabase();
    const clock = new ManualClock(START);
    const options = { data: join(folder, 'unused'), clock, settings: { database_url } };
    const opened = await openTestService(options);
    await new Contention(opened.service, clock, seededRandom(SEED)).run(15);
    const live = await allPages(opened.service);
    await opened.close();
    const again = await pagesAfterStart(options);
    expect(firstDifference(live, again)).toEqual([]);
  });
});
