/** TypeBox schemas of the records, with a description and an example for every field. */
import { LIMITS } from '../../limits.ts';
import { grouped } from '../../plugin/list-of.ts';
import { EVENT_TYPES } from '../../state/change.ts';
import { DISPLAY_NAME_LENGTH_MAX, LINK_LENGTH_MAX } from './checks.ts';
import * as part from './schema-parts.ts';
import { listOf, optional, recordOf, required, textUpTo, wordOf } from './schema-parts.ts';

const CLEARS = 'An empty string takes a stored value away.';

const LIST = `The first ${grouped(LIMITS.list_length_max)} are kept.`;
const LINKS = `Links longer than ${grouped(LINK_LENGTH_MAX)} characters, or that are no http(s) URL, are dropped with a warning.`;

const REVIVE = 'true: the version counts even if it is older than a deletion. It is not stored.';

export const ItemRecordSchema = recordOf(
  'Item',
  'An item, or a change of one: fields given replace, others stay. `null` counts as not given.',
  {
    item_id: required(part.Identifier, 'Identifier of the item.', '0x07cb1f36'),
    author_id: optional(part.Identifier, 'Who wrote it; needed the first time.', '9152'),
    created_at: optional(part.Time, 'When it was published; needed the first time.', 1764861160),
    text: optional(
      part.AnyText,
      `Its text; what follows the first ${grouped(LIMITS.text_length_max)} characters is dropped with a warning.`,
      'New record out today!',
    ),
    text_format: optional(
      wordOf(['plain', 'html']),
      'How `text` is written. Of HTML, markup counts neither for its length nor for its language, plugins read it without, and the links in it (`href`, and `src` of embeds, but not those of mentions, hashtags and emoji) become `embed_items` and `embed_domains` where these are not given; the text itself is kept and answered as it is, so clients must clean it before they show it as HTML. Absent: plain, or as stored.',
      'plain',
    ),
    embed_items: optional(listOf(part.AnyText), `URLs of what it embeds. ${LINKS} ${LIST}`, [
      'https://music.example.com/a/1',
    ]),
    embed_domains: optional(
      listOf(part.AnyText),
      `Domains of what it embeds; a full URL is reduced to its host. Absent: taken from \`embed_items\`. ${LIST}`,
      ['music.example.com'],
    ),
    channel: optional(
      part.Channel,
      `Channel it was posted in. ${CLEARS}`,
      'https://example.com/~/channel/music',
    ),
    root_parent_url: optional(
      part.Channel,
      'Another name of `channel`; given both, they must be equal.',
      'https://example.com/~/channel/music',
    ),
    parent_item_id: optional(
      part.ClearableIdentifier,
      `The item that it replies to. ${CLEARS}`,
      '0x06aa90c1',
    ),
    root_item_id: optional(part.ClearableIdentifier, `First item of its thread. ${CLEARS}`, '0x05dd7712'),
    app_fid: optional(part.ClearableIdentifier, `App that it was posted with. ${CLEARS}`, '9152'),
    language: optional(
      part.Language,
      `Language tag. Absent: detected from a text of at least 20 characters, one of \`GET /api/languages\`. ${CLEARS}`,
      'en',
    ),
    publication_types: optional(
      listOf(part.TypeName),
      `Kinds of content, such as image, video, nft, music; lower-cased, plurals become singular. ${LIST}`,
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
    likes_count: optional(part.Count, 'Likes in all, as the source counts them.', 95),
    comments_count: optional(part.Count, 'Comments in all, as the source counts them.', 20),
    shares_count: optional(part.Count, 'Shares in all, as the source counts them.', 8),
    updated_at: optional(
      part.Time,
      'The time of this version, and when the source counted. Counters without it count as of now. After a deletion, versions that are not newer change nothing.',
      1764865269,
    ),
    mentioned_profiles: optional(listOf(part.Identifier), `Users that it mentions. ${LIST}`, ['361635']),
    hidden: optional(part.Flag, 'true takes it out of every feed, false brings it back.', false),
    metadata: optional(part.Metadata, 'Any object; returned as `custom`, readable by plugins.', {
      price: 12,
    }),
    revive: optional(part.Flag, REVIVE, false),
  },
);

export const UserRecordSchema = recordOf(
  'User',
  'A user, or a change of one: fields given replace, others stay. `null` counts as not given.',
  {
    user_id: required(part.Identifier, 'Identifier of the user.', '9152'),
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
      'true takes all their items out of every feed, and what they do counts nowhere; false brings it all back.',
      false,
    ),
    metadata: optional(part.Metadata, 'Any object; readable by plugins.', { plan: 'pro' }),
    updated_at: optional(
      part.Time,
      'The time of this version. Absent: `created_at`. After an erasure, a version that is not newer, or has no time at all, changes nothing.',
      1764865269,
    ),
    revive: optional(part.Flag, REVIVE, false),
  },
);

const actor = required(part.Identifier, 'The user who acts.', '361635');
const other = required(part.Identifier, 'Another user.', '9152');
const item = required(part.Identifier, 'The item.', '0x07cb1f36');
const when = optional(part.Time, 'When it happened. Absent: now.', 1764865269);

export const FollowRecordSchema = recordOf('Follow', '`user_id` follows `target_user_id`, or no longer.', {
  user_id: actor,
  target_user_id: other,
  timestamp: when,
  action: optional(wordOf(['follow', 'unfollow']), 'Absent: follow.', 'follow'),
  event_id: optional(
    part.Identifier,
    'Names the follow among those of `user_id`, so that it can be taken back by this name alone.',
    'at://did:plc:1/follow/3k',
  ),
});

export const FollowRemovalSchema = removal('FollowRemoval', 'unfollow', 'follow');

export const FollowListSchema = recordOf('FollowList', 'Everybody whom a user follows.', {
  target_user_ids: {
    ...required(
      listOf(part.Identifier),
      'Users; each counts once, and the user itself is left out with a warning. Empty: the user follows nobody.',
      ['9152', '361635'],
    ),
    maxItems: LIMITS.follow_list_length_max,
  },
  timestamp: optional(
    part.Time,
    'When the list was like this. Absent: now. Follows and unfollows with a later timestamp stay.',
    1764865269,
  ),
});

export const BlockRecordSchema = recordOf(
  'Block',
  "`user_id` blocks `target_user_id`, or no longer: neither side's items reach the other.",
  {
    user_id: actor,
    target_user_id: other,
    action: optional(wordOf(['block', 'unblock']), 'Absent: block.', 'block'),
  },
);

export const InteractionRecordSchema = recordOf('Interaction', 'What a user did with an item.', {
  user_id: actor,
  item_id: item,
  event_type: required(wordOf(EVENT_TYPES), 'Kind of interaction.', 'like'),
  timestamp: when,
  action: optional(wordOf(['add', 'remove']), 'Absent: add.', 'add'),
  event_id: optional(
    part.Identifier,
    'Of a like, share or bookmark: names it among those of `user_id`, so that it can be taken back by this name alone. Of a comment: tells several of a user on an item apart. Comments without it are told apart by timestamp; with neither, each is a comment of its own, and removing one needs one of the two.',
    'c-17',
  ),
});

export const InteractionRemovalSchema = removal('InteractionRemoval', 'remove', 'like, share or bookmark');

function removal(title: string, word: string, what: string) {
  return recordOf(
    title,
    `Takes back a ${what} that only its event names. When it stands by a later event, it stays.`,
    {
      user_id: actor,
      event_id: required(
        part.Identifier,
        `The \`event_id\` that the ${what} came with.`,
        'at://did:plc:1/event/3k',
      ),
      action: required(wordOf([word]), 'Takes back.', word),
      timestamp: optional(part.Time, 'Does not matter.', 1764865269),
    },
  );
}
