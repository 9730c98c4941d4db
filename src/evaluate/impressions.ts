import { StartupError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { ACTIVE_FILTER, type ActiveItems } from './active-items.ts';
import { Reenactment } from './community.ts';
import type { Contestant } from './contestant.ts';
import { logLoss, orderWorth } from './metrics.ts';
import { type Outcome, Outcomes } from './outcomes.ts';
import { progressed, type Stage, seedOf } from './protocol.ts';
import type { Score } from './score.ts';
import { type Evaluation, Scoreboard } from './scoreboard.ts';
import { SHOWN_BASELINES, ShownScores } from './shown-baselines.ts';
import type { ShownPage } from './shown-pages.ts';

export interface ImpressionsOptions {
  /** Pages from this time on are evaluated, seconds. Earlier ones are only learnt from. */
  from: number;
  /** Seconds after a page in which acts count for it. */
  window: number;
  /** Whether slots tell what the viewer looked at. */
  with_slots: boolean;
  contestants: readonly Contestant[];
  top_k: number;
  seed: number;
}

const FEED_TYPE = 'for-you';

/**
 * Replays the data and orders the items of each page that was shown, as of that instant. The items that the viewer then
 * acted on should lead.
 *
 * A page is learnt from when its window has passed. Pages without an act, and with an act on everything, are skipped.
 * @param active filter of active items; its plugin must be loaded
 * @throws StartupError `nothing_to_evaluate`
 */
export async function evaluateImpressions(
  stage: Stage,
  active: ActiveItems,
  options: ImpressionsOptions,
): Promise<Evaluation> {
  const { timeline, community, data, log } = stage;
  const { top_k, seed, from, window, with_slots } = options;
  const pages = shownPages(timeline);
  const outcomes = new Outcomes(timeline, window, with_slots);
  const scores = new Scoreboard('impressions', options.contestants, SHOWN_BASELINES, top_k, 'click rate');
  const learning = scores.served.filter(({ contestant }) => contestant.learns);
  // Of a page that is not evaluated, only the signals to log are needed.
  const teachers = learning.length > 0 ? learning : scores.served.slice(0, 1);
  const shown = new ShownScores(timeline, seed);
  const replayed = new Reenactment(community, timeline, log);
  const open: JudgedPage[] = [];
  const count = { judged: 0, without_act: 0, all_acted_on: 0 };
  const users = new Set<number>();
  await replayed.begin(timeline.upTo(pages[0].time), stage.onProgress);
  for (const [index, { user, time, items: all }] of pages.entries()) {
    const moment = timeline.upTo(time);
    shown.advance(moment);
    await replayed.advance(moment);
    for (; open.length > 0 && open[0].time + window < time; open.shift()) shown.learn(open[0]);
    const items = all.filter((item) => shown.exists(item)).slice(0, LIMITS.top_k_max_for_you);
    const page = { user, time, items, outcomes: outcomes.of({ user, time, items }) };
    open.push(page);
    const fate = fateOf(page);
    if (time >= from) count[fate]++;
    const is_judged = time >= from && fate === 'judged';
    active.set(items.map((item) => timeline.items.id(item)));
    const request = {
      user_id: timeline.users.id(user),
      top_k: items.length,
      seed: seedOf(seed, index),
      filters: { [ACTIVE_FILTER]: true },
      ...ALL_SHOWN,
    };
    for (const { contestant, score } of is_judged ? scores.served : teachers) {
      const ask = () => replayed.scores(FEED_TYPE, { ...request, ...contestant.request });
      const position = { index: count.judged - 1, total: pages.length };
      const served = await (is_judged ? score.times.measure(ask, position) : ask());
      const scoreOf = (item: number) => served.get(item) ?? Number.NEGATIVE_INFINITY;
      if (is_judged) judge(score, page, scoreOf, contestant.learns);
    }
    if (is_judged) {
      users.add(user);
      for (const { name, score } of scores.simple)
        judge(score, page, shown.scoreOf(name, user), name === 'click rate');
    }
    await replayed.show({ items, window, with_slots });
    await progressed(stage, index + 1, pages.length);
  }
  if (count.judged === 0) throw nothingToJudge();
  const about = `${printed(count.judged)} pages of ${printed(users.size)} users (skipped: ${printed(count.without_act)} without an act, ${printed(count.all_acted_on)} with an act on everything)`;
  return { data, about, ...scores.result(seed) };

  function judge(
    score: Score,
    { user, items, outcomes }: JudgedPage,
    scoreOf: (item: number) => number,
    is_probability = false,
  ): void {
    const looked_at = [...items.keys()].filter((at) => outcomes[at] !== undefined);
    const values = looked_at.map((at) => scoreOf(items[at]));
    const acted = looked_at.map((at) => outcomes[at] === 1);
    const log_loss = is_probability ? logLoss(values, acted) : undefined;
    score.add({ unit: user, page: items, worth: { ...orderWorth(values, acted, top_k), log_loss } }, () => 0);
  }
}

interface JudgedPage extends ShownPage {
  outcomes: readonly Outcome[];
}

/** What was shown is ordered, whatever the viewer has seen since or acted on before. */
const ALL_SHOWN = { show_interacted_items: true, seen: { mode: 'show' } } as const;

function fateOf({ outcomes }: JudgedPage): 'judged' | 'without_act' | 'all_acted_on' {
  const looked_at = outcomes.filter((outcome) => outcome !== undefined);
  if (!looked_at.includes(1)) return 'without_act';
  return looked_at.every((outcome) => outcome === 1) ? 'all_acted_on' : 'judged';
}

function shownPages({ shown }: Stage['timeline']): ShownPage[] {
  const pages = shown.sorted();
  if (pages.length > 0) return pages;
  throw new StartupError(
    'nothing_to_evaluate',
    'the folder has no impressions.csv with pages that were shown',
    'Its columns are user_id, item_id, timestamp, page and slot.',
  );
}

function nothingToJudge(): StartupError {
  return new StartupError(
    'nothing_to_evaluate',
    'impressions.csv has no page from then on with an act on some items and none on others',
    'Choose another --from or --window.',
  );
}

function printed(value: number): string {
  return value.toLocaleString('en-US');
}
