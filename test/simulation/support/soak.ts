import { monotonicMs, seededRandom, systemClock } from '../../../src/clock.ts';
import { Draws } from '../../support/draws.ts';
import { samples } from '../../support/samples.ts';
import type { Client, FeedType, IngestBody } from './client.ts';
import { Latencies, type SoakSample } from './soak-figures.ts';

export interface SoakPlan {
  seed: number;
  seconds: number;
  items_per_second: number;
  /** Lifetime of an item. */
  life_seconds: number;
  samples: number;
}

/** Retention of the service. Items are dated so that only their lifetime remains. */
export const RETENTION_DAYS = 1;
const SECONDS_PER_DAY = 86_400;

const USERS = 2_000;
const AUTHORS = 200;
const WALLETS = 300;
const TOKENS = 500;
const CHANNELS = 12;
const FEED_TYPES: readonly FeedType[] = ['for-you', 'trending', 'popular'];
const ACTS = ['view', 'view', 'like', 'like', 'like', 'comment', 'share', 'bookmark', 'hide'];
const EVENTS = ['mint', 'buy', 'swap', 'sell', 'transfer', 'bid', 'like', 'view'];

/** Seconds between two bodies of one kind. */
const PACE = { items: 0.25, acts: 0.1, follows: 1, blocks: 2, events: 0.1, deletion: 0.5, erasure: 2 };
const ACTS_PER_BODY = 20;

/** All kinds of use at a steady pace, and the metrics meanwhile. */
export class Soak extends Draws {
  readonly taken: SoakSample[] = [];
  readonly counts = { items: 0, acts: 0, feeds: 0, events: 0, deletions: 0, erasures: 0 };
  private readonly latencies = new Latencies();
  private readonly start_ms = monotonicMs();

  constructor(
    private readonly client: Client,
    private readonly plan: SoakPlan,
  ) {
    super(seededRandom(plan.seed));
  }

  /** @throws Error for an unexpected answer */
  async run(): Promise<void> {
    await this.post();
    await Promise.all([
      this.every(PACE.items, () => this.post()),
      this.every(PACE.acts, () => this.act()),
      this.every(PACE.follows, () => this.send('follows', this.relation('follow', 'unfollow'))),
      this.every(PACE.blocks, () => this.send('blocks', this.relation('block', 'unblock'))),
      this.every(PACE.events, () => this.trade()),
      this.every(PACE.deletion, () => this.deleteItem()),
      this.every(PACE.erasure, () => this.eraseUser()),
      this.every(this.plan.seconds / this.plan.samples, () => this.sample()),
      this.halfTheTime(() => this.read()),
    ]);
  }

  private get seconds(): number {
    return (monotonicMs() - this.start_ms) / 1000;
  }

  /** Runs work at a steady pace. Delays are not caught up. */
  private async every(seconds: number, work: () => Promise<void>): Promise<void> {
    for (let next = seconds; next <= this.plan.seconds; next = Math.max(next + seconds, this.seconds)) {
      await Bun.sleep(Math.max(0, next - this.seconds) * 1000);
      await work();
    }
  }

  /**
   * Runs work repeatedly, with a pause as long as each run. After the first quarter the rate is limited to that of the
   * first quarter, because memory follows the load and a machine may become faster.
   */
  private async halfTheTime(work: () => Promise<void>): Promise<void> {
    const { seconds } = this.plan;
    let times = 0;
    let pace = 0;
    while (this.seconds < seconds) {
      const began = this.seconds;
      if (pace === 0 && times > 0 && began > seconds / 4) pace = began / times;
      await work();
      times++;
      await Bun.sleep(Math.max(this.seconds - began, began + pace - this.seconds) * 1000);
    }
  }

  private user(): string {
    return `user-${this.below(USERS)}`;
  }

  /** One of the latest items. Some of them are deleted. */
  private item(): string {
    const { life_seconds, items_per_second } = this.plan;
    const latest = Math.ceil(life_seconds * items_per_second);
    return `item-${Math.max(0, this.counts.items - 1 - this.below(latest))}`;
  }

  /** Time of an item that has `life_seconds` left. */
  private moment(): number {
    return systemClock.now() - RETENTION_DAYS * SECONDS_PER_DAY + this.plan.life_seconds;
  }

  private async post(): Promise<void> {
    const count = Math.max(1, Math.round(this.plan.items_per_second * PACE.items));
    const items = Array.from({ length: count }, () => {
      const number = this.counts.items++;
      return {
        item_id: `item-${number}`,
        author_id: `user-${this.below(AUTHORS)}`,
        created_at: this.moment(),
        text: `What is to be said as number ${number}, in a text of no great length, of ${this.below(1000)} things.`,
        channel: `channel-${this.below(CHANNELS)}`,
      };
    });
    await this.send('items', items);
  }

  private async act(): Promise<void> {
    const acts = Array.from({ length: ACTS_PER_BODY }, () => {
      const event_type = this.pick(ACTS);
      const event_id = event_type === 'comment' ? { event_id: `comment-${this.counts.acts}` } : {};
      this.counts.acts++;
      return {
        user_id: this.user(),
        item_id: this.item(),
        event_type,
        timestamp: this.moment(),
        ...event_id,
      };
    });
    await this.send('interactions', acts);
  }

  private relation(done: string, undone: string): object[] {
    const user_id = this.user();
    const target_user_id = `user-${this.below(AUTHORS)}`;
    if (user_id === target_user_id) return [];
    return [{ user_id, target_user_id, action: this.random() < 0.6 ? done : undone }];
  }

  private async send(kind: string, records: object[]): Promise<void> {
    if (records.length === 0) return;
    const { status, body } = await this.timed(this.client.post<IngestBody>(kind, records));
    if (status !== 200 || body.accepted !== records.length)
      throw new Error(`${kind}: ${status} ${JSON.stringify(body)}`);
  }

  private async read(): Promise<void> {
    const query = { user_id: this.user(), top_k: 25, impression_count: 10, return_metadata: true };
    const answer = await this.timed(this.client.feed(this.pick(FEED_TYPES), query));
    this.counts.feeds++;
    if (answer.status !== 200) throw new Error(`a feed: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.body.body.length === 0) throw new Error('a feed was empty');
  }

  private async trade(): Promise<void> {
    const wallet_address = address('a', this.below(WALLETS));
    // A fixed set: wallet items are kept for at least a day, however old their last event is.
    const token = this.below(TOKENS);
    const event = {
      wallet_address,
      item_id: `base.${address('c', token)}`,
      event_type: this.pick(EVENTS),
    };
    this.counts.events++;
    await this.answered('POST', '/base/events', [200], { ...event, timestamp: this.moment() });
    await this.answered('GET', `/base/feed/for-you/${wallet_address}`, [200]);
    await this.answered('GET', '/base/feed/popular', [200]);
  }

  private async deleteItem(): Promise<void> {
    await this.answered('DELETE', `/v2/farcaster/items/${this.item()}`, [200, 404]);
    this.counts.deletions++;
  }

  /** An erased user comes back with their next act. */
  private async eraseUser(): Promise<void> {
    await this.answered('DELETE', `/v2/farcaster/users/${this.user()}`, [200, 404]);
    this.counts.erasures++;
  }

  private async answered(method: string, path: string, statuses: number[], body?: object): Promise<void> {
    const answer = await this.timed(this.client.call(method, path, body));
    if (!statuses.includes(answer.status))
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  private async timed<T>(answer: Promise<T>): Promise<T> {
    const began_ms = monotonicMs();
    const found = await answer;
    this.latencies.add(monotonicMs() - began_ms);
    return found;
  }

  private async sample(): Promise<void> {
    const found = samples(await (await fetch(`${this.client.address}/metrics`)).text());
    const level = (name: string) => found.get(name) ?? 0;
    this.taken.push({
      seconds: this.seconds,
      rss_bytes: level('process_resident_memory_bytes'),
      heap_bytes: level('feedloom_memory_bytes{kind="heap_used"}'),
      items: level('feedloom_state_entries{community="content",kind="items"}'),
      checkpoints: level('feedloom_checkpoints_written{community="content"}'),
      ...this.latencies.take(),
    });
  }
}

function address(space: string, n: number): string {
  return `0x${n.toString(16).padStart(40, space)}`;
}
