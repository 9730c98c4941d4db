import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { killAll, startService } from '../simulation/support/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { MISSING, PatroniCluster } from './patroni-cluster.ts';
import { Load } from './patroni-load.ts';
import { deployText, deployYaml } from './support.ts';

/** Longest time without an acknowledged like or page, on a busy machine. Patroni waits 20 s for a silent primary. */
const OUTAGE_MS_MAX = 60_000;
const TEST_MS = 240_000;
const SKIPPED = MISSING.length === 0 ? '' : ` (skipped: apt-get install ${MISSING.join(' ')})`;

afterAll(killAll);
const folder = temporaryFolder('patroni');

/** Connections of a node to its database, see docs/operations.md. */
const CONNECTIONS = 46;

describe('the files of deploy/patroni/', () => {
  interface Shared {
    ttl: number;
    loop_wait: number;
    retry_timeout: number;
    postgresql: { parameters: { max_connections: number } };
  }
  const { bootstrap } = deployYaml('patroni/patroni.yml')[0] as { bootstrap: { dcs: Shared } };
  const { ttl, loop_wait, retry_timeout, postgresql } = bootstrap.dcs;
  const proxy = deployText('patroni/haproxy.cfg');

  test('end the sessions of a silent primary before another member takes over', () => {
    const seconds = (setting: RegExp) => Number(setting.exec(proxy)?.[1]);
    const checked = seconds(/timeout check (\d+)s/);
    const noticed = checked + seconds(/inter (\d+)s/) * seconds(/fall (\d+)/);
    // The key may have been renewed long before the member fell silent.
    expect(noticed).toBeLessThan(ttl - loop_wait - retry_timeout);
    expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl);
  });

  test('have room for the connections of three nodes', () => {
    expect(postgresql.parameters.max_connections).toBeGreaterThan(3 * CONNECTIONS);
    expect(Number(/maxconn (\d+)/.exec(proxy)?.[1])).toBeGreaterThan(CONNECTIONS);
  });
});

describe.skipIf(SKIPPED !== '')(`three nodes on a database that Patroni keeps available${SKIPPED}`, () => {
  longTest(
    'keep every acknowledged like and show no item twice when the primary is killed, and then its machine',
    async () => {
      const database = await PatroniCluster.start();
      const starting = [1, 2, 3].map((node) =>
        startService(join(folder, String(node)), {
          env: {
            FEEDLOOM_DATABASE_URL: database.urlFor(node),
            FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-cluster',
          },
        }),
      );
      const nodes = await Promise.all(starting);
      const load = new Load(nodes);
      await load.begin();

      const first = await database.settled(3);
      database.killPostgres(first);
      const second = await database.settled(3, first);
      const crash = await load.outage();

      database.killMachine(second);
      await database.settled(2, second);
      const loss = await load.outage();

      await load.end();
      for (const node of nodes) await load.compare(node);
      console.log(`Patroni, longest outage in ms: ${JSON.stringify({ crash, loss, ...load.counts })}`);
      expect(load.violations).toEqual([]);
      for (const ms of Object.values({ ...crash, ...loss })) expect(ms).toBeLessThan(OUTAGE_MS_MAX);
    },
    TEST_MS,
  );
});
