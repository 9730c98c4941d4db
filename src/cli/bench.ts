import type { Command } from 'commander';
import { answersHashes } from '../../workloads/bench/answers-hash.ts';
import { serveArrivals } from '../../workloads/bench/arrivals-part.ts';
import { serveBareHandler } from '../../workloads/bench/bare-handler.ts';
import { runBench } from '../../workloads/bench/bench.ts';
import { firstCheckpoint } from '../../workloads/bench/first-checkpoint.ts';
import { groupsHelp } from '../../workloads/bench/groups.ts';
import { bytesPer } from '../../workloads/bench/memory.ts';
import { jsonReport, tableReport } from '../../workloads/bench/report.ts';
import { writeWorldFiles } from '../../workloads/bench/world-files.ts';
import { communityOf, isWorldName, WORLD_NOW, WORLDS } from '../../workloads/bench/worlds.ts';
import { ManualClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import { readSettings } from '../settings.ts';
import { importFolder } from './import.ts';
import type { ShownProgress } from './import-progress.ts';
import { print, printNotice } from './output.ts';

/** Number of imported records between two messages about the progress. */
const REPORT_EVERY = 10_000;

interface BenchFlags {
  world: string;
  json?: true;
  keep?: string;
  only?: string[];
  program?: string;
  against?: string;
}

export function addBench(feedloom: Command): void {
  feedloom
    .command('bench')
    .description('measure the service on a synthetic community, each figure against one of the same run')
    .option('--world <name>', 'size of the community: S (seconds), M (minutes) or L (hours)', 'S')
    .option('--json', 'print the measures as JSON and nothing else')
    .option('--keep <folder>', 'keep the built community in this folder, and use it if it exists')
    .option('--only <group...>', 'measure only these groups, listed below (default: all)')
    .option(
      '--program <path>',
      'measure another Feedloom: an executable, or src/main.ts of a checkout (default: this one)',
    )
    .option('--against <path>', 'another Feedloom to compare with: pages are measured in alternation')
    .addHelpText('after', `\n${groupsHelp()}`)
    .action((flags: BenchFlags) => bench(flags));
  feedloom
    .command('bench-part <part> [args...]', { hidden: true })
    .action((part: string, args: string[]) => benchPart(part, args));
}

/** `feedloom bench`: prints the table, or JSON. */
async function bench({ world, json, ...options }: BenchFlags): Promise<void> {
  if (!isWorldName(world)) {
    const known = Object.keys(WORLDS).join(' or ');
    throw new StartupError('bad_setting', `there is no world '${world}'`, `Choose --world ${known}.`);
  }
  const results = await runBench({ ...options, world: WORLDS[world] });
  print(json ? jsonReport(results) : tableReport(results));
}

async function benchPart(part: string, args: string[]): Promise<void> {
  if (part === 'bare-handler') return serveBareHandler();
  if (part === 'arrivals') return serveArrivals(args[0], JSON.parse(args[1]));
  if (part === 'hash') return report(await answersHashes(args[0]));
  if (part === 'checkpoint') return report(await firstCheckpoint(args[0]));
  if (part === 'memory') return report(await bytesPer(args[0]));
  if (part === 'world-files') return writeWorldFiles(args[0], communityOf(JSON.parse(args[1])), report);
  if (part === 'import') return importWorld(args[0], args[1]);
  throw new StartupError('bad_setting', `there is no part '${part}'`);
}

/**
 * `bench-part import`: runs `feedloom import` with the fixed clock of the worlds, so that no stored record is later than
 * the time of the measurement.
 */
async function importWorld(files: string, data: string): Promise<void> {
  let reported = 0;
  const progress: ShownProgress = {
    show({ records }) {
      if (records < reported + REPORT_EVERY) return;
      report(records - reported);
      reported = records;
    },
    print: printNotice,
    end() {},
  };
  const clock = new ManualClock(WORLD_NOW);
  // Without checkpoints, the first start reads all changes.
  const settings = readSettings({}, { data, checkpoint_changes: '0' });
  await importFolder(settings, files, { strict: true, clock, progress });
}

function report(answer: unknown): void {
  print(JSON.stringify(answer));
}
