import { Type } from '@sinclair/typebox';
import type { UsedFeed } from '../feeds/plan.ts';
import { type AnswerTrace, TraceSchema } from './explain-parts.ts';
import { type AnswerItem, FeedItemSchema } from './item-fields.ts';
import { strict } from './schema-parts.ts';

/** What a feed request is answered with. */
export interface ServedPage {
  items: AnswerItem[];
  /** Only of explained requests. */
  trace: AnswerTrace | undefined;
  warnings: string[];
  /** Whether users whom someone other than the viewer follows had a part in it. */
  asks_of_others: boolean;
  /** Saved feeds that it is, or may be, made of. */
  feeds: readonly UsedFeed[];
}

export const WarningsSchema = Type.Array(Type.String(), {
  description: 'What was ignored or left out; absent when there is nothing to say.',
  example: ["unknown field 'candidate_source' was ignored"],
});

export const FeedAnswerSchema = strict(
  {
    status_code: Type.Literal(200, { description: 'The HTTP status.' }),
    body: Type.Array(FeedItemSchema, {
      description: 'The page in display order; empty: nothing is left.',
    }),
    trace: Type.Optional(TraceSchema),
    warnings: Type.Optional(WarningsSchema),
  },
  'A page. `trace` only when `explain` was asked for.',
  'FeedAnswer',
);

/**
 * Items that are serialised in one call. The engine serialises texts up to 8 KiB a third faster, and most pages are a
 * little longer.
 */
const AT_ONCE = 12;

/** The warning of a page that is too large with all metadata. @param count of the items without, the last of the page */
export function metadataLeftOut(count: number, bytes_max: number): string {
  const of_items = count === 1 ? 'that of the last item' : `that of the last ${count} items`;
  return `metadata: ${of_items} was left out, as a page has at most ${bytes_max} bytes; ask for fewer items`;
}

/** The JSON text of the answer to a feed request. @param warnings of the request, before those of the page */
export function answerText(
  { items, trace, warnings: of_page }: ServedPage,
  warnings: readonly string[],
): string {
  let body = '';
  for (let at = 0; at < items.length; at += AT_ONCE)
    body += `${at === 0 ? '' : ','}${JSON.stringify(items.slice(at, at + AT_ONCE)).slice(1, -1)}`;
  const all = [...warnings, ...of_page];
  const rest = JSON.stringify({ trace, warnings: all.length > 0 ? all : undefined }).slice(1, -1);
  return `{"status_code":200,"body":[${body}]${rest === '' ? '' : `,${rest}`}}`;
}
