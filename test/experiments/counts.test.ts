import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ManualClock } from '../../src/clock.ts';
import { type CountedData, viewersOf } from '../../src/experiments/totals.ts';
import type { OutcomeChange } from '../../src/model/changes/outcome.ts';
import { SeenBook } from '../../src/seen/seen-book.ts';
import { State } from '../../src/state/state.ts';
import type { Store } from '../../src/store/store.ts';
import { EXPERIMENT } from '../store/any-change.ts';
import { ENGINES, withServing } from '../store/engines.ts';
import { checkAsync } from '../support/long.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const START = 1_700_000_000;
const VIEWERS = ['anna', 'ben'];
const ARMS = [0, 1];
/** A read ends amid the rows of a viewer. */
const ROWS_READ = 3;
const PERIOD = { ...EXPERIMENT, attribution_hours: 12 };
const ACT_TYPES = 7;

/** What happens after some seconds: a viewer of an arm is shown a page, or acts on an item. */
type Step = { wait: number; arm: number; viewer: string } & (
  | { kind: 'page'; items: number[]; is_short: boolean }
  | { kind: 'act'; item: number; event_type: number; ago: number }
);

/** A step as it is stored. */
type Stored = Step & { time: number };

const WINDOW = PERIOD.attribution_hours * HOUR;

const item = fc.nat(2);
const common = {
  wait: fc.constantFrom(0, 0, 0.4, 1, 3_000, WINDOW - 3_000, WINDOW, DAY),
  arm: fc.constantFrom(0, 0, ...ARMS),
  viewer: fc.constantFrom(...VIEWERS),
};
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ...common,
    kind: fc.constant('page' as const),
    items: fc.uniqueArray(item, { minLength: 1, maxLength: 3 }),
    is_short: fc.boolean(),
  }),
  fc.record({
    ...common,
    kind: fc.constant('act' as const),
    item,
    event_type: fc.nat(2),
    ago: fc.constantFrom(0, 0, 0, 0.3, 100, 50_000),
  }),
);

interface Counts {
  impressions: number;
  pages: number;
  short_pages: number;
  first_day: number;
  has_returned: boolean;
  acts: number[];
}

/** Counts in plain loops. */
function naiveCounts(history: readonly Stored[], arm: number): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const viewer of VIEWERS) {
    const own = history.filter((each) => each.arm === arm && each.viewer === viewer);
    const pages = own.flatMap((each) => (each.kind === 'page' ? [each] : []));
    if (pages.length === 0) continue;
    const days = pages.map(({ time }) => Math.floor(time / DAY));
    const acts = new Array<number>(ACT_TYPES).fill(0);
    for (const each of own) {
      if (each.kind !== 'act') continue;
      const is_counted = pages.some(({ time, items }) => {
        const passed = each.time - Math.floor(time);
        return items.includes(each.item) && passed >= 0 && passed <= WINDOW;
      });
      if (is_counted) acts[each.event_type]++;
    }
    counts.set(viewer, {
      impressions: pages.reduce((sum, { items }) => sum + items.length, 0),
      pages: pages.length,
      short_pages: pages.filter(({ is_short }) => is_short).length,
      first_day: days[0],
      has_returned: days.includes(days[0] + 1),
      acts,
    });
  }
  return counts;
}

/** The acts that former versions counted: each when it came, by the last page before it that had its item. */
function formerActs(history: readonly Stored[], arm: number): Map<string, number[]> {
  const shown: { viewer: string; item: number; time: number }[] = [];
  const acts = new Map<string, number[]>();
  for (const each of history) {
    if (each.arm !== arm) continue;
    if (each.kind === 'page') {
      for (const key of each.items)
        shown.push({ viewer: each.viewer, item: key, time: Math.floor(each.time) });
      if (!acts.has(each.viewer)) acts.set(each.viewer, new Array<number>(ACT_TYPES).fill(0));
      continue;
    }
    const last = shown.findLast(
      (page) => page.viewer === each.viewer && page.item === each.item && page.time <= each.time,
    );
    const counted = acts.get(each.viewer);
    if (counted && last && each.time - last.time <= WINDOW) counted[each.event_type]++;
  }
  return acts;
}

/** Stores steps as the service does. */
class Recorder {
  private page_id = 0;
  readonly clock = new ManualClock(START);
  private readonly book: SeenBook;
  readonly history: Stored[] = [];
  private readonly outcomes: OutcomeChange[] = [];

  constructor(
    private readonly store: Store,
    key: Uint8Array,
  ) {
    const options = { store: store.seen, key, clock: this.clock, is_shared: false };
    this.book = new SeenBook({ ...options, cache_bytes_max: 2 ** 20 });
  }

  private get data(): CountedData {
    const viewerOf = (user_id: string) => this.book.viewerOf(user_id);
    return { state: new State(), rows: this.store.experiment_rows, viewerOf, now: () => this.clock.now() };
  }

  async take(taken: Step): Promise<void> {
    const { arm, viewer: user_id } = taken;
    this.clock.advance(taken.wait);
    const applied_at = this.clock.now();
    const viewer = this.book.viewerOf(user_id);
    if (taken.kind === 'page') {
      const page = { keys: Uint32Array.from(taken.items), feed: 1, arm };
      const counted = { is_short: taken.is_short, teams: new Uint8Array(), point: 0 };
      const recording = { page_id: ++this.page_id, page, counted, applied_seq: 0 };
      expect(await this.book.record(await this.book.read(viewer), recording)).toBe('written');
      this.history.push({ ...taken, time: applied_at });
      return;
    }
    const { item: key, event_type, ago } = taken;
    const timestamp = applied_at - ago;
    const about = { viewer, arm, item: key, event_type, timestamp };
    this.outcomes.push({ kind: 'outcome', ...about, seq: 0, applied_at });
    this.history.push({ ...taken, time: timestamp });
  }

  async end(): Promise<void> {
    await this.store.submit(this.outcomes);
  }

  async counts(arm: number): Promise<Map<string, Counts>> {
    const counts = new Map<string, Counts>();
    for await (const viewers of viewersOf(this.data, PERIOD, arm, ROWS_READ))
      for (const { viewer, impressions, pages, short_pages, first_day, has_returned, acts } of viewers) {
        const user_id = VIEWERS.find((each) => this.book.viewerOf(each) === viewer) ?? viewer;
        counts.set(user_id, { impressions, pages, short_pages, first_day, has_returned, acts });
      }
    return counts;
  }
}

describe.each([...ENGINES])('what viewers of experiments did, on $name,', (engine) => {
  /** Runs `work` for random histories, each of other arms. */
  const forHistories = (
    steps: fc.Arbitrary<Step>,
    work: (recorder: Recorder, arm: number) => Promise<void>,
  ) =>
    withServing(engine, async ({ store }) => {
      const key = await store.seenKey();
      let first_arm = 1;
      await checkAsync(10, [fc.array(steps, { minLength: 10, maxLength: 40 })], async (history) => {
        const recorder = new Recorder(store, key);
        for (const each of history) await recorder.take({ ...each, arm: first_arm + each.arm });
        await recorder.end();
        for (const arm of ARMS) await work(recorder, first_arm + arm);
        first_arm += ARMS.length;
      });
    });

  test('is counted like in plain loops over the history', () =>
    forHistories(step, async (recorder, arm) => {
      expect(await recorder.counts(arm)).toEqual(naiveCounts(recorder.history, arm));
    }));

  test('is counted like in former versions if acts come at their time', () => {
    // Former versions knew the order of a page and an act at one time.
    const in_time = step.map((each) => ({ ...each, wait: Math.max(1, each.wait), ago: 0 }));
    return forHistories(in_time, async (recorder, arm) => {
      const acts = [...(await recorder.counts(arm))].map(
        ([user_id, counts]) => [user_id, counts.acts] as const,
      );
      expect(new Map(acts)).toEqual(formerActs(recorder.history, arm));
    });
  });
});
