import { setDismissed, setHidden } from '../../ui/moderation.ts';
import { isDismissed, isOwnHidden, type Report, type useReports } from './reports.ts';

/** The answers that a moderator has to a report. */
export type Answer = 'hide' | 'dismiss';

/** Answers a report, or takes the answer back. */
export function answerReport(
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
