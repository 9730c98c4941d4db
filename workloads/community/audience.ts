/** Who reacts to an item and how: followers first, then people who share the interest, and their friends. */

import type { Random } from '../../src/clock.ts';
import { EVENT_CODE } from '../../src/state/change.ts';
import { indexOfShare, pick, skewedIndex } from './chance.ts';
import { type FollowGraph, followersOf } from './follow-graph.ts';
import type { ItemPlan } from './item-plan.ts';
import { isInterested, memberOfCircle, type People, type Pools } from './people.ts';
import { anyoneUnmarked, memberOfPool, NOBODY, reads } from './readership.ts';

const ACTIVITY_SKEW = 1.8;
/** Where a reader comes from: a follower, the topic's pool, the author's circle, a reader's follower, anybody. */
const SOURCE_SHARES = [0.42, 0.42, 0.06, 0.06, 0.04];
/** A follower who does not care for the topic reacts this often all the same. */
const OFF_TOPIC_ACCEPTED = 0.16;
/** After a view or like, this share of readers does one thing more. */
const SECOND_ACT_SHARE = 0.3;

const { view, like, comment, share, bookmark } = EVENT_CODE;
/** Shares of view, like, comment, share, bookmark, hide, report: the codes of `EVENT_TYPES`. */
const FIRST_ACT = {
  interested: [0.46, 0.38, 0.055, 0.045, 0.045, 0.012, 0.003],
  indifferent: [0.72, 0.17, 0.02, 0.015, 0.015, 0.05, 0.01],
  annoyed: [0.62, 0.05, 0.03, 0.0, 0.0, 0.18, 0.12],
};
const AFTER_VIEW = [like, like, like, like, like, comment, share, bookmark];
const AFTER_LIKE = [comment, comment, share, bookmark];

/** One act of an audience: the user's ordinal times 8 plus the code of the event. */
export type Act = number;
export const userOfAct = (act: Act): number => act >>> 3;
export const eventOfAct = (act: Act): number => act & 7;

/** Draws audiences; keeps one mark per user so that nobody does the same thing twice to an item. */
export class AudienceDrawer {
  private readonly marks: Uint32Array;

  constructor(
    private readonly people: People,
    private readonly pools: Pools,
    private readonly graph: FollowGraph,
    private readonly plan: ItemPlan,
    private readonly random: Random,
  ) {
    this.marks = new Uint32Array(people.count);
  }

  /** `count` acts on an item in the order in which they happen; fewer when nobody is left. O(count). */
  draw(item: number, count: number): Uint32Array {
    const acts = new Uint32Array(count);
    const mark = item + 1;
    this.marks[this.plan.author[item]] = mark;
    let follow_up = false;
    let length = 0;
    while (length < count) {
      const previous = length > 0 ? acts[length - 1] : 0;
      if (follow_up && this.random() < SECOND_ACT_SHARE) {
        const choice = eventOfAct(previous) === view ? AFTER_VIEW : AFTER_LIKE;
        acts[length++] = userOfAct(previous) * 8 + pick(this.random, choice);
        follow_up = false;
        continue;
      }
      const user = this.reader(item, mark, acts, length);
      if (user === NOBODY) break;
      this.marks[user] = mark;
      const event = this.firstAct(item, user);
      acts[length++] = user * 8 + event;
      follow_up = event === view || event === like;
    }
    return length === count ? acts : acts.subarray(0, length);
  }

  private firstAct(item: number, user: number): number {
    const interested = isInterested(this.people, user, this.plan.topic[item]);
    const mood = this.plan.spam[item] === 1 ? 'annoyed' : interested ? 'interested' : 'indifferent';
    return indexOfShare(this.random(), FIRST_ACT[mood]);
  }

  private reader(item: number, mark: number, acts: Uint32Array, length: number): number {
    for (let attempt = 0; attempt < 20; attempt++) {
      const user = this.propose(item, acts, length);
      if (user !== NOBODY && this.marks[user] !== mark && this.people.newcomer[user] === 0) return user;
    }
    return anyoneUnmarked(this.people.by_activity, this.marks, mark, this.random);
  }

  private propose(item: number, acts: Uint32Array, length: number): number {
    const { people, plan, random } = this;
    const author = plan.author[item];
    const topic = plan.topic[item];
    const language = people.language[author];
    const source = indexOfShare(random(), SOURCE_SHARES);
    if (source === 1) return memberOfPool(this.pools, topic, language, ACTIVITY_SKEW, random);
    let user: number;
    if (source === 0) user = this.followerOf(author);
    else if (source === 2) user = memberOfCircle(people, author, random);
    else if (source === 3) user = this.followerOf(this.earlierReader(author, acts, length));
    else user = people.by_activity[skewedIndex(random, people.by_activity.length, ACTIVITY_SKEW)];
    if (user === NOBODY || !reads(people, user, language, random)) return NOBODY;
    const accepted = isInterested(people, user, topic) || random() < OFF_TOPIC_ACCEPTED;
    return accepted ? user : NOBODY;
  }

  private followerOf(user: number): number {
    const followers = followersOf(this.graph, user);
    return followers.length === 0 ? NOBODY : followers[Math.floor(this.random() * followers.length)];
  }

  private earlierReader(author: number, acts: Uint32Array, length: number): number {
    return length === 0 ? author : userOfAct(acts[Math.floor(this.random() * length)]);
  }
}
