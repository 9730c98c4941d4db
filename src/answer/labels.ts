import type { Static } from '@sinclair/typebox';
import { strict, Texts } from './schema-parts.ts';

/** The categories of `metadata.ai_labels`, each with its labels. */
const CATEGORIES = {
  topics: [
    'arts_culture',
    'business_entrepreneurs',
    'celebrity_pop_culture',
    'diaries_daily_life',
    'family',
    'fashion_style',
    'film_tv_video',
    'fitness_health',
    'food_dining',
    'gaming',
    'learning_educational',
    'music',
    'news_social_concern',
    'other_hobbies',
    'relationships',
    'science_technology',
    'sports',
    'travel_adventure',
    'youth_student_life',
  ],
  sentiment: ['positive', 'neutral', 'negative'],
  emotion: [
    'anger',
    'anticipation',
    'disgust',
    'fear',
    'joy',
    'love',
    'optimism',
    'pessimism',
    'sadness',
    'surprise',
    'trust',
  ],
  moderation: [
    'llm_generated',
    'spam',
    'sexual',
    'hate',
    'violence',
    'harassment',
    'self_harm',
    'sexual_minors',
    'hate_threatening',
    'violence_graphic',
  ],
  web3_topics: ['web3_nft', 'web3_defi', 'web3_infra', 'web3_industry', 'web3_consumer'],
} as const;

export const LabelsSchema = strict(
  {
    topics: Texts('Subjects of the item.', ['music']),
    sentiment: Texts('positive, neutral, negative.', ['positive']),
    emotion: Texts('For example joy, anger, trust.', []),
    moderation: Texts('For example spam, violence, llm_generated.', []),
    web3_topics: Texts('For example web3_nft, web3_defi.', []),
    other: Texts('Labels without a known category.', []),
  },
  "The item's labels with a score above the service's threshold, by category.",
);

type LabelsByCategory = Static<typeof LabelsSchema>;
type LabelCategory = keyof LabelsByCategory;

const CATEGORY_OF: ReadonlyMap<string, LabelCategory> = new Map(
  Object.entries(CATEGORIES).flatMap(([category, labels]) =>
    labels.map((label): [string, LabelCategory] => [label, category as LabelCategory]),
  ),
);

/** Groups labels with a score strictly above `threshold` by category, highest score first. */
export function categorise(labels: Record<string, number> | undefined, threshold: number): LabelsByCategory {
  const listed: LabelsByCategory = {
    topics: [],
    sentiment: [],
    emotion: [],
    moderation: [],
    web3_topics: [],
    other: [],
  };
  const kept = Object.entries(labels ?? {}).filter(([, score]) => score > threshold);
  kept.sort(([one, score], [other, other_score]) => other_score - score || (one < other ? -1 : 1));
  for (const [label] of kept) listed[CATEGORY_OF.get(label) ?? 'other'].push(label);
  return listed;
}
