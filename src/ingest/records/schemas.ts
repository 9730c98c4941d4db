/** TypeBox schemas of the records, with a description and an example for every field. */

import { LIMITS } from '../../limits.ts';
import { EVENT_TYPES } from '../../model/acts.ts';
import { grouped } from '../../plugin/list-of.ts';
import { DISPLAY_NAME_LENGTH_MAX, LINK_LENGTH_MAX } from './checks.ts';
import { EXAMPLE_IDS } from './example-ids.ts';
import * as part from './schema-parts.ts';
import { listOf, optional, recordOf, required, textUpTo, wordOf } from './schema-parts.ts';

const CLEARS = 'An empty string removes a stored value.';

const LIST = `The first ${grouped(LIMITS.list_length_max)} are kept.`;
const LINKS = `Links longer than ${grouped(LINK_LENGTH_MAX)} characters, and links that are not http(s) URLs, are dropped with a warning.`;

const REVIVE = 'true: the version counts even if it is older than a deletion. It is not stored.';

/** `hidden` in records of connectors and webhooks becomes these. */
const HIDDEN_BY_NETWORK = {
  hidden_by_network: optional(
    part.Flag,
    'As `hidden`, for what the source says rather than a moderator. Either hides.',
    false,
  ),
  hidden_by_network_at: optional(
    part.Time,
    'Time of `hidden_by_network`; an older one than the known changes nothing. Absent: `updated_at`, else `created_at`.',
    1764865269,
  ),
};

export const ItemRecordSchema = recordOf(
  'Item',
  'An item, or a change of one: given fields replace stored ones, others stay. `null` counts as not given.',
  {
    item_id: required(part.Identifier, 'Identifier of the item.', EXAMPLE_IDS.new_item),
    author_id: optional(
      part.Identifier,
      'Author of the item; required for a new item.',
      EXAMPLE_IDS.followed,
    ),
    created_at: optional(part.Time, 'Time of publication; required for a new item.', 1764861160),
    text: optional(
      part.AnyText,
      `Text of the item; characters after the first ${grouped(LIMITS.text_length_max)} are dropped with a warning.`,
      'New record out today!',
    ),
    text_format: optional(
      wordOf(['plain', 'html']),
      'Format of `text`. For HTML, the length, the language and plugins use the text without markup. Its links (`href`, and `src` of embeds, but not those of mentions, hashtags and emoji) become `embed_items` and `embed_domains` if these are not given. The text is stored and answered unchanged, so clients must sanitise it before they show it as HTML. Absent: plain, or as stored.',
      'plain',
    ),
    embed_items: optional(listOf(part.AnyText), `URLs of embedded content. ${LINKS} ${LIST}`, [
      'https://music.example.com/a/1',
    ]),
    embed_domains: optional(
      listOf(part.AnyText),
      `Domains of embedded content; a full URL is reduced to its host. Absent: taken from \`embed_items\`. ${LIST}`,
      ['music.example.com'],
    ),
    channel: optional(part.Channel, `Channel of the item. ${CLEARS}`, 'https://example.com/~/channel/music'),
    root_parent_url: optional(
      part.Channel,
      'An alias of `channel`; if both are given, they must be equal.',
      'https://example.com/~/channel/music',
    ),
    parent_item_id: optional(
      part.ClearableIdentifier,
      `The item that it replies to. ${CLEARS}`,
      EXAMPLE_IDS.thread,
    ),
    root_item_id: optional(
      part.ClearableIdentifier,
      `First item of its thread. ${CLEARS}`,
      EXAMPLE_IDS.thread,
    ),
    app_fid: optional(part.ClearableIdentifier, `App with which it was posted. ${CLEARS}`, '9152'),
    language: optional(
      part.Language,
      `Language tag. Absent: detected from a text of at least 20 characters, one of \`GET /api/languages\`. ${CLEARS}`,
      'en',
    ),
    publication_types: optional(
      listOf(part.TypeName),
      `Kinds of content, such as image, video, nft, music; stored in lower case and in the singular. ${LIST}`,
      ['image'],
    ),
    geo_location: optional(
      part.GeoLocation,
      `"<latitude>,<longitude>" in degrees. ${CLEARS}`,
      '34.05,-118.24',
    ),
    ai_labels: optional(
      part.AiLabels,
      'Labels with scores from 0 to 1: `{"gaming":0.93}`, `["gaming"]` (score 1), `{"topics":["gaming"]}`, or entries `{"label","score"}`.',
      { music: 0.93 },
    ),
    likes_count: optional(part.Count, 'Total likes according to the source.', 95),
    comments_count: optional(part.Count, 'Total comments according to the source.', 20),
    shares_count: optional(part.Count, 'Total shares according to the source.', 8),
    updated_at: optional(
      part.Time,
      'Time of this version and of the counters; counters without it count as of now. Versions that are not newer than a deletion change nothing.',
      1764865269,
    ),
    mentioned_profiles: optional(listOf(part.Identifier), `Users that it mentions. ${LIST}`, [
      EXAMPLE_IDS.actor,
    ]),
    embedding: optional(
      part.Embedding,
      `The meaning of the item as a vector of any model: ${LIMITS.embedding_length_min} to ${grouped(LIMITS.embedding_length_max)} numbers, or base64 of as many signed 8-bit integers, which is the form in answers. All items of a network have vectors of the same length. Numbers are scaled and rounded to 8 bits. ${CLEARS}`,
      'fwECA4AFBgcICQoLDA0ODw==',
    ),
    hidden: optional(part.Flag, 'true hides the item from every feed, false shows it again.', false),
    ...HIDDEN_BY_NETWORK,
    dismissed_reports_count: optional(
      part.Count,
      'Hides and reports together that a moderator dismissed. The item leaves the list of reported items until it has more; 0 brings it back.',
      7,
    ),
    metadata: optional(part.Metadata, 'Any object; returned as `custom`, readable by plugins.', {
      price: 12,
    }),
    revive: optional(part.Flag, REVIVE, false),
  },
);

export const UserRecordSchema = recordOf(
  'User',
  'A user, or a change of one: given fields replace stored ones, others stay. `null` counts as not given.',
  {
    user_id: required(part.Identifier, 'Identifier of the user.', EXAMPLE_IDS.new_user),
    username: optional(textUpTo(DISPLAY_NAME_LENGTH_MAX), `Short name. ${CLEARS}`, 'violet'),
    display_name: optional(textUpTo(DISPLAY_NAME_LENGTH_MAX), `Name for display. ${CLEARS}`, 'Violet V.'),
    pfp_url: optional(
      part.AnyText,
      `URL of the profile picture. ${LINKS} ${CLEARS}`,
      'https://example.com/violet.png',
    ),
    geo_location: optional(
      part.GeoLocation,
      `"<latitude>,<longitude>" in degrees. ${CLEARS}`,
      '34.05,-118.24',
    ),
    wallet_addresses: optional(listOf(part.Text), `Wallets of the user; compared in lower case. ${LIST}`, [
      '0x00000000000000000000000000000000000000aa',
    ]),
    created_at: optional(part.Time, 'When the user joined.', '2023-03-01T12:00:00Z'),
    hidden: optional(
      part.Flag,
      'true hides all items of the user from every feed and ignores the interactions of the user; false restores both.',
      false,
    ),
    ...HIDDEN_BY_NETWORK,
    metadata: optional(part.Metadata, 'Any object; readable by plugins.', { plan: 'pro' }),
    updated_at: optional(
      part.Time,
      'Time of this version. Absent: `created_at`. A version that is not newer than an erasure, or has no time, changes nothing.',
      1764865269,
    ),
    revive: optional(part.Flag, REVIVE, false),
  },
);

const actor = required(part.Identifier, 'The user who acts.', EXAMPLE_IDS.actor);
const other = required(part.Identifier, 'Another user.', EXAMPLE_IDS.followed);
const item = required(part.Identifier, 'The item.', EXAMPLE_IDS.item);
const when = optional(part.Time, 'Time of the act. Absent: now.', 1764865269);

export const FollowRecordSchema = relation(
  'Follow',
  '`user_id` follows or unfollows `target_user_id`.',
  'follow',
  'unfollow',
);

export const FollowRemovalSchema = removal('FollowRemoval', 'unfollow', 'follow');

export const FollowListSchema = recordOf('FollowList', 'All follows of a user.', {
  target_user_ids: {
    ...required(
      listOf(part.Identifier),
      'The followed users; each counts once, and the user itself is left out with a warning. Empty: the user follows no users.',
      [EXAMPLE_IDS.followed, EXAMPLE_IDS.other_viewer],
    ),
    maxItems: LIMITS.follow_list_length_max,
  },
  timestamp: optional(
    part.Time,
    'Time of the list. Absent: now. Follows and unfollows with a later timestamp stay.',
    1764865269,
  ),
});

export const BlockRecordSchema = relation(
  'Block',
  '`user_id` blocks or unblocks `target_user_id`. A block hides the items of each user from the other.',
  'block',
  'unblock',
);

export const BlockRemovalSchema = removal('BlockRemoval', 'unblock', 'block');

export const InteractionRecordSchema = recordOf('Interaction', 'An interaction of a user with an item.', {
  user_id: actor,
  item_id: item,
  event_type: required(wordOf(EVENT_TYPES), 'Kind of interaction.', 'like'),
  timestamp: when,
  action: optional(wordOf(['add', 'remove']), 'Absent: add.', 'add'),
  event_id: optional(
    part.Identifier,
    'For a like, share or bookmark: identifies it among those of `user_id`, so that it can be removed by this identifier alone. For a comment: distinguishes several comments of a user on an item. Comments without it are distinguished by timestamp. With neither, each is a new comment, and removing one needs one of the two.',
    'c-17',
  ),
});

export const InteractionRemovalSchema = removal('InteractionRemoval', 'remove', 'like, share or bookmark');

function relation(title: string, description: string, word: string, opposite: string) {
  return recordOf(title, description, {
    user_id: actor,
    target_user_id: other,
    timestamp: when,
    action: optional(wordOf([word, opposite]), `Absent: ${word}.`, word),
    event_id: optional(
      part.Identifier,
      `Identifies the ${word} among those of \`user_id\`, so that it can be removed by this identifier alone.`,
      `at://did:plc:1/${word}/3k`,
    ),
  });
}

function removal(title: string, word: string, what: string) {
  return recordOf(
    title,
    `Removes a ${what} by its \`event_id\` alone. If it was repeated with a later \`event_id\`, it stays.`,
    {
      user_id: actor,
      event_id: required(part.Identifier, `The \`event_id\` of the ${what}.`, 'at://did:plc:1/event/3k'),
      action: required(wordOf([word]), 'Removes it.', word),
      timestamp: optional(part.Time, 'Has no effect.', 1764865269),
    },
  );
}
