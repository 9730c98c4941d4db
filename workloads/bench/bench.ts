import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicMs } from '../../src/clock.ts';
import { thisProgram } from '../../src/this-program.ts';
import { builtWorld, copyOf, removeUnfinished } from './built-world.ts';
import { Children } from './children.ts';
import { comparePages } from './compare.ts';
import type { Run } from './context.ts';
import { measureFirstPages } from './first-pages.ts';
import { anyNeeds, type GroupName, groupsToMeasure } from './groups.ts';
import { Results } from './measures.ts';
import { measureMemory } from './memory.ts';
import { executableOf, type Program, programAt } from './program.ts';
import { Progress } from './progress.ts';
import { Serving } from './serving.ts';
import {
  measureExecutable,
  measureFirstFeed,
  measureHash,
  measureReady,
  measureReplay,
  noteFsync,
  writeCheckpoint,
} from './start-up.ts';
import type { World } from './worlds.ts';

export interface BenchOptions {
  world: World;
  /** Folder for built worlds. Undefined: a temporary folder. */
  keep?: string;
  /** Names of the groups to measure. Undefined: all groups that world and program permit. */
  only?: readonly string[];
  /** Path of another Feedloom to measure. Undefined: this one. */
  program?: string;
  /** Path of the Feedloom that pages are compared with. Undefined: none. */
  against?: string;
}

/**
 * Measures a Feedloom on a synthetic world.
 *
 * It builds the world through the public interfaces, serves a copy of it in a separate process, and sends requests
 * over HTTP from this one. At the end, everything it started or wrote is removed, except worlds in `keep`.
 * @throws StartupError if a group or program cannot be measured
 */
export async function runBench({ world, keep, only, ...paths }: BenchOptions): Promise<Results> {
  const program = paths.program === undefined ? thisProgram() : programAt('--program', paths.program);
  const against = paths.against === undefined ? undefined : programAt('--against', paths.against);
  const groups = groupsToMeasure(only, { world, program, against });
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'feedloom-bench-'));
  mkdirSync(folder, { recursive: true });
  const run: Run = {
    world,
    children: new Children(program),
    progress: new Progress(),
    results: new Results(world.name),
  };
  const others = against === undefined ? undefined : new Children(against);
  const cleanUp = (): void => {
    run.progress.end();
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
    else removeUnfinished(folder);
  };
  const interrupted = (): void => {
    run.children.killNow();
    others?.killNow();
    cleanUp();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    const start_ms = monotonicMs();
    const built = await buildWorlds(run, groups, folder);
    const built_ms = monotonicMs() - start_ms;
    await measureGroups(run, groups, folder, built);
    if (against !== undefined && others !== undefined && built.whole !== undefined) {
      const other_world = await worldOfOther(run, { children: others, program: against }, folder);
      await comparePages(run, others, { own: built.whole, other: other_world });
    }
    const executable = executableOf(program);
    if (groups.has('executable') && executable !== undefined) measureExecutable(run.results, executable);
    const total_ms = monotonicMs() - start_ms;
    run.results.note('this run', [
      ['measured program', paths.program ?? 'this one'],
      ...(paths.against === undefined ? [] : [['compared with', paths.against] as [string, string]]),
      ['building or finding the worlds', `${(built_ms / 1000).toFixed(1)} s`],
      ['measuring', `${((total_ms - built_ms) / 1000).toFixed(1)} s`],
    ]);
    return run.results;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
    await run.children.killAll();
    await others?.killAll();
    cleanUp();
  }
}

/** Data folders of the built worlds that the groups need. They are never written to. */
interface Built {
  whole?: string;
  tenth?: string;
}

async function buildWorlds(
  { world, children, progress }: Run,
  groups: ReadonlySet<GroupName>,
  folder: string,
): Promise<Built> {
  const { name, size, tenth, built_by } = world;
  const built: Built = {};
  if (anyNeeds(groups, 'world', 'service')) {
    built.whole = await builtWorld(children, progress, folder, { name, size, built_by });
  }
  if (groups.has('scale')) {
    const smaller = { name: `${name}-tenth`, size: tenth, built_by };
    built.tenth = await builtWorld(children, progress, folder, smaller);
  }
  return built;
}

/** The same world as built by another program. Its store may have another schema, so that programs cannot share one. */
async function worldOfOther(
  { world: { name, size, built_by }, progress }: Run,
  other: { children: Children; program: Program },
  folder: string,
): Promise<string> {
  const program = Bun.hash(other.program.join(' ')).toString(36);
  return await builtWorld(other.children, progress, folder, { name: `${name}-${program}`, size, built_by });
}

async function measureGroups(
  run: Run,
  groups: ReadonlySet<GroupName>,
  folder: string,
  built: Built,
): Promise<void> {
  noteFsync(run.results, folder);
  if (groups.has('first-pages') && built.whole !== undefined) {
    await measureFirstPages(run, copyOf(built.whole));
  }
  if (built.whole !== undefined) await measureWorld(run, groups, copyOf(built.whole), built.tenth);
  if (groups.has('start')) await measureFirstFeed(run, folder);
}

/** @param data data folder of a copy of the world */
async function measureWorld(
  run: Run,
  groups: ReadonlySet<GroupName>,
  data: string,
  tenth: string | undefined,
): Promise<void> {
  if (groups.has('memory')) await measureMemory(run, data);
  if (groups.has('start')) await measureReplay(run, data);
  const serves = anyNeeds(groups, 'service');
  if (serves || groups.has('start')) await writeCheckpoint(run, data);
  if (groups.has('start')) await measureReady(run, data);
  if (groups.has('hash')) await measureHash(run, data);
  if (serves) await new Serving(run, data, groups).measure(tenth === undefined ? undefined : copyOf(tenth));
}
