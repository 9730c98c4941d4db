/** The item records: texts, labels, attachments and places of the planned items. */

import type { Random } from '../../src/clock.ts';
import { hash32, hexAddress, indexOfShare, pick, STREAM, stream } from './chance.ts';
import type { DailyRhythm } from './daily-rhythm.ts';
import { type ItemPlan, NO_PARENT } from './item-plan.ts';
import type { People } from './people.ts';
import { placeNear, userId } from './profiles.ts';
import type { CommunityOptions, ItemRecordInput } from './records.ts';
import { composeSpam, composeText } from './texts/compose.ts';
import type { Attachment, Sentiment } from './texts/phrasebook.ts';
import {
  ARTICLES,
  channelOf,
  LANGUAGES,
  type Language,
  SECOND_LABELS,
  TOPICS,
  type Topic,
} from './topics.ts';

const ITEMS = 102;
const APP_FIDS = ['9152', '309857', '12142', '20384'];
const APP_SHARES = [0.62, 0.22, 0.12, 0.04];
/** Image, video, article, none. Most replies have none. */
const ATTACHMENT_SHARES = [0.25, 0.09, 0.13, 0.53];
const ATTACHMENTS: readonly (Attachment | undefined)[] = ['image', 'video', 'article', undefined];
const PUBLICATION_TYPES: Record<Attachment, string[]> = {
  image: ['image'],
  video: ['video'],
  article: ['article', 'link'],
};
const IMAGE_DOMAIN = 'picsum.photos';
const VIDEO_DOMAINS = ['watch.example', 'clips.example'];
const BLOG_DOMAINS = ['weekly.example', 'fieldnotes.example', 'longreads.example'];
const SPAM_DOMAIN = 'lucky-prizes.example';
const SENTIMENTS: readonly Sentiment[] = ['positive', 'neutral', 'negative'];
const SENTIMENT_SHARES = [0.36, 0.54, 0.1];
const EMOTIONS: Record<Sentiment, readonly string[]> = {
  positive: ['joy', 'love', 'optimism'],
  neutral: ['anticipation', 'trust', 'surprise'],
  negative: ['sadness', 'anger', 'pessimism'],
};

export function itemId(seed: number, item: number): string {
  return hexAddress(seed, ITEMS, item);
}

/** The creation time of an item, in whole seconds. */
export function createdAt(
  options: CommunityOptions,
  plan: ItemPlan,
  rhythm: DailyRhythm,
  item: number,
): number {
  return Math.floor(Math.min(rhythm.toClock(plan.created[item]), options.now));
}

function score(random: Random, low: number, high: number): number {
  return Math.round((low + (high - low) * random()) * 100) / 100;
}

function labelsOf(topic: Topic, sentiment: Sentiment, spam: boolean, random: Random): Record<string, number> {
  const labels: Record<string, number> = {
    [topic]: spam ? score(random, 0.3, 0.65) : score(random, 0.65, 0.98),
  };
  if (random() < 0.25) labels[pick(random, SECOND_LABELS[topic])] = score(random, 0.35, 0.85);
  labels[sentiment] = score(random, 0.55, 0.97);
  if (random() < 0.35) labels[pick(random, EMOTIONS[sentiment])] = score(random, 0.4, 0.92);
  if (spam) labels.spam = score(random, 0.7, 0.98);
  else if (random() < 0.03) labels.spam = score(random, 0.05, 0.4);
  if (random() < 0.02) labels.llm_generated = score(random, 0.45, 0.95);
  return labels;
}

function embedOf(attachment: Attachment, topic: Topic, token: number, random: Random): string {
  if (attachment === 'image') return `https://${IMAGE_DOMAIN}/seed/${token}/800/600`;
  if (attachment === 'video') return `https://${pick(random, VIDEO_DOMAINS)}/v/${token.toString(36)}`;
  if (random() < 0.5) return `https://en.wikipedia.org/wiki/${pick(random, ARTICLES[topic])}`;
  return `https://${pick(random, BLOG_DOMAINS)}/${topic}/${token.toString(36)}`;
}

function domainOf(url: string): string {
  return url.split('/')[2];
}

interface Subject {
  topic: Topic;
  language: Language;
  sentiment: Sentiment;
  spam: boolean;
  is_reply: boolean;
  attachment?: Attachment;
}

function subjectOf(plan: ItemPlan, people: People, item: number, random: Random): Subject {
  const is_reply = plan.parent[item] !== NO_PARENT;
  const spam = plan.spam[item] === 1;
  const attached = ATTACHMENTS[indexOfShare(random(), ATTACHMENT_SHARES)];
  return {
    topic: TOPICS[plan.topic[item]],
    language: LANGUAGES[people.language[plan.author[item]]],
    sentiment: SENTIMENTS[indexOfShare(random(), SENTIMENT_SHARES)],
    spam,
    is_reply,
    attachment: spam ? 'article' : is_reply && random() < 0.8 ? undefined : attached,
  };
}

/** Adds attachments: URLs in a community with text, otherwise domains only. */
function attach(
  record: ItemRecordInput,
  subject: Subject,
  token: number,
  text: boolean,
  random: Random,
): void {
  if (!subject.attachment) return;
  record.publication_types = PUBLICATION_TYPES[subject.attachment];
  const url = subject.spam
    ? `https://${SPAM_DOMAIN}/${token.toString(36)}`
    : embedOf(subject.attachment, subject.topic, token, random);
  if (text) record.embed_items = [url];
  else record.embed_domains = [domainOf(url)];
}

/** All item records in time order. */
export function* itemRecords(
  options: CommunityOptions,
  people: People,
  plan: ItemPlan,
  rhythm: DailyRhythm,
): Iterable<ItemRecordInput> {
  const { seed } = options;
  const random = stream(seed, STREAM.item_records);
  for (let item = 0; item < plan.count; item++) {
    const subject = subjectOf(plan, people, item, random);
    const { topic, language } = subject;
    const record: ItemRecordInput = {
      item_id: itemId(seed, item),
      author_id: userId(plan.author[item]),
      created_at: createdAt(options, plan, rhythm, item),
      channel: channelOf(topic),
      app_fid: APP_FIDS[indexOfShare(random(), APP_SHARES)],
      language,
      ai_labels: labelsOf(topic, subject.sentiment, subject.spam, random),
    };
    if (subject.is_reply) {
      record.parent_item_id = itemId(seed, plan.parent[item]);
      record.root_item_id = itemId(seed, plan.root[item]);
    }
    attach(record, subject, hash32(seed, item), options.text, random);
    const place_draw = random();
    if (place_draw < (topic === 'travel_adventure' ? 0.5 : 0.15)) {
      const abroad = topic === 'travel_adventure' ? pick(random, LANGUAGES) : language;
      record.geo_location = placeNear(abroad, random);
    }
    if (options.text) {
      record.text = subject.spam ? composeSpam(language, random) : composeText(subject, random);
      if (!subject.is_reply && hash32(seed, item) % 3 === 0) record.tags = topic.split('_');
      if (subject.is_reply) record.mentioned_profiles = [userId(plan.author[plan.parent[item]])];
    }
    yield record;
  }
}
