import { type Static, Type } from '@sinclair/typebox';
import { strict } from './schema-parts.ts';

const Numbers = (description: string, example: Record<string, number>) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description,
    example,
  });

/** `explain` of an item. */
export const ItemExplanationSchema = strict(
  {
    signals: Numbers('Every signal that the scoring function asked for, 0 to 1.', {
      interest_all: 1,
      affinity_all: 0.5,
    }),
    score_parts: Numbers(
      'What the score is made of; the parts add up to it: those of the scoring function, empty when it does not say, and `exploration` for what an item that is tried out got to stand where it does.',
      { interest_all: 0.5, affinity_all: 0.15 },
    ),
    sources: Type.Array(Type.String(), {
      description:
        'What proposed the item: candidate sources; `postings`, or a rule, for narrow feeds, which start from all that they may show; `tail` for the rest, by a ranking that is the same for everybody, or the name of that ranking; `exploration` for little-known items that are tried out; `promoted_items` for hand-picked ones.',
      example: ['walk', 'following'],
    }),
  },
  'Why the item has its score.',
  'ItemExplanation',
);

/** Why an item has its score, and which sources proposed it. */
export type ItemExplanation = Static<typeof ItemExplanationSchema>;

export const EffortSchema = Type.Union([Type.Literal(1), Type.Literal(0.5), Type.Literal(0.25)], {
  description: 'How widely the page was looked for: less than 1 while the service is overloaded.',
  example: 1,
});

export const ColdStartReasonSchema = Type.Union([Type.String(), Type.Null()], {
  description: 'The rule by which the viewer is cold, with its numbers; null: the viewer is not.',
  example: 'the viewer has 0 interactions that count, fewer than min_interactions 2',
});

/** The stages of a page, in their order. */
export const STAGE_NAMES = [
  Type.Literal('candidates'),
  Type.Literal('ranking'),
  Type.Literal('visibility'),
  Type.Literal('mixing'),
];

const TracedStepSchema = strict(
  {
    source_feed: Type.String({ description: 'The feed, as on its items.', example: 'main:for-you' }),
    stage: Type.Union(STAGE_NAMES, { description: 'Of the four stages of a page.' }),
    plugin: Type.String({
      description:
        'A source as in `sources`, a filter, the scoring function, a rule, `diversity`, or the promotion.',
      example: 'balanced_feed_v0.0.1',
    }),
    in: Type.Integer({ minimum: 0, description: 'Items that it looked at.', example: 310 }),
    out: Type.Integer({
      minimum: 0,
      description: 'Those that it let through; of a source: new ones that the filters keep.',
      example: 310,
    }),
    microseconds: Type.Number({ minimum: 0, description: 'What it called included.', example: 41.5 }),
  },
  'What one part did.',
);

/** What one part of one feed did for a page. */
export type TracedStep = Static<typeof TracedStepSchema>;

/** `trace` of an answer. */
export const TraceSchema = strict(
  {
    stages: Type.Array(TracedStepSchema, { description: 'Feed by feed, in the order of the stages.' }),
    cold_start: Type.Boolean({
      description: 'Whether this is the feed for viewers without history.',
      example: false,
    }),
    cold_start_reason: ColdStartReasonSchema,
    config_revision: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Revision of the saved feed that was asked for; null without one.',
      example: 7,
    }),
    effort: EffortSchema,
  },
  'How the page was made; only of explained requests.',
  'Trace',
);

/** What an explained answer says about how its page was made. */
export type AnswerTrace = Static<typeof TraceSchema>;
