import type { IntegerHash } from '../columns/keyed-hash.ts';
import { SubjectTables } from '../columns/subject-tables.ts';
import type { TableLimits } from '../columns/table-arena.ts';
import { joinTime, msPart, secondsPart } from '../columns/time.ts';
import { NONE } from '../model/key.ts';

/** A bit of the `low` column above the milliseconds: the relation ended. */
const REMOVED = 1 << 13;

export interface PairEntry {
  target: number;
  time: number;
  current: boolean;
}

/**
 * Relations from users to users, each with the time of its last message.
 *
 * The later time wins, ties by arrival. An ended relation stays as a tombstone, so that an older message that arrives
 * later changes nothing.
 */
export class DatedPairs extends SubjectTables<{
  seconds: Uint32Array<ArrayBuffer>;
  low: Uint16Array<ArrayBuffer>;
}> {
  constructor(ordinal_hash: IntegerHash, limits: TableLimits) {
    super({ seconds: new Uint32Array(1024), low: new Uint16Array(1024) }, 0, ordinal_hash, limits);
  }

  isCurrent(at: number): boolean {
    return (this.columns.low[at] & REMOVED) === 0;
  }

  time(at: number): number {
    return joinTime(this.columns.seconds[at], this.columns.low[at]);
  }

  /** The last message about a pair; undefined if there was none. */
  known(user: number, target: number): { stands: boolean; time: number } | undefined {
    const at = this.find(user, target);
    return at === NONE ? undefined : { stands: this.isCurrent(at), time: this.time(at) };
  }

  /** Whether a message would change the pair at this position. @param at NONE for an unknown pair */
  differs(at: number, add: boolean, time: number): boolean {
    if (at === NONE) return true;
    const known = this.time(at);
    if (time !== known) return time > known;
    return this.isCurrent(at) !== add;
  }

  write(user: number, target: number, known: number, add: boolean, time: number): void {
    const at = known === NONE ? this.put(user, target) : known;
    this.columns.seconds[at] = secondsPart(time);
    this.columns.low[at] = msPart(time) | (add ? 0 : REMOVED);
  }

  currentTargets(user: number): number[] {
    const found: number[] = [];
    for (let at = this.start(user); at < this.end(user); at++) {
      const target = this.key(at);
      if (target !== NONE && this.isCurrent(at)) found.push(target);
    }
    return found;
  }

  /** Every recorded pair of a user, including ended relations. */
  *entries(user: number): Generator<PairEntry> {
    for (let at = this.start(user); at < this.end(user); at++) {
      const target = this.key(at);
      if (target !== NONE) yield { target, time: this.time(at), current: this.isCurrent(at) };
    }
  }
}
