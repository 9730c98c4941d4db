import type { Random } from '../../../src/clock.ts';
import { Draws } from '../../support/draws.ts';
import type { FeedType } from './client.ts';
import { blocked, keptAway, moderated, type RecordKind, type SentRecord, type World } from './world.ts';

/** The next request of a client: a random mixture of all kinds of writes. */
export type Operation =
  | { kind: RecordKind; records: SentRecord[] }
  | { kind: 'delete item'; id: string }
  | { kind: 'erase user'; id: string }
  | { kind: 'page'; type: FeedType; user_id: string; top_k: number };

/** Users and items shared by all clients. They are never deleted. */
export const BASE_ITEMS = 40;
export const baseItem = (index: number): string => `base-item-${index}`;
export const baseUser = (index: number): string => `base-user-${index}`;

/** Above this number a client updates and deletes instead of posting, so that a page can hold all items. */
const OWN_ITEMS_MAX = 70;
const OWN_USERS = 8;
const EVENT_TYPES = ['view', 'like', 'comment', 'share', 'bookmark'];
/** A viewer with fewer items left gets no recorded pages. */
const ITEMS_LEFT_MIN = 40;
/** Earlier than any time at which a simulation runs. */
const PAST = 1_700_000_000;

export class Workload extends Draws {
  private names = 0;
  private texts = 0;

  /** @param name name of the client, which all its users and items contain */
  constructor(
    private readonly name: string,
    random: Random,
  ) {
    super(random);
  }

  /** Every user that this client may have mentioned. */
  userNames(): string[] {
    return Array.from({ length: OWN_USERS }, (_, index) => `${this.name}-user-${index}`);
  }

  /** Every item that this client may have mentioned. */
  itemNames(): string[] {
    return Array.from({ length: this.names + 3 }, (_, index) => `${this.name}-item-${index}`);
  }

  owns(id: string): boolean {
    return id.startsWith(`${this.name}-`);
  }

  next(world: World): Operation {
    const draw = this.random();
    if (draw < 0.2) return this.posts(world);
    if (draw < 0.28) return { kind: 'users', records: this.some(() => this.userRecord()) };
    if (draw < 0.38) return { kind: 'follows', records: this.some(() => this.followRecord()) };
    if (draw < 0.44) return { kind: 'blocks', records: this.some(() => this.blockRecord()) };
    if (draw < 0.72) return { kind: 'interactions', records: this.some(() => this.actRecord(world)) };
    if (draw < 0.78) return this.deletion(world);
    if (draw < 0.81) return this.erasure(world);
    return this.page(world);
  }

  /** 1 to 600 records, sometimes with an invalid one. */
  private some(make: () => SentRecord): SentRecord[] {
    const draw = this.random();
    const count = draw < 0.4 ? 1 : draw < 0.7 ? 2 + this.below(19) : 100 + this.below(501);
    const records = Array.from({ length: count }, make);
    if (count > 1 && this.chance(0.1)) records.splice(this.below(count), 0, {});
    return records;
  }

  private ownUser(): string {
    return `${this.name}-user-${this.below(OWN_USERS)}`;
  }

  private anyUser(): string {
    return this.chance(0.3) ? baseUser(this.below(BASE_ITEMS)) : this.ownUser();
  }

  /** Each record fits those before it. */
  private posts(world: World): Operation {
    const later = world.clone();
    const make = () => {
      const record = this.itemRecord(later);
      later.take('items', [record]);
      return record;
    };
    return { kind: 'items', records: this.some(make) };
  }

  /** Items are posted, posted again after a deletion, changed, hidden and shown again. */
  private itemRecord(world: World): SentRecord {
    const known = [...world.items.keys()];
    const text = `${this.name} text ${this.texts++}`;
    if (known.length < OWN_ITEMS_MAX && this.chance(0.7)) {
      const item_id = `${this.name}-item-${this.chance(0.8) ? this.names++ : this.below(this.names + 1)}`;
      if (!world.retired.has(item_id)) return this.newItem(world, item_id, text);
    }
    const item_id = known.length === 0 ? undefined : this.pick(known);
    if (item_id === undefined) return this.newItem(world, `${this.name}-item-${this.names++}`, text);
    if (this.chance(0.1)) return { item_id, hidden: this.chance(0.5) };
    return { item_id, text };
  }

  private newItem(world: World, item_id: string, text: string): SentRecord {
    const author_id = world.items.get(item_id)?.author_id ?? this.ownUser();
    return { item_id, author_id, created_at: PAST - this.below(2_000_000), text, ...this.revival() };
  }

  /** Users are hidden, and shown again soon. */
  private userRecord(): SentRecord {
    if (this.chance(0.3)) return { user_id: this.ownUser(), hidden: this.chance(0.15) };
    return { user_id: this.ownUser(), display_name: `${this.name} name ${this.texts++}`, ...this.revival() };
  }

  private revival(): { revive?: boolean } {
    return this.chance(0.6) ? { revive: true } : {};
  }

  private followRecord(): SentRecord {
    const [user_id, target_user_id] = this.pair();
    const action = this.chance(0.7) ? 'follow' : 'unfollow';
    return this.chance(0.7)
      ? { user_id, target_user_id, action }
      : { user_id, target_user_id, action, timestamp: PAST + this.below(1000) };
  }

  private blockRecord(): SentRecord {
    const [user_id, target_user_id] = this.pair();
    return { user_id, target_user_id, action: this.chance(0.4) ? 'block' : 'unblock' };
  }

  private pair(): [string, string] {
    const user_id = this.ownUser();
    for (;;) {
      const target = this.anyUser();
      if (target !== user_id) return [user_id, target];
    }
  }

  /** Acts with a time are on items that are never deleted, so that the times can be compared. */
  private actRecord(world: World): SentRecord {
    const user_id = this.ownUser();
    const action = this.chance(0.75) ? 'add' : 'remove';
    if (this.chance(0.4) || world.items.size === 0) {
      const item_id = baseItem(this.below(BASE_ITEMS));
      const event_type = this.chance(0.1) ? this.pick(['hide', 'report']) : this.pick(EVENT_TYPES);
      const timestamp = this.chance(0.5) ? { timestamp: PAST + this.below(1000) } : {};
      return { user_id, item_id, event_type, action, ...timestamp, ...this.eventId(event_type) };
    }
    const event_type = this.pick(EVENT_TYPES);
    return { user_id, item_id: this.actedOn(world), event_type, action, ...this.eventId(event_type) };
  }

  /** Comments without an identifier are distinguished by time, which the sender does not know. */
  private eventId(event_type: string): { event_id?: string } {
    return event_type === 'comment' ? { event_id: `comment-${this.below(3)}` } : {};
  }

  /** Mostly an existing item, sometimes a future or deleted one. */
  private actedOn(world: World): string {
    const other = `${this.name}-item-${this.below(this.names + 3)}`;
    if (this.chance(0.1) && !world.retired.has(other)) return other;
    return this.pick([...world.items.keys()]);
  }

  private deletion(world: World): Operation {
    const known = [...world.items.keys()];
    if (known.length < 5) return { kind: 'users', records: [this.userRecord()] };
    return { kind: 'delete item', id: this.pick(known) };
  }

  private erasure(world: World): Operation {
    const known = [...world.users.keys()].filter((id) => this.owns(id));
    if (known.length < 5) return { kind: 'users', records: [this.userRecord()] };
    return { kind: 'erase user', id: this.pick(known) };
  }

  private page(world: World): Operation {
    const user_id = this.ownUser();
    const away = keptAway(world.users.get(user_id));
    let left = 0;
    for (let index = 0; index < BASE_ITEMS; index++) if (!away.has(baseItem(index))) left++;
    for (const [id, item] of world.items) {
      if (!moderated(world, item) && !away.has(id) && !blocked(world, user_id, item.author_id)) left++;
    }
    const type = this.pick<FeedType>(['for-you', 'trending', 'popular']);
    return left < ITEMS_LEFT_MIN
      ? { kind: 'follows', records: [this.followRecord()] }
      : { kind: 'page', type, user_id, top_k: 1 + this.below(12) };
  }
}

/** How many items the operation takes out of feeds, as far as it is done. */
export function withdrawals(world: World, operation: Operation): number {
  if (operation.kind === 'delete item') return 1;
  const itemsOf = (user_id: string | undefined) =>
    [...world.items.values()].filter(({ author_id }) => author_id === user_id).length;
  if (operation.kind === 'erase user') return itemsOf(operation.id);
  if (operation.kind !== 'items' && operation.kind !== 'users') return 0;
  const hiding = operation.records.filter(({ hidden }) => hidden === true);
  if (operation.kind === 'items') return hiding.length;
  return hiding.reduce((sum, { user_id }) => sum + itemsOf(user_id), 0);
}
