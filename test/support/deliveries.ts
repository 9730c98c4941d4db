import { expect } from 'bun:test';
import { type Random, seededRandom } from '../../src/clock.ts';
import type { RecordKind } from '../../src/ingest/ingest.ts';
import { parseFollowList } from '../../src/ingest/records/index.ts';
import type { Service } from '../../src/service.ts';
import { START } from './service.ts';

/**
 * Random histories as a network delivers them: over few users and items, so that everything collides; out of order, with
 * removals before what they remove, and whole lists of follows between single ones.
 *
 * A history can be delivered again in any order without a difference, where the contract allows one. So
 * - no two records about the same pair have the same timestamp, as ties go by arrival, and every record has one;
 * - of items and users each field is said once, as the last that was said of it counts;
 * - a pair of users is either blocked or unblocked, as blocks have no time;
 * - nothing is deleted: a creation that is delivered again brings back what was deleted.
 */

export type Fields = Record<string, unknown>;

/** A record of a kind of ingest, or a whole list of a user's follows. */
export type Delivery =
  | { kind: RecordKind; record: Fields }
  | { kind: 'list'; user_id: string; record: Fields };

const ACTS = ['view', 'like', 'comment', 'share', 'bookmark', 'hide', 'report'];
const NAMED_ACTS = ['like', 'share', 'bookmark'];
/** Records of one kind come in runs of so many at most, as clients batch them. */
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

/** Bodies of consecutive records of one kind; a list is one by itself. */
export function bodiesOf(deliveries: readonly Delivery[]): Delivery[][] {
  const bodies: Delivery[][] = [];
  for (const delivery of deliveries) {
    const last = bodies.at(-1);
    if (last?.[0].kind === delivery.kind && delivery.kind !== 'list') last.push(delivery);
    else bodies.push([delivery]);
  }
  return bodies;
}

/** Sends deliveries in their order, all of which must be accepted. */
export async function deliverTo({ ingest }: Service, deliveries: readonly Delivery[]): Promise<void> {
  for (const body of bodiesOf(deliveries)) {
    const [first] = body;
    if (first.kind !== 'list') {
      const records = body.map(({ record }) => record);
      expect((await ingest.ingest(first.kind, records)).rejected).toEqual([]);
      continue;
    }
    const parsed = parseFollowList(first.user_id, first.record);
    if (!parsed.ok) throw new Error('a list is not valid');
    await ingest.followList(parsed.record);
  }
}

class History {
  private readonly users: string[];
  private readonly items: string[];
  /** What is yet to be said of each user and item. */
  private readonly untold = new Map<string, Fields[]>();
  /** Events that were sent, or are to be after their removal was. */
  private readonly events: Delivery[] = [];
  private readonly later: Delivery[] = [];
  /** Milliseconds. */
  private readonly times = new Set<number>();
  private event_count = 0;

  constructor(
    private readonly random: Random,
    private readonly count: number,
  ) {
    const size = Math.ceil(count ** 0.35);
    this.users = Array.from({ length: size }, (_, index) => `user ${index}`);
    this.items = Array.from({ length: 2 * size }, (_, index) => `item ${index}`);
  }

  deliveries(count: number): Delivery[] {
    const all: Delivery[] = [];
    const kinds = [
      () => this.item(),
      () => this.user(),
      () => this.counters(),
      () => this.follow(),
      () => this.list(),
      () => this.block(),
      () => this.act(),
      () => this.act(),
      () => this.namedAct(),
      () => this.namedAct(),
      () => this.removal(),
    ];
    while (all.length < count) {
      const make = this.pick(kinds);
      for (let left = 1 + this.below(RUN_MAX); left > 0 && all.length < count; left--) all.push(make());
      if (this.later.length > 0 && this.chance(0.3)) all.push(...this.later.splice(0, 1));
    }
    return all.slice(0, count);
  }

  private item(): Delivery {
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

  private user(): Delivery {
    const user_id = this.pick(this.users);
    const parts = [
      { username: `name of ${user_id}` },
      { display_name: user_id.toUpperCase(), geo_location: '1,2' },
      { hidden: this.chance(0.2) },
      { wallet_addresses: [`0x${user_id}`] },
    ];
    return { kind: 'users', record: { user_id, ...this.nextPart(user_id, parts) } };
  }

  /** What is said of it next; in the end it is said again. */
  private nextPart(id: string, parts: Fields[]): Fields {
    const left = this.untold.get(id) ?? parts;
    const [part, ...rest] = left;
    this.untold.set(id, rest.length > 0 ? rest : [part]);
    return part;
  }

  private counters(): Delivery {
    const described = this.items.filter((item_id) => this.untold.has(item_id));
    if (described.length === 0) return this.item();
    const counts = { likes_count: this.below(50), comments_count: this.below(9) };
    return { kind: 'items', record: { item_id: this.pick(described), ...counts, updated_at: this.time() } };
  }

  private follow(): Delivery {
    const action = this.chance(0.7) ? 'follow' : 'unfollow';
    const record = { ...this.pair(), action, timestamp: this.time() };
    if (action === 'unfollow' || this.chance(0.4)) return { kind: 'follows', record };
    return this.named({ kind: 'follows', record });
  }

  private list(): Delivery {
    const user_id = this.pick(this.users);
    const target_user_ids = this.users.filter(() => this.chance(0.3));
    return { kind: 'list', user_id, record: { target_user_ids, timestamp: this.time() } };
  }

  private block(): Delivery {
    const pair = this.pair();
    const places = [pair.user_id, pair.target_user_id].map((id) => this.users.indexOf(id));
    return {
      kind: 'blocks',
      record: { ...pair, action: (places[0] + places[1]) % 2 === 0 ? 'block' : 'unblock' },
    };
  }

  private act(): Delivery {
    const event_type = this.pick(ACTS);
    const action = this.chance(0.75) ? 'add' : 'remove';
    const record = { ...this.meeting(), event_type, action, timestamp: this.time() };
    const is_named = event_type === 'comment' && this.chance(0.5);
    return { kind: 'interactions', record: is_named ? { ...record, event_id: `c${this.below(3)}` } : record };
  }

  private namedAct(): Delivery {
    const record = { ...this.meeting(), event_type: this.pick(NAMED_ACTS), timestamp: this.time() };
    return this.named({ kind: 'interactions', record });
  }

  /** Gives what is done a name, and remembers it for its removal. */
  private named({ kind, record }: Delivery): Delivery {
    const delivery: Delivery = {
      kind: kind === 'follows' ? kind : 'interactions',
      record: { ...record, event_id: `event ${this.event_count++}` },
    };
    this.events.push(delivery);
    return delivery;
  }

  /** Of an event that was sent, or one that is sent later; by its name alone, or with what it was about. */
  private removal(): Delivery {
    const is_early = this.events.length === 0 || this.chance(0.2);
    if (is_early) this.later.push(this.chance(0.5) ? this.namedAct() : this.named(this.follow()));
    const event = this.events[Math.max(0, this.events.length - 1 - (is_early ? 0 : this.below(30)))];
    const { kind, record } = event;
    const word = kind === 'follows' ? 'unfollow' : 'remove';
    const timestamp = this.time();
    const { user_id, event_id } = record;
    if (this.chance(0.3)) return { ...event, record: { ...record, action: word, timestamp } };
    return {
      ...event,
      record: { user_id, event_id, action: word, ...(this.chance(0.5) ? { timestamp } : {}) },
    };
  }

  private pair(): { user_id: string; target_user_id: string } {
    const user = this.below(this.users.length);
    const other = (user + 1 + this.below(this.users.length - 1)) % this.users.length;
    return { user_id: this.users[user], target_user_id: this.users[other] };
  }

  private meeting(): { user_id: string; item_id: string } {
    const item_id = this.chance(0.95) ? this.pick(this.items) : `unknown ${this.below(5)}`;
    return { user_id: this.pick(this.users), item_id };
  }

  /** Seconds, to the millisecond and another each time: mostly later than those before, within half a day. */
  private time(): number {
    const place = Math.max(0, this.times.size - (this.chance(0.3) ? this.below(200) : 0));
    let ms = (START - 86_400) * 1000 + Math.round((place * 43_200_000) / this.count);
    while (this.times.has(ms)) ms++;
    this.times.add(ms);
    return ms / 1000;
  }

  private pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)];
  }

  private below(end: number): number {
    return Math.floor(this.random() * end);
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }
}
