/**
 * How the time of a for-you request grows with the community: worlds of 20,000 and 200,000 items, built
 * through the state's own changes, asked by viewers drawn at random, in turns so that both meet the same
 * machine. Run: `bun workloads/programs/scale.ts`.
 */

import { draftAnswer } from '../../src/answer/draft.ts';
import { FollowedActsReader } from '../../src/answer/followed-acts.ts';
import { ManualClock, monotonicMs, seededRandom } from '../../src/clock.ts';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { EVENT_CODE } from '../../src/model/acts.ts';
import { createContext } from '../../src/page/page-context.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { engineOn } from '../../test/support/scene.ts';
import { createCommunity } from '../community/community.ts';

const NOW = 1_767_225_600;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 10;
const REQUESTS_PER_ROUND = 200;

interface World {
  name: string;
  serve(viewer: number, now: number): void;
  /** What the service does between requests. */
  idle(): void;
  users: number;
}

function createWorld(users: number, items: number, follows: number, interactions: number): World {
  const community = createCommunity({
    seed: 7,
    now: NOW,
    users,
    items,
    follows,
    interactions,
    days: 30,
    text: false,
  });
  const state = new State();
  let seq = 0;
  const stamp = () => ({ seq: ++seq, applied_at: NOW });
  const user_keys = new Map<string, number>();
  const item_keys = new Map<string, number>();
  for (const { user_id } of community.users()) {
    user_keys.set(user_id, user_keys.size);
    applyChange(state, { kind: 'name', space: 'user', key: user_keys.size - 1, id: user_id, ...stamp() });
  }
  for (const { item_id, author_id, ...content } of community.items()) {
    item_keys.set(item_id, item_keys.size);
    applyChange(state, { kind: 'name', space: 'item', key: item_keys.size - 1, id: item_id, ...stamp() });
    const { created_at, channel } = content;
    const item = item_keys.size - 1;
    applyChange(state, {
      kind: 'item',
      item,
      author: user_keys.get(author_id) ?? -1,
      content: { created_at, channel },
      ...stamp(),
    });
  }
  for (const { user_id, target_user_id, timestamp } of community.follows()) {
    const user = user_keys.get(user_id) ?? -1;
    const target = user_keys.get(target_user_id) ?? -1;
    applyChange(state, { kind: 'follow', user, target, timestamp: timestamp ?? NOW, action: 1, ...stamp() });
  }
  for (const act of community.interactions()) {
    const user = user_keys.get(act.user_id) ?? -1;
    const item = item_keys.get(act.item_id) ?? -1;
    const event_type = EVENT_CODE[act.event_type];
    const timestamp = act.timestamp ?? NOW;
    applyChange(state, {
      kind: 'interaction',
      user,
      item,
      event_type,
      action: 1,
      timestamp,
      event_id: act.event_id ?? '',
      ...stamp(),
    });
  }
  return { name: `${items} items`, users, ...server(state) };
}

function server(state: State): Pick<World, 'serve' | 'idle'> {
  const engine = engineOn(state, { lag_ms: 100, monotonicMs });
  const { registry, scratch } = engine;
  const followed = new FollowedActsReader(state);
  const serve = (viewer: number, now: number) => {
    const feed = compileFeed(registry, 'for-you', {});
    const request = createContext(engine, { viewer, now, page_length: 25, random: seededRandom(1) });
    draftAnswer(
      request,
      'for-you',
      buildList(feed, request).map((item) => ({ ...item, source_feed: 'main:for-you' })),
      followed,
      { with_metadata: false },
    );
    scratch.takeBack();
  };
  const idle = () => {
    while (engine.walk.buildQueued());
  };
  return { serve, idle };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

const worlds = [
  createWorld(10_000, 20_000, 300_000, 500_000),
  createWorld(100_000, 200_000, 3_000_000, 5_000_000),
];
const random = seededRandom(1);
const clock = new ManualClock(NOW);
const times: number[][] = worlds.map(() => []);
for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
  for (const [index, world] of worlds.entries()) {
    let spent_ms = 0;
    for (let n = 0; n < REQUESTS_PER_ROUND; n++) {
      const viewer = Math.floor(random() * world.users);
      const start_ms = monotonicMs();
      world.serve(viewer, clock.now());
      spent_ms += monotonicMs() - start_ms;
      world.idle();
    }
    if (round >= WARM_UP_ROUNDS) times[index].push((spent_ms / REQUESTS_PER_ROUND) * 1000);
  }
}
for (const [index, world] of worlds.entries())
  console.log(`${world.name}: ${median(times[index]).toFixed(1)} µs a for-you page`);
console.log(`ratio: ${median(times[1].map((time, round) => time / times[0][round])).toFixed(2)}`);
