import { afterAll, describe, expect, test } from 'bun:test';
import { freshSeed } from '../../src/clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { Client } from './support/client.ts';
import { killAll, startService } from './support/service-process.ts';
import { RETENTION_DAYS, Soak, type SoakPlan } from './support/soak.ts';
import { growthOf, type SoakSample, tableOf } from './support/soak-figures.ts';

/**
 * Checks that the memory of the service stays flat under half load while its items are replaced. Long runs execute it
 * for a few seconds, to check the answers. For a real soak test:
 * `FEEDLOOM_SOAK_MINUTES=30 bun test test/simulation/soak.test.ts`
 */
const MINUTES = Number(process.env.FEEDLOOM_SOAK_MINUTES ?? 0);
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
const SHORT: SoakPlan = { seed: SEED, seconds: 4, items_per_second: 200, life_seconds: 3600, samples: 8 };
/** Items are retired some minutes after they became too old, so most items wait for that. */
const LONG: SoakPlan = {
  seed: SEED,
  seconds: MINUTES * 60,
  items_per_second: 200,
  life_seconds: 30,
  samples: 120,
};
/** Maximum growth of memory from the second quarter to the last. */
const GROWTH_MAX = 0.05;

afterAll(killAll);
const data = temporaryFolder('soak');

const CHECKPOINTS =
  MINUTES === 0
    ? { FEEDLOOM_CHECKPOINT_CHANGES: '1', FEEDLOOM_CHECKPOINT_SECONDS: '0' }
    : { FEEDLOOM_CHECKPOINT_CHANGES: '10000', FEEDLOOM_CHECKPOINT_SECONDS: '60' };

const soakTest = MINUTES > 0 ? test : longTest;

soakTest(
  `is served under half load for ${MINUTES === 0 ? 'a moment' : `${MINUTES} minutes`} (seed ${SEED})`,
  async () => {
    const env = {
      ...CHECKPOINTS,
      FEEDLOOM_RETENTION_DAYS: String(RETENTION_DAYS),
      FEEDLOOM_DERIVED_LAG_MS: '100',
    };
    const service = await startService(data, { env });
    const soak = new Soak(new Client(service.address), MINUTES === 0 ? SHORT : LONG);
    await soak.run();
    // Checkpoints have a lower priority than requests: on a busy machine they wait for a pause.
    await service.logged('checkpoint written');
    expect(await service.stop()).toBe(0);
    const growth = growthOf(soak.taken);
    console.log(
      `${tableOf(soak.taken)}\n${JSON.stringify(soak.counts)}, growth ${(growth * 100).toFixed(1)} %`,
    );
    for (const count of Object.values(soak.counts)) expect(count).toBeGreaterThan(0);
    if (MINUTES > 0) expect(growth).toBeLessThanOrEqual(GROWTH_MAX);
  },
  (MINUTES + 2) * 60_000,
);

describe('growth', () => {
  const samplesOf = (rss: readonly number[]): SoakSample[] =>
    rss.map((rss_bytes, at) => ({
      seconds: at + 1,
      rss_bytes,
      heap_bytes: 1,
      items: 1,
      checkpoints: at,
      requests: 10,
      p99_ms: 1,
    }));

  test('growth is the last quarter over the second, whatever the first quarter and a few peaks were', () => {
    expect(growthOf(samplesOf([9, 9, 9, 9, 100, 100, 100, 100, 7, 7, 7, 7, 110, 110, 500, 110]))).toBeCloseTo(
      0.1,
    );
    expect(growthOf(samplesOf(Array.from({ length: 40 }, () => 100)))).toBe(0);
    const leaking = Array.from({ length: 120 }, (_, at) => 200 + at);
    expect(growthOf(samplesOf(leaking))).toBeGreaterThan(GROWTH_MAX);
  });

  test('growth is shown in a table of twelve rows, with requests per second', () => {
    const lines = tableOf(samplesOf(Array.from({ length: 24 }, () => 2 ** 20))).split('\n');
    expect(lines).toHaveLength(13);
    expect(lines[12].trim().split(/\s+/)).toEqual(['24', '1.0', '0.0', '1', '23', '10', '1.0']);
    expect(tableOf(samplesOf([1, 2])).split('\n')).toHaveLength(3);
  });
});
