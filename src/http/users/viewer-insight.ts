import { notFound } from '../../errors.ts';
import { approvalsOf, coldStartReason } from '../../feeds/cold-start.ts';
import { NONE } from '../../model/key.ts';
import type { Service } from '../../service.ts';
import type { Interests } from '../../signals/interests.ts';
import { isKnown } from '../records/stored-records.ts';

export const INSIGHT_LISTED_MAX = 20;
export const IMPRESSIONS_LISTED_MAX = 50;

/** Of a viewer who only saw something, or whose acts pages do not use. */
const NO_INTERESTS: Interests = { authors: [], columns: { channel: [], label: [], language: [], app: [] } };
const NO_APPROVALS = { counted: 0, latest: 0 };

interface Impression {
  item_id: string;
  timestamp: number;
}

/**
 * `GET /v2/community/users/<user_id>/insight`: what the service thinks that a viewer likes.
 * @throws ServiceError `not_found`, `store_unavailable`
 */
export async function viewerInsight(service: Service, user_id: string) {
  const { state, settings, clock, feeds } = service;
  const { users, items, groups, follows } = state;
  const viewer = users.names.find(user_id);
  if (!(await isKnown(service, user_id))) throw notFound('user', user_id);
  const is_read = viewer !== NONE && state.preferences.isPersonalised(viewer);
  const { authors, columns } = is_read ? feeds.interestsOf(viewer, INSIGHT_LISTED_MAX) : NO_INTERESTS;
  const valuesOf = (column: keyof typeof columns) =>
    columns[column].map(({ code, share }) => ({ value: groups[column].value(code), share: rounded(share) }));
  const rules = {
    min_interactions: settings.cold_start_min_interactions,
    inactive_days: settings.cold_start_inactive_days,
  };
  const { counted, latest } =
    viewer === NONE ? NO_APPROVALS : approvalsOf(state, viewer, Number.POSITIVE_INFINITY);
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
  };
  const seen = await service.seen.read(service.seen.viewerOf(user_id));
  const shown_items = seen.inOrder().length;
  const itemId = (item: number): string => {
    const ordinal = items.names.ordinal(item);
    return ordinal === NONE || items.deleted(ordinal) ? '' : items.names.id(ordinal);
  };
  const impressions: Impression[] = [];
  for (const { time, keys } of seen.pages.toReversed())
    for (const key of keys) {
      const item_id = itemId(key);
      if (impressions.length < IMPRESSIONS_LISTED_MAX && item_id !== '')
        impressions.push({ item_id, timestamp: Math.floor(time) });
    }
  return { ...insight, shown_items, impressions };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
