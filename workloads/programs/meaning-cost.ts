/**
 * What embeddings cost: two equal communities of 200,000 items, one with an embedding of 256 numbers for each item.
 * Prints the CPU time of a for-you page in both, in turns, the time of indexing an item, the memory of an item, and how
 * many of the 10 nearest neighbours the index finds. Run: `bun workloads/programs/meaning-cost.ts`, about three minutes.
 */

import { draftAnswer } from '../../src/answer/draft.ts';
import { FollowedActsReader } from '../../src/answer/followed-acts.ts';
import { monotonicMs, type Random, seededRandom } from '../../src/clock.ts';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import { createContext } from '../../src/page/page-context.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { NONE } from '../../src/plugin/index.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { engineOn } from '../../test/support/scene.ts';
import { createCommunity } from '../community/community.ts';
import { encoded } from './embedded-text.ts';

const NOW = 1_767_225_600;
const USERS = 20_000;
const ITEMS = 200_000;
const NUMBERS = 256;
/** Items are about as many subjects, most of them about a few. */
const SUBJECTS = 2_000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 10;
const REQUESTS_PER_ROUND = 200;
const ASKED = 50;
const NEAREST = 10;

/** Vectors around that of a subject: two of one subject have a similarity of about 0.4. */
class Vectors {
  private readonly subjects: Int8Array[];

  constructor(private readonly random: Random) {
    this.subjects = Array.from({ length: SUBJECTS }, () => this.draw(() => 0));
  }

  next(): string {
    const subject = this.subjects[Math.floor(this.random() ** 2 * SUBJECTS)];
    return encoded(this.draw((at) => 0.8 * subject[at]));
  }

  private draw(around: (at: number) => number): Int8Array {
    return Int8Array.from(
      { length: NUMBERS },
      (_, at) => around(at) + 100 * (this.random() + this.random() - 1) * 0.6,
    );
  }
}

function createState(vectors: Vectors | undefined): State {
  const shape = { users: USERS, items: ITEMS, follows: 30 * USERS, interactions: 1_000_000 };
  const community = createCommunity({ seed: 7, now: NOW, ...shape, days: 30, text: false });
  const state = new State();
  let seq = 0;
  const stamp = () => ({ seq: ++seq, applied_at: NOW });
  const user_keys = new Map<string, number>();
  const item_keys = new Map<string, number>();
  for (const { user_id } of community.users()) {
    const key = user_keys.size;
    user_keys.set(user_id, key);
    applyChange(state, { kind: 'name', space: 'user', key, id: user_id, ...stamp() });
  }
  for (const { item_id, author_id, created_at, channel } of community.items()) {
    const item = item_keys.size;
    item_keys.set(item_id, item);
    applyChange(state, { kind: 'name', space: 'item', key: item, id: item_id, ...stamp() });
    const content = { created_at, channel, embedding: vectors?.next() };
    applyChange(state, { kind: 'item', item, author: user_keys.get(author_id) ?? NONE, content, ...stamp() });
  }
  for (const { user_id, target_user_id, timestamp = NOW } of community.follows()) {
    const [user, target] = [user_keys.get(user_id) ?? NONE, user_keys.get(target_user_id) ?? NONE];
    applyChange(state, { kind: 'follow', user, target, timestamp, action: 1, ...stamp() });
  }
  for (const { user_id, item_id, event_type, timestamp = NOW, event_id = '' } of community.interactions()) {
    const [user, item] = [user_keys.get(user_id) ?? NONE, item_keys.get(item_id) ?? NONE];
    const act = { user, item, event_type: EVENT_CODE[event_type], action: 1, timestamp, event_id };
    applyChange(state, { kind: 'interaction', ...act, ...stamp() });
  }
  return state;
}

function server(state: State) {
  const engine = engineOn(state, { lag_ms: 100, monotonicMs });
  const feed = compileFeed(engine.registry, 'for-you', {});
  const followed = new FollowedActsReader(state);
  const serve = (viewer: number) => {
    const request = createContext(engine, { viewer, now: NOW, page_length: 25, random: seededRandom(1) });
    const page = buildList(feed, request).map((item) => ({ ...item, source_feed: 'main:for-you' }));
    draftAnswer(request, 'for-you', page, followed, { with_metadata: false });
    engine.scratch.takeBack();
    return page;
  };
  return { engine, serve, idle: () => finish(() => engine.walk.buildQueued()) };
}

function finish(step: () => boolean): void {
  while (step());
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1];

const plain = server(createState(undefined));
const embedded_state = createState(new Vectors(seededRandom(2)));
const embedded = server(embedded_state);
const { meanings } = embedded.engine;
const start_ms = monotonicMs();
finish(() => meanings.step());
const indexing_ms = monotonicMs() - start_ms;

const random = seededRandom(1);
const times: Record<'plain' | 'embedded', number[]> = { plain: [], embedded: [] };
for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
  for (const [name, { serve, idle }] of [
    ['plain', plain],
    ['embedded', embedded],
  ] as const) {
    let spent_us = 0;
    for (let n = 0; n < REQUESTS_PER_ROUND; n++) {
      const viewer = Math.floor(random() * USERS);
      const before = process.cpuUsage();
      serve(viewer);
      const { user, system } = process.cpuUsage(before);
      spent_us += user + system;
      idle();
    }
    if (round >= WARM_UP_ROUNDS) times[name].push(spent_us / REQUESTS_PER_ROUND);
  }
}

const { embeddings } = embedded_state;
let found = 0;
for (let n = 0; n < ASKED; n++) {
  const item = Math.floor(random() * ITEMS);
  const slot = embeddings.slotOf(item);
  const nearest = Array.from({ length: ITEMS }, (_, other) => other)
    .filter((other) => other !== item)
    .map((other) => [embeddings.similarity(slot, embeddings.slotOf(other)), other])
    .toSorted(([one], [other]) => other - one)
    .slice(0, NEAREST)
    .map(([, other]) => other);
  const similar = new Set(meanings.similarTo(item, NEAREST, () => true).map((each) => each.item));
  found += nearest.filter((other) => similar.has(other)).length;
}

/** The bytes of all typed arrays in an object, reserves included. */
function bytesOf(root: object, visited: Set<object>): number {
  if (visited.has(root)) return 0;
  visited.add(root);
  if (ArrayBuffer.isView(root)) {
    const is_known = visited.has(root.buffer);
    visited.add(root.buffer);
    return is_known ? 0 : root.byteLength;
  }
  let bytes = 0;
  for (const part of Object.values(root))
    if (typeof part === 'object' && part !== null) bytes += bytesOf(part, visited);
  return bytes;
}

// The index refers to the state and to parts of walks.
const counted = new Set<object>();
for (const other of [embedded_state, embedded.engine.walk]) bytesOf(other, counted);
const index_bytes = bytesOf(meanings, counted);
const ratios = times.embedded.map((time, round) => time / times.plain[round]);
console.log(`a for-you page without embeddings: ${median(times.plain).toFixed(0)} µs`);
console.log(`a for-you page with embeddings: ${median(times.embedded).toFixed(0)} µs`);
console.log(`ratio: ${median(ratios).toFixed(2)}`);
console.log(`indexing an item: ${((1000 * indexing_ms) / ITEMS).toFixed(0)} µs`);
console.log(`found of the ${NEAREST} nearest: ${(found / (ASKED * NEAREST)).toFixed(3)}`);
console.log(`memory of an embedding: ${(bytesOf(embeddings, new Set()) / ITEMS).toFixed(0)} bytes`);
console.log(`memory of its place in the index: ${(index_bytes / ITEMS).toFixed(0)} bytes`);
