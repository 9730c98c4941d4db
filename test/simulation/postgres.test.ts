import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { freshSeed, seededRandom } from '../../src/clock.ts';
import { run } from '../cli/run.ts';
import { exported, Forum, MAP, TABLES } from '../plugins/integrations/postgres-forum.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { LogicalServer } from '../support/postgres/logical-server.ts';
import { API_KEY, killAll, type ServiceProcess, startService } from './support/service-process.ts';

/** `FEEDLOOM_SIMULATION_SEED=123 bun test --timeout 600000 test/simulation/postgres.test.ts` repeats a run. */
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());

afterAll(killAll);

interface Plan {
  rows: number;
  /** Changes while the tables are copied, and changes afterwards. */
  changes: [number, number];
  /** The changes afterwards, each second. Default: as fast as possible. */
  per_second?: number;
}

/** A forum, and a service that reads it and is killed. */
class Play {
  service!: ServiceProcess;
  readonly lags_ms: number[] = [];
  private readonly data = temporaryFolder('postgres');
  private readonly draw = seededRandom(SEED);
  private readonly slot = `slot_${crypto.randomUUID().replaceAll('-', '')}`;
  private probes = 0;

  constructor(
    readonly server: LogicalServer,
    readonly forum: Forum,
  ) {}

  async start(): Promise<void> {
    const map = join(this.data, '..', `${this.data.split('/').pop()}-maps`);
    writeFileSync(map, MAP);
    const env = {
      FEEDLOOM_CONNECT: `postgres?url_env=APP_DATABASE_URL&map=${map}&slot=${this.slot}`,
      APP_DATABASE_URL: this.forum.url,
    };
    this.service = await startService(this.data, { env });
  }

  async kill(): Promise<void> {
    await this.service.crash();
    await this.start();
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async get(path: string): Promise<{ status: number; body: any }> {
    const answer = await fetch(`${this.service.address}${path}`, {
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    return { status: answer.status, body: await answer.json() };
  }

  async copied(): Promise<number> {
    const { body } = await this.get('/api/connectors');
    const { cursor } = body.data[0];
    return cursor === null ? 0 : JSON.parse(cursor).copied.length;
  }

  async untilCopied(lines: number): Promise<void> {
    while ((await this.copied()) < lines) await Bun.sleep(5);
  }

  async change(count: number): Promise<void> {
    const statements = Array.from({ length: count }, () => this.forum.change(this.draw));
    for (let attempt = 0; ; attempt++) {
      try {
        await this.forum.db.unsafe(statements.join(';'));
        return;
      } catch (error) {
        // The server was restarted, and the transaction is gone.
        if (attempt === 20) throw error;
        await Bun.sleep(200);
      }
    }
  }

  /** A change, and how long it takes until the service has it. */
  async probe(): Promise<void> {
    // Other changes add users with positive identifiers.
    const id = -++this.probes;
    const other = new SQL({ url: this.forum.url, max: 1 });
    await other.unsafe(`insert into users values (${id}, 'probe', '2025-01-01')`);
    const from = performance.now();
    while ((await this.get(`/v2/community/users/${id}`)).status !== 200) await Bun.sleep(2);
    this.lags_ms.push(performance.now() - from);
    await other.unsafe(`delete from users where id = ${id}`);
    while ((await this.get(`/v2/community/users/${id}`)).status !== 404) await Bun.sleep(2);
    await other.close();
  }

  async contents(): Promise<ReturnType<typeof exported>> {
    const folder = temporaryFolder('export');
    const ran = await run('export', folder, '--data', this.data);
    expect(ran).toMatchObject({ code: 0 });
    return exported(folder);
  }
}

async function play({ rows, changes: [during, after], per_second }: Plan): Promise<Play> {
  const server = LogicalServer.start('postgres-restarted');
  const forum = await Forum.open(await server.fresh());
  await forum.fill(rows);
  const on = new Play(server, forum);
  await on.start();
  // Killed in the first copy.
  await on.untilCopied(1);
  await on.change(during);
  await on.kill();
  await on.untilCopied(3);
  await on.change(during);
  await on.kill();
  await on.untilCopied(TABLES.length);
  // Killed in the stream, and the database is restarted.
  const began = performance.now();
  let measuring: Promise<void> | undefined;
  const at_halves: (() => Promise<unknown>)[] = [
    () => on.kill(),
    async () => on.server.restart(),
    () =>
      on.forum.db.unsafe(
        'alter table posts add column further text; alter table likes drop column if exists further',
      ),
  ];
  const size = per_second === undefined ? 20 : per_second / 20;
  for (let done = 0; done < after; done += size) {
    await on.change(size);
    const next = Math.floor((done / after) * (at_halves.length + 1));
    if (next > 3 - at_halves.length && at_halves.length > 0) {
      await measuring;
      await at_halves.shift()?.();
    }
    if (per_second === undefined) continue;
    measuring ??= on.probe().finally(() => {
      measuring = undefined;
    });
    const ahead_ms = (done / per_second) * 1000 - (performance.now() - began);
    if (ahead_ms > 0) await Bun.sleep(ahead_ms);
  }
  await measuring;
  console.log(`${after} changes in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await on.probe();
  return on;
}

test('a community equals the tables of a forum after kills in the copy and in the stream', async () => {
  const on = await play({ rows: 3_000, changes: [100, 400] });
  expect(await on.contents()).toEqual(await on.forum.contents());
}, 120_000);

longTest(
  'a community equals a forum of 100,000 rows after a minute of 1,000 changes a second, and is less than a second behind',
  async () => {
    const on = await play({ rows: 100_000, changes: [2_000, 60_000], per_second: 1_000 });
    expect(await on.contents()).toEqual(await on.forum.contents());
    const { lags_ms } = on;
    const median = lags_ms.toSorted((a, b) => a - b)[Math.floor(lags_ms.length / 2)];
    console.log(
      `lag: median ${median.toFixed(0)} ms, most ${Math.max(...lags_ms).toFixed(0)} ms of ${lags_ms.length}`,
    );
    expect(median).toBeLessThan(1_000);
  },
  600_000,
);
