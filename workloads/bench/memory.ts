import { seededRandom } from '../../src/clock.ts';
import { applyChange } from '../../src/state/apply.ts';
import type { Change } from '../../src/state/change.ts';
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
/** The number of pages shown to each user. A seen item is so small that few of them would be lost in the noise. */
const PAGES_SHOWN = 4;
const MEASURED = ['item', 'follow', 'interaction', 'impression'] as const;

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
  for (const kind of ['follow', 'interaction', 'item', 'impression'] as const) {
    results.set(`bytes_per_${kind}`, median(runs.map((bytes) => bytes[kind])));
  }
}

/**
 * `bench-part memory`: loads a stored world kind by kind and measures the added memory.
 *
 * Seen items are generated, since a newly built world has none.
 */
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
    const impression = await grownBy(async () => showPages(state));
    return { item, follow, interaction, impression };
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

/** Marks randomly drawn items as seen by each user. @returns the number of seen items */
function showPages(state: State): number {
  const random = seededRandom(5);
  const { users, items } = state;
  let seen = 0;
  for (let page = 0; page < users.size * PAGES_SHOWN; page++) {
    const user = page % users.size;
    const shown = Uint32Array.from({ length: PAGE_LENGTH }, () =>
      items.names.key(Math.floor(random() * items.size)),
    );
    const seq = state.seq + 1;
    const change = { user: users.names.key(user), items: shown, timestamp: WORLD_NOW, seq };
    const before = state.interactions.touched.count(user);
    applyChange(state, { kind: 'impression', ...change, applied_at: WORLD_NOW });
    seen += state.interactions.touched.count(user) - before;
  }
  return seen;
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
