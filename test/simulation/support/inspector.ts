import type { Client } from './client.ts';
import { type Actor, type Figures, slices } from './simulation.ts';
import { difference, eligible, expectedItem, expectedUser, type ItemView, type UserView } from './views.ts';
import { BASE_ITEMS, baseItem, type Operation, type Workload, withdrawals } from './workload.ts';
import { isInvalid, type SentRecord, type World } from './world.ts';

/** More items than exist, so a page of this length contains all that the viewer may be shown. */
const EVERYTHING = 1_000;

interface StoredUser {
  display_name?: string;
  hidden?: boolean;
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

/** Compares an idle service over HTTP with the knowledge of its clients. */
export class Inspector {
  constructor(
    private readonly client: Client,
    private readonly base: World,
    private readonly actors: readonly Actor[],
    private readonly figures: Figures,
  ) {}

  /**
   * Finds out whether each unanswered request was stored, and adds it to the worlds. A request must be stored completely
   * or not at all; of a body, the first slices.
   * @param withdrawn number of items that the clients have deleted or hidden so far
   */
  async settle(withdrawn: number): Promise<void> {
    let withdrawn_max = withdrawn;
    for (const { world, unanswered } of this.actors) {
      if (unanswered !== undefined) withdrawn_max += withdrawals(world, unanswered.operation);
    }
    for (const actor of this.actors) {
      if (actor.unanswered !== undefined && actor.unanswered.operation.kind !== 'page') {
        await this.settleWrite(actor, actor.unanswered.operation);
      }
    }
    const uncertain: [World, string][] = [];
    for (const actor of this.actors) {
      const { unanswered, world } = actor;
      if (unanswered?.operation.kind === 'page') {
        const { operation, withdrawn_before } = unanswered;
        const is_known = await this.settlePage(actor, operation, withdrawn_max - withdrawn_before);
        if (!is_known) uncertain.push([world, operation.user_id]);
      }
      actor.unanswered = undefined;
    }
    for (const [world, user_id] of uncertain) await this.erase(world, user_id);
  }

  /** Checks all knowledge of every client, and that nothing else exists. */
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

  /** Checks the next page and record of an affected user after an acknowledged write. */
  async verifyNext({ world, workload }: Actor, operation: Operation): Promise<void> {
    if (!('records' in operation)) return;
    const records = operation.records.filter((record) => !isInvalid(record));
    const id = records.at(-1)?.user_id;
    if (id === undefined) return;
    const found = await this.user(id, (item_id) => this.isKnownTo(workload, item_id));
    this.compare(`user ${id} right after`, expectedUser(world, [this.base, world], id, found), found);
  }

  private isKnownTo(workload: Workload, item_id: string): boolean {
    return workload.owns(item_id) || this.base.items.has(item_id);
  }

  /** @throws Error with the difference */
  private compare(what: string, expected: object | undefined, found: object | undefined): void {
    if (!Bun.deepEquals(expected, found)) throw new Error(difference(what, expected, found));
  }

  private async verifyUser(world: World, worlds: readonly World[], id: string): Promise<void> {
    const found = await this.user(id, () => true);
    this.compare(`user ${id}`, expectedUser(world, worlds, id, found), found);
    this.figures.users_checked++;
  }

  private async verifyItem(liking: readonly World[], world: World, id: string): Promise<void> {
    const found = await this.item(id);
    this.compare(`item ${id}`, expectedItem(liking, world, id), found);
    this.figures.items_checked++;
  }

  private async settleWrite(actor: Actor, operation: Exclude<Operation, { kind: 'page' }>): Promise<void> {
    const { world, workload } = actor;
    const candidates = outcomes(world, operation);
    const { users, items } = subjects(world, operation, workload.userNames());
    const own = (id: string) => this.isKnownTo(workload, id);
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
    const stored = mismatches.indexOf(undefined);
    if (stored < 0) {
      throw new Error(
        `unanswered ${operation.kind} are neither there nor not there:\n${mismatches.join('\n')}`,
      );
    }
    actor.world = candidates[stored];
    if (mismatches.includes(undefined, stored + 1)) await this.sendAgain(actor, operation);
    else if (stored === candidates.length - 1) this.figures.unanswered_stored++;
    else if (stored === 0) this.figures.unanswered_gone++;
    else this.figures.unanswered_in_part++;
  }

  /**
   * Sends records again whose effect is not visible. Such a record may still decide about older records that arrive
   * later, for example an unfollow of a user who was not followed. Sending it twice has the same effect as once.
   */
  private async sendAgain({ world }: Actor, operation: Operation): Promise<void> {
    if (!('records' in operation)) throw new Error(`whether ${operation.kind} happened does not show`);
    const { kind, records } = operation;
    const { status } = await this.client.post(kind, records);
    if (status !== 200) throw new Error(`${kind} sent again were answered with ${status}`);
    world.take(kind, records);
    this.figures.unanswered_sent_again++;
  }

  /**
   * Finds the number of recorded items of an unanswered page; the items themselves are unknown.
   * @param withdrawn items removed since the request, any of which may have been on the page
   * @returns false if the page may have had some of these, which may come back
   */
  private async settlePage(
    { world }: Actor,
    { user_id, top_k }: Operation & { kind: 'page' },
    withdrawn: number,
  ): Promise<boolean> {
    const worlds = [this.base, ...this.actors.map((actor) => actor.world)];
    const expected = eligible(world, worlds, user_id);
    const found = new Set(await this.everything(user_id));
    const missing = expected.filter((item_id) => !found.has(item_id));
    if (found.size + missing.length !== expected.length) {
      throw new Error(difference(`the page of ${user_id}`, { page: expected }, { page: [...found] }));
    }
    if (missing.length > top_k || (missing.length > 0 && missing.length < top_k - withdrawn)) {
      throw new Error(`of an unanswered page of ${top_k} items ${missing.length} are recorded as seen`);
    }
    if (missing.length < top_k && withdrawn > 0) return false;
    for (const item_id of missing) world.user(user_id).seen.add(item_id);
    if (missing.length === 0) this.figures.unanswered_gone++;
    else this.figures.unanswered_stored++;
    return true;
  }

  /** A user who exists, unless the records that name them first are not stored. */
  private async erase(world: World, user_id: string): Promise<void> {
    const { status } = await this.client.delete('users', user_id);
    if (status !== 200 && (status !== 404 || world.users.has(user_id)))
      throw new Error(`the erasure of ${user_id} was answered with ${status}`);
    world.eraseUser(user_id);
    this.figures.viewers_erased++;
  }

  private everything(user_id: string): Promise<string[]> {
    return this.client.page('trending', { user_id, top_k: EVERYTHING });
  }

  private async user(id: string, ofInterest: (item_id: string) => boolean): Promise<UserView | undefined> {
    const { status, body } = await this.client.get<StoredUser>('users', id);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`user ${id} was answered with ${status}`);
    const [page, followed] = await Promise.all([
      this.everything(id),
      this.client.page('popular', { user_id: id, top_k: EVERYTHING, filters: { author_ids: 'following' } }),
    ]);
    return {
      display_name: body.display_name,
      hidden: body.hidden ?? false,
      follows: body.follows.sort(),
      interactions: body.counts.interactions,
      listed: body.interactions.map(({ event_type, item_id }) => `${event_type} ${item_id}`).sort(),
      page: page.filter(ofInterest).sort(),
      followed: followed.filter(ofInterest).sort(),
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

/** The possible worlds after an unanswered write. The first is without it. */
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

/** The users and items that show whether a write was stored. */
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
