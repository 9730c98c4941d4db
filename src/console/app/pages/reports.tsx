import { useRef, useState } from 'preact/hooks';
import { goTo, linkTo } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Switch } from '../ui/inputs.tsx';
import { ItemPost } from '../ui/item-post.tsx';
import { useKeys } from '../ui/keys.ts';
import { Head } from '../ui/layout.tsx';
import { setDismissed, setHidden } from '../ui/moderation.ts';
import { Empty, ListEnd } from '../ui/states.tsx';
import { counted } from '../ui/texts.ts';
import {
  dismissedCount,
  isDismissed,
  isOwnHidden,
  type Report,
  totalOf,
  useReports,
} from './reports/reports.ts';

/** One after another gets the focus by `j` and `k`. */
const FOCUSABLE = { role: 'group', tabIndex: 0 } as const;

function ReportCard(props: {
  report: Report;
  onFocus: () => void;
  onHide: () => void;
  onDismiss: () => void;
}) {
  const { report, onFocus, onHide, onDismiss } = props;
  const { item_id, hides_count, reports_count, item } = report;
  const counts = Object.entries({ report: reports_count, hide: hides_count })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => counted(count, word))
    .join(', ');
  const is_dismissed = isDismissed(report);
  return (
    <li>
      <div
        class="report"
        {...{ ...FOCUSABLE, 'aria-label': `${counts}: ${item_id}` }}
        onFocusCapture={onFocus}
      >
        <div class="counts">
          <b>{counts}</b>
          {!is_dismissed && dismissedCount(report) > 0 && (
            <span class="help">{totalOf(report) - dismissedCount(report)} since they were dismissed</span>
          )}
          {item !== null && (
            <span class="answers">
              <Button onClick={onDismiss}>{is_dismissed ? 'Reopen' : 'Dismiss'}</Button>
              <Button kind={isOwnHidden(report) ? 'plain' : 'danger'} onClick={onHide}>
                {isOwnHidden(report) ? 'Show again' : 'Hide'}
              </Button>
            </span>
          )}
        </div>
        <ItemPost listed={report}>
          {is_dismissed && <span class="badge">Dismissed</span>}
          {item !== null && <a href={linkTo(['posts', item_id])}>Details</a>}
        </ItemPost>
      </div>
    </li>
  );
}

/** The answers that a moderator has to a report. */
type Answer = 'hide' | 'dismiss';

/** Answers a report, or takes the answer back. */
function answerReport(
  { noteHidden, noteDismissed }: ReturnType<typeof useReports>,
  report: Report,
  answer: Answer,
): void {
  const { item_id, counts_to_dismiss } = report;
  // Noted at once: the next key may be the one that takes it back.
  if (answer === 'hide') {
    const next = !isOwnHidden(report);
    noteHidden(item_id, next);
    void setHidden('item', item_id, next, (hidden) => noteHidden(item_id, hidden));
  } else {
    const next = !isDismissed(report);
    noteDismissed(item_id, next);
    void setDismissed(item_id, counts_to_dismiss, next, (dismissed) => noteDismissed(item_id, dismissed));
  }
}

/** Items that people reported or hid, for moderators who go through them by keyboard. */
export function ReportsPage() {
  const [shows_dismissed, setShowsDismissed] = useState(false);
  const listing = useReports(shows_dismissed);
  const { entries: reports, last: part, has_more, more, is_loading } = listing.list;
  const [shows_hidden, setShowsHidden] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const last = useRef<{ item_id: string; answer: Answer } | undefined>(undefined);
  // What is hidden or dismissed during this visit stays in its place, so that it can be undone.
  const visible = reports.filter((report) => shows_hidden || !report.was_hidden);
  const at = visible.findIndex(({ item_id }) => item_id === chosen);
  const focusAt = (index: number): void => {
    const next = Math.max(0, Math.min(index, visible.length - 1));
    list.current?.querySelectorAll<HTMLElement>('li > .report')[next]?.focus();
  };
  const isOpen = (report: Report) => !report.hidden && isDismissed(report) === shows_dismissed;
  const toggle = (report: Report | undefined, answer: Answer): void => {
    if (report?.item == null) return;
    last.current = { item_id: report.item_id, answer };
    answerReport(listing, report, answer);
    if (!isOpen(report)) return;
    const after = visible.findIndex((other, index) => index > visible.indexOf(report) && isOpen(other));
    if (after > 0) focusAt(after);
  };
  useKeys({
    j: () => {
      focusAt(at + 1);
      // The next ones are there before the moderator needs them.
      if (at + 2 >= visible.length && has_more && !is_loading) more();
    },
    k: () => focusAt(at - 1),
    h: () => toggle(visible[at], 'hide'),
    d: () => toggle(visible[at], 'dismiss'),
    u: () => {
      const { item_id, answer = 'hide' } = last.current ?? {};
      const report = reports.find((one) => one.item_id === item_id);
      toggle(report, answer);
    },
    o: () => {
      if (visible[at] !== undefined) goTo(['posts', visible[at].item_id]);
    },
  });
  const nothing = <Nothing total={part?.total ?? 0} {...{ has_more, shows_dismissed }} />;
  return (
    <>
      <Head title="Reports">
        <Switch text="Show what is hidden already" value={shows_hidden} onChange={setShowsHidden} />
        <Switch text="Show dismissed reports" value={shows_dismissed} onChange={setShowsDismissed} />
      </Head>
      <Keys />
      <ol class="posts item-posts" aria-label="Reported posts" ref={list}>
        {visible.map((report) => (
          <ReportCard
            key={report.item_id}
            report={report}
            onFocus={() => setChosen(report.item_id)}
            onHide={() => toggle(report, 'hide')}
            onDismiss={() => toggle(report, 'dismiss')}
          />
        ))}
      </ol>
      <ListEnd list={{ ...listing.list, entries: visible }} none={nothing} />
    </>
  );
}

function Keys() {
  return (
    <p class="help key-hints">
      <kbd>j</kbd> <kbd>k</kbd> next and previous · <kbd>h</kbd> hide or show · <kbd>d</kbd> dismiss or reopen
      · <kbd>u</kbd> undo · <kbd>o</kbd> open
    </p>
  );
}

function Nothing(props: { total: number; has_more: boolean; shows_dismissed: boolean }) {
  const { total, has_more, shows_dismissed } = props;
  const [title, text] =
    total > 0
      ? [
          has_more ? 'All of these are hidden' : 'Nothing is left to decide',
          total === 1
            ? 'The one reported post is hidden.'
            : 'Switch on what is hidden already to see the rest.',
        ]
      : shows_dismissed
        ? [
            'No dismissed reports',
            'Posts whose reports were dismissed appear here until more people hide or report them.',
          ]
        : [
            'No open reports',
            'Posts appear here when people hide or report them, until the reports are dismissed.',
          ];
  return (
    <Empty title={title}>
      <p>{text}</p>
    </Empty>
  );
}
