import type { Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';
import { Accumulator } from './accumulator.ts';

/** Of somebody's acts so many are read at most for each that is to say something. */
const READ_PER_ACT = 8;
/** To ask of one item whether it is hidden takes as long as to read so many entries. */
const ENTRIES_PER_QUESTION = 32;

type Visit = (item: Ordinal, interest: number, at: number) => void;

/**
 * The latest `history` acts of a user that say something of what they like, newest first. Approvals are sure of half of
 * the places and acts that say less (views) of the other half; what one kind does not use the other gets. So no number
 * of views ends what likes say, and who only looks around is known by that. Nothing is said by what was taken back, by
 * what was done with an item that the user hides, nor by what they did again with the same item later; none of it takes
 * a place of what says something, but for those who do little else: the latest 8 × `history` acts are looked at.
 * O(history).
 * @param visit gets how much an act says, in (0, 1], and its position in the log by user; must not visit acts itself
 */
export function visitTellingActs(state: State, user: Ordinal, history: number, visit: Visit): void {
  reader.visit(state, user, history, visit);
}

class TellingActsReader {
  /** Positions of acts, newest first: of approvals, and of those that say less. */
  private approvals = new Int32Array(256);
  private glances = new Int32Array(256);
  /** Of each item the kinds of repeated act that were met on it, as bits. */
  private readonly met = new Accumulator();

  visit(state: State, user: Ordinal, history: number, visit: Visit): void {
    const { approving, glancing, interest } = state.vocabulary;
    const { by_user } = state.interactions;
    const room = Math.ceil(Math.min(history, by_user.length(user)));
    this.approvals = grown(this.approvals, room);
    this.glances = grown(this.glances, room);
    const { approvals, glances } = this;
    if (this.met.size > 0) this.met.clear();
    const held = heldKinds(state, user, history);
    const approved = this.find(state, user, history, held, approving, history, approvals);
    const glances_most = Math.max(history >> 1, history - approved);
    const glances_end = this.find(state, user, history, held, glancing, glances_most, glances);
    const approvals_end = Math.min(approved, history - glances_end);
    for (let approval = 0, glance = 0; approval < approvals_end || glance < glances_end; ) {
      const approves =
        glance === glances_end || (approval < approvals_end && approvals[approval] > glances[glance]);
      const at = approves ? approvals[approval++] : glances[glance++];
      visit(by_user.other(at), interest[by_user.event_type(at)], at);
    }
  }

  /**
   * Writes the positions of the latest `most` acts of some kinds that say something. @returns how many there are
   * @param held kinds of which the user has acts, as bits
   * @param wanted the kinds that are looked for
   */
  private find(
    { interactions, vocabulary }: State,
    user: Ordinal,
    history: number,
    held: number,
    wanted: number,
    most: number,
    positions: Int32Array,
  ): number {
    const kinds = held & wanted;
    if (kinds === 0) return 0;
    const { by_user, touched } = interactions;
    const hides = (held & vocabulary.hiding) !== 0;
    const repeated = kinds & vocabulary.told_apart_by_time;
    let end = by_user.end(user);
    const start = Math.max(by_user.start(user), end - READ_PER_ACT * history);
    let kept = 0;
    for (let more = true; more; ) {
      const until = kept + by_user.positions(start, end, kinds, most - kept, positions, kept);
      if (!hides && repeated === 0) return until;
      for (let place = kept; place < until; place++) {
        const at = positions[place];
        const kind = 1 << by_user.event_type(at);
        end = at;
        if (hides && (touched.flags(user, by_user.other(at)) & TOUCHED.hidden) !== 0) continue;
        if ((kind & repeated) !== 0 && !this.isFirst(by_user.other(at), kind)) continue;
        positions[kept++] = at;
      }
      // The places of what was not kept go to what is older, if anything is.
      more = until === most && kept < most;
    }
    return kept;
  }

  /** Whether no act of a kind was met on an item before. */
  private isFirst(item: Ordinal, kind: number): boolean {
    if ((this.met.weight(item) & kind) !== 0) return false;
    this.met.add(item, kind);
    return true;
  }
}

/** One for all, as nothing that it has outlasts a visit. */
const reader = new TellingActsReader();

/** Kinds of which the user has acts, as bits: all, where finding out would take long. */
function heldKinds({ interactions: { by_user } }: State, user: Ordinal, history: number): number {
  return by_user.length(user) > ENTRIES_PER_QUESTION * history ? -1 : by_user.types(user);
}
