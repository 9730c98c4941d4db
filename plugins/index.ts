/** The built-in plugins: one line each. The id is the file's name; the order is the order of the lists. */
import type { Extensions } from 'feedloom/plugin';
import ai_labels from './filters/ai_labels.ts';
import app_fids from './filters/app_fids.ts';
import author_ids from './filters/author_ids.ts';
import channels from './filters/channels.ts';
import embed_domains from './filters/embed_domains.ts';
import end_timestamp from './filters/end_timestamp.ts';
import engagement from './filters/engagement.ts';
import geo_locations from './filters/geo_locations.ts';
import languages from './filters/languages.ts';
import publication_types from './filters/publication_types.ts';
import remove_ai_labels from './filters/remove_ai_labels.ts';
import remove_author_ids from './filters/remove_author_ids.ts';
import remove_geo_locations from './filters/remove_geo_locations.ts';
import start_timestamp from './filters/start_timestamp.ts';
import feed_promotion from './promotions/feed.ts';
import items_promotion from './promotions/items.ts';
import balanced_feed from './scoring/balanced_feed_v0.0.1.ts';
import popular_feed from './scoring/popular_v0.0.1.ts';
import trending_feed from './scoring/trending_v0.0.1.ts';
import affinity_all from './signals/affinity_all.ts';
import interest_all from './signals/interest_all.ts';
import popular from './signals/popular.ts';
import trending from './signals/trending.ts';
import following_source from './sources/following.ts';
import popular_source from './sources/popular.ts';
import trending_source from './sources/trending.ts';
import walk_source from './sources/walk.ts';
import blocked from './visibility/blocked.ts';
import hidden from './visibility/hidden.ts';
import interacted from './visibility/interacted.ts';
import own_posts from './visibility/own_posts.ts';
import seen from './visibility/seen.ts';
import social_proof from './visibility/social_proof.ts';

export const BUILT_IN: Required<Extensions> = {
  filters: {
    start_timestamp,
    end_timestamp,
    app_fids,
    author_ids,
    remove_author_ids,
    channels,
    ai_labels,
    remove_ai_labels,
    publication_types,
    embed_domains,
    languages,
    geo_locations,
    remove_geo_locations,
    engagement,
  },
  scoring_functions: {
    'balanced_feed_v0.0.1': balanced_feed,
    'trending_v0.0.1': trending_feed,
    'popular_v0.0.1': popular_feed,
  },
  visibility_rules: { blocked, hidden, seen, interacted, own_posts, social_proof },
  signals: { interest_all, affinity_all, popular, trending },
  candidate_sources: {
    walk: walk_source,
    following: following_source,
    trending: trending_source,
    popular: popular_source,
  },
  promotion_strategies: { feed: feed_promotion, items: items_promotion },
};
