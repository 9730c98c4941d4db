import { describe, expect, test } from 'bun:test';
import { type Change, EVENT_CODE } from '../../src/state/change.ts';
import { imageOf } from '../../src/state/image.ts';
import { READ_AHEAD, readAhead } from '../../src/state/read-ahead.ts';
import { State } from '../../src/state/state.ts';

const USERS = 20;
const ITEMS = 30;
const TIME = 1_700_000_000;

function like(user: number, item: number, timestamp = TIME): Change {
  const about = { user, item, event_type: EVENT_CODE.like, action: 1, event_id: '' } as const;
  return { kind: 'interaction', ...about, timestamp, seq: 0, applied_at: timestamp };
}

function follow(user: number, target: number, timestamp = TIME): Change {
  return { kind: 'follow', user, target, timestamp, action: 1, seq: 0, applied_at: timestamp };
}

function community(): State {
  const state = new State();
  const stamp = () => ({ seq: state.seq + 1, applied_at: TIME });
  for (let key = 0; key < USERS; key++) {
    state.apply({ kind: 'name', space: 'user', key, id: `user${key}`, ...stamp() });
  }
  for (let key = 0; key < ITEMS; key++) {
    state.apply({ kind: 'name', space: 'item', key, id: `item${key}`, ...stamp() });
  }
  for (let key = 0; key < USERS; key++) state.apply({ ...like(key, key), ...stamp() });
  state.apply({ kind: 'erasure', user: 3, ...stamp() });
  return state;
}

const textOf = (state: State): string => {
  const { outline, bytes } = imageOf(state);
  return JSON.stringify([outline, bytes.map((each) => Bun.hash(each).toString())]);
};

describe('reading ahead', () => {
  test('changes nothing, whatever is said of whom', () => {
    const state = community();
    const before = textOf(state);
    const acts = [like(1, 1), like(1, 29), like(19, 0), like(3, 3), like(99, 1), like(1, 99)];
    const follows = [follow(1, 2), follow(2, 1), follow(19, 4), follow(3, 1), follow(1, 3), follow(99, 1)];
    readAhead(state, [...acts, ...follows]);
    expect(textOf(state)).toBe(before);
  });

  test('reads the table and the logs of both parties', () => {
    const state = community();
    const sum = readAhead(state, [like(1, 1)]);
    state.apply({ ...like(1, 1, TIME + 1_000), seq: state.seq + 1 });
    // The time of the last entry is part of what was read, in the user's log and in the item's.
    expect(readAhead(state, [like(1, 1)]) - sum).toBeGreaterThanOrEqual(2_000);
    expect(readAhead(state, [like(99, 1), like(1, 99), like(3, 1)])).toBe(0);
  });

  test('reads where a follow is, and the last follower of whom it is of', () => {
    const far = USERS - 1;
    const [state, other] = [community(), community()];
    for (const each of [state, other]) each.apply({ ...follow(1, 5), seq: each.seq + 1 });
    state.apply({ ...follow(far, 2), seq: state.seq + 1 });
    const sum = readAhead(state, [follow(far, 2)]);
    state.apply({ ...follow(far, 2, TIME + 5_000), seq: state.seq + 1 });
    expect(readAhead(state, [follow(far, 2)]) - sum).toBe(5_000);
    other.apply({ ...follow(4, 2), seq: other.seq + 1 });
    expect(readAhead(state, [follow(1, 2)]) - readAhead(other, [follow(1, 2)])).toBe(far - 4);
    expect(readAhead(state, [follow(99, 1), follow(1, 99), follow(3, 1)])).toBe(0);
  });

  test('goes no further than what stays in the nearest caches', () => {
    const state = community();
    const acts = Array.from({ length: 2 * READ_AHEAD + 1 }, (_, at) => like((at % 16) + 4, at % ITEMS));
    const all = [0, READ_AHEAD, 2 * READ_AHEAD].map((from) => readAhead(state, acts, from));
    const each = acts.map((act) => readAhead(state, [act]));
    const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
    expect(all).toEqual([
      sumOf(each.slice(0, READ_AHEAD)),
      sumOf(each.slice(READ_AHEAD, 2 * READ_AHEAD)),
      each[2 * READ_AHEAD],
    ]);
  });
});
