import { type Filters, type Post, passes, type World } from '../filters-reference.ts';

/** A naive implementation of why a feed does not show a post, over plain records. */

export interface Act {
  user_id: string;
  item_id: string;
  event_type: string;
}

export interface History {
  acts: Act[];
  /** user → whom they block */
  blocks: [string, string][];
}

export interface Switches {
  show_interacted_items?: boolean;
  remove_user_posts_from_feed?: boolean;
  return_only_posts_with_social_proof?: boolean;
}

/** Hidden or reported items of one author that keep the author away. */
const HIDDEN_ITEMS_MAX = 3;

/** The world after acts: comments, and each user who likes or shares, add to the counts of the posts. */
export function counted({ posts, ...world }: World, acts: readonly Act[]): World {
  const usersWho = (type: string, item_id: string) =>
    acts.filter((act) => act.item_id === item_id && act.event_type === type).map(({ user_id }) => user_id);
  const after = ({ item_id, likes_count, comments_count, shares_count, ...post }: Post): Post => ({
    ...post,
    item_id,
    likes_count: likes_count + new Set(usersWho('like', item_id)).size,
    comments_count: comments_count + usersWho('comment', item_id).length,
    shares_count: shares_count + new Set(usersWho('share', item_id)).size,
  });
  return { ...world, posts: posts.map(after) };
}

/** The stage and plugin that drop a post first; undefined when the feed may show it. */
export function droppedBy(
  world: World,
  { acts, blocks }: History,
  post: Post,
  filters: Filters,
  switches: Switches,
  viewer: string,
  now: number,
): { stage: string; plugin: string } | undefined {
  const filter = Object.keys(filters).find((key) => !passes(world, post, key, filters[key], viewer, now));
  if (filter !== undefined) return { stage: 'candidates', plugin: filter };
  const did = (user: string, item_id: string, ...types: string[]) =>
    acts.some((act) => act.user_id === user && act.item_id === item_id && types.includes(act.event_type));
  const blocked = (other: string) =>
    blocks.some(([one, two]) => (one === viewer && two === other) || (one === other && two === viewer));
  const hides = (item_id: string) => did(viewer, item_id, 'hide', 'report');
  const hidden = world.posts.filter(
    ({ item_id, author_id }) => author_id === post.author_id && hides(item_id),
  );
  const proven = (world.follows[viewer] ?? []).some(
    (friend) => !blocked(friend) && did(friend, post.item_id, 'like', 'comment', 'share'),
  );
  const rules: [string, boolean][] = [
    ['blocked', blocked(post.author_id)],
    ['hidden', hides(post.item_id) || hidden.length >= HIDDEN_ITEMS_MAX],
    ['seen', did(viewer, post.item_id, 'view')],
    [
      'interacted',
      !switches.show_interacted_items && did(viewer, post.item_id, 'like', 'comment', 'share', 'bookmark'),
    ],
    ['own_posts', switches.remove_user_posts_from_feed === true && post.author_id === viewer],
    ['social_proof', switches.return_only_posts_with_social_proof === true && !proven],
  ];
  const rule = rules.find(([, drops]) => drops);
  return rule && { stage: 'visibility', plugin: rule[0] };
}
