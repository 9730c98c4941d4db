import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freshSeed } from '../../src/clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { times } from '../support/long.ts';
import { audit, STOPPED } from './support/audit.ts';
import { killAll } from './support/service-process.ts';
import { expectSoundCheckpoint } from './support/sound-checkpoint.ts';
import { WalletSimulation } from './support/wallet-simulation.ts';
import { storedWallets, WALLETS_FILE } from './support/wallet-tables.ts';

/**
 * Wallet events, catalog records and removals under concurrent load, with the service killed again and again. To change the
 * number of kills or repeat a run:
 * `FEEDLOOM_SIMULATION_KILLS=50 FEEDLOOM_SIMULATION_SEED=123 bun test test/simulation/wallets.test.ts`
 */
const KILLS = Number(process.env.FEEDLOOM_SIMULATION_KILLS ?? times(1, 6));
/** Kills while the community of wallets is created. */
const CREATIONS = Number(process.env.FEEDLOOM_SIMULATION_KILLS ?? times(1));
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
/** Generous timeout of one round. */
const ROUND_MS_MAX = 60_000;

afterAll(killAll);
const folder = temporaryFolder('wallets');

/** Result of the audit of the wallets' tables, and the `seq` of their checkpoint. */
async function expectSound(data: string, removes: boolean): Promise<number> {
  if (storedWallets(data, removes) === undefined) return 0;
  expect(audit(data, { ...STOPPED, file: WALLETS_FILE })).toEqual([]);
  return expectSoundCheckpoint(data, 'wallets');
}

/**
 * Maximum change of for-you scores between two starts, because new items and momentum age. On a busy machine that is
 * half a minute. `fold.test.ts` checks equality with a stopped clock.
 */
const MOVED_MAX = 0.05;

function expectSamePages(found: Map<string, number>[], expected: Map<string, number>[]): void {
  const [[popular], [expected_popular]] = [found, expected];
  expect([...popular]).toEqual([...expected_popular]);
  expect(found.length).toBe(expected.length);
  for (const [at, page] of expected.entries()) {
    const moved = [...page]
      .map(([item_id, score]) => [item_id, score, found[at].get(item_id)] as const)
      .filter(([, before, after]) => after === undefined || Math.abs(after - before) >= MOVED_MAX);
    expect(moved).toEqual([]);
    expect(found[at].size).toBe(page.size);
  }
}

/** The texts that are still in files of the folder. */
function found(data: string, texts: readonly string[]): string[] {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  return texts.filter((text) => bytes.some((content) => content.includes(text)));
}

test.each([
  ['keeps acknowledged wallet events and no partial ones', false],
  ['keeps erased wallets and deleted events away, and its clean stop leaves no row of them', true],
])(
  `the service %s over ${KILLS} kills (seed ${SEED})`,
  async (_, removes) => {
    const data = join(folder, `removes-${removes}`);
    const simulation = new WalletSimulation(SEED, data, removes);
    let client = await simulation.start();
    let checkpoints = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await simulation.runUntilKilled(
        client,
        kill === 0 && !removes ? simulation.planAtCreation() : simulation.plan(),
      );
      if ((await expectSound(data, removes)) > 0) checkpoints++;
      client = await simulation.start();
      expect(simulation.settle()).toEqual([]);
      await simulation.verify(client);
    }
    await simulation.checkpointed(client);
    const pages = await simulation.pages(client);
    await simulation.stop();
    expect(await expectSound(data, removes)).toBeGreaterThan(0);
    expect(simulation.settle()).toEqual([]);
    expect(simulation.erased.length > 0).toBe(removes);
    expect(found(data, simulation.erased)).toEqual([]);
    client = await simulation.start();
    expectSamePages(await simulation.pages(client), pages);
    await simulation.verify(client);
    await simulation.stop();
    console.log(`${simulation.report()}, ${checkpoints} kills with a checkpoint`);
    expect(simulation.figures.kills).toBe(KILLS);
  },
  ROUND_MS_MAX * (KILLS + 1),
);

test(
  `a kill while the community of wallets is created leaves all of it or nothing, ${CREATIONS} times (seed ${SEED})`,
  async () => {
    let before = 0;
    for (let kill = 0; kill < CREATIONS; kill++) {
      const data = join(folder, `created-${kill}`);
      const simulation = new WalletSimulation(SEED + kill, data, false);
      let client = await simulation.start();
      await simulation.runUntilKilled(client, simulation.planAtCreation());
      await expectSound(data, false);
      client = await simulation.start();
      expect(simulation.settle()).toEqual([]);
      before += simulation.figures.kills_before_anything_was_stored;
      await simulation.verify(client);
      await simulation.runUntilKilled(client, { acknowledged: 20, delay_ms: 0 });
      await expectSound(data, false);
      rmSync(data, { recursive: true });
    }
    console.log(`seed ${SEED}: ${CREATIONS} kills, ${before} of them before there was a community`);
  },
  ROUND_MS_MAX * CREATIONS,
);
