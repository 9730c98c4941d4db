import type { AnswerItem } from '../feed/answer.ts';
import type { AnswerTrace } from '../feed/explanation.ts';
import type { Reply } from '../feed/replies.ts';
import type { ServedPage } from '../feed/serve-feed.ts';

/** The body of the answer to a feed request. */
export interface PageAnswer {
  status_code: 200;
  body: AnswerItem[];
  trace?: AnswerTrace;
  warnings?: string[];
}

/** @param warnings what was ignored before the page was built */
export function pageAnswer({ items, trace, warnings: more }: ServedPage, warnings: string[]): PageAnswer {
  const answer: PageAnswer = { status_code: 200, body: items };
  if (trace !== undefined) answer.trace = trace;
  if (warnings.length > 0 || more.length > 0) answer.warnings = [...warnings, ...more];
  return answer;
}

/** An answer as it is sent. @param viewer absent for one named by a wallet, which leads to whoever lists it */
export function replyOf(page: ServedPage, warnings: string[], viewer: string | undefined): Reply {
  const answer = pageAnswer(page, warnings);
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  const item_ids = answer.body.map(({ item_id }) => item_id);
  // Explanations may tell of anybody.
  const of_viewer = !page.asks_of_others && answer.trace === undefined;
  return { bytes, item_ids, viewer: of_viewer ? viewer : undefined };
}
