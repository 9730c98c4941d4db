/**
 * A second, simple implementation of the records: those that a client of a simulation knows to be stored. It shares no
 * code with the service.
 */

export type RecordKind = 'items' | 'users' | 'follows' | 'blocks' | 'interactions';

/** A record as it is sent, with the fields of its kind. */
export interface SentRecord {
  user_id?: string;
  target_user_id?: string;
  item_id?: string;
  author_id?: string;
  created_at?: number;
  text?: string;
  hidden?: boolean;
  display_name?: string;
  event_type?: string;
  event_id?: string;
  timestamp?: number;
  action?: string;
  revive?: boolean;
}

/** A value that later records may replace. */
interface Standing {
  stands: boolean;
  time: number;
}

export interface UserModel {
  /** A profile was sent since the last erasure of the user. */
  described: boolean;
  display_name: string | undefined;
  hidden: boolean;
  follows: Map<string, Standing>;
  blocks: Set<string>;
  /** `<event type> <item_id> [<event_id>]` */
  acts: Map<string, Standing>;
  /** Items of recorded pages. */
  seen: Set<string>;
}

export interface ItemModel {
  author_id: string;
  text: string;
  hidden: boolean;
}

/** Records without a time are later than all records with one. */
const NOW = 1e12;

/** Acts that hide the item from the user. All but `view` and `hide` count as interaction. */
const KEEPS_AWAY = ['view', 'like', 'comment', 'share', 'bookmark', 'hide', 'report'];

export class World {
  readonly users = new Map<string, UserModel>();
  readonly items = new Map<string, ItemModel>();
  /** Authors of items that were deleted. */
  readonly deleted = new Map<string, string>();
  /** Identifiers of items that were removed with their author. An item with the same name is a new one. */
  readonly retired = new Set<string>();
  /** Deleted items and erased users, until a record revives them. Old records do not. */
  readonly buried = { items: new Set<string>(), users: new Set<string>() };
  private ticks = 0;

  clone(): World {
    const copy = new World();
    copy.ticks = this.ticks;
    for (const id of this.buried.items) copy.buried.items.add(id);
    for (const id of this.buried.users) copy.buried.users.add(id);
    for (const id of this.retired) copy.retired.add(id);
    for (const [id, author_id] of this.deleted) copy.deleted.set(id, author_id);
    for (const [id, item] of this.items) copy.items.set(id, { ...item });
    for (const [id, user] of this.users) {
      copy.users.set(id, {
        described: user.described,
        display_name: user.display_name,
        hidden: user.hidden,
        follows: copyOf(user.follows),
        blocks: new Set(user.blocks),
        acts: copyOf(user.acts),
        seen: new Set(user.seen),
      });
    }
    return copy;
  }

  /** Applies a slice of records that the service has stored. */
  take(kind: RecordKind, records: readonly SentRecord[]): void {
    for (const record of records) {
      if (isInvalid(record)) continue;
      if (kind === 'items') this.item(record);
      else if (kind === 'users') this.profile(record);
      else if (kind === 'follows') this.follow(record);
      else if (kind === 'blocks') this.block(record);
      else this.interaction(record);
    }
  }

  deleteItem(item_id: string): void {
    const item = this.items.get(item_id);
    if (item === undefined) return;
    this.buried.items.add(item_id);
    this.takeOut(item_id, item);
  }

  /** Also removes the user's items, including deleted ones. */
  eraseUser(user_id: string): void {
    this.buried.users.add(user_id);
    for (const [item_id, item] of this.items) if (item.author_id === user_id) this.takeOut(item_id, item);
    for (const [item_id, author_id] of this.deleted) {
      if (author_id !== user_id) continue;
      this.deleted.delete(item_id);
      this.forgetActs(item_id);
      this.retired.add(item_id);
      for (const user of this.users.values()) user.seen.delete(item_id);
    }
    this.users.delete(user_id);
    for (const other of this.users.values()) {
      other.follows.delete(user_id);
      other.blocks.delete(user_id);
    }
  }

  /** The user of this name, created at the first mention. */
  user(user_id: string): UserModel {
    let user = this.users.get(user_id);
    if (user === undefined) {
      user = {
        described: false,
        display_name: undefined,
        hidden: false,
        follows: new Map(),
        blocks: new Set(),
        acts: new Map(),
        seen: new Set(),
      };
      this.users.set(user_id, user);
    }
    return user;
  }

  private takeOut(item_id: string, { author_id }: ItemModel): void {
    this.items.delete(item_id);
    this.deleted.set(item_id, author_id);
    this.forgetActs(item_id);
  }

  private profile({ user_id, display_name, hidden, revive }: SentRecord): void {
    if (revive) this.buried.users.delete(user_id!);
    if (!this.users.get(user_id!)?.described && this.buried.users.has(user_id!)) return;
    const user = this.user(user_id!);
    user.described = true;
    if (display_name !== undefined) user.display_name = display_name;
    if (hidden !== undefined) user.hidden = hidden;
  }

  private item({ item_id, author_id, text, hidden, created_at, revive }: SentRecord): void {
    const known = this.items.get(item_id!);
    if (revive) this.buried.items.delete(item_id!);
    else if (created_at !== undefined) {
      // All of them are from before any deletion.
      if (this.buried.items.has(item_id!) || this.buried.users.has(author_id!)) return;
    }
    const author = author_id ?? known!.author_id;
    this.user(author);
    this.deleted.delete(item_id!);
    this.items.set(item_id!, {
      author_id: author,
      text: text ?? known?.text ?? '',
      hidden: hidden ?? known?.hidden ?? false,
    });
  }

  private follow({ user_id, target_user_id, action, timestamp }: SentRecord): void {
    if (this.isFromBefore(timestamp, user_id!, target_user_id!)) return;
    const { follows } = this.user(user_id!);
    this.user(target_user_id!);
    this.decide(follows, target_user_id!, action !== 'unfollow', timestamp);
  }

  private block({ user_id, target_user_id, action }: SentRecord): void {
    const { blocks } = this.user(user_id!);
    this.user(target_user_id!);
    if (action === 'unblock') blocks.delete(target_user_id!);
    else blocks.add(target_user_id!);
  }

  private interaction({ user_id, item_id, event_type, event_id, action, timestamp }: SentRecord): void {
    if (this.isFromBefore(timestamp, user_id!)) return;
    const key = event_id === undefined ? `${event_type} ${item_id}` : `${event_type} ${item_id} ${event_id}`;
    this.decide(this.user(user_id!).acts, key, action !== 'remove', timestamp);
  }

  /** All sent times are from before any erasure. */
  private isFromBefore(timestamp: number | undefined, ...users: string[]): boolean {
    return timestamp !== undefined && users.some((user_id) => this.buried.users.has(user_id));
  }

  /** The later record wins, and ties go by arrival. A record without a time changes only unknown values. */
  private decide(known: Map<string, Standing>, key: string, stands: boolean, timestamp?: number): void {
    const entry = known.get(key);
    if (timestamp === undefined && entry?.stands === stands) return;
    const time = timestamp ?? NOW + this.ticks++;
    if (entry !== undefined && time < entry.time) return;
    known.set(key, { stands, time });
  }

  private forgetActs(item_id: string): void {
    for (const { acts } of this.users.values()) {
      for (const key of acts.keys()) if (key.split(' ')[1] === item_id) acts.delete(key);
    }
  }
}

function copyOf(entries: ReadonlyMap<string, Standing>): Map<string, Standing> {
  return new Map([...entries].map(([key, { stands, time }]) => [key, { stands, time }]));
}

/** Records that the workload breaks on purpose lack a required field. */
export function isInvalid(record: SentRecord): boolean {
  return record.user_id === undefined && record.item_id === undefined;
}

/** Items that the user's own acts hide from their pages. */
export function keptAway(user: UserModel | undefined): Set<string> {
  if (user === undefined) return new Set();
  const items = new Set(user.seen);
  for (const [key, { stands }] of user.acts) {
    const [event_type, item_id] = key.split(' ');
    if (stands && KEEPS_AWAY.includes(event_type)) items.add(item_id);
  }
  return items;
}

/** Whether the page of a viewer may contain an item whose author is in `world` or unknown. */
export function blocked(world: World, viewer_id: string, author_id: string): boolean {
  return (
    world.users.get(viewer_id)?.blocks.has(author_id) === true ||
    world.users.get(author_id)?.blocks.has(viewer_id) === true
  );
}

/** Whether an item is hidden from all pages, by itself or by its author. */
export function moderated(world: World, { hidden, author_id }: ItemModel): boolean {
  return hidden || world.users.get(author_id)?.hidden === true;
}

/** Number of current acts of a type on an item, without those of hidden users. */
export function countActs(world: World, event_type: string, item_id: string): number {
  const act = `${event_type} ${item_id}`;
  let count = 0;
  for (const { acts, hidden } of world.users.values()) {
    if (hidden) continue;
    for (const [key, { stands }] of acts) {
      if (stands && (key === act || key.startsWith(`${act} `))) count++;
    }
  }
  return count;
}
