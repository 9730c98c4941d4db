import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, seededRandom } from '../../src/clock.ts';
import { killAll, type ServiceProcess, startService } from '../simulation/support/service-process.ts';
import { freshDatabase } from '../support/postgres.ts';
import { call, pageOf, roleOf } from './processes.ts';
import { item, until } from './support.ts';

const TEST_MS = 120_000;
const NODES = 3;
const VIEWERS = 4;
/** Pages of each viewer after each fault. */
const PAGES = 15;
const ITEMS = 500;
const folder = mkdtempSync(join(tmpdir(), 'feedloom-random-'));

afterAll(async () => {
  await killAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Three processes, some of which a test kills or pauses. */
class Nodes {
  readonly running: ServiceProcess[] = [];

  constructor(private readonly database_url: string) {}

  async start(): Promise<ServiceProcess> {
    const env = {
      FEEDLOOM_DATABASE_URL: this.database_url,
      FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-cluster',
    };
    const node = await startService(join(folder, crypto.randomUUID()), { env });
    this.running.push(node);
    return node;
  }

  async leader(): Promise<ServiceProcess> {
    return until(
      async () => {
        for (const node of this.running) if ((await roleOf(node)) === 'leader') return node;
        return undefined;
      },
      (found) => found !== undefined,
    ) as Promise<ServiceProcess>;
  }
}

/** What a viewer was shown, by answers that recorded it. */
class Viewer {
  readonly shown: string[] = [];

  constructor(readonly user_id: string) {}

  /** Asks a random node for pages, some of them at two nodes at once. */
  async read(nodes: readonly ServiceProcess[], random: Random): Promise<void> {
    for (let page = 0; page < PAGES; page++) {
      const asked = Array.from({ length: random() < 0.3 ? 2 : 1 }, () =>
        this.ask(nodes[Math.floor(random() * nodes.length)]),
      );
      for (const ids of await Promise.all(asked)) this.shown.push(...ids);
    }
  }

  private async ask(node: ServiceProcess): Promise<string[]> {
    const body = { user_id: this.user_id, top_k: 2, impression_count: 2 };
    const answer = await call(node, 'POST', '/v2/farcaster/feeds/popular', body);
    return answer?.status === 200 ? answer.body.body.map(({ item_id }: { item_id: string }) => item_id) : [];
  }
}

test(
  'no viewer is shown an item twice, and no acknowledged write is lost, while leaders are killed and paused',
  async () => {
    const random = seededRandom(45);
    const nodes = new Nodes(await freshDatabase());
    for (let number = 0; number < NODES; number++) await nodes.start();
    const stored: string[] = [];
    const write = async (first: number, count: number): Promise<void> => {
      for (let number = first; number < first + count; number += 10) {
        const ids = Array.from({ length: 10 }, (_, at) => `item${number + at}`);
        const node = nodes.running[Math.floor(random() * nodes.running.length)];
        const answer = await call(
          node,
          'POST',
          '/v2/farcaster/items',
          ids.map((id) => item(id)),
        );
        if (answer?.status === 200) stored.push(...ids);
      }
    };
    await write(0, ITEMS / 2);
    const viewers = Array.from({ length: VIEWERS }, (_, number) => new Viewer(`viewer${number}`));
    const readAll = () => Promise.all(viewers.map((viewer) => viewer.read(nodes.running, random)));
    await Promise.all([readAll(), write(ITEMS / 2, ITEMS / 4)]);

    const killed = await nodes.leader();
    const reading = readAll();
    await killed.crash();
    nodes.running.splice(nodes.running.indexOf(killed), 1);
    await Promise.all([reading, nodes.leader(), nodes.start()]);
    await readAll();

    const paused = await nodes.leader();
    process.kill(paused.pid, 'SIGSTOP');
    const others = nodes.running.filter((node) => node !== paused);
    try {
      await until(
        () => Promise.all(others.map(roleOf)),
        (roles) => roles.includes('leader'),
      );
      await Promise.all(viewers.map((viewer) => viewer.read(others, random)));
    } finally {
      process.kill(paused.pid, 'SIGCONT');
    }
    await Promise.all([readAll(), write((ITEMS * 3) / 4, ITEMS / 4)]);

    for (const { shown } of viewers) expect(shown.length - new Set(shown).size).toBe(0);
    expect(viewers.reduce((sum, { shown }) => sum + shown.length, 0)).toBeGreaterThan(VIEWERS * PAGES);
    expect(stored.length).toBeGreaterThan(ITEMS / 2);
    const pages = await Promise.all(nodes.running.map((node) => pageOf(node, { seed: 7 })));
    expect(stored.filter((id) => !pages[0].includes(id))).toEqual([]);
    for (const page of pages) expect(page).toEqual(pages[0]);
  },
  TEST_MS,
);
