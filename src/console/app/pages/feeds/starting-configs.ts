/** Configurations of feeds to begin with: those of the templates, and of the feeds of the demo. */

/** A chronological feed hides nothing but what is hidden, muted, blocked or moderated. */
const CHRONOLOGICAL = {
  scoring: 'newest_v0.0.1',
  seen: { mode: 'show' },
  show_interacted_items: true,
};

/** Readers who have seen everything would get an empty page, so seen posts follow last. */
export const SEEN_LAST = { seen: { mode: 'last' } };

export const DIVERSE = { max_posts_per_author: 3, min_distance_between_posts_from_same_author: 2 };

/** Nobody needs a recommendation of their own posts. The documents and the example app have the same feed. */
export const FOR_YOU = {
  ...SEEN_LAST,
  remove_user_posts_from_feed: true,
  feed_diversity_config: DIVERSE,
  return_global_fallback: true,
};

export const LATEST = CHRONOLOGICAL;

export const FOLLOWING = { filters: { author_ids: 'following' }, ...CHRONOLOGICAL };

/** For the cold start of other feeds. @param unwanted labels that newcomers do not see */
export function newcomersConfig(unwanted: readonly string[]) {
  return {
    filters: { replies: 'exclude', ...(unwanted.length > 0 && { remove_ai_labels: unwanted }) },
    scoring: '30day',
    feed_diversity_config: { ...DIVERSE, max_posts_per_author: 2 },
    return_global_fallback: true,
  };
}
