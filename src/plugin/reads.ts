/** What an item says of itself beside its text, its times and what has a column of its own. */
const ITEM_FIELDS = [
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
  'mentioned_profiles',
  'metadata',
] as const;

/** What a user says of themselves. */
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
 * A field of an item as the ingest API takes it; `metadata.x.y` is the value at `x`, then `y`, of the free
 * metadata. Keys with a dot in them are reached through the object that holds them.
 */
export type ItemField = (typeof ITEM_FIELDS)[number] | `metadata.${string}`;

/** A field of a user as the ingest API takes it. */
export type UserField = (typeof USER_FIELDS)[number] | `metadata.${string}`;

/**
 * What an extension asks the host to hold in memory for it: the text of items, a field of items, a field
 * of users.
 */
export type Read = 'text' | `item.${ItemField}` | `user.${UserField}`;

/** A well-formed `Read` taken apart: whose field, under which name, and the keys that lead to it. */
export type ParsedRead = { of: 'text' } | { of: 'item' | 'user'; name: string; path: string[] };

/** Characters of one entry of `reads`. */
const READ_LENGTH_MAX = 256;

/** Undefined for what is not of the form of a `Read`. */
export function parseRead(read: unknown): ParsedRead | undefined {
  if (typeof read !== 'string' || read.length > READ_LENGTH_MAX) return undefined;
  if (read === 'text') return { of: 'text' };
  const [of, ...path] = read.split('.');
  if (of !== 'item' && of !== 'user') return undefined;
  const fields: readonly string[] = of === 'item' ? ITEM_FIELDS : USER_FIELDS;
  if (!fields.includes(path[0]) || path.includes('')) return undefined;
  if (path.length > 1 && path[0] !== 'metadata') return undefined;
  return { of, name: path.join('.'), path };
}

/** The forms of a `Read` in words, for refusals. */
export const READ_FORMS = `'text', 'item.<field>' (${ITEM_FIELDS.join(', ')}, metadata.<key>…) or 'user.<field>' (${USER_FIELDS.join(', ')}, metadata.<key>…)`;
