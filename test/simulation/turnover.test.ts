import { expect } from 'bun:test';
import { freshSeed, ManualClock, seededRandom } from '../../src/clock.ts';
import { imageOf } from '../../src/columns/image.ts';
import type { State } from '../../src/state/state.ts';
import { longTest } from '../support/long.ts';
import { Rounds } from '../support/rounds.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';

const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
const DAY = 86_400;
const HOUR = 3600;
const RETENTION_DAYS = 2;
/** Time between two steps. */
const STEP_HOURS = 8;
const STEPS_PER_TURNOVER = (RETENTION_DAYS * 24) / STEP_HOURS;
const ITEMS_PER_STEP = 80;
const USERS = 12;
const TURNOVERS = 10;

/** Size of all columns of a state, including unused capacity. */
function bytesOf(state: State): number {
  const { columns } = imageOf(state);
  const sizes = { Int8Array: 1, Uint8Array: 1, Buffer: 1, Uint16Array: 2, Float64Array: 8 } as Record<
    string,
    number
  >;
  return columns.reduce(
    (sum, { type, length, over }) => sum + (over === undefined ? length * (sizes[type] ?? 4) : 0),
    0,
  );
}

/** A community in which items come and go, as its clients see it. */
class Turnover {
  readonly created_at = new Map<string, number>();
  readonly seen = Array.from({ length: USERS }, () => new Set<string>());
  private readonly random = seededRandom(SEED);
  private made = 0;

  constructor(
    private readonly server: TestServer,
    private readonly rounds: Rounds,
  ) {}

  async step(): Promise<void> {
    this.server.clock.advance(STEP_HOURS * HOUR);
    await this.rounds.retire();
    await this.post();
    await this.act();
    await this.read();
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  private async post(): Promise<void> {
    const now = this.server.clock.now();
    const items = Array.from({ length: ITEMS_PER_STEP }, () => {
      const item_id = `item-${this.made++}-${'x'.repeat(this.below(30))}`;
      this.created_at.set(item_id, now);
      return {
        item_id,
        author_id: `user-${this.below(USERS)}`,
        created_at: now - this.below(600),
        text: `a text of ${'many '.repeat(this.below(40))} words`,
        channel: `channel-${this.made % 7}`,
        embed_items: [`https://site-${this.made}.example.com/`],
        likes_count: this.below(9),
        updated_at: now,
      };
    });
    expect((await this.server.post('/v2/farcaster/items', items)).body.rejected_count).toBe(0);
  }

  /** Acts on existing items, and on items that were never described. */
  private async act(): Promise<void> {
    const now = this.server.clock.now();
    const fresh = [...this.created_at].filter(([, time]) => time > now - DAY).map(([item_id]) => item_id);
    const acts = Array.from({ length: 4 * ITEMS_PER_STEP }, (_, index) => ({
      user_id: `user-${this.below(USERS)}`,
      item_id: index % 40 === 0 ? `heard-of-${this.made}-${index}` : fresh[this.below(fresh.length)],
      event_type: ['like', 'comment', 'share', 'bookmark'][this.below(4)],
      timestamp: now,
      action: index % 9 === 0 ? 'remove' : 'add',
      event_id: index % 2 === 0 ? `act-${index}` : undefined,
    }));
    expect((await this.server.post('/v2/farcaster/interactions', acts)).body.rejected_count).toBe(0);
    const [item_id] = fresh.splice(this.below(fresh.length), 1);
    await this.server.call('DELETE', `/v2/farcaster/items/${item_id}`, undefined, {
      authorization: 'Bearer test-key',
    });
    this.created_at.delete(item_id);
  }

  private async read(): Promise<void> {
    const oldest = this.server.clock.now() - RETENTION_DAYS * DAY - 600;
    for (const [index, seen] of this.seen.entries()) {
      const query = { user_id: `user-${index}`, top_k: 10, impression_count: 10, seed: 1 };
      const kind = ['for-you', 'trending', 'popular'][this.below(3)];
      const { body } = await this.server.post(`/v2/farcaster/casts/feed/${kind}`, query);
      const page = body.body.map(({ item_id }: { item_id: string }) => item_id);
      for (const item_id of page) {
        expect(this.created_at.get(item_id)).toBeGreaterThan(oldest);
        expect(seen.has(item_id)).toBe(false);
        seen.add(item_id);
      }
    }
  }
}

longTest(
  `a service in which all items are replaced ${TURNOVERS} times keeps its size (seed ${SEED})`,
  async () => {
    const rounds = new Rounds();
    await using server = await openTestServer({
      clock: new ManualClock(START),
      // With lagging caches, which hold ordinals for longest.
      settings: { retention_days: RETENTION_DAYS, derived_lag_ms: 60_000 },
      opening: { retires_items: true, timers: rounds },
    });
    const { state, store, retention } = server.service;
    const turnover = new Turnover(server, rounds);
    const sizes: { ordinals: number; names: number; state: number; rows: number }[] = [];
    for (let turned = 0; turned < TURNOVERS; turned++) {
      for (let step = 0; step < STEPS_PER_TURNOVER; step++) await turnover.step();
      await rounds.purge();
      const { changes: rows } = await store.replay(() => {});
      const names = state.items.names.size_bytes;
      sizes.push({ ordinals: state.items.size, names, state: bytesOf(state), rows });
    }
    const made = TURNOVERS * STEPS_PER_TURNOVER * ITEMS_PER_STEP;
    expect(turnover.created_at.size).toBeGreaterThan(0.9 * made);
    expect(retention?.retired).toBeGreaterThan(0.8 * made);
    // Columns that grow by chance and by doubling reach their size after some turns.
    const before = sizes[TURNOVERS / 2 - 1];
    const after = sizes[TURNOVERS - 1];
    console.log(
      `sizes after ${TURNOVERS / 2} turns ${JSON.stringify(before)}, after ${TURNOVERS} ${JSON.stringify(after)}`,
    );
    expect(after.ordinals).toBeLessThan(1.1 * before.ordinals);
    expect(after.names).toBeLessThan(1.3 * before.names);
    expect(after.state).toBeLessThan(1.1 * before.state);
    expect(after.rows).toBeLessThan(1.1 * before.rows);
  },
  60_000,
);
