import { linkTo } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { ItemPost } from '../../ui/item-post.tsx';
import { dismissedCount, isDismissed, isOwnHidden, type Report, totalOf } from './reports.ts';

/** One after another gets the focus by `j` and `k`. */
const FOCUSABLE = { role: 'group', tabIndex: 0 } as const;

export function ReportCard(props: {
  report: Report;
  onFocus: () => void;
  onHide: () => void;
  onDismiss: () => void;
}) {
  const { report, onFocus, onHide, onDismiss } = props;
  const { item_id, hides_count, reports_count, item } = report;
  const counts = [counted(reports_count, 'report'), counted(hides_count, 'hide')].filter(Boolean).join(', ');
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

/** Empty for zero. */
function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}
