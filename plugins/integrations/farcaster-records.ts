/** Messages and events of a Snapchain node, and the records that they become. */
import type { ConnectorRecord } from 'feedloom/plugin';

/** Farcaster counts seconds from 2021-01-01. */
const EPOCH_SECONDS = 1_609_459_200;
/** The largest timestamp of a message: 32 bits. */
const TIMESTAMP_MAX = 4_294_967_295;
const HASH = /^0x[0-9a-f]{40}$/;
const IMAGE = /\.(?:avif|gif|jpe?g|png|webp)$/i;
const VIDEO = /\.(?:m3u8|mov|mp4|webm)$/i;
/** The hosts of images that clients upload, whose addresses have no extension. */
const IMAGE_HOSTS: readonly string[] = ['imagedelivery.net', 'i.imgur.com'];

type Json = Record<string, unknown>;

export class BadData extends Error {}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads an object with a name of its own in error texts. @throws BadData */
function part(owner: Json, name: string): Json {
  const value = owner[name];
  if (!isObject(value)) throw new BadData(`it has no '${name}'`);
  return value;
}

function userOf(fid: unknown): string {
  if (Number.isSafeInteger(fid) && Number(fid) > 0) return String(fid);
  throw new BadData('it has no valid fid');
}

function hashOf(value: unknown): string {
  const hash = textIn(value)?.toLowerCase();
  if (hash === undefined || !HASH.test(hash)) throw new BadData('it has no valid hash');
  return hash;
}

/** A message that has the fields of every message. */
interface Message {
  type: string;
  user_id: string;
  /** Seconds since 1970. */
  timestamp: number;
  hash: string;
  data: Json;
}

/** @param now seconds; a message cannot be later @throws BadData */
function messageOf(value: unknown, now: number): Message {
  if (!isObject(value)) throw new BadData('it has no message');
  const data = part(value, 'data');
  const { timestamp } = data;
  if (!Number.isInteger(timestamp) || Number(timestamp) < 0 || Number(timestamp) > TIMESTAMP_MAX)
    throw new BadData('it has no valid timestamp');
  return {
    type: textIn(data.type) ?? '',
    user_id: userOf(data.fid),
    timestamp: Math.min(Number(timestamp) + EPOCH_SECONDS, Math.floor(now)),
    hash: hashOf(value.hash),
    data,
  };
}

/** The records of an event of `/v1/events`. @param now seconds @throws BadData */
export function recordsOfEvent(event: Json, now: number): ConnectorRecord[] {
  switch (event.type) {
    case 'HUB_EVENT_TYPE_MERGE_MESSAGE': {
      const body = part(event, 'mergeMessageBody');
      const message = messageOf(body.message, now);
      const deleted = listIn(body.deletedMessages).map((each) => messageOf(each, now));
      return [...ofDeleted(message, deleted), ...ofMessage(message)];
    }
    // Both mean that the network no longer has the message: its author ran out of storage, or its key was revoked.
    case 'HUB_EVENT_TYPE_PRUNE_MESSAGE':
      return withdrawn(messageOf(part(event, 'pruneMessageBody').message, now));
    case 'HUB_EVENT_TYPE_REVOKE_MESSAGE':
      return withdrawn(messageOf(part(event, 'revokeMessageBody').message, now));
    default:
      return [];
  }
}

/** Decisions of moderators of a channel, which have no records: they hold in the channel alone. */
const OF_CHANNELS: readonly unknown[] = ['CHANNEL_MODERATE_ACTION_HIDE', 'CHANNEL_MEMBER_ACTION_BAN'];

/** Whether an event hides a cast in a channel, or bans a user from one. */
export function isChannelModeration({ mergeMessageBody }: Json): boolean {
  const message = isObject(mergeMessageBody) ? mergeMessageBody.message : undefined;
  const data = isObject(message) ? message.data : undefined;
  const bodies = isObject(data) ? [data.channelModerateBody, data.channelMemberBody] : [];
  return bodies.some((body) => isObject(body) && OF_CHANNELS.includes(body.action));
}

/** The records of a message that a node still has. @param now seconds @throws BadData */
export function recordsOfMessage(value: unknown, now: number): ConnectorRecord[] {
  return ofMessage(messageOf(value, now));
}

function ofMessage(message: Message): ConnectorRecord[] {
  switch (message.type) {
    case 'MESSAGE_TYPE_CAST_ADD':
      return ofCast(message);
    case 'MESSAGE_TYPE_REACTION_ADD':
      return ofReaction(message, 'add');
    case 'MESSAGE_TYPE_REACTION_REMOVE':
      return ofReaction(message, 'remove');
    case 'MESSAGE_TYPE_LINK_ADD':
      return ofLink(message, true);
    case 'MESSAGE_TYPE_LINK_REMOVE':
      return ofLink(message, false);
    case 'MESSAGE_TYPE_LINK_COMPACT_STATE':
      return ofLinks(message);
    case 'MESSAGE_TYPE_USER_DATA_ADD':
      return ofUserData(message);
    default:
      return [];
  }
}

/**
 * The casts that a merged removal took away.
 *
 * A removal names only a hash, and anybody can send one for any hash. The deleted messages are those of its author.
 */
function ofDeleted({ type, timestamp }: Message, deleted: readonly Message[]): ConnectorRecord[] {
  if (type !== 'MESSAGE_TYPE_CAST_REMOVE') return [];
  return deleted
    .filter((cast) => cast.type === 'MESSAGE_TYPE_CAST_ADD')
    .flatMap((cast) => ofGoneCast(cast, Math.max(timestamp, cast.timestamp)));
}

/** Takes back what a message did. A later message of the same kind still counts. */
function withdrawn(message: Message): ConnectorRecord[] {
  switch (message.type) {
    case 'MESSAGE_TYPE_CAST_ADD':
      return ofGoneCast(message, message.timestamp);
    case 'MESSAGE_TYPE_REACTION_ADD':
      return ofReaction(message, 'remove');
    case 'MESSAGE_TYPE_LINK_ADD':
      return ofLink(message, false);
    case 'MESSAGE_TYPE_USER_DATA_ADD':
      return ofUserData(message, '');
    default:
      return [];
  }
}

function commentOf({ user_id, timestamp, hash }: Message, parent: string): Json {
  return { user_id, item_id: parent, event_type: 'comment', timestamp, event_id: hash };
}

/** An item, and for a reply also a comment on its parent. */
function ofCast(message: Message): ConnectorRecord[] {
  const body = part(message.data, 'castAddBody');
  const parent = isObject(body.parentCastId) ? hashOf(body.parentCastId.hash) : undefined;
  const embeds = listIn(body.embeds).filter(isObject);
  const links = [...listIn(body.embedsDeprecated), ...embeds.map(({ url }) => url)].flatMap(
    (url) => textIn(url) || [],
  );
  const mentions = listIn(body.mentions).map(userOf);
  const positions = listIn(body.mentionsPositions).filter((place) => typeof place === 'number');
  const quotes = embeds.flatMap(({ castId }) => (isObject(castId) ? hashOf(castId.hash) : []));
  const metadata = {
    // The text lacks the names of mentioned users. Each belongs at a position in its UTF-8 bytes.
    ...(mentions.length > 0 && { mentions, mentions_positions: positions }),
    ...(quotes.length > 0 && { quotes }),
  };
  const channel = textIn(body.parentUrl);
  const record = {
    item_id: message.hash,
    author_id: message.user_id,
    created_at: message.timestamp,
    text: textIn(body.text) ?? '',
    embed_items: [...new Set(links)],
    publication_types: [...new Set(links.map(publicationType))],
    mentioned_profiles: [...new Set(mentions)],
    ...(channel !== undefined && { channel }),
    ...(parent !== undefined && { parent_item_id: parent }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  const item: ConnectorRecord = { kind: 'item', record };
  return parent === undefined ? [item] : [item, { kind: 'interaction', record: commentOf(message, parent) }];
}

function publicationType(link: string): string {
  const url = URL.parse(link);
  if (url === null) return 'link';
  if (VIDEO.test(url.pathname)) return 'video';
  return IMAGE.test(url.pathname) || IMAGE_HOSTS.includes(url.hostname) ? 'image' : 'link';
}

function ofGoneCast(cast: Message, timestamp: number): ConnectorRecord[] {
  const { parentCastId } = part(cast.data, 'castAddBody');
  const gone: ConnectorRecord = { kind: 'item_deletion', record: { item_id: cast.hash, timestamp } };
  if (!isObject(parentCastId)) return [gone];
  const comment = { ...commentOf(cast, hashOf(parentCastId.hash)), action: 'remove' };
  return [{ kind: 'interaction', record: comment }, gone];
}

function ofReaction(message: Message, action: 'add' | 'remove'): ConnectorRecord[] {
  const body = part(message.data, 'reactionBody');
  const event_type = { REACTION_TYPE_LIKE: 'like', REACTION_TYPE_RECAST: 'share' }[textIn(body.type) ?? ''];
  // Addresses of pages can be liked, too.
  if (event_type === undefined || !isObject(body.targetCastId)) return [];
  const { user_id, timestamp } = message;
  const record = { user_id, item_id: hashOf(body.targetCastId.hash), event_type, timestamp, action };
  return [{ kind: 'interaction', record }];
}

function ofLink(message: Message, stands: boolean): ConnectorRecord[] {
  const { type, targetFid } = part(message.data, 'linkBody');
  const { user_id, timestamp } = message;
  const pair = { user_id, target_user_id: userOf(targetFid), timestamp };
  if (type === 'follow')
    return [{ kind: 'follow', record: { ...pair, action: stands ? 'follow' : 'unfollow' } }];
  return type === 'block'
    ? [{ kind: 'block', record: { ...pair, action: stands ? 'block' : 'unblock' } }]
    : [];
}

/** The whole list of a user's follows. */
function ofLinks(message: Message): ConnectorRecord[] {
  const { type, targetFids } = part(message.data, 'linkCompactStateBody');
  if (type !== 'follow') return [];
  if (!Array.isArray(targetFids)) throw new BadData("it has no 'targetFids'");
  const { user_id, timestamp } = message;
  return [{ kind: 'follow_list', record: { user_id, target_user_ids: targetFids.map(userOf), timestamp } }];
}

/** @param withdrawn_value replaces the value of the message */
function ofUserData(message: Message, withdrawn_value?: string): ConnectorRecord[] {
  const body = part(message.data, 'userDataBody');
  const value = withdrawn_value ?? textIn(body.value);
  if (value === undefined) throw new BadData("its user data has no 'value'");
  const fields = profileField(textIn(body.type), value);
  if (fields === undefined) return [];
  return [{ kind: 'user', record: { user_id: message.user_id, ...fields, updated_at: message.timestamp } }];
}

/** The field of a user for a kind of user data. An empty value clears it. */
function profileField(type: string | undefined, value: string): Json | undefined {
  switch (type) {
    case 'USER_DATA_TYPE_PFP':
      return { pfp_url: value };
    case 'USER_DATA_TYPE_DISPLAY':
      return { display_name: value };
    case 'USER_DATA_TYPE_USERNAME':
      return { username: value };
    case 'USER_DATA_TYPE_BIO':
      return { metadata: { description: value } };
    case 'USER_DATA_TYPE_LOCATION':
      return { geo_location: value.replace(/^geo:/, '') };
    default:
      return undefined;
  }
}
