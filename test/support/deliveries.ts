import { expect } from 'bun:test';
import { type Random, seededRandom } from '../../src/clock.ts';
import type { BodyKind } from '../../src/ingest/record-kinds.ts';
import { parseFollowListRecord } from '../../src/model/records/index.ts';
import type { Service } from '../../src/service.ts';
import { Draws } from './draws.ts';
import { START } from './service.ts';

/**
 * Random histories as a network delivers them. They have few users and items, so that records collide. Records are out
 * of order, removals may precede the records that they remove, and whole follow lists are mixed with single follows.
 *
 * A history can be delivered again in any order with the same result. For that:
 * - every record has a timestamp, and no two records about the same pair have equal ones, because ties go by arrival;
 * - each field of an item or user is sent once, because the last value counts;
 * - deleted items and users are described by whole versions with an `updated_at`, the only time that a deletion is
 *   compared with; a deletion is later than everything before it, because it also removes later acts;
 * - erased users have no acts with an event, because a removal by event alone has no time. They post no items, because
 *   acts on items that were removed with their author belong to new items.
 */

export type Fields = Record<string, unknown>;

/** A record of one kind of ingest. */
interface Sent {
  kind: BodyKind;
  record: Fields;
}

type Unmixed =
  | { kind: 'list'; user_id: string; record: Fields }
  | { kind: 'deletion'; of: 'items' | 'users'; id: string; timestamp: number };

/** A record, a whole follow list, or a deletion. */
export type Delivery = Sent | Unmixed;

/** The contents of one request. */
export type Body = { kind: BodyKind; records: Fields[] } | Unmixed;

/** Before the first event, seconds. */
const LONG_AGO = START - 9 * 86_400;

const ACTS = ['view', 'like', 'comment', 'share', 'bookmark', 'hide', 'report'];
/** Actions that end a relation, by the kind of its record. */
const OPPOSITES: Partial<Record<BodyKind, string>> = { follows: 'unfollow', blocks: 'unblock' };
const NAMED_ACTS = ['like', 'share', 'bookmark'];
/** Number of uses after which another item or user takes the place of a deleted one. */
const TURNOVER = 15;
/** Maximum number of consecutive records of one kind, as clients batch them. */
const RUN_MAX = 12;

export function randomHistory(seed: number, count: number): Delivery[] {
  return new History(seededRandom(seed), count).deliveries(count);
}

/** The same deliveries in another order. */
export function shuffled(deliveries: readonly Delivery[], seed: number): Delivery[] {
  const random = seededRandom(seed);
  const places = deliveries.map((delivery) => ({ delivery, place: random() }));
  return places.sort((one, other) => one.place - other.place).map(({ delivery }) => delivery);
}

/** Bodies of consecutive records of one kind, lists and deletions. */
export function bodiesOf(deliveries: readonly Delivery[]): Body[] {
  const bodies: Body[] = [];
  for (const delivery of deliveries) {
    const last = bodies.at(-1);
    if (!('record' in delivery) || delivery.kind === 'list') bodies.push(delivery);
    else if (last?.kind === delivery.kind && 'records' in last) last.records.push(delivery.record);
    else bodies.push({ kind: delivery.kind, records: [delivery.record] });
  }
  return bodies;
}

/** Sends deliveries in order. All must be accepted. */
export async function deliverTo({ ingest }: Service, deliveries: readonly Delivery[]): Promise<void> {
  for (const body of bodiesOf(deliveries)) {
    if (body.kind === 'deletion') {
      const { of, id, timestamp } = body;
      await (of === 'items' ? ingest.deleteItem(id, { timestamp }) : ingest.deleteUser(id, { timestamp }));
    } else if (body.kind === 'list') {
      const parsed = parseFollowListRecord({ user_id: body.user_id, ...body.record });
      if (!parsed.ok) throw new Error('a list is not valid');
      await ingest.followList(parsed.record);
    } else expect((await ingest.ingest(body.kind, body.records)).rejected).toEqual([]);
  }
}

class History extends Draws {
  private readonly users: string[];
  private readonly items: string[];
  /** Fields of users and items that were not sent yet. */
  private readonly untold = new Map<string, Fields[]>();
  /** Events that were sent, or will be sent after their removal. */
  private readonly events: Sent[] = [];
  private readonly later: Sent[] = [];
  /** The next versions of items and users that are deleted and come back. */
  private readonly lives = new Map<string, Delivery[]>();
  private latest_ms = 0;
  /** Milliseconds. */
  private readonly times = new Set<number>();
  private event_count = 0;

  constructor(
    random: Random,
    private readonly count: number,
  ) {
    super(random);
    const size = Math.ceil(count ** 0.35);
    this.users = Array.from({ length: size }, (_, index) => `user ${index}`);
    this.items = Array.from({ length: 2 * size }, (_, index) => `item ${index}`);
  }

  deliveries(count: number): Delivery[] {
    const all: Delivery[] = [];
    const kinds: (() => Delivery)[] = [
      () => this.item(),
      () => this.user(),
      () => this.counters(),
      () => this.relation('follow', this.chance(0.3) ? this.everybody : undefined),
      () => this.list(),
      () => this.relation('block', this.chance(0.3) ? this.everybody : undefined),
      () => this.act(),
      () => this.act(),
      () => this.namedAct(),
      () => this.namedAct(),
      () => this.removal(),
      () => this.turnOf(this.pick(this.posts), (id) => this.livesOfPost(id)),
      () => this.turnOf(this.pick(this.people), (id) => this.livesOfPerson(id)),
    ];
    while (all.length < count) {
      const make = this.pick(kinds);
      for (let left = 1 + this.below(RUN_MAX); left > 0 && all.length < count; left--) all.push(make());
      if (this.later.length > 0 && this.chance(0.3)) all.push(...this.later.splice(0, 1));
    }
    return all.slice(0, count);
  }

  private item(): Sent {
    const item_id = this.pick(this.items);
    const created_at = START - 86_400 * (1 + this.below(20)) - this.below(1_000);
    const parts = [
      {
        author_id: this.pick(this.users),
        created_at,
        text: `The text of ${item_id}, long enough to be told.`,
      },
      { channel: `channel ${this.below(4)}` },
      { ai_labels: { music: 0.9 }, publication_types: ['image'] },
      { hidden: this.chance(0.2), metadata: { price: this.below(9) } },
    ];
    return { kind: 'items', record: { item_id, ...this.nextPart(item_id, parts) } };
  }

  private user(): Sent {
    const user_id = this.pick(this.users);
    const parts = [
      { username: `name of ${user_id}` },
      { display_name: user_id.toUpperCase(), geo_location: '1,2' },
      { hidden: this.chance(0.2) },
      { wallet_addresses: [`0x${user_id}`] },
    ];
    return { kind: 'users', record: { user_id, ...this.nextPart(user_id, parts) } };
  }

  /** The next record about it. When all fields were sent, they are repeated. */
  private nextPart(id: string, parts: Fields[]): Fields {
    const left = this.untold.get(id) ?? parts;
    const [part, ...rest] = left;
    this.untold.set(id, rest.length > 0 ? rest : [part]);
    return part;
  }

  private counters(): Sent {
    const described = this.items.filter((item_id) => this.untold.has(item_id));
    if (described.length === 0) return this.item();
    const counts = { likes_count: this.below(50), comments_count: this.below(9) };
    return { kind: 'items', record: { item_id: this.pick(described), ...counts, updated_at: this.time() } };
  }

  private relation(relation: 'follow' | 'block', users = this.users): Sent {
    const adds = this.chance(0.7);
    const action = adds ? relation : `un${relation}`;
    const sent: Sent = {
      kind: `${relation}s`,
      record: { ...this.pair(users), action, timestamp: this.time() },
    };
    return users !== this.users || !adds || this.chance(0.4) ? sent : this.named(sent);
  }

  private list(): Delivery {
    const user_id = this.pick(this.chance(0.2) ? this.people : this.users);
    const target_user_ids = this.everybody.filter(() => this.chance(0.3));
    return { kind: 'list', user_id, record: { target_user_ids, timestamp: this.time() } };
  }

  private act(): Sent {
    const event_type = this.pick(ACTS);
    const action = this.chance(0.75) ? 'add' : 'remove';
    const user = this.chance(0.2) ? { user_id: this.pick(this.people) } : {};
    const record = { ...this.meeting(), ...user, event_type, action, timestamp: this.time() };
    const is_named = event_type === 'comment' && this.chance(0.5);
    return { kind: 'interactions', record: is_named ? { ...record, event_id: `c${this.below(3)}` } : record };
  }

  private namedAct(): Sent {
    const record = { ...this.meeting(), event_type: this.pick(NAMED_ACTS), timestamp: this.time() };
    return this.named({ kind: 'interactions', record });
  }

  /** Gives an act an event_id, and remembers it for its removal. */
  private named({ kind, record }: Sent): Sent {
    const delivery = { kind, record: { ...record, event_id: `event ${this.event_count++}` } };
    this.events.push(delivery);
    return delivery;
  }

  /** Removes a sent or future event, by the event_id alone or together with the act. */
  private removal(): Sent {
    const is_early = this.events.length === 0 || this.chance(0.2);
    const relation = this.pick(['follow', 'block'] as const);
    if (is_early) this.later.push(this.chance(0.5) ? this.namedAct() : this.named(this.relation(relation)));
    const event = this.events[Math.max(0, this.events.length - 1 - (is_early ? 0 : this.below(30)))];
    const { kind, record } = event;
    const word = OPPOSITES[kind] ?? 'remove';
    const timestamp = this.time();
    const { user_id, event_id } = record;
    if (this.chance(0.3)) return { ...event, record: { ...record, action: word, timestamp } };
    return {
      ...event,
      record: { user_id, event_id, action: word, ...(this.chance(0.5) ? { timestamp } : {}) },
    };
  }

  /** Deletes an item or erases a user, and revives them later. Some deletions precede what they delete. */
  private turnOf(id: string, livesOf: (id: string) => Delivery[]): Delivery {
    const left = this.lives.get(id) ?? livesOf(id);
    const [next, ...rest] = left;
    this.lives.set(id, rest);
    if (next.kind === 'deletion') return { ...next, timestamp: this.now() };
    // The last version is sent again and again.
    if (rest.length === 0) this.lives.set(id, [next]);
    next.record.updated_at ??= this.now();
    return next;
  }

  private livesOfPost(id: string): Delivery[] {
    const version = (text: string, updated_at?: number): Sent => {
      const about = { author_id: this.pick(this.users), created_at: LONG_AGO };
      return { kind: 'items', record: { item_id: id, ...about, text, updated_at } };
    };
    return this.livesOf('items', id, version);
  }

  private livesOfPerson(id: string): Delivery[] {
    return this.livesOf('users', id, (username, updated_at) => ({
      kind: 'users',
      record: { user_id: id, username, updated_at },
    }));
  }

  private livesOf(
    of: 'items' | 'users',
    id: string,
    version: (text: string, updated_at?: number) => Sent,
  ): Delivery[] {
    const deletion: Delivery = { kind: 'deletion', of, id, timestamp: 0 };
    const last = version(`the last of ${id}`);
    if (this.chance(0.3)) return [deletion, version(`too late for ${id}`, LONG_AGO), last, last];
    return [version(`the first of ${id}`), deletion, last, last];
  }

  /** Items that are deleted and come back: few at a time, replaced by others over time. */
  private get posts(): string[] {
    return this.present('post');
  }

  /** The same for users who are erased. */
  private get people(): string[] {
    return this.present('person');
  }

  private present(name: string): string[] {
    const first = Math.floor(this.times.size / TURNOVER);
    return this.users.map((_, index) => `${name} ${first + index}`);
  }

  private get everybody(): string[] {
    return [...this.users, ...this.people];
  }

  private pair(users = this.users): { user_id: string; target_user_id: string } {
    const user = this.below(users.length);
    const other = (user + 1 + this.below(users.length - 1)) % users.length;
    return { user_id: users[user], target_user_id: users[other] };
  }

  private meeting(): { user_id: string; item_id: string } {
    const unknown = () => `unknown ${this.below(5)}`;
    const item_id = this.chance(0.95) ? this.pick([...this.items, ...this.posts]) : unknown();
    return { user_id: this.pick(this.users), item_id };
  }

  /** A unique time in seconds, to the millisecond: mostly later than earlier ones, within half a day. */
  private time(): number {
    const place = Math.max(0, this.times.size - (this.chance(0.3) ? this.below(200) : 0));
    let ms = (START - 86_400) * 1000 + Math.round((place * 43_200_000) / this.count);
    while (this.times.has(ms)) ms++;
    return this.taken(ms);
  }

  /** A time later than all before. */
  private now(): number {
    return this.taken(this.latest_ms + 1);
  }

  private taken(ms: number): number {
    this.times.add(ms);
    this.latest_ms = Math.max(this.latest_ms, ms);
    return ms / 1000;
  }
}
