/** A naive implementation of the filters, straight from the contract, over plain records. */

export interface Post {
  item_id: string;
  author_id: string;
  created_at: number;
  app_fid?: string;
  channel?: string;
  language?: string;
  publication_types?: string[];
  embed_domains?: string[];
  geo_location?: string;
  ai_labels?: Record<string, number>;
  parent_item_id?: string;
  likes_count: number;
  comments_count: number;
  shares_count: number;
}

export interface World {
  posts: Post[];
  /** user → where they are */
  places: Record<string, string>;
  /** user → whom they follow */
  follows: Record<string, string[]>;
}

export type Filters = Record<string, unknown>;

const DEFAULT_THRESHOLD = 0.6;
const RADIUS_KM = 100;
const EARTH_KM = 6371.0088;

/** The posts that pass every filter, as of `now`, for a viewer. */
export function passing(world: World, filters: Filters, viewer: string | undefined, now: number): Post[] {
  return world.posts.filter((post) =>
    Object.entries(filters).every(([key, value]) => passes(world, post, key, value, viewer, now)),
  );
}

/** Whether a post passes one filter. */
export function passes(
  world: World,
  post: Post,
  key: string,
  value: unknown,
  viewer: string | undefined,
  now: number,
): boolean {
  if (Array.isArray(value) && value.length === 0) return true;
  switch (key) {
    case 'start_timestamp':
      return post.created_at >= moment(value, now);
    case 'end_timestamp':
      return post.created_at <= moment(value, now);
    case 'app_fids':
      return (value as unknown[]).map(String).includes(post.app_fid ?? '-');
    case 'channels':
      return (value as string[]).includes(post.channel ?? '-');
    case 'languages':
      return (value as string[]).map(primary).includes(primary(post.language ?? '-'));
    case 'publication_types':
      return (value as string[]).some((type) =>
        (post.publication_types ?? []).includes(type.toLowerCase().replace(/s$/, '')),
      );
    case 'embed_domains':
      return (value as string[]).some((domain) =>
        (post.embed_domains ?? []).some((own) => within(own, host(domain))),
      );
    case 'geo_locations':
      return near(world, post, value as string[]);
    case 'remove_geo_locations':
      return !near(world, post, value as string[]);
    case 'author_ids':
      return authors(world, value, viewer).includes(post.author_id);
    case 'remove_author_ids':
      return !authors(world, value, viewer).includes(post.author_id);
    case 'ai_labels':
      return labelled(post, value as unknown[]);
    case 'remove_ai_labels':
      return !labelled(post, value as unknown[]);
    case 'replies':
      return (post.parent_item_id !== undefined) === (value === 'only');
    case 'engagement':
      return within_bounds(post, value as Record<string, number>);
    default:
      throw new Error(`no reference for ${key}`);
  }
}

function moment(value: unknown, now: number): number {
  const text = String(value);
  if (text.startsWith('days_ago:')) return now - 86_400 * Number(text.slice(9));
  if (text.startsWith('hours_ago:')) return now - 3_600 * Number(text.slice(10));
  return /^[\d.]+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
}

const primary = (tag: string): string => tag.toLowerCase().split('-')[0];

const host = (domain: string): string =>
  domain.includes('://') ? new URL(domain).hostname : domain.toLowerCase();

const within = (domain: string, parent: string): boolean =>
  domain === parent || domain.endsWith(`.${parent}`);

function near(world: World, post: Post, places: string[]): boolean {
  const own = post.geo_location ?? world.places[post.author_id];
  return own !== undefined && places.some((place) => kilometres(own, place) <= RADIUS_KM);
}

function kilometres(one: string, other: string): number {
  const [lat1, lon1] = one.split(',').map((part) => (Number(part) * Math.PI) / 180);
  const [lat2, lon2] = other.split(',').map((part) => (Number(part) * Math.PI) / 180);
  const cosine = Math.sin(lat1) * Math.sin(lat2) + Math.cos(lat1) * Math.cos(lat2) * Math.cos(lon2 - lon1);
  return EARTH_KM * Math.acos(Math.min(1, Math.max(-1, cosine)));
}

function authors(world: World, value: unknown, viewer: string | undefined): string[] {
  const entries = (Array.isArray(value) ? value : [value]).map(String);
  if (entries[0] === 'following') return viewer === undefined ? [] : (world.follows[viewer] ?? []);
  if (entries[0].startsWith('following:')) return world.follows[entries[0].slice(10)] ?? [];
  return entries;
}

function labelled(post: Post, entries: unknown[]): boolean {
  return entries.some((entry) => {
    const { label, threshold = DEFAULT_THRESHOLD } =
      typeof entry === 'string' ? { label: entry } : (entry as { label: string; threshold?: number });
    const score = post.ai_labels?.[label];
    return score !== undefined && score > threshold;
  });
}

function within_bounds(post: Post, bounds: Record<string, number>): boolean {
  return (['likes_count', 'comments_count', 'shares_count'] as const).every(
    (column) =>
      post[column] >= (bounds[`min_${column}`] ?? 0) && post[column] <= (bounds[`max_${column}`] ?? Infinity),
  );
}
