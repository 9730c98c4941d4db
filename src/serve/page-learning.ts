import type { CompiledFeed, FeedLearning } from '../feeds/compiled-feed.ts';
import type { FeedPlan, SubFeed } from '../feeds/plan.ts';
import type { LearningPage } from '../model/shown-page.ts';
import { isTaught, type LearningMode, modelFor, type PageOf } from '../page/learnt.ts';
import { pointOf } from '../state/assignment.ts';
import type { State } from '../state/state.ts';

/** The part of the viewers who get the default, so that it can be compared with what was learnt. */
const CONTROL_SHARE = 0.05;
const POINTS = 2 ** 32;

/** How a page takes part in learning. */
export interface PageLearning {
  page_of: PageOf;
  /** What is logged with the page. Undefined: nothing. */
  logged: FeedLearning | undefined;
  /** Undefined for feeds that do not learn. */
  mode: LearningMode | undefined;
  /** Whether a page of a saved feed is one of the control, or compared with it. Experiments compare variants instead. */
  is_compared: boolean;
}

/** For whom a page is. */
export interface PageFor {
  viewer_id: string | undefined;
  /** Whether an experiment runs on the feed. */
  is_in_experiment: boolean;
  /** By a key of another account than the feed. It could make up viewers, so its pages teach nothing. */
  is_foreign: boolean;
}

/** Decides what orders a page. @returns the plan with the default in place of scoring functions that may not order it */
export function learningPlan(
  state: State,
  plan: FeedPlan,
  page_of: PageOf,
  { viewer_id, is_in_experiment, is_foreign }: PageFor,
): { plan: FeedPlan; learning: PageLearning } {
  const { compiled, fallbacks, promotion, rival } = plan;
  // A cold start feed may be of another type, with another default and other weights.
  const is_of_type = compiled.learning?.feed_type === page_of.feed_type;
  const logged = is_of_type && !is_foreign ? compiled.learning : undefined;
  const is_compared =
    logged !== undefined && viewer_id !== undefined && page_of.feed !== 0 && !is_in_experiment;
  const modeOf = ({ by_default, learning }: CompiledFeed): LearningMode | undefined => {
    if (by_default === undefined || learning === undefined) return undefined;
    const model = modelFor(state, learning, page_of);
    if (model !== undefined && model.fell_back_at > 0) return 'fell_back';
    if (!isTaught(model, learning)) return 'untaught';
    return is_compared && isControl(page_of, viewer_id) ? 'control' : 'learned';
  };
  const served = (compiled: CompiledFeed): CompiledFeed => {
    const mode = modeOf(compiled);
    return mode === undefined || mode === 'learned' ? compiled : (compiled.by_default?.() ?? compiled);
  };
  const ofSub = <F extends SubFeed>(feed: F): F => ({ ...feed, compiled: () => served(feed.compiled()) });
  const mode = modeOf(compiled);
  const learning = { page_of, logged, mode, is_compared };
  // A shortcut, since most feeds do not learn and take items from no other feed.
  if (!compiled.by_default && fallbacks.length === 0 && !promotion && !rival) return { plan, learning };
  return {
    learning,
    plan: {
      ...plan,
      compiled: served(compiled),
      fallbacks: fallbacks.map(ofSub),
      promotion: promotion?.feed === undefined ? promotion : { ...promotion, feed: ofSub(promotion.feed) },
      rival: rival && { ...rival, compiled: served(rival.compiled) },
    },
  };
}

/** Whether a viewer is in the control of a feed. It is the same on all nodes. */
function isControl({ feed_type, feed }: PageOf, viewer_id: string): boolean {
  return pointOf(`control ${feed_type} ${feed}`, viewer_id) < CONTROL_SHARE * POINTS;
}

/** What is logged of how a page takes part in learning. */
export function learningPageOf({ mode, is_compared }: PageLearning, window_seconds: number): LearningPage {
  const is = (one: LearningMode) => is_compared && mode === one;
  return { window_seconds, is_reported: false, is_control: is('control'), is_learned: is('learned') };
}
