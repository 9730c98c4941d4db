import type { Command } from 'commander';
import { answersHash } from '../bench/answers-hash.ts';
import { serveBareHandler } from '../bench/bare-handler.ts';
import { runBench } from '../bench/bench.ts';
import { firstCheckpoint } from '../bench/first-checkpoint.ts';
import { bytesPer } from '../bench/memory.ts';
import { jsonReport, tableReport } from '../bench/report.ts';
import { isWorldName, WORLDS } from '../bench/worlds.ts';
import { StartupError } from '../errors.ts';

interface BenchOptions {
  world: string;
  json?: true;
  keep?: string;
}

/** Adds `feedloom bench`, and the hidden command by which it starts its parts as processes of their own. */
export function addBench(feedloom: Command): void {
  feedloom
    .command('bench')
    .description('measure the service on a synthetic community, each figure against one of the same run')
    .option('--world <name>', 'size of the community: S (seconds) or M (minutes)', 'S')
    .option('--json', 'print the measures as JSON and nothing else')
    .option('--keep <folder>', 'keep the built community in this folder, and use it if it is there')
    .action((options: BenchOptions) => bench(options));
  feedloom
    .command('bench-part <part> [args...]', { hidden: true })
    .action((part: string, args: string[]) => benchPart(part, args));
}

/** `feedloom bench`: prints the table, or JSON. */
async function bench({ world, json, keep }: BenchOptions): Promise<void> {
  if (!isWorldName(world)) throw unknownWorld(world);
  const results = await runBench(WORLDS[world], keep);
  console.log(json ? jsonReport(results) : tableReport(results));
}

function unknownWorld(world: string): StartupError {
  const message = world === 'L' ? 'world L cannot be measured yet' : `there is no world '${world}'`;
  return new StartupError('bad_setting', message, `Choose --world ${Object.keys(WORLDS).join(' or ')}.`);
}

async function benchPart(part: string, args: string[]): Promise<void> {
  if (part === 'bare-handler') return serveBareHandler();
  if (part === 'hash') return print(await answersHash(args[0]));
  if (part === 'checkpoint') return print(await firstCheckpoint(args[0]));
  if (part === 'memory') return print(await bytesPer(args[0]));
  throw new StartupError('bad_setting', `there is no part '${part}'`);
}

function print(answer: unknown): void {
  console.log(JSON.stringify(answer));
}
