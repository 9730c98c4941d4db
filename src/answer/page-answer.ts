import { type Static, Type } from '@sinclair/typebox';
import type { UsedFeed } from '../feeds/plan.ts';
import { LEARNING_MODES } from '../page/learnt.ts';
import { type AnswerItem, FeedItemSchema } from './item-fields.ts';
import { ColdStartReasonSchema, EffortSchema, orNull, STAGE_NAMES, strict } from './schema-parts.ts';

const TracedStepSchema = strict(
  {
    source_feed: Type.String({
      description: 'The feed, as in `source_feed` of its items.',
      example: 'main:for-you',
    }),
    stage: Type.Union(STAGE_NAMES, { description: 'One of the four stages of a page.' }),
    plugin: Type.String({
      description:
        'A source as in `sources`, a filter, the scoring function, a rule, `diversity`, or the promotion.',
      example: 'balanced_feed_v0.0.1',
    }),
    in: Type.Integer({ minimum: 0, description: 'Number of items that it received.', example: 310 }),
    out: Type.Integer({
      minimum: 0,
      description: 'Number of items that it kept. For a source: new items that pass the filters.',
      example: 310,
    }),
    microseconds: Type.Number({
      minimum: 0,
      description: 'Time that it took, including the calls it made.',
      example: 41.5,
    }),
  },
  'One step of building the page.',
);

export type TracedStep = Static<typeof TracedStepSchema>;

const TracedCandidatesSchema = strict(
  {
    proposed: Type.Integer({
      minimum: 0,
      description: 'Number of different items that candidate sources proposed and that pass the filters.',
      example: 260,
    }),
    scored: Type.Integer({ minimum: 0, description: 'Number of items that were scored.', example: 500 }),
    limit: Type.Integer({
      minimum: 0,
      description:
        'Number of candidates that the page intended to score. It scores all eligible items if there are at most 1,000, and more if the page would be short otherwise.',
      example: 500,
    }),
  },
  'How widely the feed itself searched, without feeds that it takes items from.',
);

export type TracedCandidates = Static<typeof TracedCandidatesSchema>;

const TraceSchema = strict(
  {
    stages: Type.Array(TracedStepSchema, {
      description: 'The steps, feed by feed, in the order of the stages.',
    }),
    candidates: TracedCandidatesSchema,
    cold_start: Type.Boolean({
      description: 'Whether this page comes from the cold-start feed.',
      example: false,
    }),
    cold_start_reason: ColdStartReasonSchema,
    config_revision: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Revision of the requested saved feed; null without a saved feed.',
      example: 7,
    }),
    learning: orNull(
      Type.String({
        enum: [...LEARNING_MODES],
        description:
          'What orders the items of a feed that learns: what it has learnt (`learned`), or the default scoring function, because the viewer is in the control (`control`), because pages were worse (`fell_back`), or because nothing has been learnt yet (`untaught`).',
        example: 'learned',
      }),
      'the feed does not learn.',
    ),
    effort: EffortSchema,
  },
  'How the page was built. Only for explained requests.',
  'Trace',
);

/** How the page of an explained answer was built. */
export type AnswerTrace = Static<typeof TraceSchema>;

export interface ServedPage {
  items: AnswerItem[];
  /** For reports of what the viewer saw. Undefined without a viewer, and for previews. */
  page_id?: string;
  /** For the next page. Undefined after the last one, and for previews. */
  cursor: string | undefined;
  trace: AnswerTrace | undefined;
  warnings: string[];
  /** Whether users contributed to it who are followed by users other than the viewer. */
  uses_others_follows: boolean;
  /** Saved feeds that contributed, or may contribute, to the page. */
  feeds: readonly UsedFeed[];
  /** The variant of an experiment that decided the page. */
  experiment?: { id: string; variant: string | undefined };
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

const PageIdSchema = Type.String({
  description:
    'Send it to `POST /v2/community/impressions` with the items that the viewer really saw. Valid for 24 hours, for the same viewer. Absent without a viewer, and in previews.',
  example: 'AQAAJhVx2w8AAAHQzYmbAQAAAAABAPQHGg',
});

const ExperimentSchema = strict(
  {
    id: Type.String({ description: 'Id of the experiment.', example: 'exp_1' }),
    variant: Type.Optional(
      Type.String({
        description: 'Name of the variant. Absent if variants are interleaved: then items have a `team`.',
        example: 'control',
      }),
    ),
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
    page_id: Type.Optional(PageIdSchema),
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
  { items, page_id, cursor, trace, experiment, warnings: of_page }: ServedPage,
  warnings: readonly string[],
): string {
  let body = '';
  for (let at = 0; at < items.length; at += AT_ONCE)
    body += `${at === 0 ? '' : ','}${JSON.stringify(items.slice(at, at + AT_ONCE)).slice(1, -1)}`;
  const all = [...warnings, ...of_page];
  const rest = JSON.stringify({
    page_id,
    cursor,
    trace,
    experiment,
    warnings: all.length > 0 ? all : undefined,
  }).slice(1, -1);
  return `{"status_code":200,"body":[${body}]${rest === '' ? '' : `,${rest}`}}`;
}
