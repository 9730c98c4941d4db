import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicMs } from '../../src/clock.ts';
import { median } from '../../src/statistics.ts';
import { ArrivalsElsewhere } from './arrivals-part.ts';
import { builtWorld, copyOf, removeUnfinished } from './built-world.ts';
import { Children, type Server } from './children.ts';
import type { Bench } from './context.ts';
import { measureFeedRates, measureLatency, measureScale } from './feed-rates.ts';
import { Driver } from './load.ts';
import { Results } from './measures.ts';
import type { BytesPer } from './memory.ts';
import { Progress } from './progress.ts';
import { feedText, Viewers } from './requests.ts';
import { residentText } from './resident.ts';
import { checkFullPages, measureSelectivity, sievesOf } from './selectivity.ts';
import { noteStages } from './stages.ts';
import { measureExecutable, measureFirstFeed, measureStartUp, noteFsync } from './start-up.ts';
import { warmedUp } from './totals.ts';
import { measureVisibility } from './visibility.ts';
import { communityOf, type World } from './worlds.ts';
import { Acts, measureIngest, measureReadsDuringIngest } from './writes.ts';

/**
 * Measures the service on a synthetic world: builds it by the ways in that users have, serves it from a process
 * of its own, and drives that over HTTP from this one. Everything it starts or writes is gone at the end, but
 * for worlds in `keep`.
 */
export async function runBench(world: World, keep: string | undefined): Promise<Results> {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'feedloom-bench-'));
  mkdirSync(folder, { recursive: true });
  const children = new Children();
  const progress = new Progress();
  const cleanUp = (): void => {
    progress.end();
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
    else removeUnfinished(folder);
  };
  const interrupted = (): void => {
    children.killNow();
    cleanUp();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    const start_ms = monotonicMs();
    const built = await builtWorld(children, progress, folder, world);
    const tenth = await builtWorld(children, progress, folder, {
      ...world,
      name: `${world.name}-tenth`,
      size: world.tenth,
    });
    const built_ms = monotonicMs() - start_ms;
    const results = new Results(world.name);
    noteFsync(results, folder);
    if (world.shows_memory) await measureMemory(children, progress, results, built);
    await measureServing(world, children, progress, results, copyOf(built), copyOf(tenth));
    progress.begin('starts on an empty folder', 1);
    await measureFirstFeed(children, results, folder, world.effort.starts);
    measureExecutable(results);
    const total_ms = monotonicMs() - start_ms;
    results.note('this run', [
      ['building or finding the worlds', `${(built_ms / 1000).toFixed(1)} s`],
      ['measuring', `${((total_ms - built_ms) / 1000).toFixed(1)} s`],
    ]);
    return results;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
    await children.killAll();
    cleanUp();
  }
}

/** Folds of the world that sizes are the median of: resident memory differs by a few percent from run to run. */
const MEMORY_RUNS = 3;

/** `bytes_per_…`: the built world folded once more, each time in a process of its own. */
async function measureMemory(
  children: Children,
  progress: Progress,
  results: Results,
  built: string,
): Promise<void> {
  progress.begin('memory of a follow, an interaction, an item', MEMORY_RUNS);
  const runs: BytesPer[] = [];
  while (runs.length < MEMORY_RUNS) {
    // Sound: the same program printed it.
    runs.push((await children.part('memory', built)) as BytesPer);
    progress.advance();
  }
  for (const kind of ['follow', 'interaction', 'item', 'impression'] as const) {
    results.set(`bytes_per_${kind}`, median(runs.map((bytes) => bytes[kind])));
  }
}

/** Everything that is measured over HTTP. What writes more comes later. */
async function measureServing(
  world: World,
  children: Children,
  progress: Progress,
  results: Results,
  data: string,
  tenth: string,
): Promise<void> {
  const service = await measureStartUp(children, progress, results, data);
  await warmedUp(service.address, progress, results);
  results.note('memory with neighbour lists', [['resident', residentText(service.pid)]]);
  const community = communityOf(world.size);
  const viewers = new Viewers(community);
  const sieves = sievesOf(community);
  const driver = await connected(service);
  const bench: Bench = { world, children, progress, results, service, driver, viewers };
  await checkFullPages(bench, sieves);
  progress.begin('warming up', 1);
  await driver.full(world.effort.warm_up_ms, viewers.shown('for-you'));
  const peaks = await measureFeedRates(bench);
  await noteStages(bench);
  await measureLatency(bench, peaks);
  await measureSelectivity(bench, sieves);
  driver.close();
  const small = await children.service(tenth);
  await warmedUp(small.address, progress);
  // Only now: the service hangs up on whoever is silent for as long as that takes.
  const again: Bench = { ...bench, driver: await connected(service) };
  const small_driver = await Driver.connect(small.address);
  await measureScale(again, small_driver, new Viewers(communityOf(world.tenth)));
  small_driver.close();
  await small.kill();
  const arriving = await ArrivalsElsewhere.open(children, service.address, world.size);
  await measureReadsDuringIngest(again, arriving, peaks.for_you);
  await arriving.end();
  const acts = new Acts(community, viewers.user_ids);
  await measureVisibility(again, acts);
  await measureIngest(again, acts);
  again.driver.close();
  await service.kill();
}

/** A driver that may pause for as long as the service keeps silent connections. */
async function connected({ address }: Server): Promise<Driver> {
  const driver = await Driver.connect(address);
  await driver.askOnAll(feedText('popular', {}));
  return driver;
}
