/** The shape of one language's sentences. */

import type { Topic } from '../topics.ts';

/**
 * A line is a sentence with `{slot}`s, filled from the topic's `words` or the language's shared `words`.
 * It starts with `+` when it only fits a cheerful item and with `-` when it only fits a gloomy one.
 */
export interface TopicPhrases {
  lines: readonly string[];
  words: Readonly<Record<string, readonly string[]>>;
}

export interface Phrasebook {
  topics: Readonly<Record<Topic, TopicPhrases>>;
  words: Readonly<Record<string, readonly string[]>>;
  /** Last sentences that fit any topic, by sentiment. */
  closers: Readonly<Record<'positive' | 'neutral' | 'negative', readonly string[]>>;
  /** First sentences of a reply, by sentiment. */
  replies: Readonly<Record<'positive' | 'neutral' | 'negative', readonly string[]>>;
  /** Sentences that point at what is attached. */
  attachments: Readonly<Record<'image' | 'video' | 'article', readonly string[]>>;
  spam: readonly string[];
  /** What stands between two sentences. */
  gap: string;
}
