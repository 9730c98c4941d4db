import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { imageOf } from '../../src/columns/image.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';

const USERS = 4_000;
const ITEMS = 20_000;
const TIME = 1_700_000_000;

/** Bytes of all columns up to their used ends. */
function bytesOf(state: State): number {
  return imageOf(state).columns.reduce((sum, { used_bytes }) => sum + used_bytes, 0);
}

/** Many small numbers and a few large ones: the square root of 1 / draw. */
function skewed(random: () => number, below: number): number {
  return Math.min(below - 1, Math.floor((1 / Math.sqrt(1 - random()) - 1) * below * 0.05));
}

/** A community in which each method adds one kind of data and returns how much. */
class Sample {
  readonly state = new State();
  private readonly random = seededRandom(3);
  private seq = 0;

  names(): number {
    for (let key = 1; key <= USERS; key++) this.apply({ kind: 'name', space: 'user', key, id: `user${key}` });
    return USERS;
  }

  items(): number {
    for (let key = 1; key <= ITEMS; key++) {
      this.apply({ kind: 'name', space: 'item', key, id: `0x${key.toString(16).padStart(40, '0')}` });
      const channel = `channel${skewed(this.random, 200)}`;
      const ai_labels = { [`label${skewed(this.random, 50)}`]: this.random(), other: this.random() };
      const content = { created_at: TIME - ITEMS + key, channel, language: 'en', ai_labels };
      this.apply({ kind: 'item', item: key, author: this.user(), content });
    }
    return ITEMS;
  }

  follows(): number {
    const stood = this.state.follows.size;
    for (let count = 0; count < USERS * 30; count++) {
      this.apply({ kind: 'follow', user: this.user(), target: this.user(), action: 1, timestamp: TIME });
    }
    return this.state.follows.size - stood;
  }

  interactions(): number {
    for (let count = 0; count < USERS * 50; count++) {
      const about = { user: this.user(), item: this.item(), event_type: EVENT_CODE.like };
      this.apply({ kind: 'interaction', ...about, action: 1, timestamp: TIME + count, event_id: '' });
    }
    return this.state.interactions.by_user.size;
  }

  /** The size of each kind of data: the growth of its columns divided by the number. */
  bytesEach(add: () => number): number {
    const before = bytesOf(this.state);
    const count = add.call(this);
    return (bytesOf(this.state) - before) / count;
  }

  private apply(change: object): void {
    const stamp = { seq: ++this.seq, applied_at: TIME + this.seq };
    applyChange(this.state, { ...change, ...stamp } as Change);
  }

  private user(): number {
    return 1 + skewed(this.random, USERS);
  }

  private item(): number {
    return 1 + skewed(this.random, ITEMS);
  }
}

describe('the columns of a state', () => {
  test('the columns of a state take at most the documented bytes per entry', () => {
    const sample = new Sample();
    sample.names();
    const bytes = [sample.items, sample.follows, sample.interactions].map((add) => sample.bytesEach(add));
    for (const [index, most] of [250, 22, 36].entries()) expect(bytes[index]).toBeLessThan(most);
  });

  test('the columns of an item grow by 56 bytes when its source counts', () => {
    const sample = new Sample();
    sample.names();
    sample.items();
    const { state } = sample;
    const before = bytesOf(state);
    const engagement = { kind: 'engagement', shares_count: 3, comments_count: 2, likes_count: 1 } as const;
    for (let item = 1; item <= ITEMS; item++) {
      applyChange(state, {
        ...engagement,
        item,
        updated_at: TIME,
        seq: ITEMS * 3 + item,
        applied_at: TIME * 2,
      });
    }
    expect((bytesOf(state) - before) / ITEMS).toBeLessThan(57);
  });
});
