import type { Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import { Repeats } from '../state/repeats.ts';
import type { State } from '../state/state.ts';

/** Of an item's entries so many are read at most for each user that is wanted. */
const READ_PER_USER = 8;

/** Kinds of act that tell of interest and of which any number may stand, each a set of its own. */
export function repeatable({ vocabulary }: State): number[] {
  const codes = vocabulary.names.map((_, code) => code);
  return codes
    .filter((code) => vocabulary.isToldApartByTime(code) && vocabulary.interest[code] > 0)
    .map((code) => 1 << code);
}

/**
 * An item's latest entries that tell of interest: of what one user does again and again only the latest. Those who
 * approve are sure of one half of the places, glances of the other, so that neither who only looks nor who likes
 * takes all of them; what one kind does not use the other gets. One instance is filled again and again.
 */
export class LatestUsers {
  /** Positions in the log by item, newest first, of which the first `approval_count` and `glance_count` are meant. */
  approvals = new Int32Array(64);
  glances = new Int32Array(64);
  approval_count = 0;
  glance_count = 0;
  private readonly repeats: Repeats;

  constructor(private readonly state: State) {
    this.repeats = new Repeats(repeatable(state));
  }

  /** Chooses `limit` at most. O(limit). */
  choose(item: Ordinal, limit: number): void {
    const { approving, glancing } = this.state.vocabulary;
    this.approvals = grown(this.approvals, limit);
    this.glances = grown(this.glances, limit);
    this.repeats.begin(this.state.users.size);
    const approved = this.find(item, approving, limit, limit, this.approvals);
    this.glance_count = this.find(
      item,
      glancing,
      limit,
      Math.max(limit >> 1, limit - approved),
      this.glances,
    );
    this.approval_count = Math.min(approved, limit - this.glance_count);
  }

  /** Writes the positions of the latest `most` entries of some kinds. @returns how many there are */
  private find(item: Ordinal, kinds: number, limit: number, most: number, positions: Int32Array): number {
    const { by_item } = this.state.interactions;
    const repeatable = kinds & this.repeats.kinds;
    let end = by_item.end(item);
    const start = Math.max(by_item.start(item), end - READ_PER_USER * limit);
    let kept = 0;
    for (let more = true; more; ) {
      const from = kept;
      const until = from + by_item.positions(start, end, kinds, most - from, positions, from);
      if (repeatable === 0) return until;
      for (let place = from; place < until; place++) {
        const at = positions[place];
        const event_type = by_item.event_type(at);
        end = at;
        if (((repeatable >> event_type) & 1) !== 0 && this.repeats.again(by_item.other(at), event_type))
          continue;
        positions[kept++] = at;
      }
      // Of repetitions others take the places, if there are any.
      more = until === most && kept < most;
    }
    return kept;
  }
}
