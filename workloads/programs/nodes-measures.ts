/** What `nodes.ts` measures on a leader and two followers that serve the same world. */

import { monotonicMs } from '../../src/clock.ts';
import { median, quantile } from '../../src/statistics.ts';
import { Acts } from '../bench/acts.ts';
import type { Server } from '../bench/children.ts';
import { postText } from '../bench/connection.ts';
import { connected, inTurns, ratios } from '../bench/context.ts';
import { withCpuMs } from '../bench/cpu-time.ts';
import type { Driver, Load } from '../bench/load.ts';
import type { Progress } from '../bench/progress.ts';
import { Viewers } from '../bench/requests.ts';
import { placeMarkers, timesToOthers } from '../bench/visibility.ts';
import { communityOf, type World } from '../bench/worlds.ts';
import { ingestAt } from '../bench/writes.ts';

interface RowSpec {
  title: string;
  unit: string;
  must?: { at_most: number } | { at_least: number };
}

const spec = (title: string, unit: string, must?: RowSpec['must']): RowSpec => ({ title, unit, must });

/** All rows, in the order of the report. */
export const ROWS = {
  page_cpu_ratio: spec('CPU time of a page at a follower over one at the leader, no impressions', 'ratio', {
    at_most: 1.15,
  }),
  leader_page_cpu_us: spec('CPU time of such a page at the leader', 'µs'),
  forwarded_write_cpu_ratio: spec('CPU time of the leader for a forwarded write over a direct one', 'ratio', {
    at_most: 1.5,
  }),
  direct_write_cpu_us: spec('CPU time of the leader for a direct write of one interaction', 'µs'),
  sessions_cpu_ratio: spec(
    'CPU time of three nodes together for a recorded page, sessions of four pages spread evenly, over that of a single node',
    'ratio',
    { at_most: 1.3 },
  ),
  single_page_cpu_us: spec('CPU time of such a page at a single node', 'µs'),
  sessions_database_ratio: spec("the same of PostgreSQL's CPU time", 'ratio'),
  single_database_cpu_us: spec("PostgreSQL's CPU time for such a page of a single node", 'µs'),
  visible_ms_p99: spec('an acknowledged act in the pages of another node, p99', 'ms', { at_most: 100 }),
  visible_eventual_ms_p99: spec('the same with consistency eventual', 'ms'),
  join_s: spec('a node with an empty disk, from its start until /readyz is 200', 's', { at_most: 30 }),
  ingest_ratio: spec("interactions/s through two followers at once over the leader's own", 'ratio', {
    at_least: 0.7,
  }),
  leader_ingest_per_s: spec('interactions/s at the leader, bodies of 1,000', '1/s'),
  database_mb: spec('size of the world in the database', 'MB'),
  follower_mb: spec('memory of a follower', 'MB'),
} as const satisfies Record<string, RowSpec>;

export type RowName = keyof typeof ROWS;
export type Figures = Partial<Record<RowName, number>>;

/** The nodes under measurement. */
export interface Nodes {
  world: World;
  leader: Server;
  followers: readonly [Server, Server];
  /** A node that has a copy of the world to itself. */
  single: Server;
  /** CPU time of the database server, in milliseconds. */
  databaseCpuMs(): number;
  progress: Progress;
  /** Starts a node with an empty data folder, and stops it after `use`. */
  withNewNode(use: (node: Server) => Promise<void>): Promise<void>;
}

/** A turn of load lasts until this number of requests was sent, because CPU time has a resolution of 10 ms. */
const TURN_REQUESTS_MIN = 500;
/** Rounds of ingest, and bodies of 1,000 interactions a round, at most. */
const INGEST_ROUNDS = 3;
const INGEST_BODIES_MAX = 100;
const READY_LOOK_MS = 20;

/** Opens connections to some nodes for one measurement: nodes close connections that are idle for long. */
async function withDrivers(
  nodes: readonly Server[],
  use: (drivers: Driver[]) => Promise<void>,
): Promise<void> {
  const drivers = await Promise.all(nodes.map((node) => connected(node)));
  try {
    await use(drivers);
  } finally {
    for (const driver of drivers) driver.close();
  }
}

/** CPU time of all threads of some nodes for each request of a load, in microseconds. */
async function cpuUs(nodes: readonly Server[], load: () => Promise<Load>): Promise<number> {
  let total_ms = 0;
  const measured = nodes.reduce(
    (inner, { pid }) =>
      async () => {
        const [result, cpu_ms] = await withCpuMs(pid, inner);
        if (cpu_ms === undefined) throw new Error('CPU times are read from /proc, which only Linux has');
        total_ms += cpu_ms;
        return result;
      },
    load,
  );
  const { requests } = await measured();
  return (1_000 * total_ms) / requests;
}

/** Runs all measurements. Those that write more come later. */
export async function measureNodes(nodes: Nodes): Promise<Figures> {
  const viewers = new Viewers(communityOf(nodes.world.size));
  const acts = new Acts(communityOf(nodes.world.size), viewers.user_ids);
  return {
    ...(await pages(nodes, viewers)),
    ...(await joining(nodes)),
    ...(await sessions(nodes, viewers)),
    ...(await writes(nodes, acts)),
    ...(await visibility(nodes)),
    ...(await ingest(nodes, acts)),
  };
}

async function pages(
  { world, leader, followers: [follower], progress }: Nodes,
  viewers: Viewers,
): Promise<Figures> {
  const { warm_up_ms, page_rounds, turn_ms } = world.effort;
  const figures: Figures = {};
  await withDrivers([leader, follower], async ([own, other]) => {
    const next = viewers.unseen('for-you', {});
    progress.begin('warming up', 2);
    for (const driver of [own, other]) await driver.full(warm_up_ms, next);
    progress.begin('pages without impressions', 2 * page_rounds);
    const turn = (node: Server, driver: Driver) => () =>
      cpuUs([node], () => driver.full(turn_ms, next, TURN_REQUESTS_MIN));
    const cpu_us = await inTurns(progress, page_rounds, {
      leader: turn(leader, own),
      follower: turn(follower, other),
    });
    figures.page_cpu_ratio = median(ratios(cpu_us.follower, cpu_us.leader));
    figures.leader_page_cpu_us = median(cpu_us.leader);
  });
  return figures;
}

async function sessions(
  { world, leader, followers, single, progress, databaseCpuMs }: Nodes,
  viewers: Viewers,
): Promise<Figures> {
  const { warm_up_ms, rounds, turn_ms } = world.effort;
  const figures: Figures = {};
  await withDrivers([single, leader, ...followers], async ([alone, ...spread]) => {
    const loads = {
      single: { nodes: [single], drivers: [alone], next: viewers.sessions('for-you') },
      three: { nodes: [leader, ...followers], drivers: spread, next: viewers.sessions('for-you') },
    };
    const database_us: Record<keyof typeof loads, number[]> = { single: [], three: [] };
    const turn = (name: keyof typeof loads, duration_ms: number) => async (): Promise<number> => {
      const { nodes, drivers, next } = loads[name];
      const before_ms = databaseCpuMs();
      let requests = 0;
      const cpu_us = await cpuUs(nodes, async () => {
        const parts = await Promise.all(
          drivers.map((each) => each.full(duration_ms, next, TURN_REQUESTS_MIN)),
        );
        requests = parts.reduce((sum, part) => sum + part.requests, 0);
        return { ...parts[0], requests };
      });
      database_us[name].push((1_000 * (databaseCpuMs() - before_ms)) / requests);
      return cpu_us;
    };
    progress.begin('sessions of recorded pages', 2 * rounds);
    for (const name of ['single', 'three'] as const) await turn(name, warm_up_ms)();
    for (const values of Object.values(database_us)) values.length = 0;
    const cpu_us = await inTurns(progress, rounds, {
      single: turn('single', turn_ms),
      three: turn('three', turn_ms),
    });
    figures.sessions_cpu_ratio = median(ratios(cpu_us.three, cpu_us.single));
    figures.single_page_cpu_us = median(cpu_us.single);
    figures.sessions_database_ratio = median(ratios(database_us.three, database_us.single));
    figures.single_database_cpu_us = median(database_us.single);
  });
  return figures;
}

/** Writes of one interaction each: the smaller a write, the more it costs to forward it. */
async function writes(
  { world, leader, followers: [follower], progress }: Nodes,
  acts: Acts,
): Promise<Figures> {
  const { rounds, turn_ms } = world.effort;
  const figures: Figures = {};
  await withDrivers([leader, follower], async ([own, other]) => {
    const next = () => postText('/v2/farcaster/interactions', acts.some(1));
    progress.begin('direct and forwarded writes', 2 * rounds);
    const turn = (driver: Driver) => () =>
      cpuUs([leader], () => driver.full(turn_ms, next, TURN_REQUESTS_MIN));
    const cpu_us = await inTurns(progress, rounds, { direct: turn(own), forwarded: turn(other) });
    figures.forwarded_write_cpu_ratio = median(ratios(cpu_us.forwarded, cpu_us.direct));
    figures.direct_write_cpu_us = median(cpu_us.direct);
  });
  return figures;
}

/** Acts at one follower, pages of the other one. */
async function visibility({ world, followers: [one, other], progress }: Nodes): Promise<Figures> {
  const probes = world.effort.visibility_probes;
  const figures: Figures = {};
  await withDrivers([other], async ([driver]) => {
    const probed = { service: one, driver, progress };
    await placeMarkers(probed);
    const p99 = async (consistency: 'strong' | 'eventual') => {
      const series = { probes, voters: `voter-${consistency}`, page: { consistency } };
      return quantile(await timesToOthers(probed, series), 0.99);
    };
    progress.begin('how soon another node shows an act', 2 * probes);
    figures.visible_ms_p99 = await p99('strong');
    figures.visible_eventual_ms_p99 = await p99('eventual');
  });
  return figures;
}

async function joining({ progress, withNewNode }: Nodes): Promise<Figures> {
  progress.begin('a node joins with an empty disk', 1);
  const figures: Figures = {};
  const start_ms = monotonicMs();
  await withNewNode(async ({ address, said }) => {
    while ((await fetch(`${address}/readyz`)).status !== 200) await Bun.sleep(READY_LOOK_MS);
    figures.join_s = (monotonicMs() - start_ms) / 1_000;
    if (!(Number(said.checkpoint_seq) > 0)) throw new Error('the new node got no checkpoint from the leader');
  });
  return figures;
}

async function ingest({ world, leader, followers, progress }: Nodes, acts: Acts): Promise<Figures> {
  const bodies = Math.min(INGEST_BODIES_MAX, world.effort.ingest_bodies);
  const through = followers.map(({ address }) => address);
  progress.begin('ingest', 2 * INGEST_ROUNDS);
  const per_s = await inTurns(progress, INGEST_ROUNDS, {
    leader: () => ingestAt([leader.address], acts, bodies),
    followers: () => ingestAt(through, acts, bodies),
  });
  return {
    ingest_ratio: median(ratios(per_s.followers, per_s.leader)),
    leader_ingest_per_s: median(per_s.leader),
  };
}
