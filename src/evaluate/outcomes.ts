import type { EventType } from '../model/acts.ts';
import { LOOKED_BELOW_LAST_ACT } from '../model/shown-page.ts';
import type { ShownPage } from './shown-pages.ts';
import type { Timeline } from './timeline.ts';

/** What became of an item of a page: 1 acted on, 0 ignored, -1 hidden or reported. Undefined: not looked at. */
export type Outcome = 1 | 0 | -1 | undefined;

/** What users did with pages that they were shown. */
export class Outcomes {
  private readonly acts_of = new Map<number, number[]>();

  /**
   * @param window seconds after a page in which acts count for it
   * @param with_slots whether an item far below the last act was not looked at. Otherwise, all items were
   */
  constructor(
    private readonly timeline: Timeline,
    private readonly window: number,
    private readonly with_slots: boolean,
  ) {
    const { acts } = timeline;
    for (let act = 0; act < acts.length; act++)
      this.acts_of.getOrInsertComputed(acts.user[act], () => []).push(act);
  }

  /** One outcome for each item of a page. */
  of({ user, time, items }: ShownPage): Outcome[] {
    const acted = this.actedOn(user, time);
    const outcomes = items.map((item): 1 | 0 | -1 => acted.get(item) ?? 0);
    if (!this.with_slots) return outcomes;
    const looked_at = outcomes.findLastIndex((outcome) => outcome !== 0) + 1 + LOOKED_BELOW_LAST_ACT;
    return outcomes.map((outcome, at) => (at < looked_at ? outcome : undefined));
  }

  /** What a user did with items from a time until the window ends. */
  private actedOn(user: number, from: number): Map<number, 1 | -1> {
    const { acts } = this.timeline;
    const acted = new Map<number, 1 | -1>();
    for (const act of this.acts_of.get(user) ?? []) {
      if (acts.time[act] < from || acts.time[act] > from + this.window) continue;
      const outcome = OUTCOME_OF[acts.event_type(act)];
      if (outcome === undefined) continue;
      if (acts.removes(act)) acted.delete(acts.item[act]);
      else acted.set(acts.item[act], outcome);
    }
    return acted;
  }
}

const OUTCOME_OF: Readonly<Record<EventType, 1 | -1 | undefined>> = {
  like: 1,
  comment: 1,
  share: 1,
  bookmark: 1,
  view: undefined,
  hide: -1,
  report: -1,
};
