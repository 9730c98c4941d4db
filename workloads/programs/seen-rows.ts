/**
 * Recorded pages a second while the rows of many viewers are stored, on both engines: pages of viewers drawn at random,
 * whose rows are read and written by a book that caches few. Then the time of a sweep.
 * With 20 million viewers it takes 15 minutes and 8 GB on disk. Run it alone on the machine: `bun workloads/programs/seen-rows.ts [--viewers 20000000] [--seconds 20]`.
 */

import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SQL } from 'bun';
import { monotonicMs, seededRandom, systemClock } from '../../src/clock.ts';
import { encodeHead, NO_HEAD, newPage } from '../../src/seen/head.ts';
import { newPageId, SeenBook } from '../../src/seen/seen-book.ts';
import { sweepSeen } from '../../src/seen/sweep.ts';
import { openStore } from '../../src/store/open-store.ts';
import { giveTo, serverAccount } from '../../test/support/postgres/account.ts';
import { runnablePrograms } from '../../test/support/postgres/programs.ts';
import { startServer } from '../../test/support/postgres/server.ts';
import { urlOf } from '../../test/support/postgres.ts';
import { PAGE_LENGTH } from '../bench/requests.ts';

const { values } = parseArgs({
  options: {
    viewers: { type: 'string', default: '20000000' },
    seconds: { type: 'string', default: '20' },
  },
});
const viewers = Number(values.viewers);
const RECORDED_AT_ONCE = 256;
const ITEMS = 200_000;
const CACHE_BYTES = 16 * 2 ** 20;
/** Unlike in tests the data reaches the disk, as a commit must. */
const SERVER_SETTINGS = {
  ...{ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'on' },
  ...{ shared_buffers: '1GB', max_wal_size: '8GB' },
};

const random = seededRandom(1);
const STEP = 2n ** 63n / BigInt(viewers);
const digits = (number: number): string => (BigInt(number) * STEP).toString(16).padStart(16, '0');
const viewerOf = (number: number): string => digits(number).repeat(2);

function pageKeys(): Uint32Array {
  const newest = ITEMS - 1;
  return Uint32Array.from({ length: PAGE_LENGTH }, () => Math.floor(newest * random() ** 0.25));
}

/** A head with two pages. */
function headOfTwoPages(): Uint8Array {
  const pages = [1, 2].map((page_id) =>
    newPage({ time: systemClock.now(), page_id, feed: 1, arm: 0, keys: pageKeys() }),
  );
  return encodeHead({ ...NO_HEAD, born: 1, pages });
}

function fillFile(path: string): void {
  const database = new Database(path);
  const insert = database.prepare(
    'insert into seen (viewer, part, number, updated_at, content) values (unhex(?), 0, 1, 1, ?)',
  );
  const content = headOfTwoPages();
  const some = database.transaction((from: number, to: number) => {
    for (let number = from; number < to; number++) insert.run(viewerOf(number), content);
  });
  for (let from = 0; from < viewers; from += 100_000) some(from, Math.min(viewers, from + 100_000));
  database.close();
}

async function fillServer(url: string): Promise<void> {
  const client = new SQL({ url, max: 1 });
  const content = Buffer.from(headOfTwoPages()).toString('hex');
  await client.unsafe(`insert into seen (viewer, part, number, updated_at, content)
    select decode(repeat(lpad(to_hex(number * ${STEP}), 16, '0'), 2), 'hex'), 0, 1, 1, decode('${content}', 'hex')
    from generate_series(0::bigint, ${viewers - 1}) as number`);
  await client.unsafe('vacuum analyze seen');
  await client.close();
}

async function measure(data: string, database_url?: string): Promise<void> {
  const options = { data, database_url, write_queue: 100_000, role: 'serve', command: 'bench' } as const;
  const empty = await openStore(options);
  await empty.close();
  if (database_url === undefined) fillFile(join(data, 'feedloom.sqlite'));
  else await fillServer(database_url);
  const store = await openStore(options);
  await store.replay(() => {});
  await store.startWriter({ onCommitted() {}, onFailed() {}, last_applied_at: 0 });
  const key = await store.seenKey();
  const book = new SeenBook({
    store: store.seen,
    key,
    clock: systemClock,
    is_shared: false,
    cache_bytes_max: CACHE_BYTES,
  });
  let recorded = 0;
  const until_ms = monotonicMs() + Number(values.seconds) * 1_000;
  const recordSome = async (): Promise<void> => {
    while (monotonicMs() < until_ms) {
      const row = await book.read(viewerOf(Math.floor(random() * viewers)));
      const page = { keys: pageKeys(), feed: 1, arm: 0 };
      if ((await book.record(row, { page_id: newPageId(), page, applied_seq: 0 })) === 'written') recorded++;
    }
  };
  await Promise.all(Array.from({ length: RECORDED_AT_ONCE }, recordSome));
  const began_ms = monotonicMs();
  await sweepSeen(store.seen, { now: systemClock.now(), isKnown: () => true, onRemoved() {} });
  const swept_seconds = ((monotonicMs() - began_ms) / 1_000).toFixed(0);
  const pages = Math.round(recorded / Number(values.seconds)).toLocaleString('en-US');
  console.log(`| ${store.engine} | ${pages}/s | ${swept_seconds} s |`);
  await store.close();
}

const folder = mkdtempSync('/tmp/feedloom-seen-rows-');
try {
  console.log('| Engine | Recorded pages | Sweep that removes nothing |\n|---|---|---|');
  await measure(join(folder, 'data'));
  rmSync(join(folder, 'data'), { recursive: true });
  const account = serverAccount();
  giveTo(account, folder);
  const run = { account, cwd: folder };
  const port = startServer(run, runnablePrograms(run), SERVER_SETTINGS);
  const admin = new SQL({ url: urlOf(port, 'postgres'), max: 1 });
  await admin.unsafe('create database feedloom');
  await admin.close();
  await measure(join(folder, 'node'), urlOf(port, 'feedloom'));
} finally {
  Bun.spawnSync(['sh', join(folder, 'stop')]);
  rmSync(folder, { recursive: true, force: true });
}
