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

/** Pages of this program, each compared with usual pages of the other one. `more`: further parameters. */
const CONTESTS = [
  { feed_type: 'for-you', more: {}, measure: 'for_you_cpu_ratio' },
  { feed_type: 'for-you', more: { candidate_limit: 500 }, measure: 'breadth_cpu_ratio' },
  { feed_type: 'trending', more: {}, measure: 'trending_cpu_ratio' },
  { feed_type: 'popular', more: {}, measure: 'popular_cpu_ratio' },
] as const;

/**
 * Compares the CPU time of the pages of two programs in turns: `for_you_cpu_ratio`, ….
 *
 * Both hold the same records and get the same requests in the same order. Disturbances of the machine affect both.
 * @param against the other program
 * @param built data folders of the world, as each program built it
 */
export async function comparePages(
  run: Run,
  against: Children,
  built: { own: string; other: string },
): Promise<void> {
  const { progress, results } = run;
  const services = [
    await startedOn(run, run.children, copyOf(built.own)),
    await startedOn(run, against, copyOf(built.other)),
  ];
  const [own, other] = [await contestant(run, services[0]), await contestant(run, services[1])];
  const { page_rounds } = run.world.effort;
  progress.begin('pages of both programs in turns', page_rounds * CONTESTS.length * 2);
  const lines: [string, string][] = [];
  for (const { feed_type, more, measure } of CONTESTS) {
    const next = ({ service, driver, viewers }: Contestant, parameters: object) =>
      turn(run, service, driver, viewers.shown(feed_type, parameters));
    const turns = await inTurns(progress, page_rounds, { own: next(own, more), other: next(other, {}) });
    const ratio = cpuRatio(turns.own, turns.other);
    if (ratio !== undefined) results.set(measure, ratio);
    lines.push(
      [`${measure}: this program`, turnText(turns.own)],
      ['the other program', turnText(turns.other)],
    );
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
