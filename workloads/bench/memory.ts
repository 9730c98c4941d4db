import { seededRandom } from '../../src/clock.ts';
import type { Change } from '../../src/model/change.ts';
import { newPage } from '../../src/seen/head.ts';
import { SeenRow } from '../../src/seen/seen-row.ts';
import { nextRow } from '../../src/seen/seen-write.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { median } from '../../src/statistics.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { Run } from './context.ts';
import { PAGE_LENGTH } from './requests.ts';
import { WORLD_NOW } from './worlds.ts';

/** The wait after a garbage collection. Freed pages are returned to the system with a delay. */
const SETTLE_MS = 1_500;
/** Memory is stable if it has fallen by less than this since the last reading. */
const SETTLED_BYTES = 500_000;
/** Three months of eight pages a day, of the items of 30 days. */
const PAGES_SHOWN = 720;
const PAGE_EVERY_SECONDS = 3 * 3_600;
const ITEMS_LIVE = 200_000;
const ITEMS_PER_PAGE = 800;
const MEASURED = ['item', 'follow', 'interaction'] as const;

/** Resident memory varies by a few percent, so the median of several runs counts. */
const RUNS = 3;

/** Resident bytes per additional record, including ids, without text and derived tables. */
export type BytesPer = Record<(typeof MEASURED)[number], number>;

/**
 * Measures `bytes_per_…`: loads the world several times, each time in a new process.
 * @param data data folder of the world
 */
export async function measureMemory({ children, progress, results }: Run, data: string): Promise<void> {
  progress.begin('memory of a follow, an interaction, an item', RUNS);
  const runs: BytesPer[] = [];
  while (runs.length < RUNS) {
    // Safe: a part of Feedloom printed it.
    runs.push((await children.part('memory', data)) as BytesPer);
    progress.advance();
  }
  for (const kind of ['follow', 'interaction', 'item'] as const) {
    results.set(`bytes_per_${kind}`, median(runs.map((bytes) => bytes[kind])));
  }
  results.set('bytes_per_seen_item', storedPerSeenItem());
}

/** `bench-part memory`: loads a stored world kind by kind and measures the added memory. */
export async function bytesPer(data: string): Promise<BytesPer> {
  const options = { data, write_queue: 1, role: 'beside', command: 'feedloom bench' } as const;
  const store = await openStore(options);
  try {
    const state = new State();
    // Rows that are read need memory as well. After a first read it is allocated and no longer counts.
    await apply(store, state, () => false);
    await apply(store, state, (change) => isUser(change));
    const item = await grownBy(() => apply(store, state, isItem));
    const follow = await grownBy(() => apply(store, state, ({ kind }) => kind === 'follow'));
    const interaction = await grownBy(() => apply(store, state, ({ kind }) => kind === 'interaction'));
    return { item, follow, interaction };
  } finally {
    await store.close();
  }
}

const isUser = (change: Change) =>
  change.kind === 'user' || (change.kind === 'name' && change.space === 'user');
const isItem = (change: Change) =>
  change.kind === 'item' || (change.kind === 'name' && change.space === 'item');

/** @returns the number of applied changes, without names */
async function apply(store: Store, state: State, wanted: (change: Change) => boolean): Promise<number> {
  let count = 0;
  await store.replay((change) => {
    if (!wanted(change)) return;
    applyChange(state, change);
    if (change.kind !== 'name') count++;
  });
  return count;
}

/** Bytes of a row, its head and its parts, for each item that a viewer saw on some pages a day. */
function storedPerSeenItem(): number {
  const random = seededRandom(5);
  let row = SeenRow.none('viewer');
  let parts_bytes = 0;
  let head_bytes = 0;
  for (let page = 0; page < PAGES_SHOWN; page++) {
    const time = WORLD_NOW + page * PAGE_EVERY_SECONDS;
    const newest = page * ITEMS_PER_PAGE;
    const keys = Uint32Array.from({ length: PAGE_LENGTH }, () => newest + Math.floor(ITEMS_LIVE * random()));
    const shown = newPage({ time, page_id: page, feed: 1, arm: 0, keys });
    const { write, row: next } = nextRow(row, { pages: [shown] }, time);
    row = next;
    head_bytes = write.content.length;
    for (const { content } of write.parts) parts_bytes += content.length;
  }
  return (head_bytes + parts_bytes) / row.inOrder().length;
}

/** Resident bytes added by `work`, divided by the count that it returns. */
async function grownBy(work: () => Promise<number>): Promise<number> {
  const before = await residentBytes();
  const count = await work();
  return ((await residentBytes()) - before) / count;
}

async function residentBytes(): Promise<number> {
  let bytes = Number.POSITIVE_INFINITY;
  for (;;) {
    Bun.gc(true);
    await Bun.sleep(SETTLE_MS);
    Bun.gc(true);
    const before = bytes;
    bytes = process.memoryUsage.rss();
    if (bytes > before - SETTLED_BYTES) return Math.min(bytes, before);
  }
}
