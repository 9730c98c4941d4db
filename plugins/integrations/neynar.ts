import { type ConnectorRecord, defineIntegration, isoSecondsIn, Type } from 'feedloom/plugin';

const IMAGE = /\.(?:avif|gif|jpe?g|png|webp)$/i;
const VIDEO = /\.(?:m3u8|mov|mp4|webm)$/i;
/** The hosts of images that clients upload, whose addresses have no extension. */
const IMAGE_HOSTS: readonly string[] = ['imagedelivery.net', 'i.imgur.com'];
/** The kinds of reaction, by their numbers in the protocol. */
const REACTIONS = new Map<unknown, string>([
  [1, 'like'],
  [2, 'share'],
]);

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectIn = (value: unknown): Json => (isObject(value) ? value : {});
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function fidOf(owner: unknown, name: string): string {
  const { fid } = objectIn(owner);
  if (Number.isSafeInteger(fid) && Number(fid) > 0) return String(fid);
  throw new Error(`${name} has no valid fid`);
}

function hashOf(value: unknown, name: string): string {
  const hash = textIn(value)?.toLowerCase();
  if (hash !== undefined && /^0x[0-9a-f]{40}$/.test(hash)) return hash;
  throw new Error(`${name} is no cast hash`);
}

/** An event of the network, in seconds. */
interface Delivery {
  type: string;
  sent_at: number;
  data: Json;
}

function deliveryOf(value: unknown): Delivery {
  const { type, data, created_at } = objectIn(value);
  if (typeof type !== 'string') throw new Error("it has no 'type'");
  if (!isObject(data)) throw new Error("it has no 'data'");
  if (typeof created_at !== 'number' || !(created_at > 0)) throw new Error("it has no 'created_at'");
  return { type, data, sent_at: created_at };
}

function recordsOf({ type, data, sent_at }: Delivery): ConnectorRecord[] {
  switch (type) {
    case 'cast.created':
      return ofCast(data, sent_at);
    case 'cast.deleted':
      return ofGoneCast(data, sent_at);
    case 'reaction.created':
      return ofReaction(data, 'add', timeOf(data, sent_at));
    case 'reaction.deleted':
      return ofReaction(data, 'remove', timeOf(data, sent_at));
    case 'follow.created':
      return ofFollow(data, 'follow', timeOf(data, sent_at));
    case 'follow.deleted':
      return ofFollow(data, 'unfollow', timeOf(data, sent_at));
    case 'user.created':
    case 'user.updated':
      return [ofProfile(data, sent_at)];
    default:
      return [];
  }
}

/** When an act was done or taken back. */
function timeOf({ timestamp, event_timestamp }: Json, sent_at: number): number {
  return isoSecondsIn(timestamp) ?? isoSecondsIn(event_timestamp) ?? sent_at;
}

/** The author's name, an item, and for a reply also a comment on its parent. */
function ofCast(data: Json, sent_at: number): ConnectorRecord[] {
  const { author, embeds, mentioned_profiles, thread_hash, app } = data;
  const hash = hashOf(data.hash, 'data.hash');
  const user_id = fidOf(author, 'data.author');
  const made_at = isoSecondsIn(data.timestamp);
  if (made_at === undefined) throw new Error("data has no valid 'timestamp'");
  // A cast from the future would not be shown before its time.
  const created_at = Math.min(made_at, sent_at);
  const objects = listIn(embeds).filter(isObject);
  const links = [...new Set(objects.flatMap(({ url }) => textIn(url) || []))];
  const titles = objects.flatMap(({ metadata }) => textIn(objectIn(objectIn(metadata).html).ogTitle) || []);
  const quoted = objects.flatMap(({ cast, cast_id }) => textIn(objectIn(cast ?? cast_id).hash) ?? []);
  const mentions = listIn(mentioned_profiles).map((profile) => fidOf(profile, 'data.mentioned_profiles'));
  const parent = data.parent_hash ? hashOf(data.parent_hash, 'data.parent_hash') : undefined;
  const channel = textIn(data.root_parent_url) ?? textIn(data.parent_url);
  const root = textIn(thread_hash);
  const { fid: app_fid } = objectIn(app);
  const item = {
    item_id: hash,
    author_id: user_id,
    created_at,
    text: textIn(data.text) ?? '',
    embed_items: links,
    ...(titles.length > 0 && { link_titles: titles }),
    publication_types: [...new Set(links.map(publicationType))],
    mentioned_profiles: [...new Set(mentions)],
    ...(channel !== undefined && { channel }),
    ...(parent !== undefined && { parent_item_id: parent }),
    ...(root !== undefined && root !== hash && { root_item_id: root }),
    ...(typeof app_fid === 'number' && { app_fid: String(app_fid) }),
    ...(quoted.length > 0 && { metadata: { quotes: quoted } }),
  };
  const records: ConnectorRecord[] = [
    { kind: 'user', record: { user_id, ...namesOf(objectIn(author)) } },
    { kind: 'item', record: item },
  ];
  if (parent === undefined) return records;
  const comment = { user_id, item_id: parent, event_type: 'comment', timestamp: created_at, event_id: hash };
  return [...records, { kind: 'interaction', record: comment }];
}

function publicationType(link: string): string {
  const url = URL.parse(link);
  if (url === null) return 'link';
  if (VIDEO.test(url.pathname)) return 'video';
  return IMAGE.test(url.pathname) || IMAGE_HOSTS.includes(url.hostname) ? 'image' : 'link';
}

function ofGoneCast(data: Json, sent_at: number): ConnectorRecord[] {
  const hash = hashOf(data.hash, 'data.hash');
  const created_at = isoSecondsIn(data.timestamp) ?? 0;
  const timestamp = Math.max(sent_at, created_at);
  const gone: ConnectorRecord = { kind: 'item_deletion', record: { item_id: hash, timestamp } };
  if (!data.parent_hash) return [gone];
  const item_id = hashOf(data.parent_hash, 'data.parent_hash');
  const comment = { user_id: fidOf(data.author, 'data.author'), item_id, event_type: 'comment' };
  return [{ kind: 'interaction', record: { ...comment, timestamp, event_id: hash, action: 'remove' } }, gone];
}

function ofReaction(data: Json, action: string, timestamp: number): ConnectorRecord[] {
  const event_type = REACTIONS.get(data.reaction_type);
  if (event_type === undefined) throw new Error("data has no known 'reaction_type'");
  const item_id = hashOf(objectIn(data.cast).hash, 'data.cast.hash');
  const record = { user_id: fidOf(data.user, 'data.user'), item_id, event_type, timestamp, action };
  return [{ kind: 'interaction', record }];
}

function ofFollow({ user, target_user }: Json, action: string, timestamp: number): ConnectorRecord[] {
  const pair = { user_id: fidOf(user, 'data.user'), target_user_id: fidOf(target_user, 'data.target_user') };
  return [{ kind: 'follow', record: { ...pair, timestamp, action } }];
}

/** The names of a user, those that are there. */
function namesOf(user: Json): Json {
  const names = { username: user.username, display_name: user.display_name, pfp_url: user.pfp_url };
  return Object.fromEntries(Object.entries(names).filter(([, value]) => typeof value === 'string'));
}

function ofProfile(user: Json, updated_at: number): ConnectorRecord {
  const { bio, location } = objectIn(user.profile);
  const description = textIn(objectIn(bio).text);
  const { latitude, longitude } = objectIn(location);
  const is_placed = typeof latitude === 'number' && typeof longitude === 'number';
  const record = {
    user_id: fidOf(user, 'data'),
    ...namesOf(user),
    ...(description !== undefined && { metadata: { description } }),
    ...(is_placed && { geo_location: `${latitude},${longitude}` }),
    updated_at,
  };
  return { kind: 'user', record };
}

/**
 * Receives Farcaster events from Neynar: casts, reactions, follows and profiles.
 *
 * Identifiers are cast hashes and fids. Format: https://docs.neynar.com/docs/how-to-setup-webhooks-from-the-dashboard
 */
export default defineIntegration({
  summary: 'Casts, likes, recasts, follows and profiles of Farcaster, delivered by Neynar.',
  options: Type.Object({}, { additionalProperties: false }),
  signature: { header: 'X-Neynar-Signature', algorithm: 'sha512', encoding: 'hex' },
  receive: () => (delivery) => recordsOf(deliveryOf(delivery)),
});
