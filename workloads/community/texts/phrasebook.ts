/**
 * The sample texts: one JSON file per language, imported statically so that the executable contains them. The
 * compiler
 * checks that every language has every topic.
 */

import type { Language, Topic } from '../topics.ts';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

export type Sentiment = 'positive' | 'neutral' | 'negative';
export type Attachment = 'image' | 'video' | 'article';

type BySentiment = Readonly<Record<Sentiment, readonly string[]>>;

/** Words by slot. Their grammatical form fits every line with that slot. */
type SlotWords = Readonly<Record<string, readonly string[]>>;

export interface TopicPhrases {
  /** Sentences with `{slot}`s. A neutral line fits items of any sentiment. */
  lines: BySentiment;
  words: SlotWords;
}

/** The sentences and names of one language. */
export interface Phrasebook {
  /** Common given names, 12 per language. Surnames are invented, so no full name belongs to a real person. */
  given_names: readonly string[];
  /** Latitude and longitude of cities where the language is spoken. */
  cities: readonly (readonly number[])[];
  /** The text between two sentences. */
  sentence_gap: string;
  topics: Readonly<Record<Topic, TopicPhrases>>;
  /** Slots that all topics share. */
  words: SlotWords;
  /** Last sentences that fit any topic. */
  closers: BySentiment;
  /** First sentences of a reply. */
  replies: BySentiment;
  /** Sentences that mention the attachment. */
  attachments: Readonly<Record<Attachment, readonly string[]>>;
  spam: readonly string[];
}

export const PHRASEBOOKS: Readonly<Record<Language, Phrasebook>> = { en, es, pt, de, fr, ja };
