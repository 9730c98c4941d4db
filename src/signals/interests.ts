import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { closenessTo } from './closeness.ts';
import { type ProfileScratch, tastesOf } from './profile.ts';
import type { TasteColumn } from './tastes.ts';

/** The latest acts of the viewer that are read. */
const ACTS = 200;
/** Maximum number of followed users that are compared. */
const FOLLOWED_MAX = 5_000;

/** A value of one column, such as a channel, and its share of the viewer's latest acts. */
export interface Interest {
  /** The code in the group; for authors the ordinal. */
  code: number;
  share: number;
}

/** An author whom the viewer follows or acted on. */
export interface CloseAuthor {
  user: Ordinal;
  /** See `closenessTo`. */
  closeness: number;
  /** The share of the viewer's latest acts. */
  share: number;
}

export interface Interests {
  authors: CloseAuthor[];
  columns: Record<Exclude<TasteColumn, 'author'>, Interest[]>;
}

/** The strongest interests of a viewer, for people to look at. O(the viewer's acts × users, and follows). */
export function interestsOf(state: State, viewer: Ordinal, most: number, scratch: ProfileScratch): Interests {
  // First, because it also uses the list of acts.
  const closeness = closenessTo(state, viewer, scratch.significant_acts);
  const tastes = tastesOf(state, viewer, ACTS, scratch);
  const shareOf = (weight: number): number => (tastes.total > 0 ? weight / tastes.total : 0);
  const strongest = (column: TasteColumn): Interest[] => {
    const found: Interest[] = [];
    tastes.forEach(column, (code, weight) => found.push({ code, share: shareOf(weight) }));
    return found.sort((one, other) => other.share - one.share).slice(0, most);
  };
  const users = new Set(state.followed(viewer).slice(0, FOLLOWED_MAX));
  tastes.forEach('author', (author) => users.add(author));
  users.delete(viewer);
  const authors = Array.from(users, (user) => ({
    user,
    closeness: closeness(user),
    share: shareOf(tastes.weight('author', user)),
  }));
  const { names } = state.users;
  authors.sort((one, other) => other.closeness - one.closeness || names.compare(one.user, other.user));
  return {
    authors: authors.slice(0, most),
    columns: {
      channel: strongest('channel'),
      label: strongest('label'),
      app: strongest('app'),
      language: strongest('language'),
    },
  };
}
