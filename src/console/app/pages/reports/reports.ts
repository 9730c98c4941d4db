import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import type { DismissedCounts } from '../../ui/moderation.ts';

const LOADED_COUNT = 25;

export type Report = AnswerOf<'GET', '/v2/{network}/reports'>['reports'][number] & {
  /** Whether it was hidden when it was loaded. */
  was_hidden: boolean;
  /** The numbers that dismissing it, and taking that back, store. */
  counts_to_dismiss: DismissedCounts;
};

interface Loaded {
  reports: readonly Report[];
  total: number;
  /** The offset of the next ones. null: there are none. */
  next: number | null;
}

const NOTHING_LOADED: Loaded = { reports: [], total: 0, next: null };

/** Whether a moderator hid the item itself. */
export function isOwnHidden({ item }: Report): boolean {
  return item?.hidden === true;
}

export function isHidden(report: Report): boolean {
  return report.hidden;
}

export function dismissedCount({ item }: Report): number {
  return item?.dismissed_reports_count ?? 0;
}

export function totalOf({ hides_count, reports_count }: Report): number {
  return hides_count + reports_count;
}

export function isDismissed(report: Report): boolean {
  return totalOf(report) <= dismissedCount(report);
}

/**
 * The reported items, loaded in parts.
 * @param dismissed whether the dismissed ones are loaded instead of the open ones
 */
export function useReports(dismissed: boolean) {
  const [loaded, setLoaded] = useState(NOTHING_LOADED);
  const [error, setError] = useState<unknown>();
  const [is_loading, setLoading] = useState(true);
  const controller = useRef(new AbortController());
  const load = async (offset: number): Promise<void> => {
    const { signal } = controller.current;
    setLoading(true);
    setError(undefined);
    try {
      const answer = await api().reports({ offset, limit: LOADED_COUNT, dismissed }, { signal });
      if (signal.aborted) return;
      setLoaded(({ reports }) => {
        const known = new Set(reports.map(({ item_id }) => item_id));
        const added = answer.reports.filter(({ item_id }) => !known.has(item_id)).map(asLoaded);
        return { reports: [...reports, ...added], total: answer.total, next: answer.next_offset };
      });
    } catch (reason) {
      if (!signal.aborted) setError(reason);
    }
    if (!signal.aborted) setLoading(false);
  };
  useEffect(() => {
    controller.current = new AbortController();
    setLoaded(NOTHING_LOADED);
    void load(0);
    return () => controller.current.abort();
  }, [dismissed]);
  const replace = (item_id: string, changed: (report: Report) => Report): void => {
    setLoaded(({ reports, total, next }) => {
      const after = reports.map((report) => (report.item_id === item_id ? changed(report) : report));
      // What left the service's list moves the places of those that are not loaded yet.
      const listed = (all: readonly Report[]) => all.filter((one) => isDismissed(one) === dismissed).length;
      const moved = listed(after) - listed(reports);
      return { reports: after, total: total + moved, next: next === null ? null : next + moved };
    });
  };
  return {
    ...{ ...loaded, error, is_loading },
    has_more: loaded.next !== null,
    /** Loads the next ones, or the first ones if that failed. */
    loadMore: () => void load(loaded.next ?? 0),
    noteHidden: (item_id: string, hidden: boolean) =>
      replace(item_id, (report) => withHidden(report, hidden)),
    noteDismissed: (item_id: string, is_dismissed: boolean) =>
      replace(item_id, (report) => withDismissed(report, is_dismissed)),
  };
}

function asLoaded(report: AnswerOf<'GET', '/v2/{network}/reports'>['reports'][number]): Report {
  const { hidden: was_hidden, hides_count, reports_count, item } = report;
  const total = hides_count + reports_count;
  const former = item?.dismissed_reports_count ?? 0;
  const counts_to_dismiss = { dismissed: Math.max(total, former), open: former < total ? former : 0 };
  return { ...report, was_hidden, counts_to_dismiss };
}

function withHidden(report: Report, hidden: boolean): Report {
  // By the network, or with its author.
  const is_hidden_anyway = report.item?.hidden_by_network === true || (report.hidden && !isOwnHidden(report));
  const item = report.item && { ...report.item, hidden };
  return { ...report, item, hidden: hidden || is_hidden_anyway };
}

function withDismissed(report: Report, is_dismissed: boolean): Report {
  const { dismissed, open } = report.counts_to_dismiss;
  const item = report.item && { ...report.item, dismissed_reports_count: is_dismissed ? dismissed : open };
  return { ...report, item };
}
