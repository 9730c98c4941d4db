import { linkTo } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { ItemPost } from '../../ui/item-post.tsx';
import { isOwnHidden, type Report } from './reports.ts';

/** One after another gets the focus by `j` and `k`. */
const FOCUSABLE = { role: 'group', tabIndex: 0 } as const;

/** A reported item. */
export function ReportCard(props: { report: Report; onFocus: () => void; onToggle: () => void }) {
  const { report, onFocus, onToggle } = props;
  const { item_id, hides_count, reports_count, item } = report;
  const counts = [counted(reports_count, 'report'), counted(hides_count, 'hide')].filter(Boolean).join(', ');
  return (
    <li>
      <div
        class="report"
        {...{ ...FOCUSABLE, 'aria-label': `${counts}: ${item_id}` }}
        onFocusCapture={onFocus}
      >
        <p class="counts">
          <b>{counts}</b>
          {item !== null && (
            <Button kind={isOwnHidden(report) ? 'plain' : 'danger'} onClick={onToggle}>
              {isOwnHidden(report) ? 'Show again' : 'Hide'}
            </Button>
          )}
        </p>
        <ItemPost listed={report}>
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
