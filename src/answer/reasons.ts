import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import type { FeedPlan } from '../feeds/plan.ts';
import type { ItemReason } from '../model/reasons.ts';
import { countedItems } from '../page/allowed.ts';
import { adjustments } from '../page/decay.ts';
import type { PageContext } from '../page/page-context.ts';
import { originOf, type SourcedItem } from '../page/page-item.ts';
import { countedScores } from '../page/ranking.ts';
import { reachedItems } from '../page/reached-items.ts';
import { NONE, type Ordinal, type SignalReason, type Viewer } from '../plugin/index.ts';
import { mayBeNamed } from '../state/may-be-named.ts';
import type { FollowedActs } from './followed-acts.ts';

/** A cause counts if the score of the item would be lower by this share without it. */
const SHARE_MIN = 0.05;

/** The reasons of an item of a page. @param acts of followed users on it */
type Reasons<Item> = (item: Item, acts: FollowedActs) => ItemReason[];

/** Why items are on a page, the strongest reason first. Each item has at least one. */
export function pageReasons(plan: FeedPlan, context: PageContext): Reasons<SourcedItem> {
  const by_feed = new Map<string, Reasons<Ordinal>>();
  const ofFeed: Reasons<SourcedItem> = ({ item, source_feed }, acts) => {
    const known = by_feed.get(source_feed) ?? feedReasons(feedOf(plan, source_feed), context);
    by_feed.set(source_feed, known);
    return known(item, acts);
  };
  const is_cold = plan.source_feed.startsWith('cold_start:');
  return (sourced, acts) => {
    switch (originOf(sourced)) {
      case 'promoted':
        return [{ type: 'promoted' }];
      case 'explored':
        return [{ type: 'new_here' }];
      case 'seen':
        return [{ type: 'seen_before' }];
      case 'fallback':
        return [{ type: 'fallback' }, ...ofFeed(sourced, acts)];
      case 'scored': {
        const reasons = ofFeed(sourced, acts);
        if (!is_cold) return reasons;
        return [{ type: 'new_here' }, ...reasons.filter(({ type }) => type !== 'new_here')];
      }
    }
  };
}

/** The feed that gave an item that no promotion placed. */
function feedOf({ compiled, rival, fallbacks }: FeedPlan, source_feed: string): CompiledFeed {
  if (rival?.source_feed === source_feed) return rival.compiled;
  return fallbacks.find((fallback) => fallback.source_feed === source_feed)?.compiled() ?? compiled;
}

function feedReasons(feed: CompiledFeed, context: PageContext): Reasons<Ordinal> {
  const causesOf = causesIn(feed, context);
  const engagement = context.signal('popular');
  const given = (cause: SignalReason, item: Ordinal, acts: FollowedActs): ItemReason[] => {
    if (cause === 'followed') return followedReasons(context, item, acts);
    // New items may be expected to trend before anybody has reacted to them.
    if ((cause === 'trending' || cause === 'popular') && engagement(item) === 0) return [];
    return [{ type: cause }];
  };
  return (item, acts) => {
    const reasons: ItemReason[] = [];
    for (const [cause, share] of causesOf(item)) {
      if (share < SHARE_MIN && reasons.length > 0) break;
      reasons.push(...given(cause, item, acts));
    }
    if (reasons.length > 0) return reasons;
    // Nothing lifts it, so it has its place by the order of what is left: a ranking, then the newest first.
    const by_rank = given(reasonOf(context, feed.tail) ?? 'new_here', item, acts);
    return by_rank.length > 0 ? by_rank : [{ type: 'new_here' }];
  };
}

/** Users are named only if they may be: bookmarks of followed users, for example, are private. */
function followedReasons(
  { engine: { state }, viewer: { user }, now }: PageContext,
  item: Ordinal,
  { social_proof }: FollowedActs,
): ItemReason[] {
  const author = state.items.author(item);
  const reasons: ItemReason[] = [];
  if (author !== NONE && state.follows.follows(user, author) && mayBeNamed(state, user, author, now))
    reasons.push({ type: 'followed_author', user_ids: [state.users.names.id(author)] });
  const user_ids = social_proof.map(({ user_id }) => user_id);
  if (user_ids.length > 0) reasons.push({ type: 'followed_liked', user_ids });
  return reasons;
}

function reasonOf({ engine }: PageContext, signal: string): SignalReason | undefined {
  return engine.registry.get('signals', signal)?.extension.reason;
}

/** By how much causes lift an item: the share of its score that it would lose without each, the greatest first. */
function causesIn(
  feed: CompiledFeed,
  context: PageContext,
): (item: Ordinal) => [cause: SignalReason, share: number][] {
  const used = new Set<SignalReason>();
  let left_out: SignalReason | undefined;
  const signal = (name: string) => {
    const value = context.signal(name);
    const reason = reasonOf(context, name);
    if (reason === undefined) return value;
    used.add(reason);
    return (item: Ordinal) => (reason === left_out ? 0 : value(item));
  };
  const score = feed.scoring.bind({ ...context, signal });
  const count = countedScores(context, feed.scoring);
  const scoreWithout = (item: Ordinal, cause: SignalReason | undefined): number => {
    left_out = cause;
    count();
    return score(item);
  };
  const { more } = adjustments(feed, context);
  const needsFollows = needingFollows(feed, context);
  return (item) => {
    const whole = scoreWithout(item, undefined);
    const shares = new Map<SignalReason, number>();
    // A function may request signals late, so they are known now.
    for (const cause of used) {
      const share = whole > 0 ? 1 - scoreWithout(item, cause) / whole : 0;
      if (share > 0) shares.set(cause, share);
    }
    const factor = more?.(item) ?? 1;
    if (whole > 0 && factor > 1) shares.set('more_of', 1 - 1 / factor);
    if (needsFollows(item)) shares.set('followed', 1);
    return [...shares].sort(([, one], [, other]) => other - one);
  };
}

const NOTHING = reachedItems(new Map());

/** Whether a filter or a rule of the feed would drop an item if the viewer followed no users. */
function needingFollows(feed: CompiledFeed, context: PageContext): (item: Ordinal) => boolean {
  const { viewer, user } = context;
  if (viewer.user === NONE) return () => false;
  const reach: Viewer['reach'] = (way, options) =>
    way === 'affinity' || way === 'social_proof' ? NOTHING : viewer.reach(way, options);
  const following = (of: Ordinal) => (of === viewer.user ? [] : user.following(of));
  const alone = {
    ...context.for_admission,
    viewer: { ...viewer, reach },
    user: { ...user, following },
  };
  const filters = feed.filters.filter(({ depends_on }) => depends_on === 'viewer');
  const tests = [...filters, ...feed.rules].map((bound) => bound.bind(alone));
  const count = countedItems(context, filters, feed.rules);
  return (item) => {
    count();
    return tests.some((test) => !test(item));
  };
}
