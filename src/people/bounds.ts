/**
 * Bounds of the work for one answer. They limit what is read for a viewer with very many follows or acts, and for
 * users with very many followers, so the time of an answer does not grow with the community.
 */
export const BOUNDS = {
  /** Followed users whose follows are considered. */
  follows_sampled_max: 1_000,
  /** Follows of followed users that are read. */
  follows_read_max: 30_000,
  /** Users who follow more than this say little about taste, and their follows are not read. */
  follows_per_user_max: 5_000,
  /** Latest followers that are considered. */
  followers_read_max: 500,
  /** Latest items that a user acted on in public, and the public acts that are searched for them. */
  items_max: 100,
  acts_read_max: 400,
  /** Latest entries of a log that are searched for public acts. Most entries can be views. */
  entries_examined_max: 4_000,
  /** Latest users of each of these items. */
  users_per_item_max: 100,
  /** Channels of a viewer whose latest authors are considered, and the items read per channel. */
  channels_max: 5,
  items_per_channel_max: 40,
  /** Candidates per source that are scored by all signals. */
  candidates_per_source_max: 200,
  /** Users in the list of most-followed users. */
  popular_max: 2_000,
  /** Acts and own items that a taste is made of. */
  taste_acts_max: 30,
  taste_items_max: 10,
} as const;

/** A user who neither published nor acted in public for longer is inactive. */
export const ACTIVE_DAYS = 90;
export const ACTIVE_SECONDS = ACTIVE_DAYS * 86_400;

export const TOP_K_DEFAULT = 25;
export const TOP_K_MAX = 100;
export const EXCLUDED_MAX = 1_000;
