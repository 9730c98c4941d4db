/** The records that events of Bluesky become, by the lexicons `app.bsky.*`. */
import { type ConnectorRecord, isoSecondsIn } from 'feedloom/plugin';
import { LIST, LIST_ITEM, listRecords, type WantedLists } from './bluesky-lists.ts';
import {
  BadMessage,
  type BlueskyEvent,
  idIn,
  isObject,
  type Json,
  objectIn,
  objectsIn,
  textIn,
} from './bluesky-records-events.ts';

/** The record types that are read, by the names in the options. */
export const COLLECTIONS = {
  posts: 'app.bsky.feed.post',
  likes: 'app.bsky.feed.like',
  reposts: 'app.bsky.feed.repost',
  follows: 'app.bsky.graph.follow',
  blocks: 'app.bsky.graph.block',
  profiles: 'app.bsky.actor.profile',
} as const;

const {
  posts: POST,
  likes: LIKE,
  reposts: REPOST,
  follows: FOLLOW,
  blocks: BLOCK,
  profiles: PROFILE,
} = COLLECTIONS;

const POST_URI = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/[A-Za-z0-9._:~-]+$/;
/** Stands for a handle that the relay could not resolve for the moment. */
const UNRESOLVED = 'handle.invalid';
/** Longer record keys would not fit into identifiers of events. Usual ones have 13 characters, none more than 512. */
const KEY_LENGTH_MAX = 200;

/** Seconds in whole milliseconds. */
const secondsOf = ({ time_us }: BlueskyEvent): number => Math.floor(time_us / 1000) / 1000;

/** When a record was made. Its author states the time, so it counts only if it is valid and not after the event. */
function madeAt(event: BlueskyEvent, record: Json): number {
  const made = isoSecondsIn(record.createdAt);
  return made !== undefined && made > 0 ? Math.min(made, secondsOf(event)) : secondsOf(event);
}

export function recordsOf(event: BlueskyEvent, lists: WantedLists): ConnectorRecord[] {
  switch (event.kind) {
    case 'commit':
      return ofCommit(event, event.content, lists);
    case 'identity': {
      const handle = textIn(event.content.handle);
      return handle === undefined || handle === UNRESOLVED ? [] : [user(event, { username: handle })];
    }
    case 'account':
      return ofAccount(event, event.content);
    default:
      return [];
  }
}

const user = (event: BlueskyEvent, fields: Json): ConnectorRecord => ({
  kind: 'user',
  record: { user_id: event.did, ...fields, updated_at: secondsOf(event) },
});

function ofAccount(event: BlueskyEvent, { active, status }: Json): ConnectorRecord[] {
  if (active === true) return [user(event, { hidden: false })];
  if (active !== false) throw new BadMessage("its account has no 'active'");
  if (status === 'deleted')
    return [{ kind: 'user_deletion', record: { user_id: event.did, timestamp: secondsOf(event) } }];
  const is_hidden = status === 'deactivated' || status === 'takendown' || status === 'suspended';
  return is_hidden ? [user(event, { hidden: true })] : [];
}

function ofCommit(event: BlueskyEvent, commit: Json, lists: WantedLists): ConnectorRecord[] {
  const { operation } = commit;
  const [collection, rkey] = [textIn(commit.collection), textIn(commit.rkey)];
  if (collection === undefined || rkey === undefined)
    throw new BadMessage("its commit has no 'collection' or 'rkey'");
  const is_of_list = collection === LIST || collection === LIST_ITEM;
  const of_list = { event, collection, rkey, event_id: eventIdOf(collection, rkey) };
  if (operation === 'delete')
    return is_of_list
      ? listRecords({ ...of_list, timestamp: secondsOf(event), record: undefined }, lists)
      : ofDelete(event, collection, rkey);
  if (operation !== 'create' && operation !== 'update')
    throw new BadMessage("its commit has no known 'operation'");
  const { record } = commit;
  if (!isObject(record)) throw new BadMessage("its commit has no 'record'");
  if (!is_of_list) return ofRecord(event, collection, rkey, commit, record);
  const is_update = operation === 'update';
  const timestamp = is_update ? secondsOf(event) : madeAt(event, record);
  return listRecords({ ...of_list, timestamp, is_update, record }, lists);
}

function ofDelete(event: BlueskyEvent, collection: string, rkey: string): ConnectorRecord[] {
  if (collection !== POST) return takenBack(event, collection, rkey);
  const record = { item_id: `at://${event.did}/${collection}/${rkey}`, timestamp: secondsOf(event) };
  return [{ kind: 'item_deletion', record }];
}

/** The identifier of an act: its collection and record key, or a digest of a long one. */
function eventIdOf(collection: string, rkey: string): string {
  const key =
    rkey.length <= KEY_LENGTH_MAX ? rkey : new Bun.CryptoHasher('sha256').update(rkey).digest('hex');
  return `${collection}/${key}`;
}

function takenBack(event: BlueskyEvent, collection: string, rkey: string): ConnectorRecord[] {
  const taken_back = { user_id: event.did, event_id: eventIdOf(collection, rkey) };
  switch (collection) {
    case LIKE:
    case REPOST:
      return [{ kind: 'interaction', record: { ...taken_back, action: 'remove' } }];
    case FOLLOW:
      return [{ kind: 'follow', record: { ...taken_back, action: 'unfollow' } }];
    case BLOCK:
      return [{ kind: 'block', record: { ...taken_back, action: 'unblock' } }];
    default:
      return [];
  }
}

function ofRecord(
  event: BlueskyEvent,
  collection: string,
  rkey: string,
  commit: Json,
  record: Json,
): ConnectorRecord[] {
  const is_update = commit.operation === 'update';
  // An updated record may have another subject, which replaces the former one because it is later.
  const timestamp = is_update ? secondsOf(event) : madeAt(event, record);
  const act = { user_id: event.did, timestamp, event_id: eventIdOf(collection, rkey) };
  switch (collection) {
    case POST:
      return ofPost(event, rkey, commit, record);
    case LIKE:
    case REPOST: {
      const { uri } = objectIn(record.subject);
      if (typeof uri !== 'string') throw new BadMessage("its record has no 'subject.uri'");
      // Feed generators and lists can be liked, too.
      const item_id = postIn(uri);
      if (item_id === undefined) return is_update ? takenBack(event, collection, rkey) : [];
      const event_type = collection === LIKE ? 'like' : 'share';
      return [{ kind: 'interaction', record: { ...act, item_id, event_type } }];
    }
    case FOLLOW:
      return [{ kind: 'follow', record: { ...act, target_user_id: subjectOf(record) } }];
    case BLOCK:
      return [{ kind: 'block', record: { ...act, target_user_id: subjectOf(record) } }];
    case PROFILE:
      return [user(event, profileOf(event, record))];
    default:
      return [];
  }
}

/** The at-URI of a post, or undefined. Authors write records as they like, and other texts may be ids of other networks. */
export function postIn(uri: unknown): string | undefined {
  const [, did] = typeof uri === 'string' ? (POST_URI.exec(uri) ?? []) : [];
  return idIn(did) === undefined ? undefined : String(uri);
}

function subjectOf(record: Json): string {
  const subject = idIn(record.subject);
  if (subject === undefined) throw new BadMessage("its record has no DID as 'subject'");
  return subject;
}

/** A profile replaces the former one, so absent fields are cleared. */
function profileOf(event: BlueskyEvent, record: Json): Json {
  const avatar = textIn(objectIn(objectIn(record.avatar).ref).$link);
  return {
    display_name: textIn(record.displayName) ?? '',
    pfp_url: avatar === undefined ? '' : `https://cdn.bsky.app/img/avatar/plain/${event.did}/${avatar}@jpeg`,
    metadata: { description: textIn(record.description) ?? '' },
  };
}

/** An item, and for a reply also a comment on its parent. */
function ofPost(
  event: BlueskyEvent,
  rkey: string,
  { cid, operation }: Json,
  record: Json,
): ConnectorRecord[] {
  const item_id = `at://${event.did}/${POST}/${rkey}`;
  const created_at = madeAt(event, record);
  const reply = objectIn(record.reply);
  const parent = postIn(objectIn(reply.parent).uri);
  const features = objectsIn(record.facets).flatMap(({ features }) => objectsIn(features));
  const embed = embedOf(objectIn(record.embed));
  const links = features.flatMap(({ uri }) => textIn(uri) ?? []);
  const labels = objectsIn(objectIn(record.labels).values).flatMap(({ val }) => textIn(val) ?? []);
  const tags = [...(Array.isArray(record.tags) ? record.tags : []), ...features.map(({ tag }) => tag)];
  const is_update = operation === 'update';
  // An update clears what the former version had.
  const listed = (texts: unknown[]) => {
    const distinct = [...new Set(texts.flatMap((text) => textIn(text) || []))];
    return is_update ? distinct : unlessEmpty(distinct);
  };
  const fields = {
    item_id,
    author_id: event.did,
    created_at,
    text: textIn(record.text) ?? '',
    updated_at: is_update ? secondsOf(event) : undefined,
    language: Array.isArray(record.langs) ? textIn(record.langs[0]) : undefined,
    parent_item_id: parent,
    root_item_id: postIn(objectIn(reply.root).uri),
    embed_items: [...new Set([...links, ...embed.links])],
    publication_types: embed.types,
    tags: listed(tags),
    link_titles: listed(embed.titles),
    alt_texts: listed(embed.alts),
    mentioned_profiles: [...new Set(features.flatMap(({ did }) => idIn(did) ?? []))],
    metadata: {
      cid: textIn(cid),
      quotes: embed.quotes,
      labels: unlessEmpty(labels),
    },
  };
  const item: ConnectorRecord = { kind: 'item', record: withoutUndefined(fields) };
  if (parent === undefined) return [item];
  const comment = { user_id: event.did, item_id: parent, event_type: 'comment' };
  return [item, { kind: 'interaction', record: { ...comment, timestamp: created_at, event_id: item_id } }];
}

function unlessEmpty(list: string[]): string[] | undefined {
  return list.length > 0 ? list : undefined;
}

interface Embed {
  types: string[];
  links: string[];
  titles: unknown[];
  alts: unknown[];
  quotes: string | undefined;
}

function embedOf(embed: Json): Embed {
  const nothing = { types: [], links: [], titles: [], alts: [], quotes: undefined };
  switch (embed.$type) {
    case 'app.bsky.embed.images':
    case 'app.bsky.embed.gallery':
      return {
        ...nothing,
        types: ['image'],
        alts: objectsIn(embed.images ?? embed.items).map(({ alt }) => alt),
      };
    case 'app.bsky.embed.video':
      return { ...nothing, types: ['video'], alts: [embed.alt] };
    case 'app.bsky.embed.external': {
      const { uri, title } = objectIn(embed.external);
      const link = textIn(uri);
      return link === undefined ? nothing : { ...nothing, types: ['link'], links: [link], titles: [title] };
    }
    case 'app.bsky.embed.record':
      return { ...nothing, quotes: postIn(objectIn(embed.record).uri) };
    case 'app.bsky.embed.recordWithMedia': {
      const quotes = postIn(objectIn(objectIn(embed.record).record).uri);
      return { ...embedOf(objectIn(embed.media)), quotes };
    }
    default:
      return nothing;
  }
}

function withoutUndefined(fields: Json): Json {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isObject(value) ? withoutUndefined(value) : value]),
  );
}
