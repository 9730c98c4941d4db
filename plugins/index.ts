/** The built-in plugins. An id is the name of its file; lists in answers have the order of these objects. */
import type { Extensions } from 'feedloom/plugin';
import ai_labels from './filters/ai_labels.ts';
import app_fids from './filters/app_fids.ts';
import author_ids from './filters/author_ids.ts';
import channels from './filters/channels.ts';
import embed_domains from './filters/embed_domains.ts';
import end_timestamp from './filters/end_timestamp.ts';
import engagement from './filters/engagement.ts';
import geo_locations from './filters/geo_locations.ts';
import labeled from './filters/labeled.ts';
import languages from './filters/languages.ts';
import publication_types from './filters/publication_types.ts';
import remove_ai_labels from './filters/remove_ai_labels.ts';
import remove_author_ids from './filters/remove_author_ids.ts';
import remove_geo_locations from './filters/remove_geo_locations.ts';
import remove_labeled from './filters/remove_labeled.ts';
import remove_words from './filters/remove_words.ts';
import replies from './filters/replies.ts';
import start_timestamp from './filters/start_timestamp.ts';
import words from './filters/words.ts';
import bluesky from './integrations/bluesky.ts';
import bluesky_labels from './integrations/bluesky-labels.ts';
import farcaster from './integrations/farcaster.ts';
import http from './integrations/http.ts';
import neynar from './integrations/neynar.ts';
import postgres from './integrations/postgres.ts';
import feed_promotion from './promotions/feed.ts';
import items_promotion from './promotions/items.ts';
import popular_feed_1day from './scoring/1day.ts';
import popular_feed_7day from './scoring/7day.ts';
import popular_feed_30day from './scoring/30day.ts';
import balanced_feed_affinity_bias from './scoring/balanced_feed_affinity_bias_v0.0.1.ts';
import balanced_feed_interest_bias from './scoring/balanced_feed_interest_bias_v0.0.1.ts';
import balanced_feed from './scoring/balanced_feed_v0.0.1.ts';
import learned_feed from './scoring/learned_v0.0.1.ts';
import newest_feed from './scoring/newest_v0.0.1.ts';
import popular_feed from './scoring/popular_v0.0.1.ts';
import trending_feed from './scoring/trending_v0.0.1.ts';
import user_affinity_all_following from './scoring/user_affinity_all_following_v0.0.1.ts';
import user_affinity_closest_following from './scoring/user_affinity_closest_following_v0.0.1.ts';
import user_interest_all from './scoring/user_interest_all_v0.0.1.ts';
import user_interest_recent from './scoring/user_interest_recent_v0.0.1.ts';
import wallet_popular_feed from './scoring/wallet_popular_v0.0.1.ts';
import wallet_feed from './scoring/wallet_v0.0.1.ts';
import weighted from './scoring/weighted_v0.0.1.ts';
import affinity_all from './signals/affinity_all.ts';
import affinity_closest from './signals/affinity_closest.ts';
import author_affinity from './signals/author_affinity.ts';
import click_rate from './signals/click_rate.ts';
import dislike from './signals/dislike.ts';
import fatigue from './signals/fatigue.ts';
import interest_all from './signals/interest_all.ts';
import interest_lasting from './signals/interest_lasting.ts';
import interest_recent from './signals/interest_recent.ts';
import momentum from './signals/momentum.ts';
import more_of from './signals/more_of.ts';
import newest from './signals/newest.ts';
import popular from './signals/popular.ts';
import popular_1day from './signals/popular_1day.ts';
import popular_7day from './signals/popular_7day.ts';
import popular_30day from './signals/popular_30day.ts';
import popular_lately from './signals/popular_lately.ts';
import profile from './signals/profile.ts';
import semantic_interest from './signals/semantic_interest.ts';
import trending from './signals/trending.ts';
import blocked from './visibility/blocked.ts';
import hidden from './visibility/hidden.ts';
import interacted from './visibility/interacted.ts';
import muted from './visibility/muted.ts';
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
    labeled,
    remove_labeled,
    publication_types,
    embed_domains,
    languages,
    words,
    remove_words,
    geo_locations,
    remove_geo_locations,
    engagement,
    replies,
  },
  scoring_functions: {
    'balanced_feed_v0.0.1': balanced_feed,
    'balanced_feed_interest_bias_v0.0.1': balanced_feed_interest_bias,
    'balanced_feed_affinity_bias_v0.0.1': balanced_feed_affinity_bias,
    'user_affinity_all_following_v0.0.1': user_affinity_all_following,
    'user_affinity_closest_following_v0.0.1': user_affinity_closest_following,
    'user_interest_all_v0.0.1': user_interest_all,
    'user_interest_recent_v0.0.1': user_interest_recent,
    'weighted_v0.0.1': weighted,
    'learned_v0.0.1': learned_feed,
    'trending_v0.0.1': trending_feed,
    'popular_v0.0.1': popular_feed,
    'newest_v0.0.1': newest_feed,
    '1day': popular_feed_1day,
    '7day': popular_feed_7day,
    '30day': popular_feed_30day,
  },
  visibility_rules: { blocked, hidden, muted, seen, interacted, own_posts, social_proof },
  signals: {
    interest_all,
    interest_recent,
    interest_lasting,
    profile,
    semantic_interest,
    more_of,
    affinity_all,
    affinity_closest,
    author_affinity,
    dislike,
    fatigue,
    click_rate,
    newest,
    trending,
    popular,
    popular_1day,
    popular_7day,
    popular_30day,
    popular_lately,
    momentum,
  },
  promotion_strategies: { feed: feed_promotion, items: items_promotion },
  integrations: { bluesky, 'bluesky-labels': bluesky_labels, farcaster, neynar, http, postgres },
};

/**
 * The built-in plugins of wallet feeds, which rank tokens and NFTs.
 *
 * Lasting interest and recent popularity propose candidates instead of all-time popularity.
 */
export const FOR_WALLETS: Extensions = {
  scoring_functions: { 'wallet_v0.0.1': wallet_feed, 'wallet_popular_v0.0.1': wallet_popular_feed },
  visibility_rules: BUILT_IN.visibility_rules,
  signals: {
    ...BUILT_IN.signals,
    popular: { ...popular, proposes: undefined },
    interest_lasting: { ...interest_lasting, proposes: { name: 'lasting', per_item: 4 } },
    popular_lately: { ...popular_lately, proposes: { per_item: 2 } },
  },
};
