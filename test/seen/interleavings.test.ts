import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_SECONDS, dayOf, ManualClock, type Seconds } from '../../src/clock.ts';
import { NONE } from '../../src/model/key.ts';
import { SeenBook } from '../../src/seen/seen-book.ts';
import type { SeenRow } from '../../src/seen/seen-row.ts';
import type { KnownSeen, SeenStore, SeenWrite } from '../../src/seen/seen-store.ts';
import { sweepSeen } from '../../src/seen/sweep.ts';
import type { Store } from '../../src/store/store.ts';
import { VolatileStore } from '../../src/store/volatile.ts';
import { ENGINES, withServing } from '../store/engines.ts';
import { checkAsync } from '../support/long.ts';

const START = 1_700_000_000;
const DAYS_KEPT = 9;

/** What happens to the first write of a page. `later`: it fails, and is executed at some later time. */
const BROKEN = ['before', 'after', 'later'] as const;

type Action =
  | { does: 'serve'; node: number; length: number; broken?: (typeof BROKEN)[number] }
  | { does: 'apply'; node: number }
  | { does: 'erase' | 'sweep' };

/** Time passes, then all actions begin at once. */
interface Round {
  hours: number;
  actions: Action[];
}

const node = fc.nat(1);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('serve' as const),
      node,
      // Folded pages of more than 500 items in all leave the head for a part.
      length: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 150, max: 250 })),
      broken: fc.option(fc.constantFrom(...BROKEN), { nil: undefined, freq: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('apply' as const), node }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('erase' as const, 'sweep' as const) }) },
);
const rounds: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    hours: fc.oneof(fc.nat(5), fc.integer({ min: 12, max: 50 })),
    actions: fc.array(action, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 3, maxLength: 12 },
);

/** A store whose statements are executed, and answered, in any order. */
class ScheduledStore implements SeenStore {
  broken: (typeof BROKEN)[number] | undefined;

  constructor(
    private readonly stored: SeenStore,
    private readonly scheduler: fc.Scheduler,
  ) {}

  read(known: readonly KnownSeen[]) {
    return this.inAnyOrder(() => this.stored.read(known));
  }

  async write(writes: readonly SeenWrite[]) {
    const { broken } = this;
    this.broken = undefined;
    const written = broken === 'before' ? [] : this.inAnyOrder(() => this.stored.write(writes));
    if (broken !== 'later') await written;
    if (broken !== undefined) throw new Error('the connection is lost');
    return written;
  }

  private async inAnyOrder<T>(statement: () => Promise<T>): Promise<T> {
    await this.scheduler.schedule(Promise.resolve());
    const result = await statement();
    await this.scheduler.schedule(Promise.resolve());
    return result;
  }
}

/** A page that was sent. */
interface Sent {
  keys: readonly number[];
  time: Seconds;
  /** The number and the erasure of the row that it was built from. */
  built_from: number;
  erased_seq: number;
  is_recorded: boolean;
}

interface TestNode {
  store: ScheduledStore;
  book: SeenBook;
  applied_seq: number;
}

/** A viewer who takes pages at two nodes. */
class Viewer {
  readonly viewer: string;
  readonly sent: Sent[] = [];
  private readonly nodes: TestNode[];
  private erased_seq = 0;
  private last_page = 0;

  constructor(
    private readonly store: Store,
    key: Uint8Array,
    private readonly clock: ManualClock,
    private readonly scheduler: fc.Scheduler,
    name: string,
  ) {
    const options = { key, clock, is_shared: true, cache_bytes_max: 2 ** 20, days_kept: DAYS_KEPT };
    this.nodes = [0, 1].map(() => {
      const scheduled = new ScheduledStore(store.seen, scheduler);
      return { store: scheduled, book: new SeenBook({ ...options, store: scheduled }), applied_seq: 0 };
    });
    this.viewer = this.nodes[0].book.viewerOf(name);
  }

  async round({ hours, actions }: Round): Promise<void> {
    this.clock.advance(hours * 3_600);
    await this.scheduler.waitFor(Promise.all(actions.map((one) => this.act(one))));
  }

  private async act(what: Action): Promise<void> {
    if (what.does === 'apply') this.nodes[what.node].applied_seq = this.erased_seq;
    if (what.does === 'erase') await this.erase();
    if (what.does === 'sweep') await this.sweep();
    if (what.does !== 'serve') return;
    const { store, book, applied_seq } = this.nodes[what.node];
    store.broken ??= what.broken;
    const erased_before = this.erased_seq;
    const sent = await this.serve(book, what.length, applied_seq);
    expect(sent.is_recorded).toBe(applied_seq >= sent.erased_seq);
    expect(sent.erased_seq).toBeGreaterThanOrEqual(erased_before);
    this.sent.push(sent);
  }

  /** Builds and records a page as a caller of the book does. */
  private async serve(book: SeenBook, length: number, applied_seq: number): Promise<Sent> {
    const unsure = new Map<number, Sent>();
    let row = await book.read(this.viewer);
    for (;;) {
      for (const [page_id, sent] of unsure) if (row.has(page_id)) return sent;
      const page_id = ++this.last_page;
      const keys = firstUnseen(row, length);
      const { number: built_from, erased_seq } = row;
      const sent = { keys, time: this.clock.now(), built_from, erased_seq, is_recorded: true };
      const page = { keys: Uint32Array.from(keys), feed: 1, arm: 0 };
      const outcome = await book.record(row, { page_id, page, applied_seq }).catch(() => 'unknown');
      if (outcome === 'written') return sent;
      if (outcome === 'erased') return { ...sent, is_recorded: false };
      if (outcome === 'unknown') unsure.set(page_id, sent);
      row = await book.settle(this.viewer);
    }
  }

  private async erase(): Promise<void> {
    await this.scheduler.schedule(Promise.resolve());
    const applied_at = this.clock.now();
    const erasure = { kind: 'erasure', user: NONE, viewer: this.viewer, seq: 0, applied_at } as const;
    await this.store.submit([erasure]);
    this.erased_seq = Math.max(this.erased_seq, erasure.seq);
  }

  private async sweep(): Promise<void> {
    await this.scheduler.schedule(Promise.resolve());
    const [{ book }] = this.nodes;
    const onRemoved = (viewer: string) => book.forget(viewer);
    const options = { now: this.clock.now(), days_kept: DAYS_KEPT, isKnown: () => true, onRemoved };
    await sweepSeen(this.store.seen, options);
  }

  /** What a page that was built from a row had to leave out, and what it could leave out. */
  private known({ built_from, erased_seq, time }: Sent): { seen: number[]; perhaps: Set<number> } {
    const since = time - DAYS_KEPT * DAY_SECONDS;
    const before = this.sent
      .filter((one) => one.is_recorded && one.erased_seq === erased_seq && one.built_from < built_from)
      .sort((one, other) => one.built_from - other.built_from);
    const seen = before.filter((page) => page.time >= since).flatMap(({ keys }) => keys);
    // Days are folded to the time of their last page.
    const of_days = before.filter((page) => (dayOf(page.time) + 1) * DAY_SECONDS > since);
    return { seen, perhaps: new Set(of_days.flatMap(({ keys }) => keys)) };
  }

  /** All pages are those of one node that sent them in the order of the numbers of their rows. */
  expectOneOrder(): void {
    for (const page of this.sent) {
      const { seen, perhaps } = this.known(page);
      const again = new Set(seen);
      expect(page.keys.filter((key) => again.has(key))).toEqual([]);
      const shown = new Set(page.keys);
      for (let key = 0; key < page.keys[page.keys.length - 1]; key++)
        if (!shown.has(key) && !perhaps.has(key)) throw new Error(`${key} is left out for no reason`);
    }
    const recorded = this.sent.filter(({ is_recorded }) => is_recorded);
    expect(new Set(recorded.map(({ built_from }) => built_from)).size).toBe(recorded.length);
  }

  /** A node without a cache reads all recorded items in their order, and no part is left of what was erased. */
  async expectStored(row: SeenRow): Promise<void> {
    const now = { keys: [], time: this.clock.now(), is_recorded: false };
    const { erased_seq } = row;
    const { seen, perhaps } = this.known({ ...now, built_from: Number.POSITIVE_INFINITY, erased_seq });
    const [in_order, must] = [[...row.inOrder()], new Set(seen)];
    expect(erased_seq === this.erased_seq || row.number === 0).toBeTrue();
    expect(in_order.filter((key) => must.has(key))).toEqual(seen);
    expect(in_order.filter((key) => !perhaps.has(key))).toEqual([]);
    const [stored] = await this.store.seen.read([{ viewer: this.viewer, number: -1 }]);
    expect(stored?.parts.length ?? 0).toBeLessThanOrEqual(row.head.moved);
  }
}

function firstUnseen(row: SeenRow, count: number): number[] {
  const keys: number[] = [];
  for (let key = 0; keys.length < count; key++) if (row.lastSeen(key) === undefined) keys.push(key);
  return keys;
}

async function holds(count: number, store: Store): Promise<void> {
  const clock = new ManualClock(START);
  const key = await store.seenKey();
  let run = 0;
  await checkAsync(count, [rounds, fc.scheduler()], async (planned, scheduler) => {
    const viewer = new Viewer(store, key, clock, scheduler, `viewer ${run++}`);
    for (const round of planned) await viewer.round(round);
    await scheduler.waitAll();
    viewer.expectOneOrder();
    const options = { store: store.seen, key, clock, is_shared: true, cache_bytes_max: 0 };
    await viewer.expectStored(await new SeenBook({ ...options, days_kept: DAYS_KEPT }).read(viewer.viewer));
  });
}

const WHAT =
  'pages of one viewer at two nodes show no item twice and equal some order of them, whatever is folded, forgotten or erased between';

test(`${WHAT}, in memory`, async () => {
  const store = new VolatileStore();
  await store.startWriter({ onCommitted() {}, onFailed() {}, onStopped() {}, last_applied_at: 0 });
  await holds(150, store);
});

for (const engine of ENGINES)
  test(`${WHAT}, on ${engine.name}`, () => withServing(engine, ({ store }) => holds(8, store)));
