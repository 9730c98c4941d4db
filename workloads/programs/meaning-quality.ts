/**
 * Whether items that nobody has touched are found by their meaning, on texts of its own making.
 *
 * Channels have subjects, which nothing but the texts tells apart. Users like a few subjects, and act on items of
 * these, and now and then on others of a channel. The last quarter of the items has no acts. Each user will like some
 * of them, and some of the others. Run: `bun workloads/programs/meaning-quality.ts`.
 */

import { type Random, seededRandom } from '../../src/clock.ts';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { reachedBy } from '../../src/page/admission.ts';
import { compiledSignal, type Engine } from '../../src/page/engine.ts';
import { createContext, type PageContext } from '../../src/page/page-context.ts';
import { buildList } from '../../src/page/pipeline.ts';
import type { Ordinal, Reached } from '../../src/plugin/index.ts';
import { engineOn, NOW, Scene } from '../../test/support/scene.ts';
import { encoded, hashedEmbedding, Words } from './embedded-text.ts';

const CHANNELS = 12;
const SUBJECTS_PER_CHANNEL = 15;
const USERS = 1_500;
const AUTHORS = 400;
const ITEMS = 12_000;
const NEW_SHARE = 0.25;
const LIKES = 25;
const WILL_LIKE = 5;
/** The share of likes that are of a subject of the user. */
const OWN_SHARE = 0.85;
const NUMBERS = 256;
const FIRST = [10, 50];
const PAGE = 25;

/** What each user will like, by index. */
interface Likes {
  untouched: Set<string>[];
  others: Set<string>[];
}

interface World {
  scene: Scene;
  likes: Likes;
}

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)];

function createWorld(seed: number, embedded: boolean): World {
  const random = seededRandom(seed);
  const words = new Words(random);
  const common = words.some(300);
  const channels = Array.from({ length: CHANNELS }, () => words.some(60));
  const subjects = Array.from({ length: CHANNELS * SUBJECTS_PER_CHANNEL }, () => words.some(30));
  const channelOf = (subject: number) => Math.floor(subject / SUBJECTS_PER_CHANNEL);
  const scene = new Scene();
  const old: string[][] = subjects.map(() => []);
  const fresh: string[][] = subjects.map(() => []);
  const authors = Array.from({ length: AUTHORS }, () => [1, 2].map(() => Math.floor(random() * CHANNELS)));
  for (let item = 0; item < ITEMS; item++) {
    const author = Math.floor(random() * AUTHORS);
    const channel = pick(random, authors[author]);
    const subject = channel * SUBJECTS_PER_CHANNEL + Math.floor(random() * SUBJECTS_PER_CHANNEL);
    const text = Array.from({ length: 8 + Math.floor(random() * 12) }, () => {
      const draw = random();
      return pick(random, draw < 0.4 ? subjects[subject] : draw < 0.65 ? channels[channel] : common);
    }).join(' ');
    const id = `i${item}`;
    const embedding = embedded ? encoded(hashedEmbedding(text, NUMBERS)) : undefined;
    scene.item(id, {
      author: `author ${author}`,
      created_at: NOW - ITEMS + item,
      channel: `c${channel}`,
      embedding,
    });
    (item < ITEMS * (1 - NEW_SHARE) ? old : fresh)[subject].push(id);
  }
  const likedOf = (likes: readonly number[], items: readonly string[][]): string[] => {
    const own = pick(random, likes);
    const any = channelOf(own) * SUBJECTS_PER_CHANNEL + Math.floor(random() * SUBJECTS_PER_CHANNEL);
    return items[random() < OWN_SHARE ? own : any];
  };
  const will_like: Likes = { untouched: [], others: [] };
  const drawn = (likes: readonly number[], items: readonly string[][]) =>
    new Set(Array.from({ length: WILL_LIKE }, () => pick(random, likedOf(likes, items))));
  for (let user = 0; user < USERS; user++) {
    const likes = Array.from({ length: 4 }, () => Math.floor(random() * subjects.length));
    will_like.untouched.push(drawn(likes, fresh));
    const others = drawn(likes, old);
    will_like.others.push(others);
    for (let like = 0; like < LIKES; like++) {
      const item = pick(random, likedOf(likes, old));
      if (!others.has(item)) scene.act(`u${user}`, 'like', item, NOW - (LIKES - like) * 1_000);
    }
  }
  return { scene, likes: will_like };
}

/** The items that nobody has touched, with the greatest weights, best first. */
function untouched({ state }: Engine, reached: Reached | undefined, count: number): Ordinal[] {
  const found: [Ordinal, number][] = [];
  reached?.forEach((item, weight) => {
    if (state.interactions.by_item.length(item) === 0) found.push([item, weight]);
  });
  return found
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([item]) => item);
}

/** The mean shares of what users will like among some items of each. */
function recall({ scene, likes }: World, engine: Engine, itemsOf: (request: PageContext) => Ordinal[]) {
  const { users, items } = scene.state;
  const sums = { untouched: 0, others: 0 };
  for (let user = 0; user < USERS; user++) {
    const viewer = users.names.find(`u${user}`);
    const request = createContext(engine, { viewer, now: NOW, page_length: PAGE, random: () => 0 });
    const found = new Set(itemsOf(request).map((item) => items.names.id(item)));
    engine.scratch.takeBack();
    for (const kind of ['untouched', 'others'] as const) {
      const wanted = [...likes[kind][user]];
      sums[kind] += wanted.filter((id) => found.has(id)).length / wanted.length / USERS;
    }
  }
  return sums;
}

const world = createWorld(1, true);
const engine = engineOn(world.scene.state);
for (const signal of ['semantic_interest', 'profile']) {
  const { reach } = compiledSignal(engine, signal);
  for (const count of FIRST) {
    const found = recall(world, engine, (request) =>
      untouched(
        engine,
        reachedBy(signal, () => reach?.(request)),
        count,
      ),
    );
    console.log(`first ${count} untouched items by ${signal}: Recall@${count} ${found.untouched.toFixed(3)}`);
  }
}
for (const embedded of [false, true]) {
  const of_pages = embedded ? world : createWorld(1, false);
  const page_engine = embedded ? engine : engineOn(of_pages.scene.state);
  for (const scoring of ['balanced_feed_v0.0.1', 'user_interest_all_v0.0.1']) {
    const feed = compileFeed(page_engine.registry, 'for-you', { scoring });
    const found = recall(of_pages, page_engine, (request) =>
      buildList(feed, request).map(({ item }) => item),
    );
    console.log(
      `for-you page, ${scoring}, ${embedded ? 'with' : 'without'} embeddings: Recall@${PAGE} of untouched items ${found.untouched.toFixed(3)}, of others ${found.others.toFixed(3)}`,
    );
  }
}
