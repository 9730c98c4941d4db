/**
 * What learning from shown pages costs the process that applies changes: CPU of a page of 25 items with 20 signals, from
 * its change to its lesson, and of an act on it, beside a state that learns nothing. It takes 20 seconds:
 * `bun workloads/programs/learning-cost.ts [--pages 40000]`.
 */

import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/clock.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import { NO_SIGNALS, type ShownPage } from '../../src/model/shown-page.ts';
import { signalKey } from '../../src/model/signal-key.ts';
import { viewerHash } from '../../src/seen/seen-store.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';

const [USERS, ITEMS, PAGE, SIGNALS] = [5_000, 20_000, 25, 20];
const SECONDS_PER_PAGE = 0.2;
const WINDOW = 3_600;
/** The first pages compile the code and fill the memory of open pages. */
const WARM_UP = 20_000;

const { values } = parseArgs({ options: { pages: { type: 'string', default: '40000' } } });
const pages_count = Number(values.pages);
const key = new Uint8Array(32);
const viewerOf = (user_id: string) => viewerHash(key, user_id);
const viewers = Array.from({ length: USERS }, (_, user) => viewerOf(`user ${user}`));
const signals = Uint32Array.from({ length: SIGNALS }, (_, at) =>
  signalKey(at === 0 ? 'default' : `signal ${at}`),
);

/** Applies changes in turn. */
class Applied {
  private seq = 0;
  now = 1_700_000_000;

  constructor(readonly state: State) {
    for (let user = 0; user < USERS; user++)
      this.take({ kind: 'name', space: 'user', key: user, id: `user ${user}` });
    for (let item = 0; item < ITEMS; item++) {
      this.take({ kind: 'name', space: 'item', key: item, id: `item ${item}` });
      const content = { created_at: this.now, channel: `channel ${item % 50}` };
      this.take({ kind: 'item', item, author: item % USERS, content });
    }
  }

  take(change: Record<string, unknown>): void {
    applyChange(this.state, { ...change, seq: ++this.seq, applied_at: this.now } as Change);
  }
}

/** CPU of a page with its acts in microseconds. */
function measure(state: State, with_signals: boolean, acts: number): number {
  const applied = new Applied(state);
  const random = seededRandom(1);
  const learning = { window_seconds: WINDOW, is_reported: false, is_control: false, is_learned: true };
  const bytes = Uint8Array.from({ length: 65_536 }, () => 256 * random());
  let start = process.cpuUsage();
  for (let page_of = 0; page_of < WARM_UP + pages_count; page_of++) {
    if (page_of === WARM_UP) start = process.cpuUsage();
    applied.now += SECONDS_PER_PAGE;
    const items = Uint32Array.from({ length: PAGE }, () => ITEMS * random());
    const user = Math.floor(USERS * random());
    const from = Math.floor((bytes.length - PAGE * SIGNALS) * random());
    const about = { signals, signal_values: bytes.subarray(from, from + PAGE * SIGNALS), learning };
    const page: ShownPage = {
      ...{
        time: applied.now,
        feed: 7,
        feed_type: 'for-you',
        items,
        slots: Uint16Array.from(items, (_, at) => at + 1),
      },
      ...{ origins: new Uint8Array(PAGE), ...(with_signals ? about : NO_SIGNALS) },
    };
    applied.take({ kind: 'shown', viewer: viewers[user], halvings: 0, page });
    for (let act = 0; act < acts; act++) {
      const what = { event_type: EVENT_CODE.like, action: 1, event_id: '', timestamp: applied.now };
      applied.take({ kind: 'interaction', user, item: items[5 * act + 4], ...what });
    }
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / pages_count;
}

const without = (acts: number) =>
  measure(new State({ learns_from: Number.POSITIVE_INFINITY, viewerOf }), true, acts);
const lone = measure(new State({ viewerOf }), true, 0) - without(0);
const acted_without = without(4);
const acted = measure(new State({ viewerOf }), true, 4) - acted_without;
// Acts without a lesson: the pages have no signals.
const counted = measure(new State({ viewerOf }), false, 4) - measure(new State({ viewerOf }), false, 0);
const plain = acted_without - without(0);
const rounded = (us: number) => Number(us.toFixed(2));
console.log(
  JSON.stringify({
    page_without_act_us: rounded(lone),
    page_with_4_acts_us: rounded(acted),
    act_us: rounded((counted - plain) / 4),
    not_learnt_act_us: rounded(plain / 4),
  }),
);
