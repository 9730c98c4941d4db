import { defineScoringFunction, type FeedType, Type } from 'feedloom/plugin';

/**
 * What the default of the feed type computes anyway, and signals that cost little. Not what was popular before: in for-you
 * pages it feeds on itself, until old items fill all pages.
 */
const SIGNALS: Partial<Record<FeedType, readonly string[]>> = {
  'for-you': [
    ...['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike'],
    ...['click_rate', 'fatigue', 'author_affinity'],
  ],
  trending: ['trending', 'click_rate', 'fatigue', 'popular'],
};

const signalsOf = ({ signals }: { signals: string[] }, feed_type: FeedType) => [
  ...(SIGNALS[feed_type] ?? []),
  ...signals,
];

/** The chance that a viewer acts on an item, as far as shown pages taught. It begins as the default of the feed type. */
export default defineScoringFunction({
  summary: 'What shown pages taught: the default score and signals, weighted by what viewers acted on.',
  feeds: ['for-you', 'trending'],
  options: Type.Object(
    {
      signals: Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 12,
        default: [],
        description: 'names of at most 12 further signals to learn, such as ["interest_recent"]',
      }),
    },
    { additionalProperties: false },
  ),
  signals: signalsOf,
  learns: signalsOf,
  compile: () => (request) => {
    const { logit } = request.learnt();
    return (item) => 1 / (1 + Math.exp(-logit(item)));
  },
  parts: () => (request) => request.learnt().terms,
});
