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

/** Memory settles this long after a collection: freed pages go back to the system with a delay … */
const SETTLE_MS = 1_500;
/** … and has settled when it has not fallen by this much since it was last looked at. */
const SETTLED_BYTES = 500_000;
/** Pages that each user is shown: a seen item is so small that few of them would be lost in the noise. */
const PAGES_SHOWN = 4;
const MEASURED = ['item', 'follow', 'interaction', 'impression'] as const;

/** Resident memory differs by a few percent from run to run, so the median of this many counts. */
const RUNS = 3;

/** Bytes that one more of each kind keeps resident, ids included, text and derived tables not. */
export type BytesPer = Record<(typeof MEASURED)[number], number>;

/**
 * `bytes_per_…`: the world is folded again and again, each time in a process of its own.
 * @param data data folder of the world
 */
export async function measureMemory({ children, progress, results }: Run, data: string): Promise<void> {
  progress.begin('memory of a follow, an interaction, an item', RUNS);
  const runs: BytesPer[] = [];
  while (runs.length < RUNS) {
    // Sound: a part of Feedloom printed it.
    runs.push((await children.part('memory', data)) as BytesPer);
    progress.advance();
  }
  for (const kind of ['follow', 'interaction', 'item', 'impression'] as const) {
    results.set(`bytes_per_${kind}`, median(runs.map((bytes) => bytes[kind])));
  }
}

/**
 * `bench-part memory`: folds a stored world kind by kind and looks at what each adds to the memory of the
 * process. Seen items are made up, some pages for each user, because nobody has read in a world just built.
 */
export async function bytesPer(data: string): Promise<BytesPer> {
  const options = { data, write_queue: 1, role: 'beside', command: 'feedloom bench' } as const;
  const store = await openStore(options);
  try {
    const state = new State();
    // The rows that are read need memory too: once read, it is there and no longer counts.
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

/** @returns the number of changes applied, names not counted */
async function apply(store: Store, state: State, wanted: (change: Change) => boolean): Promise<number> {
  let count = 0;
  await store.replay((change) => {
    if (!wanted(change)) return;
    applyChange(state, change);
    if (change.kind !== 'name') count++;
  });
  return count;
}

/** Pages of items drawn at random for each user. @returns the number of seen items */
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

/** Resident bytes added by `work`, by each of the things that it counts. */
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
