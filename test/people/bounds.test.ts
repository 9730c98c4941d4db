import { expect, test } from 'bun:test';
import { NONE } from '../../src/model/key.ts';
import { BOUNDS } from '../../src/people/bounds.ts';
import { CandidateFinder } from '../../src/people/candidates.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { START } from '../support/service.ts';

const FOLLOWED = 100_000;
const OTHERS = 300;
const VIEWER = FOLLOWED + OTHERS;
const TOP = 25;

/** The viewer follows 100,000 users, each follows three of the others, and all of them follow the first other. */
function hugeFollowing(): State {
  const state = new State();
  let seq = 0;
  const stamp = () => ({ seq: ++seq, applied_at: START });
  const follow = (user: number, target: number) =>
    applyChange(state, { kind: 'follow', user, target, action: 1, timestamp: START - 50, ...stamp() });
  for (let key = 0; key <= VIEWER; key++)
    applyChange(state, { kind: 'name', space: 'user', key, id: `u${key}`, ...stamp() });
  for (let at = 0; at < OTHERS; at++) {
    const author = FOLLOWED + at;
    applyChange(state, { kind: 'name', space: 'item', key: at, id: `i${at}`, ...stamp() });
    const content = { created_at: START - 100 };
    applyChange(state, { kind: 'item', item: at, author, content, ...stamp() });
  }
  for (let user = 0; user < FOLLOWED; user++) {
    follow(VIEWER, user);
    follow(user, FOLLOWED);
    for (let count = 1; count <= 2; count++) follow(user, FOLLOWED + ((user * count) % OTHERS));
  }
  return state;
}

test('the work for a viewer with 100,000 follows, and for a user with as many followers, is bounded', () => {
  const state = hugeFollowing();
  const { follows } = state;
  const following = follows.following.bind(follows);
  let asked = 0;
  let read = 0;
  follows.following = (user) => {
    const found = following(user);
    if (user === VIEWER) return found;
    asked++;
    read += found.length;
    return found;
  };
  const finder = new CandidateFinder(state, 0.7);
  const wanted = { viewer: VIEWER, excluded: new Set<number>(), top_k: TOP, now: START, popular: new Map() };
  const pages = [0, 1].map((seed) => finder.recommended({ ...wanted, subject: VIEWER, seed }));
  pages.push(finder.similar({ ...wanted, subject: FOLLOWED, seed: 0 }));
  for (const { users, scored } of pages) {
    expect(users).toHaveLength(TOP);
    expect(scored).toBeLessThanOrEqual(BOUNDS.candidates_per_source_max);
    expect(users.filter(({ user }) => user < FOLLOWED || user === VIEWER)).toEqual([]);
  }
  expect(pages[0].users[0].user).toBe(FOLLOWED);
  // A sample by hash has about its size.
  expect(asked).toBeLessThan(3 * 1.2 * BOUNDS.follows_sampled_max);
  expect(read).toBeLessThanOrEqual(3 * BOUNDS.follows_read_max);
});

test('a page of popular users does not read their followers, also while some are hidden', () => {
  const state = hugeFollowing();
  const content = { hidden: true };
  applyChange(state, { kind: 'user', user: 0, content, seq: state.seq + 1, applied_at: START });
  const { users } = state;
  const hidden = users.hidden.bind(users);
  let asked = 0;
  users.hidden = (user) => {
    asked++;
    return hidden(user);
  };
  const popular = new Map([[FOLLOWED, FOLLOWED - 1]]);
  const unknown = {
    subject: NONE,
    viewer: NONE,
    excluded: new Set<number>(),
    top_k: TOP,
    seed: 0,
    now: START,
  };
  const page = new CandidateFinder(state, 0.7).recommended({ ...unknown, popular });
  expect(page.users).toMatchObject([{ user: FOLLOWED, reasons: [{ type: 'popular', count: FOLLOWED - 1 }] }]);
  expect(asked).toBeLessThan(TOP);
});
