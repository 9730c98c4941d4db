import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import type { DismissedCounts } from '../../ui/moderation.ts';
import { usePaged } from '../../ui/resource.ts';

const LOADED_COUNT = 25;

type Listed = AnswerOf<'GET', '/v2/{network}/reports'>['reports'][number];

export type Report = Listed & {
  /** Whether it was hidden when it was loaded. */
  was_hidden: boolean;
  /** The numbers that dismissing it, and taking that back, store. */
  counts_to_dismiss: DismissedCounts;
};

/** Whether a moderator hid the item itself. */
export function isOwnHidden({ item }: Report): boolean {
  return item?.hidden === true;
}

export function dismissedCount({ item }: Listed): number {
  return item?.dismissed_reports_count ?? 0;
}

export function totalOf({ hides_count, reports_count }: Listed): number {
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
  const list = usePaged(
    async (_: number | null | undefined, signal: AbortSignal, loaded: readonly Report[]) => {
      // What left the service's list since it was loaded has moved the places of the others.
      let offset = loaded.filter((report) => isDismissed(report) === dismissed).length;
      const known = new Set(loaded.map(({ item_id }) => item_id));
      for (;;) {
        const answer = await api().reports({ offset, limit: LOADED_COUNT, dismissed }, { signal });
        const { next_offset: cursor, total } = answer;
        const added = answer.reports.filter(({ item_id }) => !known.has(item_id));
        if (added.length > 0 || cursor === null) return { entries: added.map(asLoaded), cursor, total };
        // Newer reports have moved the known ones to this place.
        offset = cursor;
      }
    },
    [dismissed],
  );
  const replace = (item_id: string, changed: (report: Report) => Report): void =>
    list.change((reports) =>
      reports.map((report) => (report.item_id === item_id ? changed(report) : report)),
    );
  return {
    list,
    noteHidden: (item_id: string, hidden: boolean) =>
      replace(item_id, (report) => withHidden(report, hidden)),
    noteDismissed: (item_id: string, is_dismissed: boolean) =>
      replace(item_id, (report) => withDismissed(report, is_dismissed)),
  };
}

function asLoaded(report: Listed): Report {
  const [total, former] = [totalOf(report), dismissedCount(report)];
  const counts_to_dismiss = { dismissed: Math.max(total, former), open: former < total ? former : 0 };
  return { ...report, was_hidden: report.hidden, counts_to_dismiss };
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
