import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';

const LOADED_COUNT = 25;

export type Report = AnswerOf<'GET', '/v2/{network}/reports'>['reports'][number] & {
  /** Whether it was hidden when it was loaded. */
  was_hidden: boolean;
};

/** Whether the item itself is hidden. */
export function isOwnHidden({ item }: Report): boolean {
  return item?.hidden === true;
}

/** Whether the item or its author is hidden. */
export function isHidden(report: Report): boolean {
  return report.hidden;
}

/** The reported items, loaded in parts. */
export function useReports() {
  const [reports, setReports] = useState<readonly Report[]>([]);
  const [total, setTotal] = useState(0);
  const [next, setNext] = useState<number | null>(0);
  const [error, setError] = useState<unknown>();
  const [is_loading, setLoading] = useState(true);
  const controller = useRef(new AbortController());
  const loadMore = async (): Promise<void> => {
    if (next === null) return;
    const { signal } = controller.current;
    setLoading(true);
    setError(undefined);
    try {
      const answer = await api().reports({ offset: next, limit: LOADED_COUNT }, { signal });
      const added = answer.reports.map((report) => ({ ...report, was_hidden: report.hidden }));
      setReports((before) => {
        const known = new Set(before.map(({ item_id }) => item_id));
        return [...before, ...added.filter(({ item_id }) => !known.has(item_id))];
      });
      setTotal(answer.total);
      setNext(answer.next_offset);
    } catch (reason) {
      if (!signal.aborted) setError(reason);
    }
    if (!signal.aborted) setLoading(false);
  };
  useEffect(() => {
    controller.current = new AbortController();
    void loadMore();
    return () => controller.current.abort();
  }, []);
  /** Notes that an item was hidden or shown. */
  const change = (item_id: string, hidden: boolean): void => {
    setReports((before) =>
      before.map((report) => (report.item_id === item_id ? changed(report, hidden) : report)),
    );
  };
  return {
    ...{ reports, total, error, is_loading, change },
    has_more: next !== null,
    loadMore: () => void loadMore(),
  };
}

function changed(report: Report, hidden: boolean): Report {
  const is_author_hidden = report.hidden && !isOwnHidden(report);
  const item = report.item && { ...report.item, hidden };
  return { ...report, item, hidden: hidden || is_author_hidden };
}
