import type { FeedSettings } from '../../src/feeds/compile-feed.ts';
import { EVENT_TYPES } from '../../src/model/acts.ts';
import type { ReferenceState } from '../support/reference-state.ts';

/** The settings that these tests draw, in a form that is independent of the service's code. */
export interface Wishes {
  since?: number;
  authors?: string[] | 'following' | `following:${string}`;
  channels?: string[];
  show_interacted_items: boolean;
  remove_user_posts_from_feed: boolean;
  return_only_posts_with_social_proof: boolean;
  time_decay: 'high' | { half_life_hours: number } | undefined;
}

export function settingsOf(wishes: Wishes): FeedSettings {
  const { since, authors, channels, ...switches } = wishes;
  const filters: Record<string, unknown> = {};
  if (since !== undefined) filters.start_timestamp = since;
  if (authors !== undefined) filters.author_ids = authors;
  if (channels !== undefined) filters.channels = channels;
  return { ...switches, filters };
}

/** The identifiers of all items that a viewer may be shown, by the rules of the specification. */
export function eligible(
  reference: ReferenceState,
  viewer: string | undefined,
  now: number,
  wishes: Wishes,
): string[] {
  return reference.described().filter((id) => {
    const { author, content } = reference.items.get(id)!;
    if (content!.hidden || reference.isHiddenByLabel('item', id)) return false;
    if (content!.created_at > now + 60) return false;
    if (author !== undefined && reference.users.get(author)!.hidden) return false;
    return isWished(reference, viewer, id, wishes) && isVisible(reference, viewer, id, wishes);
  });
}

function isWished(
  reference: ReferenceState,
  viewer: string | undefined,
  id: string,
  wishes: Wishes,
): boolean {
  const { author, content } = reference.items.get(id)!;
  const { since, authors, channels } = wishes;
  if (since !== undefined && content!.created_at < since) return false;
  if (channels?.length && !channels.includes(content!.channel ?? '')) return false;
  if (authors === undefined || authors.length === 0) return true;
  if (author === undefined) return false;
  if (Array.isArray(authors)) return authors.includes(author);
  const follower = authors === 'following' ? viewer : authors.slice('following:'.length);
  return reference.follows.get(`${follower} ${author}`)?.stands ?? false;
}

function isVisible(
  reference: ReferenceState,
  viewer: string | undefined,
  id: string,
  wishes: Wishes,
): boolean {
  if (viewer === undefined) return !wishes.return_only_posts_with_social_proof;
  const { author } = reference.items.get(id)!;
  if (wishes.remove_user_posts_from_feed && author === viewer) return false;
  if (author !== undefined) {
    const { blocks } = reference;
    if (blocks.has(`${viewer} ${author}`) || blocks.has(`${author} ${viewer}`)) return false;
    if (hiddenOf(reference, viewer, author) >= 3) return false;
  }
  if (wishes.return_only_posts_with_social_proof && !isProven(reference, viewer, id)) return false;
  const did = (...events: string[]) => hasDone(reference, viewer, id, events);
  if (did('hide', 'report', 'view')) return false;
  return wishes.show_interacted_items || !did('like', 'comment', 'share', 'bookmark');
}

function hasDone(reference: ReferenceState, user: string, id: string, events: string[]): boolean {
  return reference.standing(user, id).some(({ event_type }) => events.includes(EVENT_TYPES[event_type]));
}

/** A user whom the viewer follows, not hidden and without a block between them, liked, commented or shared the item. */
function isProven(reference: ReferenceState, viewer: string, id: string): boolean {
  const { follows, blocks, users } = reference;
  return [...users].some(
    ([user, { hidden }]) =>
      !hidden &&
      follows.get(`${viewer} ${user}`)?.stands &&
      !blocks.has(`${viewer} ${user}`) &&
      !blocks.has(`${user} ${viewer}`) &&
      hasDone(reference, user, id, ['like', 'comment', 'share']),
  );
}

/** The number of an author's items that the viewer hid or reported. In these tests always within 30 days. */
function hiddenOf(reference: ReferenceState, viewer: string, author: string): number {
  const negative = reference.facts.filter(
    ({ user, event_type, stands, item }) =>
      stands &&
      user === viewer &&
      ['hide', 'report'].includes(EVENT_TYPES[event_type]) &&
      reference.items.get(item)?.author === author &&
      reference.items.get(item)?.content !== undefined,
  );
  return new Set(negative.map(({ item }) => item)).size;
}
