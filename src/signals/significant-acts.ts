import { grown } from '../columns/growable.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import { Repeats } from '../state/repeats.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

/** The maximum number of acts to read per result. */
const READ_PER_ACT = 8;
/** Checking whether one item is hidden takes as long as reading this many entries. */
const ENTRIES_PER_CHECK = 32;

/** Types that show interest and may have any number of acts per pair, each as a set of its own. */
export function repeatable({
  vocabulary: { approving, weak_interest, identified_by_time, names },
}: State): number[] {
  const kinds = (approving | weak_interest) & identified_by_time;
  return names.map((_, code) => 1 << code).filter((kind) => (kind & kinds) !== 0);
}

/**
 * The latest acts of a user, or on an item, that show interest, newest first.
 *
 * At least half of the places are for approvals, so that views never displace all likes. Otherwise later acts come
 * first. Removed acts are skipped, and acts that the same user repeated later on the same item, and for users also acts
 * on items that they hide. Skipped acts take no places, but at most eight acts per place are read. One instance is
 * reused.
 */
export class SignificantActs {
  /** Positions in the log, newest first. Only the first `count` are valid. */
  positions = new Int32Array(256);
  count = 0;
  private readonly repeats: Repeats;

  /** For users: the acts of each on items. */
  static ofUsers(state: State): SignificantActs {
    return new SignificantActs(state, state.interactions.by_user, state.items, true);
  }

  /** For items: the acts of users on each. */
  static onItems(state: State): SignificantActs {
    return new SignificantActs(state, state.interactions.by_item, state.users, false);
  }

  private constructor(
    private readonly state: State,
    private readonly log: InteractionLog,
    private readonly others: { readonly size: number },
    private readonly of_users: boolean,
  ) {
    this.repeats = new Repeats(repeatable(state));
  }

  /** Fills `positions` with at most `most` acts. O(most), plus reading up to 32 × `most` entries of a user. */
  choose(subject: Ordinal, most: number): void {
    const { log, of_users, repeats } = this;
    const { approving, weak_interest, hiding } = this.state.vocabulary;
    const limit = Math.ceil(Math.min(most, log.standing(subject)));
    const sure = limit - (limit >> 1);
    this.positions = grown(this.positions, limit + sure);
    this.count = 0;
    repeats.begin(this.others.size);
    const held = of_users ? this.kindsOf(subject, limit) : approving | weak_interest;
    const hider = (held & hiding) === 0 ? NONE : subject;
    const end = log.end(subject);
    const start = log.oldest(subject, READ_PER_ACT * limit);
    const weak_types = held & weak_interest;
    this.find(start, end, held & (approving | weak_interest), limit, hider);
    if (weak_types === 0 || this.count < limit) return;
    const lacking = sure - this.countOf(approving);
    if (lacking <= 0) return;
    this.find(start, this.positions[limit - 1], held & approving, lacking, hider);
    this.removeOldest(weak_types, this.count - limit);
  }

  /** The types of a user's acts, as bits. All types if the log is too long to scan. */
  private kindsOf(user: Ordinal, limit: number): number {
    return this.log.length(user) > ENTRIES_PER_CHECK * limit ? -1 : this.log.types(user);
  }

  /**
   * Adds the latest `most` acts of some types between two positions.
   * @param hider the user of the acts if they hide any item, otherwise NONE
   */
  private find(start: number, end: number, kinds: number, most: number, hider: Ordinal): void {
    if (kinds === 0) return;
    const { log, positions, repeats } = this;
    const { touched } = this.state.interactions;
    const repeatable = kinds & repeats.kinds;
    const full = this.count + most;
    for (let before = end, more = true; more; ) {
      const found =
        this.count + log.positions(start, before, kinds, full - this.count, positions, this.count);
      let kept = hider === NONE && repeatable === 0 ? found : this.count;
      for (let place = kept; place < found; place++) {
        const at = positions[place];
        const event_type = log.event_type(at);
        before = at;
        if (((repeatable >> event_type) & 1) !== 0 && repeats.again(log.other(at), event_type)) continue;
        if (hider !== NONE && (touched.flags(hider, log.other(at)) & TOUCHED.hidden) !== 0) continue;
        positions[kept++] = at;
      }
      this.count = kept;
      // Places of skipped acts go to older acts.
      more = found === full && kept < full;
    }
  }

  private countOf(kinds: number): number {
    const { log, positions, count } = this;
    let some = 0;
    for (let place = 0; place < count; place++) some += (kinds >> log.event_type(positions[place])) & 1;
    return some;
  }

  private removeOldest(kinds: number, some: number): void {
    const { log, positions, count } = this;
    let left = this.countOf(kinds) - some;
    let kept = 0;
    for (let place = 0; place < count; place++) {
      const at = positions[place];
      if (((kinds >> log.event_type(at)) & 1) === 0 || left-- > 0) positions[kept++] = at;
    }
    this.count = kept;
  }
}
