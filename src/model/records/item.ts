/** Records of items: their content, and the counts of their source. */
import { LIMITS } from '../../limits.ts';
import { grouped } from '../../plugin/list-of.ts';
import type { Counter } from '../acts.ts';
import type { Hiding } from '../hiding.ts';
import { oneOf } from '../values/checks.ts';
import { domainsOfUrls } from '../values/domain.ts';
import { type Parsed, readRecord, refused } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import { isPlainObject, type ReadOptions, type Refusal } from '../values/refusal.ts';
import { wordOf } from '../values/schema-parts.ts';
import * as type from '../values/values.ts';
import { CLEARS, HIDDEN_BY_NETWORK, revive } from './common-fields.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

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
  /** null: the author is not known, so a new item has none. */
  author_id?: string | null;
  /** Its source sends versions in order: null removes a known author, and its message counts whatever its time. */
  in_order?: true;
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

const textFormatName = oneOf(['plain', 'html']);

/** `plain` is the default, so it removes a stored `html`. */
function textFormatOf(value: unknown): 'html' | undefined | Refusal {
  const format = textFormatName(value);
  return format === 'plain' ? undefined : format;
}

const textFormat = { schema: wordOf(['plain', 'html']), check: textFormatOf };

export const ITEM = recordType(
  'Item',
  'An item, or a change of one: given fields replace stored ones, others stay. `null` counts as not given.',
  {
    item_id: required(type.Identifier, 'Identifier of the item.', EXAMPLE_IDS.new_item),
    author_id: optional(
      type.Identifier,
      'Author of the item; required for a new item. `null`: not known, and a known author stays.',
      EXAMPLE_IDS.followed,
    ),
    created_at: optional(type.Time, 'Time of publication; required for a new item.', 1764861160),
    text: optional(type.ItemText, `Text of the item.`, 'New record out today!'),
    text_format: optional(
      textFormat,
      'Format of `text`. For HTML, the length, the language and plugins use the text without markup. Its links (`href`, and `src` of embeds, but not those of mentions, hashtags and emoji) become `embed_items` and `embed_domains` if these are not given. The text is stored and answered unchanged, so clients must sanitise it before they show it as HTML. Absent: plain, or as stored.',
      'plain',
    ),
    embed_items: optional(type.Links, `URLs of embedded content.`, ['https://music.example.com/a/1']),
    embed_domains: optional(
      type.Domains,
      `Domains of embedded content; a full URL is reduced to its host. Absent: taken from \`embed_items\`.`,
      ['music.example.com'],
    ),
    channel: optional(type.Channel, `Channel of the item. ${CLEARS}`, 'https://example.com/~/channel/music'),
    root_parent_url: optional(
      type.Channel,
      'An alias of `channel`; if both are given, they must be equal.',
      'https://example.com/~/channel/music',
    ),
    parent_item_id: optional(
      type.ClearableIdentifier,
      `The item that it replies to. ${CLEARS}`,
      EXAMPLE_IDS.thread,
    ),
    root_item_id: optional(
      type.ClearableIdentifier,
      `First item of its thread. ${CLEARS}`,
      EXAMPLE_IDS.thread,
    ),
    app_fid: optional(type.ClearableIdentifier, `App with which it was posted. ${CLEARS}`, '9152'),
    language: optional(
      type.Language,
      `Language tag. Absent: detected from a text of at least 20 characters, one of \`GET /api/languages\`. ${CLEARS}`,
      'en',
    ),
    publication_types: optional(
      type.PublicationTypes,
      `Kinds of content, such as image, video, nft, music; stored in lower case and in the singular.`,
      ['image'],
    ),
    geo_location: optional(
      type.GeoLocation,
      `"<latitude>,<longitude>" in degrees. ${CLEARS}`,
      '34.05,-118.24',
    ),
    ai_labels: optional(
      type.AiLabels,
      'Labels with scores from 0 to 1: `{"gaming":0.93}`, `["gaming"]` (score 1), `{"topics":["gaming"]}`, or entries `{"label","score"}`.',
      { music: 0.93 },
    ),
    likes_count: optional(type.SourceCount, 'Total likes according to the source.', 95),
    comments_count: optional(type.SourceCount, 'Total comments according to the source.', 20),
    shares_count: optional(type.SourceCount, 'Total shares according to the source.', 8),
    updated_at: optional(
      type.Time,
      'Time of this version and of the counters; counters without it count as of now. Versions that are not newer than a deletion change nothing.',
      1764865269,
    ),
    tags: optional(
      type.Tags,
      'Hashtags, with or without `#`. Absent or empty: those in the text. Filters by words read them.',
      ['vinyl'],
    ),
    link_titles: optional(type.Titles, 'Titles of the linked pages. Filters by words read them.', [
      'Late night radio',
    ]),
    alt_texts: optional(type.Titles, 'Descriptions of images and videos. Filters by words read them.', [
      'A record player',
    ]),
    mentioned_profiles: optional(type.Profiles, `Users that it mentions.`, [EXAMPLE_IDS.actor]),
    embedding: optional(
      type.Embedding,
      `The meaning of the item as a vector of any model: ${LIMITS.embedding_length_min} to ${grouped(LIMITS.embedding_length_max)} numbers, or base64 of as many signed 8-bit integers, which is the form in answers. All items of a network have vectors of the same length. Numbers are scaled and rounded to 8 bits. ${CLEARS}`,
      'fwECA4AFBgcICQoLDA0ODw==',
    ),
    hidden: optional(type.Flag, 'true hides the item from every feed, false shows it again.', false),
    ...HIDDEN_BY_NETWORK,
    dismissed_reports_count: optional(
      type.Count,
      'Hides and reports together that a moderator dismissed. The item leaves the list of reported items until it has more; 0 brings it back.',
      7,
    ),
    metadata: optional(type.Metadata, 'Any object; returned as `custom`, readable by plugins.', {
      price: 12,
    }),
    revive,
  },
);

type ItemFields = RecordOf<typeof ITEM>;
/** Fields that are stored elsewhere, or not at all. */
type NotStored = 'item_id' | 'author_id' | 'root_parent_url' | 'revive' | Counter;

/** The content of an item, normalised. An absent field is unknown. Stored as JSON text. */
export interface ItemContent extends Hiding, Omit<ItemFields, NotStored> {
  created_at: number;
  /** For wallets' items: the catalog defined `created_at`, so imported events do not change it. */
  dated?: boolean;
  /** The text without markup, derived from HTML. */
  plain_text?: string;
}

/** Parses a record of `POST …/items` or a line of `items.jsonl`. */
export function parseItem(value: unknown, options?: ReadOptions): Parsed<ItemRecord> {
  const read = readRecord(value, ITEM.shape, options);
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
  else if (isPlainObject(value) && value.author_id === null) record.author_id = null;
  if (options?.null_clears) record.in_order = true;
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
