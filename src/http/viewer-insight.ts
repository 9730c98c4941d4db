import { setImmediate as nextTurn } from 'node:timers/promises';
import { approvalsOf, coldStartReason } from '../feeds/cold-start.ts';
import { LIMITS } from '../limits.ts';
import type { Service } from '../service.ts';
import { NONE } from '../state/change.ts';
import { noUser } from './stored-records.ts';

export const INSIGHT_LISTED_MAX = 20;
export const IMPRESSIONS_LISTED_MAX = 50;
/** Maximum number of the latest stored changes that are searched for impressions. */
export const IMPRESSION_CHANGES_MAX = 100_000;

interface Impression {
  item_id: string;
  timestamp: number;
}

/**
 * `GET /v2/<network>/users/<user_id>/insight`: what the service thinks that a viewer likes.
 * @throws ServiceError `not_found`, `store_unavailable`; the reason of `given_up`
 */
export async function viewerInsight(
  service: Service,
  user_id: string,
  given_up: AbortSignal,
): Promise<object> {
  const { state, settings, clock, feeds } = service;
  const { users, items, groups, follows } = state;
  const viewer = users.names.find(user_id);
  if (viewer === NONE) throw noUser(user_id);
  const { authors, columns, shown_items } = feeds.interestsOf(viewer, INSIGHT_LISTED_MAX);
  const valuesOf = (column: keyof typeof columns) =>
    columns[column].map(({ code, share }) => ({ value: groups[column].value(code), share: rounded(share) }));
  const rules = {
    min_interactions: settings.cold_start_min_interactions,
    inactive_days: settings.cold_start_inactive_days,
  };
  const { counted, latest } = approvalsOf(state, viewer, Number.POSITIVE_INFINITY);
  const reason = coldStartReason(state, viewer, clock.now(), rules);
  const insight = {
    user_id,
    authors: authors.map(({ user, closeness, share }) => ({
      user_id: users.names.id(user),
      closeness: rounded(closeness),
      share: rounded(share),
      follows: follows.follows(viewer, user),
    })),
    channels: valuesOf('channel'),
    labels: valuesOf('label'),
    languages: valuesOf('language'),
    apps: valuesOf('app'),
    cold_start: {
      is_cold: reason !== undefined,
      reason: reason ?? null,
      interactions: counted,
      latest_at: counted === 0 ? null : Math.floor(latest),
      ...rules,
    },
    shown_items,
  };
  const key = users.names.key(viewer);
  const impressions = shown_items === 0 ? [] : await latestImpressions(service, key, given_up);
  const itemId = (item: number): string => {
    const ordinal = items.names.ordinal(item);
    return ordinal === NONE || items.deleted(ordinal) ? '' : items.names.id(ordinal);
  };
  const shown = impressions.map(({ item, timestamp }) => ({ item_id: itemId(item), timestamp }));
  return { ...insight, impressions: shown.filter(({ item_id }: Impression) => item_id !== '') };
}

/** The latest impressions among the latest stored changes, latest first. Reads them in short ranges. */
async function latestImpressions(
  { state, store }: Service,
  user: number,
  given_up: AbortSignal,
): Promise<{ item: number; timestamp: number }[]> {
  const found: { item: number; timestamp: number }[] = [];
  const oldest = Math.max(0, state.seq - IMPRESSION_CHANGES_MAX);
  for (let until = state.seq; until > oldest; until -= LIMITS.person_export_rows) {
    const after = Math.max(oldest, until - LIMITS.person_export_rows);
    const changes = await store.readUserLog(user, { after, until }, given_up);
    for (const change of changes.reverse()) {
      if (change.kind !== 'impression') continue;
      const timestamp = Math.floor(change.timestamp);
      for (const item of change.items) found.push({ item, timestamp });
    }
    if (found.length >= IMPRESSIONS_LISTED_MAX) break;
    await nextTurn();
  }
  return found.slice(0, IMPRESSIONS_LISTED_MAX);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
