/** The items as columns in time order: topic, time and author, without texts. */

import type { Random } from '../../src/clock.ts';
import { gaussian, STREAM, skewedIndex, stream } from './chance.ts';
import type { DailyRhythm } from './daily-rhythm.ts';
import { interestsOf, type People } from './people.ts';
import type { CommunityOptions } from './records.ts';
import { LANGUAGES, TOPICS } from './topics.ts';

const DAY_SECONDS = 86_400;
/** The higher, the fewer users write most of the items. */
const AUTHOR_SKEW = 2;
const REPLY_SHARE = 0.135;
/** Maximum age of items that get replies. */
const REPLY_WITHIN_SECONDS = 1.5 * DAY_SECONDS;
/** The number of latest items of a topic and language that a reply can choose from. */
const THREAD_MEMORY = 16;
const SPAM_SHARE = 0.012;
const QUALITY_SIGMA = 1.35;

/** The item has no parent and starts a thread. */
export const NO_PARENT = 0xffffffff;

/** One entry per item, in time order. An item's ordinal is its index. */
export interface ItemPlan {
  count: number;
  /** Community time (see daily-rhythm.ts). */
  created: Float64Array;
  author: Uint32Array;
  topic: Uint8Array;
  /** The item's appeal, log-normal around 1. */
  quality: Float32Array;
  /** The ordinal of the parent item, or NO_PARENT. */
  parent: Uint32Array;
  root: Uint32Array;
  /** 1 for spam. */
  spam: Uint8Array;
}

/** The latest items of each topic and language, which replies can choose from. */
class OpenThreads {
  private readonly rings = new Uint32Array(TOPICS.length * LANGUAGES.length * THREAD_MEMORY);
  private readonly sizes = new Uint32Array(TOPICS.length * LANGUAGES.length);

  constructor(
    private readonly plan: ItemPlan,
    private readonly random: Random,
  ) {}

  add(topic: number, language: number, item: number): void {
    const ring = topic * LANGUAGES.length + language;
    this.rings[ring * THREAD_MEMORY + (this.sizes[ring]++ % THREAD_MEMORY)] = item;
  }

  /** The best of a few recent items by other authors, or NO_PARENT. */
  choose(topic: number, language: number, author: number, at: number): number {
    const { plan } = this;
    const ring = topic * LANGUAGES.length + language;
    const size = Math.min(this.sizes[ring], THREAD_MEMORY);
    let best = NO_PARENT;
    for (let attempt = 0; attempt < 5 && size > 0; attempt++) {
      const item = this.rings[ring * THREAD_MEMORY + Math.floor(this.random() * size)];
      const is_open = at - plan.created[item] < REPLY_WITHIN_SECONDS;
      if (!is_open || plan.author[item] === author || plan.spam[item] === 1) continue;
      if (best === NO_PARENT || plan.quality[item] > plan.quality[best]) best = item;
    }
    return best;
  }
}

/** Draws all items. O(items). */
export function createItemPlan(options: CommunityOptions, people: People, rhythm: DailyRhythm): ItemPlan {
  const random = stream(options.seed, STREAM.items);
  const count = options.items;
  const plan: ItemPlan = {
    count,
    created: new Float64Array(count),
    author: new Uint32Array(count),
    topic: new Uint8Array(count),
    quality: new Float32Array(count),
    parent: new Uint32Array(count).fill(NO_PARENT),
    root: new Uint32Array(count).fill(NO_PARENT),
    spam: new Uint8Array(count),
  };
  const threads = new OpenThreads(plan, random);
  const begin = rhythm.toCommunity(options.now - options.days * DAY_SECONDS);
  const span = rhythm.toCommunity(options.now) - begin;
  for (let item = 0; item < count; item++) {
    plan.created[item] = begin + (span * (item + random())) / count;
    const author = people.by_prominence[skewedIndex(random, people.by_prominence.length, AUTHOR_SKEW)];
    const interests = interestsOf(people, author);
    const topic = interests[skewedIndex(random, interests.length, 1.5)];
    const language = people.language[author];
    plan.author[item] = author;
    plan.topic[item] = topic;
    plan.quality[item] = Math.exp(QUALITY_SIGMA * gaussian(random));
    const draw = random();
    if (draw < REPLY_SHARE) {
      const parent = threads.choose(topic, language, author, plan.created[item]);
      plan.parent[item] = parent;
      if (parent !== NO_PARENT)
        plan.root[item] = plan.root[parent] === NO_PARENT ? parent : plan.root[parent];
    } else if (draw < REPLY_SHARE + SPAM_SHARE) {
      plan.spam[item] = 1;
    }
    threads.add(topic, language, item);
  }
  return plan;
}
