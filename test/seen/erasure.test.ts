import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ManualClock } from '../../src/clock.ts';
import { dayRun, encodeHead, encodeRuns, NO_HEAD } from '../../src/seen/head.ts';
import { SeenBook } from '../../src/seen/seen-book.ts';
import type { SeenRow } from '../../src/seen/seen-row.ts';
import { firstNumber } from '../../src/seen/seen-store.ts';
import { NONE } from '../../src/state/change.ts';
import type { Store } from '../../src/store/store.ts';
import { VolatileStore } from '../../src/store/volatile.ts';
import { ENGINES, withServing } from '../store/engines.ts';
import { checkAsync } from '../support/long.ts';

const NOW = 1_700_000_000;

type Step = { node: 0 | 1; does: 'request' | 'record' | 'apply' } | { does: 'erase' };

const node = fc.constantFrom(0 as const, 1 as const);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ node, does: fc.constant('request' as const) }) },
    { weight: 3, arbitrary: fc.record({ node, does: fc.constant('record' as const) }) },
    { weight: 1, arbitrary: fc.record({ node, does: fc.constant('apply' as const) }) },
    { weight: 1, arbitrary: fc.constant({ does: 'erase' as const }) },
  ),
  { minLength: 4, maxLength: 14 },
);

/** A viewer of two nodes, whose row has a part. */
class Viewer {
  readonly viewer: string;
  private readonly books: SeenBook[];
  private readonly applied_seqs = [0, 0];
  private readonly requested: ({ row: SeenRow; applied_seq: number } | undefined)[] = [undefined, undefined];
  private next_page = 1;
  private erased_seq = 0;
  /** What was recorded since the last erasure. */
  seen: number[] = [7, 5];

  constructor(
    private readonly store: Store,
    private readonly options: ConstructorParameters<typeof SeenBook>[0],
    name: string,
  ) {
    this.books = [0, 1].map(() => new SeenBook(options));
    this.viewer = this.books[0].viewerOf(name);
  }

  async begin(): Promise<void> {
    const content = encodeHead({ ...NO_HEAD, born: 1, moved: 1 });
    const parts = [{ part: 1, content: encodeRuns([dayRun(NOW - 9_999_999, Uint32Array.from(this.seen))]) }];
    const row = { viewer: this.viewer, built_from: 0, number: firstNumber(NOW), updated_at: NOW };
    expect(await this.store.seen.write([{ ...row, content, parts }])).toEqual([this.viewer]);
  }

  async step(step: Step): Promise<void> {
    if (step.does === 'erase') return this.erase();
    if (step.does === 'apply') this.applied_seqs[step.node] = this.erased_seq;
    if (step.does === 'request') {
      const row = await this.books[step.node].read(this.viewer);
      this.requested[step.node] = { row, applied_seq: this.applied_seqs[step.node] };
    }
    if (step.does === 'record') await this.record(step.node);
  }

  private async erase(): Promise<void> {
    const erasure = { kind: 'erasure', user: NONE, viewer: this.viewer, seq: 0, applied_at: NOW } as const;
    await this.store.submit([erasure]);
    expect(erasure.seq).toBeGreaterThan(this.erased_seq);
    this.erased_seq = erasure.seq;
    this.seen = [];
  }

  /** Records the page that was requested last at a node, as a caller of the book does. */
  private async record(at: 0 | 1): Promise<void> {
    const requested = this.requested[at];
    if (requested === undefined) return;
    this.requested[at] = undefined;
    const { applied_seq } = requested;
    let { row } = requested;
    for (;;) {
      const page_id = this.next_page++;
      const page = { keys: Uint32Array.of(100 + page_id), feed: 1, arm: 0 };
      const outcome = await this.books[at].record(row, { page_id, page, applied_seq });
      expect(outcome === 'erased').toBe(outcome !== 'conflict' && applied_seq < this.erased_seq);
      if (outcome === 'written') this.seen.push(100 + page_id);
      if (outcome !== 'conflict') return;
      row = await this.books[at].settle(this.viewer);
    }
  }

  /** What a node without a cache reads, and what is stored. */
  async stored() {
    const [{ parts }] = await this.store.seen.read([{ viewer: this.viewer, number: 0 }]);
    const row = await new SeenBook(this.options).read(this.viewer);
    return { keys: [...row.inOrder()], parts: parts.length };
  }
}

async function holds(count: number, store: Store): Promise<void> {
  const clock = new ManualClock(NOW);
  const key = await store.seenKey();
  const options = { store: store.seen, key, clock, is_shared: true, cache_bytes_max: 2 ** 20 };
  let run = 0;
  await checkAsync(count, [steps], async (planned) => {
    const viewer = new Viewer(store, options, `viewer ${run++}`);
    await viewer.begin();
    for (const step of planned) await viewer.step(step);
    const parts = planned.some(({ does }) => does === 'erase') ? 0 : 1;
    expect(await viewer.stored()).toEqual({ keys: viewer.seen, parts });
  });
}

const WHAT = 'of an erased viewer stays only what was requested after the node had applied the erasure';

test(`${WHAT}, in memory`, async () => {
  const store = new VolatileStore();
  await store.startWriter({ onCommitted() {}, onFailed() {}, onStopped() {}, last_applied_at: 0 });
  await holds(200, store);
});

for (const engine of ENGINES)
  test(`${WHAT}, on ${engine.name}`, () => withServing(engine, ({ store }) => holds(4, store)));
