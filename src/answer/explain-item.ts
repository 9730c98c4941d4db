import { ServiceError } from '../errors.ts';
import type { CompiledFeed, SeenMode } from '../feeds/compiled-feed.ts';
import type { FeedPlan } from '../feeds/plan.ts';
import type { ItemReason } from '../model/reasons.ts';
import { clip } from '../model/values/refusal.ts';
import { allOf } from '../page/all-of.ts';
import { countedItems } from '../page/allowed.ts';
import { adjustmentOf } from '../page/decay.ts';
import { NOT_FOR_HAND_PICKED } from '../page/lists.ts';
import type { PageContext } from '../page/page-context.ts';
import { comparePageItems, type PageItem, type ScoredItem, type SourcedItem } from '../page/page-item.ts';
import { countedScores } from '../page/ranking.ts';
import type { PageRecord } from '../page/record.ts';
import { lastSeen } from '../page/seen-by.ts';
import { type FeedType, NONE, type Ordinal } from '../plugin/index.ts';
import { scoreSignals } from './draft.ts';
import type { Drop, ExplainedItem } from './explained-item.ts';
import { explainItems } from './explanation.ts';
import { writerOf } from './field.ts';
import type { FollowedActsReader } from './followed-acts.ts';
import { type ItemExplanation, SCORE_FIELDS, type ScoreSource } from './item-fields.ts';
import { pageReasons } from './reasons.ts';

/** A question about an item and the page that it is on or missing from. */
export interface Question {
  feed_type: FeedType;
  item_id: string;
  context: PageContext;
  plan: FeedPlan;
  page: readonly SourcedItem[];
  /** The number of items of the page, and before it on plain pages. */
  length: number;
  offset: number;
  record: PageRecord;
  /** Only if reasons are requested. */
  followed: FollowedActsReader | undefined;
}

/**
 * Explains an item. Costs as much as the page. For an eligible item that is not on the page, every item is also
 * examined.
 * @throws ServiceError `not_found` for an unknown item
 */
export function explainItem(
  question: Question,
): Omit<ExplainedItem, 'cold_start' | 'cold_start_reason' | 'effort'> {
  const { item_id, context, page, offset } = question;
  const { items } = context.engine.state;
  const item = items.names.find(item_id);
  if (item === NONE) throw new ServiceError('not_found', `there is no item '${clip(item_id)}'`);
  const index = page.findIndex((shown) => shown.item === item);
  if (index >= 0) {
    const shown = page[index];
    const { source_feed, promotion_name } = shown;
    const rank = offset + index + 1;
    const from = { source_feed, ...(promotion_name === undefined ? {} : { promotion_name }) };
    const values = { ...valuesOf(question, shown), reasons: reasonsFor(question, shown) };
    return { item_id, shown: true, rank, ...from, ...values, dropped_by: null };
  }
  if (!items.described(item)) {
    const explain = { signals: {}, score_parts: {}, factors: {}, sources: [] };
    const dropped_by = ineligible(context, item);
    return { item_id, shown: false, rank: null, source_feed: null, ...NO_SCORES, explain, dropped_by };
  }
  const scored = scoredBy(question.plan.compiled, context, item);
  const rank = rankOf(question, scored);
  const dropped_by = whyNot(question, scored, rank);
  const sourced = { ...scored, source_feed: question.plan.source_feed };
  const values = valuesOf(question, sourced);
  return { item_id, shown: false, rank: rank ?? null, source_feed: null, ...values, dropped_by };
}

function reasonsFor({ followed, plan, context }: Question, shown: SourcedItem): ItemReason[] | undefined {
  const [acts] = followed?.read(context.viewer.user, [shown.item], context.engine.scratch, context.now) ?? [];
  return acts && pageReasons(plan, context)(shown, acts);
}

type Scores = Pick<ExplainedItem, keyof typeof SCORE_FIELDS>;

const writeScores = writerOf<ScoreSource, typeof SCORE_FIELDS>(SCORE_FIELDS);

const NO_SCORES: Scores = {
  score: null,
  adjusted_score: null,
  popular_score: null,
  trending_score: null,
  affinity_score: null,
  interest_score: null,
};

function valuesOf(
  { context, feed_type, record }: Question,
  sourced: SourcedItem,
): Scores & { explain: ItemExplanation } {
  const scores = writeScores({ sourced, signals: scoreSignals(context, feed_type) });
  const [explain] = explainItems(record, [sourced], context);
  return { ...scores, explain };
}

function scoredBy(feed: CompiledFeed, context: PageContext, item: Ordinal): ScoredItem {
  const score = feed.scoring.bind(context)(item);
  return { item, score, adjusted_score: score * (adjustmentOf(feed, context)?.(item) ?? 1) };
}

/**
 * The rank of an item among all items that the feed may show to this viewer.
 *
 * Undefined if the feed may not show it.
 */
function rankOf({ plan: { compiled }, context }: Question, scored: ScoredItem): number | undefined {
  const filtered = allOf(compiled.filters.map((filter) => filter.bind(context.for_admission)));
  const visible = allOf(compiled.rules.map((rule) => rule.bind(context.for_admission)));
  const { shown } = context.page;
  const admits = (item: Ordinal) =>
    !shown.has(item) && context.eligible(item) && filtered(item) && visible(item);
  if (!admits(scored.item)) return undefined;
  const score = compiled.scoring.bind(context);
  const adjustment = adjustmentOf(compiled, context);
  const countItem = countedItems(context, compiled.filters, compiled.rules);
  const countScore = countedScores(context, compiled.scoring);
  let rank = 1;
  for (let item = 0; item < context.engine.state.items.size; item++) {
    countItem();
    if (item === scored.item || !admits(item)) continue;
    countScore();
    const value = score(item);
    const other = { item, score: value, adjusted_score: value * (adjustment?.(item) ?? 1) };
    if (comparePageItems(context.engine.state, other, scored) < 0) rank++;
  }
  return rank;
}

/** An item of an earlier page, according to the cursor. */
function shownBefore(item: Ordinal, { page }: PageContext): Drop | null {
  if (!page.shown.has(item)) return null;
  return {
    stage: 'visibility',
    plugin: 'cursor',
    reason: 'it is on an earlier page, according to the cursor of the request',
  };
}

/** The first stage that dropped an item with content. */
function whyNot(question: Question, scored: ScoredItem, rank: number | undefined): Drop {
  const { plan, context, record } = question;
  const { item } = scored;
  const shown_before = shownBefore(item, context);
  if (shown_before !== null) return shown_before;
  if (record.shown_before.has(item)) return onEarlierPage(plan, rank);
  if (plan.promotion?.items?.some(({ item_id }) => item_id === question.item_id)) {
    return whyNotPromoted(question, item);
  }
  if (plan.promotion !== undefined && standsAside(question, item)) {
    const { id, name } = plan.promotion;
    return { stage: 'mixing', plugin: id, reason: `promoted items stand where it would: '${name}' (${id})` };
  }
  const never = ineligible(context, item) ?? filteredOut(question, item) ?? ruledOut(question, item);
  if (never !== null) return never;
  return outranked(question, scored, rank ?? 0);
}

/** An item that the feed itself may not show comes from the promotion or from a fallback feed. */
function onEarlierPage({ compiled, promotion }: FeedPlan, rank: number | undefined): Drop {
  const reason = 'it is on an earlier page';
  if (rank === undefined) return { stage: 'mixing', plugin: promotion?.id ?? '', reason };
  return { stage: 'ranking', plugin: compiled.scoring.id, reason: `ranked ${rank}: ${reason}` };
}

/** Whether an item would be on this page or an earlier one without promotions. */
function standsAside(question: Question, item: Ordinal): boolean {
  const mixed = question.record.mixing?.main.slice(0, question.length) ?? [];
  return [...mixed, ...listedByNow(question)].some((listed) => listed.item === item);
}

/** The feed's own list up to the end of the page, before promotions. */
function listedByNow({ record, offset, length }: Question): readonly PageItem[] {
  return record.main.list.slice(0, offset + length);
}

/** Why no feed may show an item now. Null if a feed may. */
function ineligible(context: PageContext, item: Ordinal): Drop | null {
  const { items, users } = context.engine.state;
  const drop = (plugin: string, reason: string): Drop => ({ stage: 'candidates', plugin, reason });
  if (items.deleted(item)) return drop('deleted', 'the item was deleted');
  if (!items.described(item)) {
    return drop('not_described', 'the item itself was never ingested, only interactions with it');
  }
  if (items.hidden(item)) return drop('moderated', 'the item is hidden by moderation or by its network');
  const author = items.author(item);
  if (author !== NONE && users.hidden(author)) {
    return drop('moderated', "the item's author is hidden by moderation or by the network");
  }
  if (items.created_at(item) < context.eligible_from) {
    return drop('too_old', 'the item is older than the retention period and will soon be removed');
  }
  if (!context.eligible(item)) return drop('dated_in_future', 'the item is dated in the future');
  return null;
}

function filteredOut({ plan, context }: Question, item: Ordinal): Drop | null {
  const filter = plan.compiled.filters.find((bound) => !bound.bind(context.for_admission)(item));
  if (filter === undefined) return null;
  const summary = context.engine.registry.get('filters', filter.id)?.extension.summary ?? '';
  return { stage: 'candidates', plugin: filter.id, reason: `the filter ${filter.id} drops it: ${summary}` };
}

function ruledOut(
  { plan, context }: Question,
  item: Ordinal,
  asked: (rule_id: string) => boolean = () => true,
): Drop | null {
  const rule = plan.compiled.rules.find(
    (bound) => asked(bound.id) && !bound.bind(context.for_admission)(item),
  );
  if (rule === undefined) return null;
  const summary = context.engine.registry.get('visibility_rules', rule.id)?.extension.summary ?? '';
  const { seen } = plan.compiled;
  const details = seen.other_rules.includes(rule) ? '' : seenDetails(seen, context, item);
  return {
    stage: 'visibility',
    plugin: rule.id,
    reason: `the rule ${rule.id} drops it: ${summary}${details}`,
  };
}

/** When the viewer last saw an item, and when it returns. */
function seenDetails({ mode, rest_seconds }: SeenMode, context: PageContext, item: Ordinal): string {
  const time = lastSeen(context, item);
  const last = time === undefined ? '' : ` It was last seen at ${new Date(time * 1000).toISOString()}.`;
  if (mode !== 'last') return last;
  const rest = rest_seconds > 0 ? `, ${rest_seconds / 3600} hours after it was last seen` : '';
  return `${last} It follows on a page that would be short otherwise${rest}.`;
}

/** For a hand-picked item, to which the feed's filters and ranking do not apply. */
function whyNotPromoted(question: Question, item: Ordinal): Drop {
  const { context, plan, page } = question;
  const dropped =
    ineligible(context, item) ?? ruledOut(question, item, (rule_id) => rule_id !== NOT_FOR_HAND_PICKED);
  if (dropped !== null) return dropped;
  const plugin = plan.promotion?.id ?? '';
  const picked = plan.promotion?.items?.find(({ item_id }) => item_id === question.item_id);
  const reason =
    picked?.rank === undefined || !plan.shows('promotion_filters')
      ? `the page of ${page.length} has no slot left for this promoted item`
      : `the item is pinned to slot ${picked.rank}, and the page has ${page.length}`;
  return { stage: 'mixing', plugin, reason };
}

const INTERLEAVED: Drop = {
  stage: 'mixing',
  plugin: 'interleaving',
  reason: 'an experiment interleaves this feed with another one, and items of both fill the page',
};

/** For an item that the feed may show: why other items are shown instead. */
function outranked(question: Question, scored: ScoredItem, rank: number): Drop {
  const { plan, context, length, offset, record } = question;
  const { item } = scored;
  const { id } = plan.compiled.scoring;
  const list = listedByNow(question);
  if (list.some((listed) => listed.item === item))
    return plan.rival === undefined ? onEarlierPage(plan, rank) : INTERLEAVED;
  // If it were only ranked lower, the list would be full of higher-ranked items.
  const passed_over =
    list.length < offset + length ||
    list
      .slice(record.main.last_part)
      .some((listed) => comparePageItems(context.engine.state, scored, listed) < 0);
  if (!passed_over) {
    const reason = `ranked ${rank}: items that ${id} ranks higher fill the page`;
    return { stage: 'ranking', plugin: id, reason };
  }
  if (record.main.sourcesOf(item).length === 0) {
    const reason = `ranked ${rank}, but no candidate source proposed it before the page was full`;
    return { stage: 'candidates', plugin: 'sources', reason };
  }
  const reason = plan.compiled.diversity?.semantic
    ? `ranked ${rank}, but it is too similar to items of the page, or these have as many of its author, or as near, as they may`
    : `ranked ${rank}, but the page has as many items of its author, or as near, as it may`;
  return { stage: 'mixing', plugin: 'diversity', reason };
}
