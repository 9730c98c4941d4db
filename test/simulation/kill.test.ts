import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freshSeed } from '../../src/clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { times } from '../support/long.ts';
import { audit, highestSeq, STOPPED } from './support/audit.ts';
import { killAll } from './support/service-process.ts';
import { LIVES_PER_CHECKPOINT, Simulation } from './support/simulation.ts';
import { expectSoundCheckpoint } from './support/sound-checkpoint.ts';

/**
 * Kills the service again and again under concurrent load. To change the number of kills or repeat a run:
 * `FEEDLOOM_SIMULATION_KILLS=50 FEEDLOOM_SIMULATION_SEED=123 bun test test/simulation/kill.test.ts`
 * (the seed repeats the requests; the effect of a kill also depends on the machine).
 */
const KILLS = Number(process.env.FEEDLOOM_SIMULATION_KILLS ?? times(1, 6));
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
/** Generous timeout of one round. */
const ROUND_MS_MAX = 60_000;

afterAll(killAll);
const folder = temporaryFolder('simulation');

test(
  `the service keeps acknowledged writes and no partial ones over ${KILLS} kills (seed ${SEED})`,
  async () => {
    const data = join(folder, 'data');
    const simulation = new Simulation(SEED, data);
    let client = await simulation.start();
    await simulation.prepare(client);
    let purged_until = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await simulation.runUntilKilled(client, simulation.plan());
      expect(audit(data, { purged_until, broken_off: purged_until > 0 })).toEqual([]);
      await expectSoundCheckpoint(data);
      purged_until = highestSeq(data);
      client = await simulation.start();
      await simulation.verify(client);
    }
    await simulation.checkpointed(client);
    const popular = await simulation.popularPages(client);
    await simulation.stop();
    expect(audit(data, STOPPED)).toEqual([]);
    client = await simulation.start();
    expect(await simulation.popularPages(client)).toEqual(popular);
    await simulation.verify(client);
    await simulation.stop();
    console.log(simulation.report());
    expect(simulation.figures.kills).toBe(KILLS);
    const { checkpoints_written, starts_from_checkpoint } = simulation.figures;
    expect(Math.min(checkpoints_written, starts_from_checkpoint)).toBeGreaterThan(
      KILLS / LIVES_PER_CHECKPOINT,
    );
  },
  ROUND_MS_MAX * (KILLS + 1),
);
