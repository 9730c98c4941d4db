import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../src/clock.ts';
import { median, quantile } from '../../src/statistics.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { emptyWorld } from './built-world.ts';
import type { Children, Server } from './children.ts';
import type { CheckpointFigures } from './first-checkpoint.ts';
import { Driver } from './load.ts';
import type { Results } from './measures.ts';
import type { Progress } from './progress.ts';
import { feedText } from './requests.ts';
import { residentText } from './resident.ts';

const FSYNCS = 100;
const FSYNC_BYTES = 4_096;

/** From the start on an empty folder until the first feed has been answered: `first_feed_ms`. */
export async function measureFirstFeed(
  children: Children,
  results: Results,
  folder: string,
  starts: number,
): Promise<void> {
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
  }
  results.set('first_feed_ms', median(times_ms));
}

/**
 * `replay_per_s`, from a start that reads all stored changes, then `ready_s`, from one with a checkpoint, by which
 * `answers_hash` is found, too.
 * @returns the service that was started last
 */
export async function measureStartUp(
  children: Children,
  progress: Progress,
  results: Results,
  data: string,
): Promise<Server> {
  progress.begin('start-up with all stored changes', 1);
  const without = await children.service(data);
  const changes = Number(without.said.changes);
  const resident = residentText(without.pid);
  results.set('replay_per_s', changes / (Number(without.said.load_ms) / 1000));
  await without.stop();
  progress.begin('the first checkpoint', 1);
  // Sound: the same program printed it.
  const { bytes, milliseconds } = (await children.part('checkpoint', data)) as CheckpointFigures;
  progress.begin('the hash of the answers', 1);
  results.set('answers_hash', String(await children.part('hash', data)));
  progress.begin('start-up with the checkpoint', 1);
  const service = await children.service(data);
  if (!(Number(service.said.checkpoint_seq) > 0)) throw new Error('the checkpoint was not used');
  results.set('ready_s', service.ready_ms / 1000);
  results.note('start-up', [
    ['ready without a checkpoint', `${(without.ready_ms / 1000).toFixed(1)} s`],
    ['stored changes', changes.toLocaleString('en-US')],
    ['on disk', `${(Bun.file(databaseFile(data)).size / 1e6).toFixed(0)} MB`],
    ['memory, without neighbour lists', resident],
    ['writing the checkpoint', `${(milliseconds / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB`],
  ]);
  return service;
}

/** `executable_mb`, when this is the executable and not Bun running the source. */
export function measureExecutable(results: Results): void {
  if (!/\$bunfs|~BUN/.test(import.meta.path)) return;
  results.set('executable_mb', Bun.file(process.execPath).size / 1e6);
}

/** What the disk takes to make a few kilobytes durable: recorded impressions wait for it. */
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
