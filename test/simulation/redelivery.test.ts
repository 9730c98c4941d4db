import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freshSeed, type Random, seededRandom } from '../../src/clock.ts';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { exportFiles } from '../../src/interchange/exporter.ts';
import { openStore } from '../../src/store/open-store.ts';
import { readFiles } from '../interchange/support.ts';
import {
  type Body,
  bodiesOf,
  type Delivery,
  deliverTo,
  type Fields,
  randomHistory,
  shuffled,
} from '../support/deliveries.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { openTestService } from '../support/service.ts';
import { type Answer, Client, Disconnected } from './support/client.ts';
import { killAll, type ServiceProcess, startService } from './support/service-process.ts';

/**
 * Networks deliver at least once. Records may be delivered again in any order, and the export stays the same. To repeat
 * a run: `FEEDLOOM_SIMULATION_SEED=123 bun test test/simulation/redelivery.test.ts`.
 */
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());

/** Location of data. */
interface Place {
  data: string;
  database_url?: string;
}

afterAll(killAll);
const folder = temporaryFolder('redelivery');

/** Every file of an export, taken while the service runs. */
async function exportOf(place: Place): Promise<Record<string, string>> {
  const store = await openStore({ ...place, write_queue: 1, role: 'beside', command: 'test' });
  const into = mkdtempSync(join(folder, 'export-'));
  try {
    const target = new ExportFolder(join(into, 'files'), { force: false, gzip: false });
    await exportFiles(store, target);
    target.finish();
    return readFiles(join(into, 'files'));
  } finally {
    await store.close();
    rmSync(into, { recursive: true });
  }
}

/** The differing lines, as whole exports would be too long. */
function differences(one: Record<string, string>, other: Record<string, string>): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) => {
    const [before, after] = [one, other].map((files) => new Set((files[name] ?? '').split('\n')));
    const gone = [...before].filter((line) => !after.has(line)).map((line) => `${name} - ${line}`);
    const come = [...after].filter((line) => !before.has(line)).map((line) => `${name} + ${line}`);
    const moved = gone.length + come.length === 0 && one[name] !== other[name] ? [`${name}: order`] : [];
    return [...gone, ...come, ...moved].slice(0, 10);
  });
}

async function deliverAgain(count: number, again_count: number, database_url?: string): Promise<void> {
  const history = randomHistory(SEED, count);
  const last = history.slice(-again_count);
  await using opened = await openTestService({ settings: { database_url } });
  const place = { data: opened.dir, database_url };
  await deliverTo(opened.service, history);
  const once = await exportOf(place);
  expect(Object.keys(once)).toContain('interactions.csv');
  await deliverTo(opened.service, last);
  expect(differences(once, await exportOf(place))).toEqual([]);
  await deliverTo(opened.service, shuffled(last, SEED + 1));
  expect(differences(once, await exportOf(place))).toEqual([]);
}

longTest(
  `sending the last 300 of 1,000 changes again, in order and shuffled, does not change the export (seed ${SEED})`,
  () => deliverAgain(1_000, 300),
  60_000,
);

test(`sending the last 100 of 300 changes again, in order and shuffled, does not change the export on PostgreSQL (seed ${SEED})`, async () =>
  deliverAgain(300, 100, await emptyDatabase()));

longTest(
  `the last 5,000 of 20,000 changes, sent again and then shuffled, leave the export as it was (seed ${SEED})`,
  () => deliverAgain(20_000, 5_000),
  600_000,
);

/** A service that is sometimes killed while it receives a body, and gets the body again after its start. */
class KilledService {
  private service: ServiceProcess | undefined;
  kills = 0;

  constructor(
    private readonly data: string,
    private readonly random: Random,
    /** Probability of a kill per body. */
    private readonly kill_chance: number,
  ) {}

  async deliver(deliveries: readonly Delivery[]): Promise<void> {
    for (const body of bodiesOf(deliveries)) while (!(await this.send(body))) this.kills++;
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    this.service = undefined;
  }

  /** @returns whether the body was acknowledged */
  private async send(body: Body): Promise<boolean> {
    this.service ??= await startService(this.data);
    const { service } = this;
    const is_killed = this.random() < this.kill_chance;
    const sending = this.answered(new Client(service.address), body);
    if (!is_killed) return sending;
    // Some kills happen before the body has arrived, some while it is stored, some later.
    for (let turns = Math.floor(this.random() * 40); turns > 0; turns--) await new Promise(setImmediate);
    this.service = undefined;
    await service.crash();
    return sending;
  }

  private async answered(client: Client, body: Body): Promise<boolean> {
    try {
      const { status, body: answer } = await sent(client, body);
      expect([status, answer.rejected ?? []]).toEqual([200, []]);
      return true;
    } catch (error) {
      if (error instanceof Disconnected) return false;
      throw error;
    }
  }
}

function sent(client: Client, body: Body): Promise<Answer<Fields>> {
  switch (body.kind) {
    case 'list':
      return client.call('PUT', `${NETWORK}/users/${encodeURIComponent(body.user_id)}/follows`, body.record);
    case 'deletion': {
      const { of, id, timestamp } = body;
      return client.call('DELETE', `${NETWORK}/${of}/${encodeURIComponent(id)}?timestamp=${timestamp}`);
    }
    default:
      return client.post(body.kind, body.records);
  }
}

const NETWORK = '/v2/farcaster';

async function deliverAgainKilled(count: number, again_count: number, kills: number): Promise<void> {
  const history = randomHistory(SEED, count);
  const last = history.slice(-again_count);
  const data = mkdtempSync(join(folder, 'data-'));
  const bodies = bodiesOf(history).length + 2 * bodiesOf(last).length;
  const service = new KilledService(data, seededRandom(SEED + 2), kills / bodies);
  const exported = () => exportOf({ data });
  await service.deliver(history);
  const once = await exported();
  await service.deliver(last);
  expect(differences(once, await exported())).toEqual([]);
  await service.deliver(shuffled(last, SEED + 1));
  await service.stop();
  expect(differences(once, await exported())).toEqual([]);
  console.log(`${service.kills} kills between acknowledgements`);
}

test(
  `sending the last 50 of 150 changes again while the service is killed does not change the export (seed ${SEED})`,
  () => deliverAgainKilled(150, 50, 2),
  120_000,
);

longTest(
  `the last 1,200 of 4,000 changes, sent again and then shuffled while the service is killed, leave the export as it was (seed ${SEED})`,
  () => deliverAgainKilled(4_000, 1_200, 12),
  600_000,
);
