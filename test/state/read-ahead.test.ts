import { describe, expect, test } from 'bun:test';
import { imageOf } from '../../src/columns/image.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import { applyChange } from '../../src/state/apply.ts';
import { readAhead } from '../../src/state/read-ahead.ts';
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
    applyChange(state, { kind: 'name', space: 'user', key, id: `user${key}`, ...stamp() });
  }
  for (let key = 0; key < ITEMS; key++) {
    applyChange(state, { kind: 'name', space: 'item', key, id: `item${key}`, ...stamp() });
  }
  for (let key = 0; key < USERS; key++) applyChange(state, { ...like(key, key), ...stamp() });
  applyChange(state, { kind: 'erasure', user: 3, viewer: '', ...stamp() });
  return state;
}

const textOf = (state: State): string => {
  const { outline, bytes } = imageOf(state);
  return JSON.stringify([outline, bytes.map((each) => Bun.hash(each).toString())]);
};

describe('reading ahead', () => {
  test('reading ahead changes nothing, for any changes', () => {
    const state = community();
    const before = textOf(state);
    const acts = [like(1, 1), like(1, 29), like(19, 0), like(3, 3), like(99, 1), like(1, 99)];
    const follows = [follow(1, 2), follow(2, 1), follow(19, 4), follow(3, 1), follow(1, 3), follow(99, 1)];
    readAhead(state, [...acts, ...follows]);
    expect(textOf(state)).toBe(before);
  });
});
