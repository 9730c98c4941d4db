import { type Static, Type } from '@sinclair/typebox';
import { strict } from './schema-parts.ts';

const Numbers = (description: string, example: Record<string, number>) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description,
    example,
  });

/** Schema of an item's `explain`. */
export const ItemExplanationSchema = strict(
  {
    signals: Numbers('Every signal that the scoring function read, 0 to 1.', {
      interest_all: 1,
      affinity_all: 0.5,
    }),
    score_parts: Numbers(
      'Parts that add up to the score: those that the scoring function names (none if it does not name them), and `exploration` for the bonus of an item that is tried out.',
      { interest_all: 0.5, affinity_all: 0.15 },
    ),
    factors: Numbers(
      'What the score is multiplied by to get `adjusted_score`: `time_decay`, and `repeat_author_decay` for items of the author that the viewer was shown in the last 24 hours. Only those that the feed has.',
      { time_decay: 0.8, repeat_author_decay: 0.25 },
    ),
    sources: Type.Array(Type.String(), {
      description:
        'Sources that proposed the item: ids of candidate sources; `postings`, or a rule, for narrow feeds, which start from all their items; `tail` for the other items of the feed, usually in the order of a global ranking, or the name of that ranking; `exploration` for little-known items that are tried out; `promoted_items` for hand-picked items.',
      example: ['walk', 'following'],
    }),
  },
  'Why the item has its score.',
  'ItemExplanation',
);

/** Why an item has its score, and which sources proposed it. */
export type ItemExplanation = Static<typeof ItemExplanationSchema>;

export const EffortSchema = Type.Union([Type.Literal(1), Type.Literal(0.5), Type.Literal(0.25)], {
  description:
    'Share of the usual candidates that the page searched: less than 1 while the service is overloaded.',
  example: 1,
});

export const ColdStartReasonSchema = Type.Union([Type.String(), Type.Null()], {
  description:
    'The rule that makes the viewer a cold-start viewer, with its numbers for keys of the account whose feed it is. null: the viewer is not one.',
  example: 'the viewer has 0 interactions that count, fewer than min_interactions 2',
});

/** The stages of a page, in order. */
export const STAGE_NAMES = [
  Type.Literal('candidates'),
  Type.Literal('ranking'),
  Type.Literal('visibility'),
  Type.Literal('mixing'),
];

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

/** One step of building a page. */
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

/** How widely a feed searched. */
export type TracedCandidates = Static<typeof TracedCandidatesSchema>;

/** Schema of an answer's `trace`. */
export const TraceSchema = strict(
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
    effort: EffortSchema,
  },
  'How the page was built. Only for explained requests.',
  'Trace',
);

/** How the page of an explained answer was built. */
export type AnswerTrace = Static<typeof TraceSchema>;
