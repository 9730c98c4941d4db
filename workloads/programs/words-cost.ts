/**
 * What words cost in a community of 200,000 items with 20 words each, drawn from a vocabulary of a natural frequency.
 * Prints the time to fill them in, the memory of an item, the time of a test, and the CPU time of for-you pages: without a
 * filter, and for the same items by a word and by a channel, with pools and without. Run:
 * `bun workloads/programs/words-cost.ts`, about three minutes.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicMs, type Random, seededRandom } from '../../src/clock.ts';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import type { ItemContent } from '../../src/model/records/item.ts';
import { createContext } from '../../src/page/page-context.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { NONE, parseWordEntries } from '../../src/plugin/index.ts';
import { applyChange } from '../../src/state/apply.ts';
import { fillWords } from '../../src/state/fill-words.ts';
import { State } from '../../src/state/state.ts';
import { matcherOf } from '../../src/state/word-matcher.ts';
import { engineOn } from '../../test/support/scene.ts';
import { createCommunity } from '../community/community.ts';

const NOW = 1_767_225_600;
const USERS = Number(Bun.argv[2] ?? 20_000);
const ITEMS = 10 * USERS;
const WORDS_OF_ITEM = 20;
const VOCABULARY = 300_000;
/** One of so many items is in a channel, and has a word, of that share. */
const SHARES = [2, 10, 100, 1_000, 10_000];
const ROUNDS = 9;
const WARM_UP_ROUNDS = 5;
const REQUESTS_PER_ROUND = 100;
/** Pages of rare words test every item without a pool. */
const REQUESTS_WITHOUT_POOLS = 2;

/** Words by rank: the most frequent ones are short. */
function textOf(random: Random, marker: string): string {
  const words = Array.from({ length: WORDS_OF_ITEM - 1 }, () => {
    const rank = Math.floor(Math.exp(random() * Math.log(VOCABULARY)));
    return `${rank.toString(36)}${rank > 1_000 ? 'ing' : ''}`;
  });
  return [...words.slice(0, 9), marker, ...words.slice(9)].join(' ');
}

function createState(): { state: State; contents: Map<number, ItemContent> } {
  const shape = { users: USERS, items: ITEMS, follows: 30 * USERS, interactions: 25 * USERS };
  const community = createCommunity({ seed: 7, now: NOW, ...shape, days: 30, text: false });
  const state = new State();
  const contents = new Map<number, ItemContent>();
  const random = seededRandom(1);
  let seq = 0;
  const stamp = () => ({ seq: ++seq, applied_at: NOW });
  const keys = { user: new Map<string, number>(), item: new Map<string, number>() };
  const name = (space: 'user' | 'item', id: string) => {
    const key = keys[space].size;
    keys[space].set(id, key);
    applyChange(state, { kind: 'name', space, key, id, ...stamp() });
    return key;
  };
  for (const { user_id } of community.users()) name('user', user_id);
  for (const { item_id, author_id, created_at } of community.items()) {
    const item = name('item', item_id);
    const share = SHARES.findLast((share) => item % share === 0);
    const channel = share === undefined ? 'rest' : `share${share}`;
    const content = { created_at, channel, text: textOf(random, channel) };
    applyChange(state, { kind: 'item', item, author: keys.user.get(author_id) ?? NONE, content, ...stamp() });
    contents.set(seq, content);
  }
  for (const { user_id, target_user_id, timestamp = NOW } of community.follows()) {
    const [user, target] = [keys.user.get(user_id) ?? NONE, keys.user.get(target_user_id) ?? NONE];
    applyChange(state, { kind: 'follow', user, target, timestamp, action: 1, ...stamp() });
  }
  for (const { user_id, item_id, event_type, timestamp = NOW, event_id = '' } of community.interactions()) {
    const [user, item] = [keys.user.get(user_id) ?? NONE, keys.item.get(item_id) ?? NONE];
    const act = { user, item, event_type: EVENT_CODE[event_type], action: 1, timestamp, event_id };
    applyChange(state, { kind: 'interaction', ...act, ...stamp() });
  }
  return { state, contents };
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1];

const { state, contents } = createState();
const began = process.cpuUsage();
let longest_ms = 0;
let turn_ms = monotonicMs();
const slice = async () => {
  longest_ms = Math.max(longest_ms, monotonicMs() - turn_ms);
  await nextTurn();
  turn_ms = monotonicMs();
};
await fillWords(state, { readItems: async () => contents }, slice);
const filled = process.cpuUsage(began);
const { words } = state;
console.log(`filled in: ${((filled.user + filled.system) / ITEMS).toFixed(1)} µs of CPU an item`);
console.log(`longest turn: ${longest_ms.toFixed(1)} ms`);
console.log(`memory: ${(words.size_bytes / ITEMS).toFixed(0)} bytes an item, ${words.count} different words`);
for (const entries of [['share100'], ['2s 1k', 'share100'], ['abc*']]) {
  const test = matcherOf(words, parseWordEntries(entries)).bind();
  const start_ms = monotonicMs();
  let found = 0;
  for (let item = 0; item < state.items.size; item++) if (test(item)) found++;
  const ns = ((monotonicMs() - start_ms) / state.items.size) * 1e6;
  console.log(`a test of ${JSON.stringify(entries)}: ${ns.toFixed(0)} ns an item, ${found} items`);
}

for (const has_pools of [true, false]) {
  const pool_limits = has_pools ? undefined : { bytes_max: 0, step_items: 0 };
  const engine = engineOn(state, { lag_ms: 100, monotonicMs, pool_limits });
  const serve = (filters: Record<string, unknown>) => {
    const feed = compileFeed(engine.registry, 'for-you', { filters });
    return (viewer: number) => {
      const context = createContext(engine, { viewer, now: NOW, page_length: 25, random: seededRandom(1) });
      const { length } = buildList(feed, context);
      engine.scratch.takeBack();
      engine.pools.takeBack();
      return length;
    };
  };
  const contenders: [name: string, serve: (viewer: number) => number][] = [['no filter', serve({})]];
  for (const share of SHARES) {
    contenders.push([`channel 1/${share}`, serve({ channels: [`share${share}`] })]);
    contenders.push([`word 1/${share}`, serve({ words: [`share${share}`] })]);
  }
  const random = seededRandom(2);
  const requests = has_pools ? REQUESTS_PER_ROUND : REQUESTS_WITHOUT_POOLS;
  const times = new Map<string, number[]>(contenders.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
    const viewers = Array.from({ length: requests }, () => Math.floor(random() * USERS));
    for (const [name, serve] of contenders) {
      let length_min = 25;
      const before = process.cpuUsage();
      for (const viewer of viewers) length_min = Math.min(length_min, serve(viewer));
      const { user, system } = process.cpuUsage(before);
      if (length_min < 20 && !name.endsWith('000'))
        throw new Error(`${name}: a page has only ${length_min} items`);
      while (engine.walk.buildQueued() || (has_pools && engine.pools.buildStep()));
      if (round >= WARM_UP_ROUNDS) times.get(name)?.push((user + system) / requests);
    }
  }
  const unfiltered = times.get('no filter') ?? [];
  for (const share of SHARES) {
    const [channel, word] = [times.get(`channel 1/${share}`) ?? [], times.get(`word 1/${share}`) ?? []];
    const over = (these: number[], those: number[]) =>
      median(these.map((time, round) => time / those[round])).toFixed(2);
    console.log(
      `${has_pools ? 'with' : 'without'} pools, 1/${share}: a page by word ${median(word).toFixed(0)} µs,`,
      `${over(word, channel)} × by channel, ${over(word, unfiltered)} × without a filter`,
    );
  }
}
