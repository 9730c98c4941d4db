import { FEED_TYPES } from '../../src/plugin/index.ts';
import { median } from '../../src/statistics.ts';
import { copyOf } from './built-world.ts';
import { type Children, type Server, WITHOUT_SHEDDING } from './children.ts';
import { connected, inTurns, type Run, ratios } from './context.ts';
import type { Driver } from './load.ts';
import { Viewers } from './requests.ts';
import { warmedUp } from './totals.ts';
import { cpuTimes, type Turn, turn, turnText } from './turns.ts';
import { communityOf } from './worlds.ts';

/** A running service with its own request generators. */
interface Contestant {
  service: Server;
  driver: Driver;
  viewers: Viewers;
}

const MEASURES = {
  'for-you': 'for_you_cpu_ratio',
  trending: 'trending_cpu_ratio',
  popular: 'popular_cpu_ratio',
} as const;

/**
 * Compares the CPU time of the pages of two programs in turns: `for_you_cpu_ratio`, ….
 *
 * Both start with equal copies of the world and get the same requests in the same order. Disturbances of the machine
 * affect both.
 * @param against the other program
 * @param built data folder of the world
 */
export async function comparePages(run: Run, against: Children, built: string): Promise<void> {
  const { progress, results } = run;
  const services = [
    await startedOn(run, run.children, copyOf(built, '-own')),
    await startedOn(run, against, copyOf(built, '-other')),
  ];
  const [own, other] = [await contestant(run, services[0]), await contestant(run, services[1])];
  const { page_rounds } = run.world.effort;
  progress.begin('pages of both programs in turns', page_rounds * FEED_TYPES.length * 2);
  const lines: [string, string][] = [];
  for (const feed_type of FEED_TYPES) {
    const next = ({ service, driver, viewers }: Contestant) =>
      turn(run, service, driver, viewers.shown(feed_type));
    const turns = await inTurns(progress, page_rounds, { own: next(own), other: next(other) });
    const ratio = cpuRatio(turns.own, turns.other);
    if (ratio !== undefined) results.set(MEASURES[feed_type], ratio);
    lines.push([feed_type, turnText(turns.own)], [`${feed_type}, the other program`, turnText(turns.other)]);
  }
  results.note('requests a second, and CPU time of all threads', lines);
  for (const { service, driver } of [own, other]) {
    driver.close();
    await service.kill();
  }
}

/** Starts a program on a copy of the world. */
async function startedOn({ progress }: Run, children: Children, data: string): Promise<Server> {
  progress.begin('a service starts', 1);
  const service = await children.service(data, WITHOUT_SHEDDING);
  await warmedUp(service.address, progress);
  return service;
}

async function contestant({ world, progress }: Run, service: Server): Promise<Contestant> {
  const viewers = new Viewers(communityOf(world.size));
  const driver = await connected(service);
  progress.begin('warming up', 1);
  await driver.full(world.effort.warm_up_ms, viewers.shown('for-you'));
  return { service, driver, viewers };
}

/** The median over the rounds. Undefined if the system does not report CPU time. */
function cpuRatio(own: readonly Turn[], other: readonly Turn[]): number | undefined {
  const [own_us, other_us] = [cpuTimes(own), cpuTimes(other)];
  if (own_us === undefined || other_us === undefined) return undefined;
  return median(ratios(own_us, other_us));
}
