import { useRef, useState } from 'preact/hooks';
import { goTo } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Switch } from '../ui/inputs.tsx';
import { setHidden } from '../ui/moderation.ts';
import { usePageKeys } from '../ui/page-keys.ts';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { ReportCard } from './reports/report-card.tsx';
import { isHidden, isOwnHidden, type Report, useReports } from './reports/reports.ts';

/** Items that people reported or hid, for moderators who go through them by keyboard. */
export function ReportsPage(_: { rest: readonly string[] }) {
  const { reports, total, has_more, loadMore, change, error, is_loading } = useReports();
  const [shows_hidden, setShowsHidden] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const last = useRef<Report | undefined>(undefined);
  // What is hidden during this visit stays in its place, so that it can be undone.
  const visible = reports.filter((report) => shows_hidden || !report.was_hidden);
  const at = visible.findIndex(({ item_id }) => item_id === chosen);
  const focusAt = (index: number): void => {
    const next = Math.max(0, Math.min(index, visible.length - 1));
    list.current?.querySelectorAll<HTMLElement>('li > .report')[next]?.focus();
  };
  const toggle = (report: Report | undefined): void => {
    if (report?.item == null) return;
    const next = !isOwnHidden(report);
    last.current = report;
    // At once: the next key may be the one that takes it back.
    change(report.item_id, next);
    void setHidden('item', report.item_id, next, (hidden) => change(report.item_id, hidden));
    if (next) {
      const after = visible.findIndex((other, index) => index > at && !isHidden(other));
      if (after > 0) focusAt(after);
    }
  };
  usePageKeys({
    j: () => {
      focusAt(at + 1);
      // The next ones are there before the moderator needs them.
      if (at + 2 >= visible.length && has_more && !is_loading) loadMore();
    },
    k: () => focusAt(at - 1),
    h: () => toggle(visible[at]),
    u: () => toggle(reports.find(({ item_id }) => item_id === last.current?.item_id)),
    o: () => {
      if (visible[at] !== undefined) goTo(['posts', visible[at].item_id]);
    },
  });
  return (
    <>
      <div class="head">
        <h1>Reports</h1>
        <Switch text="Show what is hidden already" value={shows_hidden} onChange={setShowsHidden} />
      </div>
      <Keys />
      {error !== undefined && <Failure error={error} retry={loadMore} />}
      {visible.length === 0 && !is_loading && error === undefined && (
        <Nothing total={total} has_more={has_more} />
      )}
      <ol class="posts item-posts" aria-label="Reported posts" ref={list}>
        {visible.map((report) => (
          <ReportCard
            key={report.item_id}
            report={report}
            onFocus={() => setChosen(report.item_id)}
            onToggle={() => toggle(report)}
          />
        ))}
      </ol>
      {is_loading && <Loading />}
      {has_more && !is_loading && <Button onClick={loadMore}>Show more</Button>}
    </>
  );
}

function Keys() {
  return (
    <p class="help key-hints">
      <kbd>j</kbd> <kbd>k</kbd> next and previous · <kbd>h</kbd> hide or show · <kbd>u</kbd> undo ·{' '}
      <kbd>o</kbd> open
    </p>
  );
}

function Nothing({ total, has_more }: { total: number; has_more: boolean }) {
  if (total === 0) {
    return (
      <Empty title="Nothing was reported">
        <p>Posts appear here when people hide or report them.</p>
      </Empty>
    );
  }
  return (
    <Empty title={has_more ? 'All of these are hidden' : 'Nothing is left to decide'}>
      <p>
        {total === 1
          ? 'The one reported post is hidden.'
          : 'Switch on what is hidden already to see the rest.'}
      </p>
    </Empty>
  );
}
