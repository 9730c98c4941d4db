import { Type } from '@sinclair/typebox';
import type { UsedFeed } from '../feeds/plan.ts';
import { type AnswerTrace, TraceSchema } from './explain-parts.ts';
import { type AnswerItem, FeedItemSchema } from './item-fields.ts';
import { strict } from './schema-parts.ts';

/** A page to answer a feed request with. */
export interface ServedPage {
  items: AnswerItem[];
  /** For the next page. Undefined after the last one, and for previews. */
  cursor: string | undefined;
  /** Only for explained requests. */
  trace: AnswerTrace | undefined;
  warnings: string[];
  /** Whether users contributed to it who are followed by users other than the viewer. */
  uses_others_follows: boolean;
  /** Saved feeds that contributed, or may contribute, to the page. */
  feeds: readonly UsedFeed[];
  /** The variant of an experiment that decided the page. */
  experiment?: { id: string; variant: string };
}

export const WarningsSchema = Type.Array(Type.String(), {
  description: 'Values that were ignored or left out. Absent if there are none.',
  example: ["unknown field 'candidate_source' was ignored"],
});

const CursorSchema = Type.String({
  description:
    'Send it with the same request to get the next page. Absent if no items are left, after 1,000 items, and in previews. The last page may be empty.',
  example: 'Ac6Lm8sGt_ncOgEVnKz0b1c2T4oQvZ8yq1mXtw',
});

const ExperimentSchema = strict(
  {
    id: Type.String({ description: 'Id of the experiment.', example: 'exp_1' }),
    variant: Type.String({ description: 'Name of the variant.', example: 'control' }),
  },
  'The variant of a running experiment that decided the page. Absent for viewers who are not part of one.',
  'AssignedVariant',
);

export const FeedAnswerSchema = strict(
  {
    status_code: Type.Literal(200, { description: 'The HTTP status.' }),
    body: Type.Array(FeedItemSchema, {
      description: 'The items in display order. Empty if no items are left.',
    }),
    cursor: Type.Optional(CursorSchema),
    trace: Type.Optional(TraceSchema),
    experiment: Type.Optional(ExperimentSchema),
    warnings: Type.Optional(WarningsSchema),
  },
  'A page. `trace` is present only if `explain` was requested.',
  'FeedAnswer',
);

/**
 * Number of items that are serialised in one call. The engine serialises texts up to 8 KiB a third faster, and most
 * pages are a little longer.
 */
const AT_ONCE = 12;

/** Warning for a page too large for all metadata. @param count number of items without metadata, at the end */
export function metadataLeftOut(count: number, bytes_max: number): string {
  const of_items = count === 1 ? 'that of the last item' : `that of the last ${count} items`;
  return `metadata: ${of_items} was left out, as a page has at most ${bytes_max} bytes; ask for fewer items`;
}

/** The JSON text of the answer to a feed request. @param warnings warnings of the request; they come first */
export function answerText(
  { items, cursor, trace, experiment, warnings: of_page }: ServedPage,
  warnings: readonly string[],
): string {
  let body = '';
  for (let at = 0; at < items.length; at += AT_ONCE)
    body += `${at === 0 ? '' : ','}${JSON.stringify(items.slice(at, at + AT_ONCE)).slice(1, -1)}`;
  const all = [...warnings, ...of_page];
  const rest = JSON.stringify({
    cursor,
    trace,
    experiment,
    warnings: all.length > 0 ? all : undefined,
  }).slice(1, -1);
  return `{"status_code":200,"body":[${body}]${rest === '' ? '' : `,${rest}`}}`;
}
