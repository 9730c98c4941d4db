import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../src/clock.ts';
import { median, quantile } from '../../src/statistics.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { emptyWorld } from './built-world.ts';
import type { Run } from './context.ts';
import type { CheckpointFigures } from './first-checkpoint.ts';
import { Driver } from './load.ts';
import type { Results } from './measures.ts';
import { feedText } from './requests.ts';
import { residentText } from './resident.ts';

const FSYNCS = 100;
const FSYNC_BYTES = 4_096;

/** Measures the time from a start on an empty folder to the first answered feed: `first_feed_ms`. */
export async function measureFirstFeed(run: Run, folder: string): Promise<void> {
  const { world, children, progress, results } = run;
  const { starts } = world.effort;
  progress.begin('starts on an empty folder', starts);
  const times_ms: number[] = [];
  for (let start = 0; start < starts; start++) {
    const data = emptyWorld(folder);
    const start_ms = monotonicMs();
    const service = await children.service(data);
    const driver = await Driver.connect(service.address);
    await driver.ask(feedText('popular', {}));
    times_ms.push(monotonicMs() - start_ms);
    driver.close();
    await service.kill();
    rmSync(data, { recursive: true, force: true });
    progress.advance();
  }
  results.set('first_feed_ms', median(times_ms));
}

/** Measures `replay_per_s`: a start that replays all stored changes. */
export async function measureReplay({ children, progress, results }: Run, data: string): Promise<void> {
  progress.begin('start-up with all stored changes', 1);
  const service = await children.service(data);
  const changes = Number(service.said.changes);
  const resident = residentText(service.pid);
  await service.stop();
  results.set('replay_per_s', changes / (Number(service.said.load_ms) / 1000));
  results.note('start-up that reads all stored changes', [
    ['ready', `${(service.ready_ms / 1000).toFixed(1)} s`],
    ['stored changes', changes.toLocaleString('en-US')],
    ['on disk', `${(Bun.file(databaseFile(data)).size / 1e6).toFixed(0)} MB`],
    ['memory, without neighbour lists', resident],
  ]);
}

/** Writes the first checkpoint of a data folder, so that later starts are short. */
export async function writeCheckpoint({ children, progress, results }: Run, data: string): Promise<void> {
  progress.begin('the first checkpoint', 1);
  // Safe: a part of Feedloom printed it.
  const { bytes, milliseconds } = (await children.part('checkpoint', data)) as CheckpointFigures;
  results.note('the first checkpoint', [
    ['writing it', `${(milliseconds / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB`],
  ]);
}

/** `answers_hash`, `recorded_hash` */
export async function measureHash({ children, progress, results }: Run, data: string): Promise<void> {
  progress.begin('the hash of the answers', 1);
  const hashes = (await children.part('hash', data)) as Record<'answers_hash' | 'recorded_hash', string>;
  for (const name of ['answers_hash', 'recorded_hash'] as const) results.set(name, hashes[name]);
}

/** Measures `ready_s`: a start with a checkpoint. */
export async function measureReady({ children, progress, results }: Run, data: string): Promise<void> {
  progress.begin('start-up with the checkpoint', 1);
  const service = await children.service(data);
  await service.kill();
  if (!(Number(service.said.checkpoint_seq) > 0)) throw new Error('the checkpoint was not used');
  results.set('ready_s', service.ready_ms / 1000);
}

/** `executable_mb` */
export function measureExecutable(results: Results, executable: string): void {
  results.set('executable_mb', Bun.file(executable).size / 1e6);
}

/** Measures how long the disk takes to make a few kilobytes durable, which recorded impressions wait for. */
export function noteFsync(results: Results, folder: string): void {
  const file = join(folder, 'fsync');
  const handle = openSync(file, 'w');
  const bytes = new Uint8Array(FSYNC_BYTES);
  const times_ms: number[] = [];
  try {
    for (let write = 0; write < FSYNCS; write++) {
      const start_ms = monotonicMs();
      writeSync(handle, bytes);
      fsyncSync(handle);
      times_ms.push(monotonicMs() - start_ms);
    }
  } finally {
    closeSync(handle);
    rmSync(file);
  }
  results.note("the disk's fsync", [
    ['p50', `${median(times_ms).toFixed(2)} ms`],
    ['p99', `${quantile(times_ms, 0.99).toFixed(2)} ms`],
  ]);
}
