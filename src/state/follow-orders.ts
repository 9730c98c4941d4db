import type { Follows } from './follows.ts';
import { joinTime, MS_BITS, msPart, secondsPart } from './time.ts';

/** What follows are told to, and all that folding a stored change asks of them. */
export interface FollowWriter {
  record(user: number, target: number, add: boolean, time: number): void;
  eraseUser(user: number): void;
}

/** Orders of one batch: what carrying them out takes is some 0.1 s, and telling a thread of them is nothing beside it. */
const BATCH = 65_536;
/** Of an order: two ordinals, whole seconds, and 16 bits for the milliseconds and what is to be done. */
const ORDER_BYTES = 14;
/** Orders that are read ahead for together, as of changes (`read-ahead.ts`). */
const READ_AHEAD = 64;

/** Bits above the milliseconds: the follow begins (else it ends); nobody follows, all of a user's go. */
const ADD = 1 << MS_BITS;
const ERASE = 2 << MS_BITS;

/** What is to be done to follows, in order, in memory that can be handed to another thread. */
export class FollowOrders implements FollowWriter {
  private readonly users: Uint32Array;
  private readonly targets: Uint32Array;
  private readonly seconds: Uint32Array;
  private readonly low: Uint16Array;

  /**
   * @param buffer of a batch that came from another thread
   * @param count of its orders
   */
  constructor(
    readonly buffer = new ArrayBuffer(BATCH * ORDER_BYTES),
    public count = 0,
  ) {
    this.users = new Uint32Array(buffer, 0, BATCH);
    this.targets = new Uint32Array(buffer, 4 * BATCH, BATCH);
    this.seconds = new Uint32Array(buffer, 8 * BATCH, BATCH);
    this.low = new Uint16Array(buffer, 12 * BATCH, BATCH);
  }

  /** There is no room for another order. */
  get is_full(): boolean {
    return this.count === BATCH;
  }

  record(user: number, target: number, add: boolean, time: number): void {
    const at = this.count++;
    this.users[at] = user;
    this.targets[at] = target;
    this.seconds[at] = secondsPart(time);
    this.low[at] = msPart(time) | (add ? ADD : 0);
  }

  eraseUser(user: number): void {
    const at = this.count++;
    this.users[at] = user;
    this.low[at] = ERASE;
  }

  /** @returns a number without meaning, of what was read ahead, so that no compiler leaves the reading out */
  carryOut(follows: Follows): number {
    let read = 0;
    for (let from = 0; from < this.count; from += READ_AHEAD) {
      const until = Math.min(from + READ_AHEAD, this.count);
      read += this.readAhead(follows, from, until);
      for (let at = from; at < until; at++) this.carryOutOne(follows, at);
    }
    return read;
  }

  /** Most of what follows are is not in the processor's cache, and in loops this short it fetches many places at once. */
  private readAhead(follows: Follows, from: number, until: number): number {
    const { users, targets } = this;
    let read = 0;
    for (let at = from; at < until; at++) read += follows.glance(users[at], targets[at]);
    for (let at = from; at < until; at++) read += follows.glanceAt(users[at], targets[at]);
    return read;
  }

  private carryOutOne(follows: Follows, at: number): void {
    const low = this.low[at];
    if ((low & ERASE) !== 0) follows.eraseUser(this.users[at]);
    else follows.record(this.users[at], this.targets[at], (low & ADD) !== 0, joinTime(this.seconds[at], low));
  }
}
