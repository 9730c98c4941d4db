import { monotonicMs } from '../../src/clock.ts';
import { call } from '../cluster/processes.ts';
import { item, until } from '../cluster/support.ts';
import { API_KEY, type ServiceProcess } from '../simulation/support/service-process.ts';

/** Viewers and fans that send requests to all nodes, and repeat those that fail, as the documents tell clients to. */

const V2 = '/v2/farcaster';
const VIEWERS = 4;
const FANS = 2;
const ITEMS = 3_000;
const PAGE_ITEMS = 3;
/** Time between two requests of a viewer or fan. */
const PACE_MS = 40;
/** Successes after which a service counts as available again. */
const AVAILABLE = 40;

/** The longest time between two successes. */
class Gap {
  longest_ms = 0;
  count = 0;
  private last_ms = monotonicMs();

  succeeded(): void {
    const now_ms = monotonicMs();
    this.longest_ms = Math.max(this.longest_ms, Math.round(now_ms - this.last_ms));
    this.last_ms = now_ms;
    this.count++;
  }

  /** Waits for further successes. @returns the longest gap since the last call */
  async ended(): Promise<number> {
    const enough = this.count + AVAILABLE;
    await until(
      async () => this.count,
      (count) => count >= enough,
    );
    const { longest_ms } = this;
    this.longest_ms = 0;
    return longest_ms;
  }
}

export class Load {
  readonly violations: string[] = [];
  private readonly pages = new Gap();
  private readonly likes = new Gap();
  private repeats = 0;
  /** Acknowledged likes by user. */
  private readonly liked = new Map<string, string[]>();
  private requests = 0;
  private is_over = false;
  private acting: Promise<unknown> | undefined;

  constructor(private readonly nodes: readonly ServiceProcess[]) {}

  get counts(): Record<'pages' | 'likes' | 'repeats', number> {
    return { pages: this.pages.count, likes: this.likes.count, repeats: this.repeats };
  }

  /** Resolves when pages and likes succeed. */
  async begin(): Promise<void> {
    for (let from = 0; from < ITEMS; from += 1_000) {
      const items = Array.from({ length: 1_000 }, (_, at) => item(`item${from + at}`));
      await this.answered('/items', items);
    }
    this.acting = Promise.all([
      ...Array.from({ length: VIEWERS }, (_, number) => this.view(`viewer${number}`)),
      ...Array.from({ length: FANS }, (_, number) => this.like(`fan${number}`)),
    ]);
    await this.outage();
  }

  /** Resolves when pages and likes succeed again, with the longest gaps since the last call. */
  async outage(): Promise<{ pages_ms: number; likes_ms: number }> {
    const [pages_ms, likes_ms] = await Promise.all([this.pages.ended(), this.likes.ended()]);
    return { pages_ms, likes_ms };
  }

  /** Resolves when every request is answered. */
  async end(): Promise<void> {
    this.is_over = true;
    await this.acting;
  }

  /** Adds the acknowledged likes that a node lacks to the violations. */
  async compare(node: ServiceProcess): Promise<void> {
    for (const [user_id, item_ids] of this.liked) {
      const headers = { authorization: `Bearer ${API_KEY}` };
      const answer = await fetch(`${node.address}${V2}/users/${user_id}/export`, { headers });
      const exported = await answer.text();
      const lost = item_ids.filter((id) => !exported.includes(`"${id}"`));
      this.violations.push(...lost.map((id) => `${node.address} lost the like of ${id} by ${user_id}`));
    }
  }

  private async view(user_id: string): Promise<void> {
    const shown = new Set<string>();
    while (!this.is_over) {
      const impression_count = PAGE_ITEMS;
      const page = { user_id, top_k: PAGE_ITEMS, impression_count, request_id: crypto.randomUUID() };
      const items: { item_id: string }[] = await this.answered('/feeds/popular', page);
      if (items.length < PAGE_ITEMS) this.violations.push(`${user_id} got a page of ${items.length}`);
      for (const { item_id } of items) {
        if (shown.has(item_id)) this.violations.push(`${user_id} was shown ${item_id} a second time`);
        shown.add(item_id);
      }
      this.pages.succeeded();
      await Bun.sleep(PACE_MS);
    }
  }

  private async like(user_id: string): Promise<void> {
    const acknowledged: string[] = [];
    this.liked.set(user_id, acknowledged);
    for (let number = 0; !this.is_over; number++) {
      const item_id = `item${number % ITEMS}`;
      await this.answered('/interactions', [{ user_id, item_id, event_type: 'like' }]);
      acknowledged.push(item_id);
      this.likes.succeeded();
      await Bun.sleep(PACE_MS);
    }
  }

  /** Sends a request to one node after the other until one of them accepts it. @returns the body of the answer */
  private async answered(path: string, body: unknown) {
    for (;;) {
      const node = this.nodes[this.requests++ % this.nodes.length];
      const answer = await call(node, 'POST', V2 + path, body);
      if (answer?.status === 200) return answer.body.body;
      if (answer !== undefined && answer.status !== 503)
        this.violations.push(`${path} was answered ${answer.status} ${answer.body.detail}`);
      this.repeats++;
      await Bun.sleep(PACE_MS);
    }
  }
}
