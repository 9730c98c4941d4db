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
export function replyOf(answer: PageAnswer, viewer: string | undefined): Reply {
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  const item_ids = answer.body.map(({ item_id }) => item_id);
  // Explanations may tell of anybody.
  if (viewer === undefined || answer.trace !== undefined) return { bytes, item_ids };
  const proofs = answer.body.flatMap(({ social_proof }) => social_proof);
  return { bytes, item_ids, user_ids: [...new Set([viewer, ...proofs.map(({ user_id }) => user_id)])] };
}
