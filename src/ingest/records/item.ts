/** Records of items: their content, and the counts of their source. */
import { LIMITS } from '../../limits.ts';
import type { ItemContent } from '../../model/contents.ts';
import { aiLabels } from './ai-labels.ts';
import {
  CHANNEL_LENGTH_MAX,
  clearable,
  count,
  cutText,
  flag,
  identifier,
  listOf,
  oneOf,
  opaque,
  setOf,
} from './checks.ts';
import { domain, domainsOfUrls } from './domain.ts';
import { embedding } from './embedding.ts';
import { link } from './link.ts';
import { metadata } from './metadata.ts';
import { type Parsed, readRecord, refused, shapeOf } from './record.ts';
import type { ReadOptions, Refusal } from './refusal.ts';
import { seconds } from './time.ts';
import { geoLocation, language, publicationType } from './vocabulary.ts';

/** Cumulative counts of the source, at `updated_at` (seconds; absent for now). */
export interface ItemCounters {
  likes_count?: number;
  comments_count?: number;
  shares_count?: number;
  updated_at?: number;
}

/** A new item or a change of one. The caller checks whether `author_id` and `created_at` may be absent. */
export interface ItemRecord {
  item_id: string;
  author_id?: string;
  /**
   * Only the given fields, for `{ ...stored, ...content }`.
   *
   * A field that is present with the value undefined was given as `''` and removes the stored value.
   */
  content: Partial<ItemContent>;
  counters?: ItemCounters;
  /** Whether the version counts although the item was deleted since. */
  revive?: boolean;
}

interface ItemFields extends Omit<Partial<ItemContent>, 'dated' | 'plain_text'>, ItemCounters {
  item_id: string;
  author_id?: string;
  root_parent_url?: string;
  revive?: boolean;
}

const textFormatName = oneOf(['plain', 'html']);

/** `plain` is the default, so it removes a stored `html`. */
function textFormat(value: unknown): 'html' | undefined | Refusal {
  const format = textFormatName(value);
  return format === 'plain' ? undefined : format;
}

const channel = clearable(opaque(CHANNEL_LENGTH_MAX));

export const ITEM_SHAPE = shapeOf<ItemFields>(
  {
    item_id: identifier,
    author_id: identifier,
    created_at: seconds,
    text: cutText(LIMITS.text_length_max),
    text_format: textFormat,
    embed_items: listOf(link),
    embed_domains: setOf(domain),
    channel,
    root_parent_url: channel,
    parent_item_id: clearable(identifier),
    root_item_id: clearable(identifier),
    app_fid: clearable(identifier),
    language: clearable(language),
    publication_types: setOf(publicationType),
    geo_location: clearable(geoLocation),
    ai_labels: aiLabels,
    likes_count: count,
    comments_count: count,
    shares_count: count,
    updated_at: seconds,
    mentioned_profiles: listOf(identifier),
    embedding: clearable(embedding),
    hidden: flag,
    hidden_by_network: flag,
    hidden_by_network_at: seconds,
    dismissed_reports_count: count,
    metadata,
    revive: flag,
  },
  ['item_id'],
);

/** Parses a record of `POST …/items` or a line of `items.jsonl`. */
export function parseItem(value: unknown, options?: ReadOptions): Parsed<ItemRecord> {
  const read = readRecord(value, ITEM_SHAPE, options);
  if (!read.ok) return read;
  const {
    item_id,
    author_id,
    root_parent_url,
    likes_count,
    comments_count,
    shares_count,
    updated_at,
    revive,
    ...said
  } = read.record;
  const content: ItemRecord['content'] = said;
  if (updated_at !== undefined) content.updated_at = updated_at;
  if (Object.hasOwn(read.record, 'root_parent_url')) {
    if (Object.hasOwn(content, 'channel') && content.channel !== root_parent_url) {
      return refused(
        '/root_parent_url',
        'is an alias of channel; expected the same value, or only one of the two',
      );
    }
    content.channel = root_parent_url;
  }
  if (content.embed_items !== undefined && content.embed_domains === undefined) {
    content.embed_domains = domainsOfUrls(content.embed_items);
  }
  const record: ItemRecord = { item_id, content };
  if (author_id !== undefined) record.author_id = author_id;
  if (likes_count !== undefined || comments_count !== undefined || shares_count !== undefined) {
    record.counters = givenCounters({ likes_count, comments_count, shares_count, updated_at });
  }
  if (revive === true) record.revive = true;
  return { ok: true, record, warnings: read.warnings };
}

function givenCounters(counters: ItemCounters): ItemCounters {
  const given: ItemCounters = {};
  if (counters.likes_count !== undefined) given.likes_count = counters.likes_count;
  if (counters.comments_count !== undefined) given.comments_count = counters.comments_count;
  if (counters.shares_count !== undefined) given.shares_count = counters.shares_count;
  if (counters.updated_at !== undefined) given.updated_at = counters.updated_at;
  return given;
}
