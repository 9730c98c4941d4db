import type { Client } from './client.ts';
import { type Actor, type Figures, slices } from './simulation.ts';
import { BASE_ITEMS, baseItem, type Operation } from './workload.ts';
import { blocked, countActs, isInvalid, keptAway, type SentRecord, type World } from './world.ts';

/** More items than there are: a page of this length is everything that the viewer may be shown. */
const EVERYTHING = 1_000;
/** Interactions that the stored record of a user lists at most. */
const LISTED_MAX = 100;

interface StoredUser {
  display_name?: string;
  follows: string[];
  counts: { interactions: number };
  interactions: { item_id: string; event_type: string }[];
}

interface StoredItem {
  author_id: string;
  text: string;
  hidden?: boolean;
  likes_count: number;
  comments_count: number;
  shares_count: number;
}

/** Compares a service with what its clients know, over HTTP and while nobody else sends. */
export class Inspector {
  constructor(
    private readonly client: Client,
    private readonly base: World,
    private readonly actors: readonly Actor[],
    private readonly figures: Figures,
  ) {}

  /**
   * Finds out what became of every unanswered request, and takes it into the worlds. Each must be there as
   * a whole or not at all; of a body, the first so many slices.
   * @param deletions how many items the clients have deleted so far
   */
  async settle(deletions: number): Promise<void> {
    for (const actor of this.actors) {
      if (actor.unanswered !== undefined && actor.unanswered.operation.kind !== 'page') {
        await this.settleWrite(actor, actor.unanswered.operation);
      }
    }
    for (const actor of this.actors) {
      const { unanswered } = actor;
      if (unanswered?.operation.kind === 'page') {
        await this.settlePage(actor, unanswered.operation, deletions - unanswered.deletions_before);
      }
      actor.unanswered = undefined;
    }
  }

  /** Everything that every client knows, and that nothing else is there. */
  async verifyAll(): Promise<void> {
    const everything = [this.base, ...this.actors.map(({ world }) => world)];
    for (const { world, workload } of this.actors) {
      await Promise.all([
        ...workload.userNames().map((id) => this.verifyUser(world, everything, id)),
        ...workload.itemNames().map((id) => this.verifyItem([world], world, id)),
      ]);
    }
    for (let index = 0; index < BASE_ITEMS; index++) {
      await this.verifyItem(everything, this.base, baseItem(index));
    }
  }

  private async verifyUser(world: World, worlds: readonly World[], id: string): Promise<void> {
    const found = await this.user(id, () => true);
    const expected = expectedUser(world, worlds, id, found);
    if (!Bun.deepEquals(found, expected)) throw new Error(difference(`user ${id}`, expected, found));
  }

  private async verifyItem(liking: readonly World[], world: World, id: string): Promise<void> {
    const found = await this.item(id);
    const expected = expectedItem(liking, world, id);
    if (!Bun.deepEquals(found, expected)) throw new Error(difference(`item ${id}`, expected, found));
  }

  private async settleWrite(actor: Actor, operation: Exclude<Operation, { kind: 'page' }>): Promise<void> {
    const { world, workload } = actor;
    const candidates = outcomes(world, operation);
    const { users, items } = subjects(world, operation, workload.userNames());
    const own = (id: string) => workload.owns(id) || this.base.items.has(id);
    const found_users = await Promise.all(users.map((id) => this.user(id, own)));
    const found_items = await Promise.all(items.map((id) => this.item(id)));
    const mismatches = candidates.map((candidate) => {
      for (const [index, id] of users.entries()) {
        const expected = expectedUser(candidate, [this.base, candidate], id, found_users[index]);
        if (!Bun.deepEquals(expected, found_users[index]))
          return difference(id, expected, found_users[index]);
      }
      for (const [index, id] of items.entries()) {
        const expected = expectedItem([candidate], candidate, id);
        if (!Bun.deepEquals(expected, found_items[index]))
          return difference(id, expected, found_items[index]);
      }
      return undefined;
    });
    const stored = mismatches.lastIndexOf(undefined);
    if (stored < 0) {
      throw new Error(
        `unanswered ${operation.kind} are neither there nor not there:\n${mismatches.join('\n')}`,
      );
    }
    actor.world = candidates[stored];
    if (stored === candidates.length - 1) this.figures.unanswered_stored++;
    else if (stored === 0) this.figures.unanswered_gone++;
    else this.figures.unanswered_in_part++;
  }

  /**
   * Which items an unanswered page had is not known, but how many.
   * @param deletions items that went since it was asked for, of which any may have been on it
   */
  private async settlePage(
    { world }: Actor,
    { user_id, top_k }: Operation & { kind: 'page' },
    deletions: number,
  ): Promise<void> {
    const worlds = [this.base, ...this.actors.map((actor) => actor.world)];
    const expected = eligible(world, worlds, user_id);
    const found = new Set(await this.everything(user_id));
    const missing = expected.filter((item_id) => !found.has(item_id));
    if (found.size + missing.length !== expected.length) {
      throw new Error(difference(`the page of ${user_id}`, { page: expected }, { page: [...found] }));
    }
    if (missing.length === 0) {
      this.figures.unanswered_gone++;
      return;
    }
    if (missing.length > top_k || missing.length < top_k - deletions) {
      throw new Error(`of an unanswered page of ${top_k} items ${missing.length} are recorded as seen`);
    }
    for (const item_id of missing) world.user(user_id).seen.add(item_id);
    this.figures.unanswered_stored++;
  }

  private everything(user_id: string): Promise<string[]> {
    return this.client.page('trending', { user_id, top_k: EVERYTHING });
  }

  private async user(id: string, ofInterest: (item_id: string) => boolean): Promise<UserView | undefined> {
    const { status, body } = await this.client.get<StoredUser>('users', id);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`user ${id} was answered with ${status}`);
    const page = await this.everything(id);
    return {
      display_name: body.display_name,
      follows: body.follows.sort(),
      interactions: body.counts.interactions,
      listed: body.interactions.map(({ event_type, item_id }) => `${event_type} ${item_id}`).sort(),
      page: page.filter(ofInterest).sort(),
    };
  }

  private async item(id: string): Promise<ItemView | undefined> {
    const { status, body } = await this.client.get<StoredItem>('items', id);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`item ${id} was answered with ${status}`);
    const { author_id, text, hidden = false, likes_count, comments_count, shares_count } = body;
    return { author_id, text, hidden, likes_count, comments_count, shares_count };
  }
}

interface UserView {
  display_name: string | undefined;
  follows: string[];
  interactions: number;
  /** `<event type> <item_id>` */
  listed: string[];
  /** Everything that the user may be shown. */
  page: string[];
}

interface ItemView {
  author_id: string;
  text: string;
  hidden: boolean;
  likes_count: number;
  comments_count: number;
  shares_count: number;
}

/** @param found what was answered: of many interactions the service lists some, which are taken as they are */
function expectedUser(
  world: World,
  worlds: readonly World[],
  id: string,
  found: UserView | undefined,
): UserView | undefined {
  const user = world.users.get(id);
  if (user === undefined) return undefined;
  const standing = [...user.acts].filter(([, { stands }]) => stands);
  const all = standing.map(([key]) => key.split(' ').slice(0, 2).join(' ')).sort();
  const part =
    found !== undefined && all.length > LISTED_MAX && found.listed.every((act) => all.includes(act));
  return {
    display_name: user.display_name,
    follows: [...user.follows]
      .filter(([, { stands }]) => stands)
      .map(([target]) => target)
      .sort(),
    interactions: all.length,
    listed: part ? found.listed : all,
    page: eligible(world, worlds, id),
  };
}

function expectedItem(liking: readonly World[], world: World, id: string): ItemView | undefined {
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

/** Every item that may be on a page of the viewer, sorted by name. */
function eligible(world: World, worlds: readonly World[], viewer_id: string): string[] {
  const away = keptAway(world.users.get(viewer_id));
  const items: string[] = [];
  for (const { items: offered } of worlds) {
    for (const [item_id, { hidden, author_id }] of offered) {
      if (!hidden && !away.has(item_id) && !blocked(world, viewer_id, author_id)) items.push(item_id);
    }
  }
  return items.sort();
}

/** The worlds that an unanswered write may have left, the one without it first. */
function outcomes(world: World, operation: Exclude<Operation, { kind: 'page' }>): World[] {
  const worlds = [world];
  if (!('records' in operation)) {
    const after = world.clone();
    if (operation.kind === 'delete item') after.deleteItem(operation.id);
    else after.eraseUser(operation.id);
    return [world, after];
  }
  for (const slice of slices(operation.records)) {
    const after = worlds[worlds.length - 1].clone();
    after.take(operation.kind, slice);
    worlds.push(after);
  }
  return worlds;
}

/** Whom and what to look at in order to see whether a write has happened. */
function subjects(
  world: World,
  operation: Exclude<Operation, { kind: 'page' }>,
  own_users: readonly string[],
): { users: string[]; items: string[] } {
  if (!('records' in operation)) return { users: [...own_users], items: [...world.items.keys()] };
  const records: readonly SentRecord[] = operation.records.filter((record) => !isInvalid(record));
  const users = records.flatMap(({ user_id, author_id, target_user_id }) => [
    user_id,
    author_id,
    target_user_id,
  ]);
  const items = records.flatMap(({ item_id }) => [item_id]);
  const named = (ids: (string | undefined)[]) =>
    [...new Set(ids)].filter((id): id is string => id !== undefined && !id.startsWith('base-'));
  return { users: named(users), items: named(items) };
}

/** What differs, field by field; of lists only what one side lacks. */
function difference(what: string, expected: object | undefined, found: object | undefined): string {
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
