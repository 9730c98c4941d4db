import type { SourcedItem } from '../pipeline/mixing.ts';
import type { Request } from '../pipeline/request.ts';
import { type FeedType, NONE, type Ordinal } from '../plugin/index.ts';
import type { ItemContent, UserContent } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { ItemExplanation } from './explanation.ts';
import type { FollowingEngagement, SocialProof } from './followed-acts.ts';
import { categorise, type LabelsByCategory } from './labels.ts';
import type { FollowedActsReader } from './social-proof.ts';

export interface ItemMetadata {
  text: string;
  embed_items: string[];
  timestamp: number;
  root_parent_hash: string | null;
  parent_hash: string | null;
  root_parent_url: string | null;
  mentioned_profiles: string[];
  ai_labels: LabelsByCategory;
  app_fid: string | null;
  geo_location: string | null;
  language: string | null;
  publication_types: string[];
  likes_count: number;
  comments_count: number;
  shares_count: number;
  author: {
    user_id: string | null;
    username: string | null;
    display_name: string | null;
    pfp_url: string | null;
  };
  custom: Record<string, unknown>;
}

/** One item of an answer, spec 2.6. */
export interface AnswerItem {
  item_id: string;
  source_feed: string;
  /** Of promoted items: the label of the promotion. */
  promotion_name?: string;
  score: number;
  adjusted_score: number;
  popular_score: number;
  trending_score: number;
  affinity_score: number;
  interest_score: number;
  social_proof: SocialProof[];
  following_engagement: FollowingEngagement;
  text_length: number;
  metadata?: ItemMetadata;
  /** Only of explained requests. */
  explain?: ItemExplanation;
}

/** What an answer needs to be completed once the state may change again. */
export interface Draft {
  items: AnswerItem[];
  facts: ItemFacts[];
}

/** Where an item's content stands in the store, and what only the state of the page's moment knows. */
interface ItemFacts {
  seq: number;
  author_id: string | null;
  /** 0: no profile. */
  author_seq: number;
  created_at: number;
  likes_count: number;
  comments_count: number;
  shares_count: number;
}

/** The answer's items as of now. Synchronous, with the page: they see the same state. */
export function draftAnswer(
  request: Request,
  feed_type: FeedType,
  page: readonly SourcedItem[],
  with_metadata: boolean,
  followed: FollowedActsReader,
): Draft {
  const { state } = request.engine;
  const ordinals = page.map(({ item }) => item);
  const acts = followed.of(request.viewer, ordinals, request.engine.scratch);
  const popular = request.signal('popular');
  const trending = request.signal('trending');
  // Only for-you pages are about the viewer; the others do not pay for a walk that did not rank them.
  const affinity = feed_type === 'for-you' ? request.signal('affinity_all') : () => 0;
  const interest = feed_type === 'for-you' ? request.signal('interest_all') : () => 0;
  const items = page.map(({ item, score, adjusted_score, source_feed, promotion_name }, index) => ({
    item_id: state.items.names.id(item),
    source_feed,
    promotion_name,
    score,
    adjusted_score,
    popular_score: popular(item),
    trending_score: trending(item),
    affinity_score: affinity(item),
    interest_score: interest(item),
    social_proof: acts[index].social_proof,
    following_engagement: acts[index].following_engagement,
    text_length: state.items.text_length(item),
  }));
  return { items, facts: with_metadata ? ordinals.map((item) => factsOf(state, item)) : [] };
}

function factsOf(state: State, item: Ordinal): ItemFacts {
  const { items, users } = state;
  const author = items.author(item);
  return {
    seq: items.content_seq(item),
    author_id: author === NONE ? null : users.names.id(author),
    author_seq: author === NONE ? 0 : users.content_seq(author),
    created_at: items.created_at(item),
    likes_count: items.likes_count(item),
    comments_count: items.comments_count(item),
    shares_count: items.shares_count(item),
  };
}

/** Puts contents read from the store into the answer. */
export function addMetadata(
  { items, facts }: Draft,
  contents: ReadonlyMap<number, ItemContent>,
  profiles: ReadonlyMap<number, UserContent>,
  ai_label_threshold: number,
): void {
  for (const [index, item] of items.entries()) {
    const fact = facts[index];
    item.metadata = metadataOf(
      fact,
      contents.get(fact.seq),
      profiles.get(fact.author_seq),
      ai_label_threshold,
    );
  }
}

function metadataOf(
  facts: ItemFacts,
  content: ItemContent | undefined,
  author: UserContent | undefined,
  ai_label_threshold: number,
): ItemMetadata {
  return {
    text: content?.text ?? '',
    embed_items: content?.embed_items ?? [],
    timestamp: Math.floor(facts.created_at),
    root_parent_hash: content?.root_item_id ?? null,
    parent_hash: content?.parent_item_id ?? null,
    root_parent_url: content?.channel ?? null,
    mentioned_profiles: content?.mentioned_profiles ?? [],
    ai_labels: categorise(content?.ai_labels, ai_label_threshold),
    app_fid: content?.app_fid ?? null,
    geo_location: content?.geo_location ?? null,
    language: content?.language ?? null,
    publication_types: content?.publication_types ?? [],
    likes_count: facts.likes_count,
    comments_count: facts.comments_count,
    shares_count: facts.shares_count,
    author: {
      user_id: facts.author_id,
      username: author?.username ?? null,
      display_name: author?.display_name ?? null,
      pfp_url: author?.pfp_url ?? null,
    },
    custom: content?.metadata ?? {},
  };
}
