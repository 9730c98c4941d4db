import { NONE, type Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import { Repeats } from '../state/repeats.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

/** Of a subject's acts so many are read at most for each that is to say something. */
const READ_PER_ACT = 8;
/** To ask of one item whether it is hidden takes as long as to read so many entries. */
const ENTRIES_PER_QUESTION = 32;

/** Kinds of act that say something of what is liked and of which any number may stand, each a set of its own. */
export function repeatable({
  vocabulary: { approving, weak_interest, identified_by_time, names },
}: State): number[] {
  const kinds = (approving | weak_interest) & identified_by_time;
  return names.map((_, code) => 1 << code).filter((kind) => (kind & kinds) !== 0);
}

/**
 * The latest acts of a user, or on an item, that say something of what is liked, newest first. Approvals are sure of
 * half of the places, so that no number of glances (views) ends what likes say; else the later comes first. Nothing is
 * said by what was taken back, nor by what was done again by the same user with the same item later, nor, of users, by what
 * they did with an item that they hide; none of it takes a place of what says something, but of those who do little else:
 * eight times as many acts as there are places are looked at. One instance is filled again and again.
 */
export class TellingActs {
  /** Positions in the log, newest first, of which the first `count` are meant. */
  positions = new Int32Array(256);
  count = 0;
  private readonly repeats: Repeats;

  /** Of users: what each did with items. */
  static ofUsers(state: State): TellingActs {
    return new TellingActs(state, state.interactions.by_user, state.items, true);
  }

  /** Of items: what users did with each. */
  static onItems(state: State): TellingActs {
    return new TellingActs(state, state.interactions.by_item, state.users, false);
  }

  private constructor(
    private readonly state: State,
    private readonly log: InteractionLog,
    private readonly others: { readonly size: number },
    private readonly of_users: boolean,
  ) {
    this.repeats = new Repeats(repeatable(state));
  }

  /** Fills `positions` with `most` at most. O(most), and the reading of at most 32 × `most` entries for a user. */
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
    const glances = held & weak_interest;
    this.find(start, end, held & (approving | weak_interest), limit, hider);
    if (glances === 0 || this.count < limit) return;
    const lacking = sure - this.countOf(approving);
    if (lacking <= 0) return;
    this.find(start, this.positions[limit - 1], held & approving, lacking, hider);
    this.leaveOut(glances, this.count - limit);
  }

  /** Kinds of which the user has acts, as bits: all, where finding out would take long. */
  private kindsOf(user: Ordinal, limit: number): number {
    return this.log.length(user) > ENTRIES_PER_QUESTION * limit ? -1 : this.log.types(user);
  }

  /**
   * Adds the latest `most` acts of some kinds between two positions.
   * @param hider the user whose acts they are if they hide anything, else NONE
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
      // The places of what was not kept go to what is older, if anything is.
      more = found === full && kept < full;
    }
  }

  private countOf(kinds: number): number {
    const { log, positions, count } = this;
    let some = 0;
    for (let place = 0; place < count; place++) some += (kinds >> log.event_type(positions[place])) & 1;
    return some;
  }

  /** Takes the oldest `some` of these kinds out. */
  private leaveOut(kinds: number, some: number): void {
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
