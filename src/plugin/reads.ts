/** Fields of items besides the times and the fields that have columns. */
const ITEM_FIELDS = [
  'text',
  'embed_items',
  'embed_domains',
  'channel',
  'parent_item_id',
  'root_item_id',
  'app_fid',
  'language',
  'publication_types',
  'geo_location',
  'ai_labels',
  'tags',
  'link_titles',
  'alt_texts',
  'mentioned_profiles',
  'metadata',
] as const;

const USER_FIELDS = [
  'username',
  'display_name',
  'pfp_url',
  'geo_location',
  'wallet_addresses',
  'created_at',
  'metadata',
] as const;

/**
 * A field of an item, named as in the ingest API.
 *
 * `metadata.x.y` is the value at `x`, then `y`, of the free metadata. Keys that contain a dot can only be reached
 * through the object around them.
 */
export type ItemField = (typeof ITEM_FIELDS)[number] | `metadata.${string}`;

/** A field of a user, named as in the ingest API. */
export type UserField = (typeof USER_FIELDS)[number] | `metadata.${string}`;

/** A field of items or users, or the words of items, that the host keeps in memory for an extension. */
export type Read = `item.${ItemField}` | `user.${UserField}` | 'words';

/** A parsed `Read`: the owner, the name of the field, and the path of keys, which is empty for words. */
export interface ParsedRead {
  of: 'item' | 'user';
  name: string;
  path: string[];
}

const WORDS = 'words';

/** Maximum length of an entry of `reads`, in characters. */
const READ_LENGTH_MAX = 256;

/** Parses an entry of `reads`. Undefined if it is malformed. */
export function parseRead(read: unknown): ParsedRead | undefined {
  if (typeof read !== 'string' || read.length > READ_LENGTH_MAX) return undefined;
  if (read === WORDS) return { of: 'item', name: WORDS, path: [] };
  const [of, ...path] = read.split('.');
  if (of !== 'item' && of !== 'user') return undefined;
  const fields: readonly string[] = of === 'item' ? ITEM_FIELDS : USER_FIELDS;
  if (!fields.includes(path[0]) || path.includes('')) return undefined;
  if (path.length > 1 && path[0] !== 'metadata') return undefined;
  return { of, name: path.join('.'), path };
}

/** The forms of a `Read` in words, for error texts. */
export const READ_FORMS = `'item.<field>' (${ITEM_FIELDS.join(', ')}, metadata.<key>…), 'user.<field>' (${USER_FIELDS.join(', ')}, metadata.<key>…) or '${WORDS}'`;
