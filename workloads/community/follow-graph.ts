/**
 * The follow graph. Out-degrees are log-normal, and in-degrees follow a power law. Most follows are within a shared
 * interest and language. Some follows are mutual.
 */

import type { Random } from '../../src/clock.ts';
import { apportion, gaussian, STREAM, skewedIndex, stream } from './chance.ts';
import { createPools, interestsOf, memberOfCircle, type People, type Pools } from './people.ts';
import { anyoneUnmarked, memberOfPool, NO_USER, reads } from './readership.ts';
import { ENGLISH } from './topics.ts';

/** The higher, the fewer users have most of the followers. */
const PROMINENCE_SKEW = 3;
/** The number of latest followers that each user may follow back. */
const REMEMBERED = 6;
const SHARE_RETURNED = 0.12;
const SHARE_CIRCLE = 0.24;
const SHARE_TOPIC = 0.93;

/** Followers of all users in one list. */
export interface FollowGraph {
  /** The followers of user u are `followers[starts[u]]` to `followers[starts[u + 1] - 1]`. */
  starts: Uint32Array;
  followers: Uint32Array;
}

export function followersOf(graph: FollowGraph, user: number): Uint32Array {
  return graph.followers.subarray(graph.starts[user], graph.starts[user + 1]);
}

function outDegrees(people: People, follows: number, random: Random): Uint32Array {
  const weights = new Float64Array(people.count);
  for (let user = 0; user < people.count; user++) {
    weights[user] = Math.exp(0.9 * gaussian(random)) * (people.newcomer[user] === 1 ? 0.05 : 1);
  }
  const cap = Math.floor(people.by_prominence.length / 2);
  return apportion(weights, new Float64Array(people.count).fill(cap), follows);
}

/** Proposes users to follow. Remembers recent followers, so that follows can be mutual. */
class Proposals {
  private readonly recent: Uint32Array;
  private readonly recent_count: Uint32Array;
  private readonly pools: Pools;

  constructor(
    private readonly people: People,
    private readonly random: Random,
  ) {
    this.recent = new Uint32Array(people.count * REMEMBERED);
    this.recent_count = new Uint32Array(people.count);
    this.pools = createPools(people, people.by_prominence);
  }

  /** May return the user, a newcomer or a user who is already followed: the caller checks. */
  next(user: number): number {
    const { people, random } = this;
    const draw = random();
    const known = Math.min(this.recent_count[user], REMEMBERED);
    if (draw < SHARE_RETURNED && known > 0) {
      return this.recent[user * REMEMBERED + Math.floor(random() * known)];
    }
    if (draw < SHARE_CIRCLE) return memberOfCircle(people, user, random);
    if (draw < SHARE_TOPIC) {
      const interests = interestsOf(people, user);
      const topic = interests[skewedIndex(random, interests.length, 1.4)];
      const own = people.language[user];
      const language = own !== ENGLISH && random() < 0.35 ? ENGLISH : own;
      const member = memberOfPool(this.pools, topic, language, PROMINENCE_SKEW, random);
      if (member !== NO_USER && reads(people, user, people.language[member], random)) return member;
    }
    return people.by_prominence[skewedIndex(random, people.by_prominence.length, PROMINENCE_SKEW)];
  }

  remember(user: number, target: number): void {
    const slot = this.recent_count[target]++ % REMEMBERED;
    this.recent[target * REMEMBERED + slot] = user;
  }
}

/** Inverts "users that each user follows" by a counting sort. */
function transposed(count: number, degrees: Uint32Array, targets: Uint32Array): FollowGraph {
  const starts = new Uint32Array(count + 1);
  for (const target of targets) starts[target + 1]++;
  for (let user = 0; user < count; user++) starts[user + 1] += starts[user];
  const next = starts.slice(0, count);
  const followers = new Uint32Array(targets.length);
  let edge = 0;
  for (let user = 0; user < count; user++) {
    for (let end = edge + degrees[user]; edge < end; edge++) followers[next[targets[edge]]++] = user;
  }
  return { starts, followers };
}

/** Draws all follows. O(users + follows) time, 4 bytes per follow kept. */
export function createFollowGraph(seed: number, people: People, follows: number): FollowGraph {
  const random = stream(seed, STREAM.graph);
  const degrees = outDegrees(people, follows, random);
  const targets = new Uint32Array(degrees.reduce((sum, degree) => sum + degree, 0));
  const proposals = new Proposals(people, random);
  const marks = new Uint32Array(people.count);
  let edge = 0;
  for (let user = 0; user < people.count; user++) {
    const mark = user + 1;
    marks[user] = mark;
    for (let k = 0; k < degrees[user]; k++) {
      let target = NO_USER;
      for (let attempt = 0; attempt < 16 && target === NO_USER; attempt++) {
        const proposed = proposals.next(user);
        if (marks[proposed] !== mark && people.newcomer[proposed] === 0) target = proposed;
      }
      if (target === NO_USER) target = anyoneUnmarked(people.by_prominence, marks, mark, random);
      marks[target] = mark;
      targets[edge++] = target;
      proposals.remember(user, target);
    }
  }
  return transposed(people.count, degrees, targets);
}
