import type { AnswerItem } from '../feed/answer.ts';
import type { AnswerTrace } from '../feed/explanation.ts';
import { bytesOf, type JsonText } from '../feed/json-bytes.ts';
import type { Reply } from '../feed/replies.ts';
import type { ServedPage, ServedText } from '../feed/serve-feed.ts';

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

const START = bytesOf('{"status_code":200,"body":');

/** The same as text, byte by byte what `JSON.stringify` makes of it. */
export function answerText({ text, trace, warnings: more }: ServedText, warnings: string[]): JsonText {
  const told = [...warnings, ...more];
  const traced = trace === undefined ? '' : `,"trace":${JSON.stringify(trace)}`;
  const warned = told.length === 0 ? '' : `,"warnings":${JSON.stringify(told)}`;
  const end = bytesOf(`${traced}${warned}}`);
  const whole = new Uint8Array(START.length + text.length + end.length);
  whole.set(START);
  whole.set(text, START.length);
  whole.set(end, START.length + text.length);
  return whole;
}

/** An answer as it is sent. */
export function replyOf(answer: PageAnswer): Reply {
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  return { bytes, item_ids: answer.body.map(({ item_id }) => item_id) };
}
