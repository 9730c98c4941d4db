import { hash32 } from '../community/chance.ts';

/**
 * Made-up people who read pages slot by slot, and act on what they like.
 *
 * Whether a reader acts follows from a model that the service does not know: taste, which drifts; quality of items and
 * authors; age; authors whom the reader follows; and authors who were on too many pages lately. All that is random
 * is a hash of the seed, the reader and the item. So two runs with the same pages have the same acts.
 */

export interface ReaderOptions {
  seed: number;
  readers: number;
  /** Published before `start`, at the pace of the days after it. */
  first_items: number;
  items_per_day: number;
  /** In seconds. */
  start: number;
  days: number;
  /** Acts of each reader before `start`. */
  former_acts: number;
}

interface Item {
  number: number;
  item_id: string;
  author: number;
  topic: number;
  created_at: number;
  quality: number;
}

export interface Act {
  user_id: string;
  item_id: string;
  event_type: string;
  timestamp: number;
}

export interface Reading {
  acts: Act[];
  /** The number of approving acts that was to be expected of the page. */
  expected: number;
}

const STRIDE = 7_919;
const TOPICS = 10;
const READERS_PER_AUTHOR = 4;
const FOLLOWED = 4;
const DAY_SECONDS = 86_400;
/** How long a taste stays. */
const DRIFT_DAYS = 3;
/** Seconds from the page to an act. */
const ACT_SECONDS = 20;
const ACTS = ['like', 'like', 'like', 'like', 'like', 'comment', 'share', 'bookmark'];
/** Terms of the logit of an act on an examined item. */
const LOGIT = { base: -3.2, taste: 2.4, quality: 1, age_day: -0.25, followed: 0.5, tired: -0.6 };
const HIDES = 0.04;
const TIRED_MAX = 4;

/** Purposes of hashes. */
const FOR = {
  topic: 1,
  author: 2,
  quality: 3,
  favourite: 4,
  drifting: 5,
  follow: 6,
  look: 7,
  act: 8,
  kind: 9,
  delay: 10,
  time: 11,
  former: 12,
  phase: 13,
} as const;

/** The share of pages on which a reader looks at a slot, from 1 on. */
export function examination(slot: number): number {
  return 1 / Math.log2(1 + slot);
}

export class ReaderModel {
  readonly items: Item[] = [];
  private readonly by_id = new Map<string, Item>();
  /** What each reader was shown. */
  private readonly shown: Set<string>[];
  /** How often an author was shown to a reader without an act, by author. It halves each day. */
  private readonly tired: Map<number, { count: number; time: number }>[];

  constructor(private readonly options: ReaderOptions) {
    const { readers, first_items, items_per_day, days, start } = options;
    this.shown = Array.from({ length: readers }, () => new Set());
    this.tired = Array.from({ length: readers }, () => new Map());
    const count = first_items + Math.round(items_per_day * days);
    for (let number = 0; number < count; number++) {
      const author = Math.floor(this.uniform(FOR.author, number) * this.authors);
      const quality = 0.8 * this.normal(FOR.quality, number) + 0.6 * this.normal(FOR.quality, ~author);
      const created_at = Math.round(start + ((number + 1 - first_items) / items_per_day) * DAY_SECONDS);
      const topic = Math.floor(this.uniform(FOR.topic, number) * TOPICS);
      const item = { number, item_id: `item-${number}`, author, topic, created_at, quality };
      this.items.push(item);
      this.by_id.set(item.item_id, item);
    }
  }

  /** Items with a time above `from`, up to `until`, as records of the ingest API. */
  *published(from: number, until: number) {
    for (const { item_id, author, topic, created_at } of this.items)
      if (created_at > from && created_at <= until)
        yield { item_id, author_id: `author-${author}`, channel: `topic-${topic}`, created_at };
  }

  *follows() {
    for (let reader = 0; reader < this.shown.length; reader++)
      for (const author of this.followed(reader))
        yield { user_id: userId(reader), target_user_id: `author-${author}`, timestamp: this.options.start };
  }

  /** Acts before the start, each on an item that the reader might have found. */
  *formerActs(): Generator<Act> {
    const { start, former_acts, first_items } = this.options;
    for (let reader = 0; reader < this.shown.length; reader++) {
      let found = 0;
      for (let tried = 0; found < former_acts && tried < 100 * former_acts; tried++) {
        const item = this.items[Math.floor(this.uniform(FOR.former, reader, tried) * first_items)];
        if (this.shown[reader].has(item.item_id)) continue;
        if (this.uniform(FOR.act, reader, tried) >= this.chance(reader, item, start)) continue;
        this.shown[reader].add(item.item_id);
        const late = this.uniform(FOR.time, reader, tried);
        const timestamp = Math.round(item.created_at + late * (start - item.created_at));
        yield { user_id: userId(reader), item_id: item.item_id, event_type: 'like', timestamp };
        found++;
      }
    }
  }

  /** The reader of a page, by its number: all readers in turn, if their number is no multiple of the prime `STRIDE`. */
  visitor(page: number): number {
    return (page * STRIDE) % this.options.readers;
  }

  /** The probability that a reader acts on an item after looking at it. */
  chance(reader: number, { author, topic, created_at, quality }: Item, time: number): number {
    const logit =
      LOGIT.base +
      LOGIT.taste * this.taste(reader, topic, time) +
      LOGIT.quality * quality +
      LOGIT.age_day * Math.max(0, (time - created_at) / DAY_SECONDS) +
      LOGIT.followed * Number(this.followed(reader).includes(author)) +
      LOGIT.tired * Math.min(TIRED_MAX, this.tiredness(reader, author, time));
    return 1 / (1 + Math.exp(-logit));
  }

  /** A reader reads a page, which counts as shown. Acts are at most `ACT_SECONDS` later. */
  read(reader: number, page: readonly string[], time: number): Reading {
    const acts: Act[] = [];
    let expected = 0;
    for (const [at, item_id] of page.entries()) {
      const item = this.item(item_id);
      const looks = examination(at + 1);
      const chance = this.chance(reader, item, time);
      expected += looks * chance;
      this.shown[reader].add(item_id);
      const { number } = item;
      const is_examined = this.uniform(FOR.look, reader, number) < looks;
      const draw = is_examined ? this.uniform(FOR.act, reader, number) : 1;
      const does =
        draw < chance ? this.kindOf(reader, number) : draw > 1 - HIDES * (1 - chance) ? 'hide' : '';
      if (does !== '' && is_examined) {
        const timestamp = time + 1 + this.uniform(FOR.delay, reader, number) * (ACT_SECONDS - 1);
        acts.push({ user_id: userId(reader), item_id, event_type: does, timestamp });
      }
      const count = draw < chance ? 0 : this.tiredness(reader, item.author, time) + 1;
      this.tired[reader].set(item.author, { count, time });
    }
    return { acts, expected };
  }

  /** What would be expected of the best page of items that the reader was not shown. Reads all items. */
  best(reader: number, count: number, time: number): number {
    const unseen = this.items.filter(
      ({ item_id, created_at }) => created_at <= time && !this.shown[reader].has(item_id),
    );
    const chances = unseen.map((item) => this.chance(reader, item, time)).sort((one, other) => other - one);
    return chances.slice(0, count).reduce((sum, chance, at) => sum + chance * examination(at + 1), 0);
  }

  item(item_id: string): Item {
    const item = this.by_id.get(item_id);
    if (item === undefined) throw new Error(`there is no item ${item_id}`);
    return item;
  }

  /** From 0 to 1. One favourite topic stays, another drifts. */
  private taste(reader: number, topic: number, time: number): number {
    const epoch = Math.floor(time / DAY_SECONDS / DRIFT_DAYS + this.uniform(FOR.phase, reader));
    const favourite = Math.floor(this.uniform(FOR.favourite, reader) * TOPICS);
    const drifting = Math.floor(this.uniform(FOR.drifting, reader, epoch) * TOPICS);
    return topic === favourite
      ? 1
      : topic === drifting
        ? 0.8
        : 0.2 * this.uniform(FOR.favourite, reader, topic);
  }

  private followed(reader: number): number[] {
    return Array.from({ length: FOLLOWED }, (_, at) =>
      Math.floor(this.uniform(FOR.follow, reader, at) * this.authors),
    );
  }

  private tiredness(reader: number, author: number, time: number): number {
    const known = this.tired[reader].get(author);
    return known === undefined ? 0 : known.count * 2 ** ((known.time - time) / DAY_SECONDS);
  }

  private kindOf(reader: number, number: number): string {
    return ACTS[Math.floor(this.uniform(FOR.kind, reader, number) * ACTS.length)];
  }

  private get authors(): number {
    return Math.max(10, Math.round(this.options.readers / READERS_PER_AUTHOR));
  }

  /** In [0, 1). */
  private uniform(purpose: number, one: number, other = 0): number {
    return hash32(hash32(hash32(this.options.seed, purpose), one), other) / 0x1_0000_0000;
  }

  /** The sum of four uniform numbers, with mean 0 and variance 1. */
  private normal(purpose: number, one: number): number {
    let sum = 0;
    for (let at = 1; at <= 4; at++) sum += this.uniform(purpose, one, at) - 0.5;
    return sum * Math.sqrt(3);
  }
}

export function userId(reader: number): string {
  return `reader-${reader}`;
}
