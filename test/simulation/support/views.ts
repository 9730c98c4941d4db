import { blocked, countActs, keptAway, moderated, type World } from './world.ts';

/** Views of a user or an item: those of the service, and those expected by the clients' worlds. */

/** Maximum number of interactions in the stored record of a user. */
const LISTED_MAX = 100;

export interface UserView {
  display_name: string | undefined;
  hidden: boolean;
  follows: string[];
  interactions: number;
  /** `<event type> <item_id>` */
  listed: string[];
  /** All items that the user may be shown, and those of them by followed users. */
  page: string[];
  followed: string[];
}

export interface ItemView {
  author_id: string;
  text: string;
  hidden: boolean;
  likes_count: number;
  comments_count: number;
  shares_count: number;
}

/** @param found the answer; if a user has many interactions, the service's selection is accepted */
export function expectedUser(
  world: World,
  worlds: readonly World[],
  id: string,
  found: UserView | undefined,
): UserView | undefined {
  const user = world.users.get(id);
  if (user === undefined) return undefined;
  const standing = [...user.acts].filter(([, { stands }]) => stands);
  const all = standing.map(([key]) => key.split(' ').slice(0, 2).join(' ')).sort();
  const follows = [...user.follows].filter(([, { stands }]) => stands).map(([target]) => target);
  const part =
    found !== undefined &&
    all.length > LISTED_MAX &&
    found.listed.length === LISTED_MAX &&
    found.listed.every((act) => all.includes(act));
  return {
    display_name: user.display_name,
    hidden: user.hidden,
    follows: follows.sort(),
    interactions: all.length,
    listed: part ? found.listed : all,
    page: eligible(world, worlds, id),
    followed: eligible(world, worlds, id, new Set(follows)),
  };
}

export function expectedItem(liking: readonly World[], world: World, id: string): ItemView | undefined {
  const item = world.items.get(id);
  if (item === undefined) return undefined;
  const count = (event_type: string) =>
    liking.reduce((sum, actor) => sum + countActs(actor, event_type, id), 0);
  return {
    ...item,
    likes_count: count('like'),
    comments_count: count('comment'),
    shares_count: count('share'),
  };
}

/** Every item (by these authors) that may be on a page of the viewer, sorted by name. */
export function eligible(
  world: World,
  worlds: readonly World[],
  viewer_id: string,
  authors?: ReadonlySet<string>,
): string[] {
  const away = keptAway(world.users.get(viewer_id));
  const items: string[] = [];
  for (const owner of worlds) {
    for (const [item_id, item] of owner.items) {
      const { author_id } = item;
      if (moderated(owner, item) || away.has(item_id) || blocked(world, viewer_id, author_id)) continue;
      if (authors === undefined || authors.has(author_id)) items.push(item_id);
    }
  }
  return items.sort();
}

/** The differences by field; of lists only the elements that one side lacks. */
export function difference(what: string, expected: object | undefined, found: object | undefined): string {
  if (expected === undefined || found === undefined) {
    return `${what} is ${found === undefined ? 'not ' : ''}there, but should ${expected === undefined ? 'not ' : ''}be`;
  }
  const lines = Object.entries(expected).map(([field, value]) => {
    const other = (found as Record<string, unknown>)[field];
    if (Bun.deepEquals(value, other)) return '';
    if (!Array.isArray(value) || !Array.isArray(other)) return `\n  ${field}: ${other}, not ${value}`;
    const missing = value.filter((entry) => !other.includes(entry));
    const surplus = other.filter((entry) => !value.includes(entry));
    return `\n  ${field}: without [${missing}], with [${surplus}]`;
  });
  return `${what} is not as it was acknowledged:${lines.join('')}`;
}
