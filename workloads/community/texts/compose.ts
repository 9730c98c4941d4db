/** Composes the text of an item. */

import type { Random } from '../../../src/clock.ts';
import { pick } from '../chance.ts';
import type { Language, Topic } from '../topics.ts';
import {
  type Attachment,
  PHRASEBOOKS,
  type Phrasebook,
  type Sentiment,
  type TopicPhrases,
} from './phrasebook.ts';

const EMOJI: Readonly<Record<Topic, readonly string[]>> = {
  gaming: ['🎮', '👾'],
  music: ['🎶', '🎧'],
  science_technology: ['🔭', '🛠️'],
  food_dining: ['🍜', '😋'],
  sports: ['🏃', '💪'],
  travel_adventure: ['🏔️', '🚂'],
  film_tv_video: ['🎬', '🍿'],
  fitness_health: ['💪', '🌿'],
  arts_culture: ['🎨', '🖼️'],
  business_entrepreneurs: ['📈', '☕'],
  learning_educational: ['📚', '💡'],
  other_hobbies: ['🪴', '🐦'],
};

export interface TextWish {
  language: Language;
  topic: Topic;
  sentiment: Sentiment;
  is_reply: boolean;
  attachment?: Attachment;
}

/** The first letter of a text and of each sentence. */
const SENTENCE_START = /^\p{Ll}|[.!?] \p{Ll}/gu;

/** Fills slots. A slot that occurs repeatedly in a text gets the same word each time. */
class SlotFiller {
  private readonly used = new Map<string, string>();

  constructor(
    private readonly phrases: TopicPhrases,
    private readonly book: Phrasebook,
    private readonly random: Random,
  ) {}

  filled(line: string): string {
    const text = line.replace(/\{(\w+)\}/g, (_slot, name: string) => this.word(name));
    return text.replace(SENTENCE_START, (start) => start.toUpperCase());
  }

  /** `{n}` is 3 to 12 and `{nn}` is 24 to 79. All other slots have lists. */
  private word(name: string): string {
    if (name === 'n') return String(3 + Math.floor(this.random() * 10));
    if (name === 'nn') return String(24 + Math.floor(this.random() * 56));
    const word = this.used.get(name) ?? pick(this.random, this.phrases.words[name] ?? this.book.words[name]);
    this.used.set(name, word);
    return word;
  }
}

function isQuestion(line: string): boolean {
  return line.endsWith('?') || line.endsWith('？');
}

/** A line with a sentiment. @param statement leaves out questions */
function lineOf(phrases: TopicPhrases, mood: Sentiment, statement: boolean, random: Random): string {
  const fitting = phrases.lines[mood].filter((line) => !(statement && isQuestion(line)));
  return pick(random, fitting);
}

/** The sentences about the topic, with a closing sentence if the sentiment needs one. */
function ownSentences(wish: TextWish, phrases: TopicPhrases, book: Phrasebook, random: Random): string[] {
  const slots = new SlotFiller(phrases, book, random);
  const told_by_line = wish.sentiment !== 'neutral' && (wish.sentiment === 'negative' || random() < 0.55);
  const mood = told_by_line ? wish.sentiment : 'neutral';
  const first = lineOf(phrases, mood, wish.sentiment !== 'neutral', random);
  const sentences = [slots.filled(first)];
  const second = lineOf(phrases, 'neutral', true, random);
  const wants_second = !told_by_line && second !== first && random() < 0.16;
  // A question comes last.
  if (wants_second && isQuestion(first)) sentences.unshift(slots.filled(second));
  else if (wants_second) sentences.push(slots.filled(second));
  const needs_closer = wish.sentiment !== 'neutral' && !told_by_line;
  const may_close = sentences.length < 2 && !isQuestion(first);
  if (needs_closer || (may_close && random() < 0.2))
    sentences.push(pick(random, book.closers[wish.sentiment]));
  if (wish.attachment && sentences.length < 3 && random() < 0.5) {
    sentences.push(pick(random, book.attachments[wish.attachment]));
  }
  return sentences;
}

function replySentences(wish: TextWish, phrases: TopicPhrases, book: Phrasebook, random: Random): string[] {
  const sentences = [pick(random, book.replies[wish.sentiment])];
  const draw = random();
  if (wish.sentiment !== 'neutral' && draw < 0.45)
    sentences.push(pick(random, book.replies.neutral.filter(isQuestion)));
  else if (wish.sentiment !== 'negative' && draw > 0.75) {
    sentences.push(new SlotFiller(phrases, book, random).filled(lineOf(phrases, 'neutral', true, random)));
  }
  if (wish.attachment) sentences.push(pick(random, book.attachments[wish.attachment]));
  return sentences;
}

/** One to three sentences as described by `wish`. */
export function composeText(wish: TextWish, random: Random): string {
  const book = PHRASEBOOKS[wish.language];
  const phrases = book.topics[wish.topic];
  const sentences = wish.is_reply
    ? replySentences(wish, phrases, book, random)
    : ownSentences(wish, phrases, book, random);
  const emoji = random() < 0.1 ? ` ${pick(random, EMOJI[wish.topic])}` : '';
  return sentences.join(book.sentence_gap) + emoji;
}

/** A spam text. */
export function composeSpam(language: Language, random: Random): string {
  return pick(random, PHRASEBOOKS[language].spam);
}
