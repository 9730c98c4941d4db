import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../src/limits.ts';
import type { Community } from '../community/community.ts';
import { API_KEY, type Children } from './children.ts';
import type { Progress } from './progress.ts';
import { type BuiltBy, communityOf, type WorldSize } from './worlds.ts';

/** Increase it to rebuild worlds with unchanged records. */
const WORLD_VERSION = 1;
const MARKER = 'bench-world.json';
const PREFIX = 'world-';
/** Suffixes of temporary folders. */
const BUILDING = '.building';
const RUN = '.run';
/** Subfolder of a world under construction. */
const FILES = 'files';
/** Maximum number of users and items that are hashed to identify a world. */
const FINGERPRINTED = 200_000;
const KINDS = ['users', 'items', 'follows', 'interactions'] as const;

/** The content of the marker file of a built world. */
interface Marker {
  version: number;
  size: WorldSize;
  /** Hash of the first records of users and items. It changes if the generator changes. */
  fingerprint: string;
}

/**
 * Returns the data folder of a world under `folder`. Builds the world if needed.
 *
 * The folder itself is never served, so that copies of it stay comparable.
 */
export async function builtWorld(
  children: Children,
  progress: Progress,
  folder: string,
  { name, size, built_by }: { name: string; size: WorldSize; built_by: BuiltBy },
): Promise<string> {
  const built = join(folder, PREFIX + name);
  const community = communityOf(size);
  const marker: Marker = { version: WORLD_VERSION, size, fingerprint: fingerprintOf(community) };
  if (isBuilt(built, marker)) return built;
  const building = `${built}${BUILDING}`;
  for (const stale of [built, building]) rmSync(stale, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const records = KINDS.reduce((sum, kind) => sum + size[kind], 0);
  if (built_by === 'http') {
    const service = await children.service(building);
    progress.begin(`building world ${name}`, records);
    await ingestAll(service.address, community, progress);
    progress.end();
    await service.stop();
  } else {
    const files = join(building, FILES);
    mkdirSync(files);
    progress.begin(`writing the files of world ${name}`, records);
    await children.writeWorldFiles(progress, files, size);
    progress.begin(`importing world ${name}`, records);
    await children.importWorld(progress, files, building);
    progress.end();
    rmSync(files, { recursive: true });
  }
  writeFileSync(join(building, MARKER), JSON.stringify(marker));
  renameSync(building, built);
  return built;
}

/** Makes a writable copy on the same disk. */
export function copyOf(built: string): string {
  const copy = `${built}${RUN}`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(built, copy, { recursive: true });
  return copy;
}

/** An empty data folder. */
export function emptyWorld(folder: string): string {
  const empty = join(folder, `${PREFIX}empty${RUN}`);
  rmSync(empty, { recursive: true, force: true });
  mkdirSync(empty, { recursive: true });
  return empty;
}

/** Removes copies, empty data folders, and unfinished worlds. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(PREFIX) || !(name.endsWith(BUILDING) || name.endsWith(RUN))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isBuilt(folder: string, wanted: Marker): boolean {
  const file = join(folder, MARKER);
  return existsSync(file) && readFileSync(file, 'utf8') === JSON.stringify(wanted);
}

function fingerprintOf(community: Community): string {
  let hash = 0n;
  for (const kind of ['users', 'items'] as const) {
    for (const record of Iterator.from<object>(community[kind]()).take(FINGERPRINTED))
      hash = Bun.hash.wyhash(JSON.stringify(record), hash);
  }
  return hash.toString(16);
}

/**
 * Sends all records in bodies of maximum size, one after another. The next body is created while one is being sent.
 *
 * The order of arrival determines the order of interactions with equal timestamps.
 */
async function ingestAll(address: string, community: Community, progress: Progress): Promise<void> {
  let under_way: Promise<number> = Promise.resolve(0);
  for (const kind of KINDS) {
    for (const body of bodies(community[kind]())) {
      progress.advance(await under_way);
      under_way = postRecords(address, kind, body);
      // The rejection is handled where the promise is awaited.
      under_way.catch(() => {});
      // Lets the request be sent now rather than when the next body is ready.
      await Bun.sleep(0);
    }
  }
  progress.advance(await under_way);
}

function* bodies(records: Iterable<object>): Generator<string> {
  let texts: string[] = [];
  for (const record of records) {
    texts.push(JSON.stringify(record));
    if (texts.length < LIMITS.ingest_records_max) continue;
    yield `[${texts.join(',')}]`;
    texts = [];
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}

/**
 * Sends one body of records and waits for the acknowledgement.
 * @returns the number of accepted records
 */
export async function postRecords(
  address: string,
  kind: (typeof KINDS)[number],
  body: string | Uint8Array<ArrayBuffer>,
): Promise<number> {
  const response = await fetch(`${address}/v2/farcaster/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${kind}: answered ${response.status}: ${text}`);
  const { accepted, rejected_count } = JSON.parse(text);
  if (rejected_count > 0) throw new Error(`${kind}: ${rejected_count} records were rejected: ${text}`);
  return accepted;
}
