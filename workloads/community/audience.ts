/**
 * Draws the users who react to an item and their interactions:
 *
 * followers, users with the same interest, and friends.
 */

import type { Random } from '../../src/clock.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import { indexOfShare, pick, skewedIndex } from './chance.ts';
import { type FollowGraph, followersOf } from './follow-graph.ts';
import type { ItemPlan } from './item-plan.ts';
import { isInterested, memberOfCircle, type People, type Pools } from './people.ts';
import { anyoneUnmarked, memberOfPool, NO_USER, reads } from './readership.ts';

const ACTIVITY_SKEW = 1.8;
/** Sources of readers: a follower, the topic's pool, the author's circle, a reader's follower, any user. */
const SOURCE_SHARES = [0.42, 0.42, 0.06, 0.06, 0.04];
/** The probability that a follower without interest in the topic reacts nevertheless. */
const OFF_TOPIC_ACCEPTED = 0.16;
/** The share of readers with a second interaction after a view or like. */
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

/** An interaction, packed: the user's ordinal times 8 plus the code of the event. */
export type Act = number;
export const userOfAct = (act: Act): number => act >>> 3;
export const eventOfAct = (act: Act): number => act & 7;

/** Draws audiences. It keeps one mark per user, so that no user repeats an interaction on an item. */
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

  /** `count` interactions on an item in order of time. Fewer if all users have been used. O(count). */
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
      if (user === NO_USER) break;
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
      if (user !== NO_USER && this.marks[user] !== mark && this.people.newcomer[user] === 0) return user;
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
    if (user === NO_USER || !reads(people, user, language, random)) return NO_USER;
    const accepted = isInterested(people, user, topic) || random() < OFF_TOPIC_ACCEPTED;
    return accepted ? user : NO_USER;
  }

  private followerOf(user: number): number {
    const followers = followersOf(this.graph, user);
    return followers.length === 0 ? NO_USER : followers[Math.floor(this.random() * followers.length)];
  }

  private earlierReader(author: number, acts: Uint32Array, length: number): number {
    return length === 0 ? author : userOfAct(acts[Math.floor(this.random() * length)]);
  }
}
