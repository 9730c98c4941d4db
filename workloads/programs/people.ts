/**
 * Measures recommended users. `bun workloads/programs/people.ts time FOLDER`: the time of an answer on a data folder (which
 * must be a copy: it is opened for writing), as p50 and p99. `bun workloads/programs/people.ts quality [FOLDER]`: holds 10 % of
 * the follows out and finds them again, in a community with planted groups or in the `follows.csv.gz` of a folder.
 */

import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ManualClock, monotonicMs, seededRandom } from '../../src/clock.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import { CandidateFinder } from '../../src/people/candidates.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { openTestServer } from '../../test/support/service.ts';

const NOW = 1_767_225_600;
const TOP = 20;
const ASKED_MAX = 2_000;
const WARM_UP = 200;
const TIMED = 1_500;

type Pair = readonly [number, number];

interface World {
  users: number;
  follows: Pair[];
  /** Who liked which item; item `n` is by user `n`. */
  likes: Pair[];
}

/** Groups of 40 users who mostly follow and like within their group, and 20 hubs whom everybody may follow. */
function plantedGroups(users = 4_000, size = 40): World {
  const random = seededRandom(11);
  const draw = (below: number) => Math.floor(random() * below);
  const within = (user: number) => Math.floor(user / size) * size + draw(size);
  const some = (user: number): number => {
    const chance = random();
    if (chance < 0.6) return within(user);
    return chance < 0.8 ? draw(20) : draw(users);
  };
  const follows: Pair[] = [];
  const likes: Pair[] = [];
  for (let user = 0; user < users; user++) {
    for (let count = 5 + draw(25); count > 0; count--) follows.push([user, some(user)]);
    for (let count = draw(10); count > 0; count--) likes.push([user, some(user)]);
  }
  return { users, follows, likes };
}

async function readFollows(folder: string): Promise<World> {
  const bytes = await Bun.file(join(folder, 'follows.csv.gz')).bytes();
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => {
    const known = numbers.get(id) ?? numbers.size;
    numbers.set(id, known);
    return known;
  };
  const lines = new TextDecoder().decode(gunzipSync(bytes)).trim().split('\n').slice(1);
  const follows = lines.map((line) => {
    const [one, other] = line.split(',');
    return [numberOf(one), numberOf(other)] as const;
  });
  return { users: numbers.size, follows, likes: [] };
}

/** The state of a world without the held-out follows. Every user published an item, so all are active. */
function stateOf({ users, likes }: World, follows: readonly Pair[]): State {
  const state = new State();
  let seq = 0;
  const stamp = () => ({ seq: ++seq, applied_at: NOW });
  for (let key = 0; key < users; key++) {
    applyChange(state, { kind: 'name', space: 'user', key, id: `u${key}`, ...stamp() });
    applyChange(state, { kind: 'name', space: 'item', key, id: `i${key}`, ...stamp() });
    applyChange(state, {
      kind: 'item',
      item: key,
      author: key,
      content: { created_at: NOW - 100 },
      ...stamp(),
    });
  }
  for (const [user, target] of follows)
    applyChange(state, { kind: 'follow', user, target, action: 1, timestamp: NOW - 50, ...stamp() });
  for (const [user, item] of likes)
    applyChange(state, {
      kind: 'interaction',
      user,
      item,
      event_type: EVENT_CODE.like,
      action: 1,
      timestamp: NOW - 50,
      event_id: '',
      ...stamp(),
    });
  return state;
}

/** The users whom most followed users follow. */
function plainFriends(state: State, viewer: number): number[] {
  const counts = new Map<number, number>();
  for (const followed of state.follows.following(viewer))
    for (const user of state.follows.following(followed)) counts.set(user, (counts.get(user) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([user]) => user);
}

/** Prints Recall@20 of held-out follows. */
function quality(world: World): void {
  const random = seededRandom(5);
  const held = new Map<number, Set<number>>();
  const kept: Pair[] = [];
  const distinct = new Map(
    world.follows.filter(([user, target]) => user !== target).map((pair) => [`${pair}`, pair] as const),
  );
  // Where all follows are mutual, they are friendships. One direction would give the other away, so both are held out.
  const are_friends = [...distinct.values()].every(([user, target]) => distinct.has(`${[target, user]}`));
  const drawn = new Map<string, boolean>();
  for (const [user, target] of distinct.values()) {
    const name = `${are_friends && user > target ? [target, user] : [user, target]}`;
    const is_held = drawn.get(name) ?? random() < 0.1;
    drawn.set(name, is_held);
    if (is_held) held.set(user, (held.get(user) ?? new Set()).add(target));
    else kept.push([user, target]);
  }
  const state = stateOf(world, kept);
  const most_followed = Array.from({ length: world.users }, (_, user) => user).sort(
    (one, other) => state.follows.followerCount(other) - state.follows.followerCount(one),
  );
  const popular = new Map(most_followed.map((user) => [user, state.follows.followerCount(user)] as const));
  const finder = new CandidateFinder(state, 0.7);
  const methods: Record<string, (viewer: number) => readonly number[]> = {
    feedloom: (viewer) =>
      finder
        .recommended({ subject: viewer, viewer, excluded: new Set(), top_k: TOP, seed: 0, now: NOW, popular })
        .users.map(({ user }) => user),
    'most followed': () => most_followed,
    'plain friends of friends': (viewer) => plainFriends(state, viewer),
  };
  const asked = [...held].slice(0, ASKED_MAX);
  for (const [name, method] of Object.entries(methods)) {
    let sum = 0;
    for (const [viewer, wanted] of asked) {
      const isNew = (user: number) => user !== viewer && !state.follows.follows(viewer, user);
      const page: number[] = [];
      for (const user of method(viewer)) {
        if (page.length === TOP) break;
        if (isNew(user)) page.push(user);
      }
      sum += page.filter((user) => wanted.has(user)).length / Math.min(TOP, wanted.size);
    }
    console.log(`Recall@${TOP} ${name}: ${(sum / asked.length).toFixed(3)} (${asked.length} users)`);
  }
}

/** Prints p50 and p99 of answers to viewers drawn at random, without HTTP. */
async function time(data: string): Promise<void> {
  const clock = new ManualClock(NOW);
  await using server = await opened(data, clock);
  const { state, people } = server.service;
  const random = seededRandom(3);
  const page = { top_k: 25, exclude_user_ids: [], return_metadata: false, explain: false };
  const took: number[] = [];
  for (let count = 0; count < WARM_UP + TIMED; count++) {
    const viewer = state.users.names.id(Math.floor(random() * state.users.size));
    const from = monotonicMs();
    await people.recommended(viewer, page);
    if (count >= WARM_UP) took.push(monotonicMs() - from);
  }
  took.sort((one, other) => one - other);
  const at = (share: number) => took[Math.floor(share * took.length)].toFixed(2);
  console.log(`${state.users.size} users, ${state.follows.size} follows`);
  console.log(`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1 - 1 / took.length)} ms`);
}

async function opened(data: string, clock: ManualClock) {
  // With a lag, as in production.
  const server = await openTestServer({ data, clock, settings: { derived_lag_ms: 100 } });
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}

const [what, folder] = process.argv.slice(2);
if (what === 'time' && folder !== undefined) await time(folder);
else if (what === 'quality') quality(folder === undefined ? plantedGroups() : await readFollows(folder));
else console.error('usage: bun workloads/programs/people.ts time FOLDER | quality [FOLDER]');
