import { expect, test } from 'bun:test';
import { ManualClock, seededRandom } from '../../src/clock.ts';
import { type LoggedPage, type SendShown, ShownLog } from '../../src/ingest/shown-log.ts';
import { type ChangeBatch, StateCapacity } from '../../src/ingest/state-capacity.ts';
import { LIMITS } from '../../src/limits.ts';
import type { ShownChange } from '../../src/model/changes/shown.ts';
import { NO_SIGNALS, type ShownPage } from '../../src/model/shown-page.ts';
import { State } from '../../src/state/state.ts';
import { ManualTimers } from '../support/manual-timers.ts';

const START = 1_767_225_600;

const PAGE: ShownPage = {
  ...{ time: START, feed: 0, feed_type: 'for-you', ...NO_SIGNALS },
  ...{ items: Uint32Array.of(7), slots: Uint16Array.of(1), origins: Uint8Array.of(0) },
};

/** A log whose writer a test holds, and the changes that it wrote. */
class TestLog {
  readonly clock = new ManualClock(START);
  readonly timers = new ManualTimers();
  readonly changes: ShownChange[] = [];
  has_room = true;
  /** Awaited by each write. */
  writing: Promise<void> = Promise.resolve();
  sender: SendShown | undefined;
  readonly log: ShownLog;

  constructor() {
    const queue = {
      hasRoom: () => this.has_room,
      stored: async (batch: ChangeBatch) => {
        await this.writing;
        this.changes.push(...(batch.changes as ShownChange[]));
      },
    };
    this.log = new ShownLog({
      ...{ queue, store: { queued_records: 0 }, capacity: new StateCapacity(new State()) },
      ...{ clock: this.clock, timers: this.timers, sender: () => this.sender },
    });
  }

  async flushed(): Promise<void> {
    await this.timers.pass(LIMITS.shown_flush_seconds);
    await this.log.flushed();
  }

  /** Pages of a viewer, or each of another one. */
  async add(count: number, random: () => number): Promise<void> {
    for (let page = 0; page < count; page++) {
      this.log.add(viewerOf(random), PAGE);
      if (page % LIMITS.shown_batch_max === 0) await this.flushed();
    }
    await this.flushed();
  }
}

function viewerOf(random: () => number): string {
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return word() + word() + word() + word();
}

test('all pages of an hour are logged up to the limit, and then samples whose weights add up to all pages', async () => {
  const test_log = new TestLog();
  const random = seededRandom(3);
  const { shown_pages_per_hour: all, shown_pages_per_halving: more } = LIMITS;
  const sent = all + 2 * more + 4 * more;
  await test_log.add(sent, random);
  const { changes, log } = test_log;
  expect(changes.slice(0, all).every(({ halvings }) => halvings === 0)).toBe(true);
  expect(new Set(changes.map(({ halvings }) => halvings))).toEqual(new Set([0, 1, 2]));
  const weighted = changes.reduce((sum, { halvings }) => sum + 2 ** halvings, 0);
  expect(Math.abs(weighted - sent) / sent).toBeLessThan(0.03);
  expect(log.totals).toEqual({ logged: changes.length, left_out: sent - changes.length, dropped: 0 });
  test_log.clock.advance(3_600);
  await test_log.add(10, random);
  expect(changes.slice(-10).every(({ halvings }) => halvings === 0)).toBe(true);
});

test('pages that find no room while a write is under way are dropped and counted, and later ones are logged', async () => {
  const test_log = new TestLog();
  const { log, changes } = test_log;
  const writing = Promise.withResolvers<void>();
  test_log.writing = writing.promise;
  const random = seededRandom(5);
  const { shown_waiting_max: room, shown_batch_max: batch } = LIMITS;
  for (let page = 0; page < batch + room + 3; page++) log.add(viewerOf(random), PAGE);
  expect(log.totals.dropped).toBe(3);
  writing.resolve();
  await test_log.flushed();
  expect([changes.length, log.totals.logged]).toEqual([batch + room, batch + room]);
  test_log.has_room = false;
  await test_log.add(2, random);
  expect(log.totals.dropped).toBe(5);
  test_log.has_room = true;
  await test_log.add(2, random);
  expect(changes).toHaveLength(batch + room + 2);
});

test('pages of an erased viewer that are on their way to the log are dropped', async () => {
  const { log, changes } = new TestLog();
  const [anna, ben] = ['0', '1'].map((digit) => digit.repeat(32));
  for (const viewer of [anna, ben]) log.add(viewer, PAGE);
  log.forget(anna);
  await log.flushed();
  expect(changes.map(({ viewer }) => viewer)).toEqual([ben]);
});

test('a process that does not write sends its pages to the one that does, whose sample it takes over', async () => {
  const [sender, writer] = [new TestLog(), new TestLog()];
  const batches: number[] = [];
  sender.sender = (pages: readonly LoggedPage[]) => {
    batches.push(pages.length);
    return writer.log.take(pages);
  };
  const random = seededRandom(8);
  await writer.add(LIMITS.shown_pages_per_hour, random);
  await sender.add(1, random);
  expect([batches, sender.changes.length]).toEqual([[1], 0]);
  const before = sender.log.totals.left_out;
  await sender.add(100, random);
  const left_out = sender.log.totals.left_out - before;
  expect(left_out).toBeGreaterThan(30);
  expect(left_out).toBeLessThan(70);
  expect(writer.changes.slice(-(100 - left_out)).every(({ halvings }) => halvings === 1)).toBe(true);
  sender.sender = () => Promise.reject(new Error('no leader'));
  const { dropped } = sender.log.totals;
  sender.log.add('0'.repeat(32), PAGE);
  await sender.flushed();
  expect(sender.log.totals.dropped).toBe(dropped + 1);
});
