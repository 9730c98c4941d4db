import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshSeed, ManualClock, seededRandom } from '../../src/clock.ts';
import { freshDatabase } from '../support/postgres.ts';
import { openTestService, START, type TestServiceOptions } from '../support/service.ts';
import { allPages, Contention } from './support/contention.ts';

const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());

const folder = mkdtempSync(join(tmpdir(), 'feedloom-fold-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Pages of a service that folds what is stored; it is closed again. */
async function pagesAfterStart(options: TestServiceOptions): Promise<Map<string, string>> {
  const opened = await openTestService(options);
  try {
    return await allPages(opened.service);
  } finally {
    await opened.close();
  }
}

/** The first page that is not the same, in a form that a failing test shows well. */
function firstDifference(before: Map<string, string>, after: Map<string, string>): unknown[] {
  for (const [request, page] of before) {
    if (after.get(request) !== page)
      return [request, JSON.parse(page), JSON.parse(after.get(request) ?? 'null')];
  }
  return [];
}

describe('a fold of what is stored', () => {
  for (const seed of [SEED, SEED + 1, SEED + 2]) {
    test(`gives the pages that the running service gave, byte for byte (seed ${seed})`, async () => {
      const data = join(folder, `live-${seed}`);
      const copied = join(folder, `copy-${seed}`);
      const clock = new ManualClock(START);
      const opened = await openTestService({ data, clock });
      await new Contention(opened.service, clock, seededRandom(seed)).run(40);
      const live = await allPages(opened.service);
      // As a machine leaves it that loses power: nothing purged, everything still in the log.
      cpSync(data, copied, { recursive: true });
      await opened.close();
      const crashed = await pagesAfterStart({ data: copied, clock });
      expect(firstDifference(live, crashed)).toEqual([]);
      const stopped = await pagesAfterStart({ data, clock });
      expect(firstDifference(live, stopped)).toEqual([]);
    });
  }

  test(`gives the same pages on PostgreSQL (seed ${SEED})`, async () => {
    const database_url = await freshDatabase();
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
