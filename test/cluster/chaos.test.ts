import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freshSeed, monotonicMs, seededRandom } from '../../src/clock.ts';
import { killAll } from '../simulation/support/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { ReplicatedServer } from '../support/postgres/replicated-server.ts';
import { Chaos, type ChaosPlan, type Fault, shuffled } from './chaos/chaos.ts';
import { oneOf } from './chaos/world.ts';

/**
 * Three nodes under random faults. `FEEDLOOM_CHAOS_MINUTES=30` runs the long version, too, which `bun run test:long` has no
 * time for. `FEEDLOOM_SIMULATION_SEED=123` repeats the choices of a run.
 */
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
const MINUTES = Number(process.env.FEEDLOOM_CHAOS_MINUTES ?? 0);
/** Fail-overs of a long run: two in three minutes. */
const FAIL_OVERS_MIN = Math.floor((MINUTES * 2) / 3);
const SHORT_TEST_MS = 300_000;
/** The end of a long run is checked after its last fault. */
const LONG_TEST_MS = (MINUTES + 15) * 60_000;

afterAll(killAll);
const folder = temporaryFolder('chaos');

/** Runs a plan, prints its figures, and checks that nothing was violated. */
async function run(name: string, plan: ChaosPlan): Promise<Chaos> {
  const database = await ReplicatedServer.start(`chaos-${name}`);
  try {
    const chaos = new Chaos(plan, database, await database.freshDatabase(), join(folder, name));
    await chaos.run();
    console.log(`chaos, seed ${plan.seed}: ${JSON.stringify({ ...chaos.figures, ...chaos.world.counts })}`);
    expect(chaos.world.violations).toEqual([]);
    return chaos;
  } finally {
    database.close();
  }
}

longTest(
  `no viewer is shown an item twice and no acknowledged write is lost while nodes and the database fail (seed ${SEED})`,
  async () => {
    const order = shuffled(seededRandom(SEED), ['kill', 'pause', 'restart', 'promote', 'stop']);
    const plan: ChaosPlan = {
      ...{ seed: SEED, nodes: 3, viewers: 4, writers: 2 },
      ...{ pace_ms: 20, pause_ms: undefined, calm_ms: 500, leader_share: 1 },
      next: () => order.shift(),
    };
    const { figures, world } = await run('short', plan);
    expect(figures.faults).toEqual({ kill: 1, pause: 1, restart: 1, promote: 1, stop: 1 });
    expect(figures.fail_overs).toBeGreaterThanOrEqual(3);
    const { items_shown, reads_after_write, items_deleted } = world.counts;
    for (const count of [items_shown, reads_after_write, items_deleted]) expect(count).toBeGreaterThan(0);
  },
  SHORT_TEST_MS,
);

test.skipIf(MINUTES === 0)(
  `the same holds for ${MINUTES} minutes of faults (seed ${SEED})`,
  async () => {
    const start_ms = monotonicMs();
    const plan: ChaosPlan = {
      ...{ seed: SEED, nodes: 3, viewers: 6, writers: 2 },
      ...{ pace_ms: 400, pause_ms: 20_000, calm_ms: 6_000, leader_share: 0.75 },
      next(random, { faults, fail_overs }) {
        const passed = (monotonicMs() - start_ms) / (MINUTES * 60_000);
        if (passed > 1 && fail_overs >= FAIL_OVERS_MIN) return undefined;
        if (passed > 0.5 && faults.promote === 0) return 'promote';
        return oneOf<Fault>(random, ['kill', 'kill', 'pause', 'pause', 'stop', 'restart']);
      },
    };
    const { figures } = await run('long', plan);
    expect(figures.fail_overs).toBeGreaterThanOrEqual(FAIL_OVERS_MIN);
    expect(figures.faults.promote).toBe(1);
  },
  LONG_TEST_MS,
);
