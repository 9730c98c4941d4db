/**
 * What more processes cost: pages for each CPU second of `feedloom serve --processes 2` over those of one process, and
 * over those of as many separate services that are under load together. The second figure leaves out what the machine
 * itself makes slower when more of its cores are busy. All serve copies of one world, under full load and in turns. It
 * takes four minutes with a built world M. Run it alone on the machine: `bun workloads/programs/processes.ts [--world M] [--keep DIR] [--processes 2] [--rounds 5] [--seconds 3]`.
 */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../../src/statistics.ts';
import { builtWorld } from '../bench/built-world.ts';
import { Children, type Server, WITHOUT_SHEDDING } from '../bench/children.ts';
import { Driver } from '../bench/load.ts';
import { Progress } from '../bench/progress.ts';
import { Viewers } from '../bench/requests.ts';
import { communityOf, isWorldName, WORLDS } from '../bench/worlds.ts';

/** Ticks of the processor a second in /proc. */
const TICKS_PER_SECOND = 100;
/** New connections that find no process which is still warming up. */
const WARM_IN_A_ROW = 20;
const ASKED_EVERY_MS = 100;
/** Until the code of all processes is compiled. */
const WARM_UP_SECONDS = 8;

const { values } = parseArgs({
  options: {
    world: { type: 'string', default: 'M' },
    keep: { type: 'string' },
    processes: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
});
const [processes, rounds, seconds] = [values.processes, values.rounds, values.seconds].map(Number);
if (!isWorldName(values.world)) throw new Error(`there is no world ${values.world}`);
const world = WORLDS[values.world];

/** CPU seconds of a service with all threads, and of the processes that it started. */
function cpuSeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  const ticks = [pid, ...children].map((each) => {
    const stat = readFileSync(`/proc/${each}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** Waits until all processes serve and have built their neighbour lists. */
async function warmedUp(service: Server): Promise<void> {
  for (let warm = 0; warm < WARM_IN_A_ROW; ) {
    const answer = await fetch(`${service.address}/readyz`, { keepalive: false });
    const body = (await answer.json()) as { warming?: boolean; processes?: { state: string }[] };
    const all_serve = body.processes?.every(({ state }) => state !== 'starting') === true;
    warm = all_serve && body.warming === false ? warm + 1 : 0;
    if (warm === 0) await Bun.sleep(ASKED_EVERY_MS);
  }
}

interface Turn {
  pages_per_s: number;
  pages_per_cpu_s: number;
}

/** Full load on all services at once. */
async function turn(services: readonly Server[], next: () => string, duration_s = seconds): Promise<Turn> {
  // The kernel gives each connection to a process, so each turn has other shares.
  const drivers = await Promise.all(services.map(({ address }) => Driver.connect(address)));
  const cpu = () => services.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const before = cpu();
  const loads = await Promise.all(drivers.map((driver) => driver.full(duration_s * 1_000, next)));
  const used = cpu() - before;
  for (const driver of drivers) driver.close();
  const total = (of: 'requests' | 'per_s') => loads.reduce((sum, load) => sum + load[of], 0);
  return { pages_per_s: total('per_s'), pages_per_cpu_s: total('requests') / used };
}

const children = new Children();
const progress = new Progress();
const scratch = mkdtempSync(join(tmpdir(), 'feedloom-processes-'));
try {
  const keep = values.keep ?? join(scratch, 'worlds');
  mkdirSync(keep, { recursive: true });
  const { name, size, built_by } = world;
  const built = await builtWorld(children, progress, keep, { name, size, built_by });
  const start = async (count: number, number: number): Promise<Server> => {
    const data = join(scratch, `data-${number}`);
    cpSync(built, data, { recursive: true });
    progress.begin(`starting ${count} processes`, 1);
    const service = await children.service(data, [...WITHOUT_SHEDDING, '--processes', String(count)]);
    await warmedUp(service);
    return service;
  };
  const [several, ...separate] = await Promise.all(
    Array.from({ length: 1 + processes }, (_, at) => start(at === 0 ? processes : 1, at)),
  );
  const contenders = { one: [separate[0]], separate, together: [several] };
  const viewers = new Viewers(communityOf(size));
  const loads = {
    'nothing recorded': viewers.unseen('for-you', {}),
    'with impressions': viewers.shown('for-you'),
  };
  console.log('| Measure | Value |\n|---|---|');
  for (const [load, next] of Object.entries(loads)) {
    progress.begin(`for-you pages, ${load}`, 1);
    for (const services of [separate, [several]]) await turn(services, next, WARM_UP_SECONDS);
    const turns: Record<keyof typeof contenders, Turn>[] = [];
    for (let round = 0; round < rounds; round++) {
      turns.push({
        one: await turn(contenders.one, next),
        separate: await turn(contenders.separate, next),
        together: await turn(contenders.together, next),
      });
    }
    const row = (what: string, of: (each: (typeof turns)[number]) => number) =>
      console.log(`| for-you pages, ${load}: ${what} | ${median(turns.map(of)).toFixed(2)} |`);
    const cpu = `pages for each CPU second, ${processes} processes over`;
    row(`${cpu} 1`, ({ one, together }) => together.pages_per_cpu_s / one.pages_per_cpu_s);
    row(
      `${cpu} ${processes} services`,
      (each) => each.together.pages_per_cpu_s / each.separate.pages_per_cpu_s,
    );
    row(
      `pages/s, ${processes} processes over 1`,
      ({ one, together }) => together.pages_per_s / one.pages_per_s,
    );
    row('pages for each CPU second of 1 process', ({ one }) => one.pages_per_cpu_s);
  }
  for (const service of [several, ...separate]) await service.stop();
  progress.end();
} finally {
  await children.killAll();
  rmSync(scratch, { recursive: true, force: true });
}
