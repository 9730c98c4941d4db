import { type Random, seededRandom, systemClock } from '../../../src/clock.ts';
import { call } from '../processes.ts';
import { item } from '../support.ts';

/** A node that requests are sent to. */
export interface Reachable {
  address: string;
}

const V2 = '/v2/farcaster';
export const FEEDS = ['popular', 'trending', 'for-you'] as const;
/** How often a client repeats a request without an answer, and its pause. */
const REPEATS_MAX = 100;
const REPEAT_MS = 200;
/** Maximum number of identifiers of one `records/read`. */
const READ_MAX = 100;

/**
 * What viewers were shown and what was acknowledged, compared with the rules of linearizability.
 *
 * Ticks order the events: a request that began at a later tick than that of an acknowledgement must reflect it.
 */
export class World {
  readonly violations: string[] = [];
  readonly counts = {
    pages: 0,
    pages_repeated: 0,
    items_shown: 0,
    requests_refused: 0,
    writes_acknowledged: 0,
    writes_unacknowledged: 0,
    items_stored: 0,
    items_deleted: 0,
    reads_after_write: 0,
    longest_write_gap_ms: 0,
  };
  /** Items whose creation was acknowledged. */
  readonly stored: string[] = [];
  /** The tick at which the deletion of an item was acknowledged; infinite while that is unknown. */
  readonly deleted = new Map<string, number>();
  private ticks = 0;
  private written_ms: number | undefined;

  /** @param nodes the nodes that requests are sent to */
  constructor(
    readonly seed: number,
    readonly nodes: () => readonly Reachable[],
    private readonly monotonicMs: () => number,
  ) {}

  tick(): number {
    return ++this.ticks;
  }

  /** A generator of an actor, which does not depend on the order in which actors run. */
  random(actor: number): Random {
    return seededRandom(this.seed + actor);
  }

  acknowledged(): void {
    this.counts.writes_acknowledged++;
    const now_ms = this.monotonicMs();
    const gap_ms = now_ms - (this.written_ms ?? now_ms);
    this.written_ms = now_ms;
    this.counts.longest_write_gap_ms = Math.max(this.counts.longest_write_gap_ms, Math.round(gap_ms));
  }
}

/** One of these, by chance. */
export function oneOf<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)];
}

/** Sends a request to a random node. Undefined without an answer, and for a refusal with 503. */
async function ask(world: World, random: Random, method: string, path: string, body?: unknown) {
  const answer = await call(oneOf(random, world.nodes()), method, V2 + path, body);
  if (answer !== undefined && answer.status !== 503 && answer.status !== 200)
    world.violations.push(`${method} ${path} was answered ${answer.status} ${answer.body.detail}`);
  if (answer?.status === 200) return answer.body;
  world.counts.requests_refused++;
  return undefined;
}

/** Requests pages of random nodes, some of them of several at once and some until they are answered, until it is stopped. */
export class Viewer {
  private readonly shown = new Set<string>();
  private readonly random: Random;

  constructor(
    private readonly world: World,
    number: number,
    readonly user_id = `viewer${number}`,
  ) {
    this.random = world.random(1_000 + number);
  }

  async step(): Promise<void> {
    const pages = this.random() < 0.3 ? 3 : 1;
    await Promise.all(Array.from({ length: pages }, () => this.read()));
  }

  private async read(): Promise<void> {
    const { world, random, user_id, shown } = this;
    const request_id = random() < 0.5 ? crypto.randomUUID() : undefined;
    const request = { user_id, top_k: 2, impression_count: 2, request_id };
    const began = world.tick();
    const feed = oneOf(random, FEEDS);
    const page = () => ask(world, random, 'POST', `/feeds/${feed}`, request);
    let answer = await page();
    for (let again = 0; answer === undefined && request_id && again < REPEATS_MAX; again++) {
      await Bun.sleep(REPEAT_MS);
      world.counts.pages_repeated++;
      answer = await page();
    }
    if (answer === undefined) return;
    world.counts.pages++;
    for (const { item_id } of answer.body as { item_id: string }[]) {
      world.counts.items_shown++;
      if (shown.has(item_id)) world.violations.push(`${user_id} was shown ${item_id} a second time`);
      shown.add(item_id);
      if ((world.deleted.get(item_id) ?? Number.POSITIVE_INFINITY) < began)
        world.violations.push(`${user_id} was shown ${item_id} after its deletion`);
    }
  }
}

/** Stores items and likes at random nodes, deletes some items, and reads what was acknowledged, until it is stopped. */
export class Writer {
  private items = 0;
  private readonly random: Random;

  constructor(
    private readonly world: World,
    private readonly number: number,
  ) {
    this.random = world.random(2_000 + number);
  }

  async step(): Promise<void> {
    const { random, world } = this;
    const choice = random();
    if (choice < 0.6 || world.stored.length === 0) await this.store();
    else if (choice < 0.9) await this.like();
    else await this.remove();
  }

  /** @returns whether the write was acknowledged */
  private async write(method: string, path: string, body?: unknown): Promise<boolean> {
    const { world, random } = this;
    const answer = await ask(world, random, method, path, body);
    if (answer === undefined) {
      world.counts.writes_unacknowledged++;
      return false;
    }
    if (path === '/items' && answer.rejected_count > 0)
      world.violations.push(`${method} ${path} rejected ${JSON.stringify(answer.rejected)}`);
    world.acknowledged();
    return true;
  }

  private async store(): Promise<void> {
    const { world, random } = this;
    const ids = Array.from({ length: 10 }, () => `item${this.number}-${this.items++}`);
    const created_at = Math.floor(systemClock.now());
    const items = ids.map((id) => item(id, { author_id: `author${Math.floor(random() * 20)}`, created_at }));
    if (!(await this.write('POST', '/items', items))) return;
    world.stored.push(...ids);
    world.counts.items_stored += ids.length;
    const wanted = oneOf(random, ids);
    const answer = await ask(world, random, 'POST', '/records/read', { items: [wanted] });
    if (answer === undefined) return;
    world.counts.reads_after_write++;
    const is_there = answer.items[0]?.item != null || world.deleted.has(wanted);
    if (!is_there) world.violations.push(`${wanted} was acknowledged, but a later read lacked it`);
  }

  private async like(): Promise<void> {
    const { world, random } = this;
    const likes = Array.from({ length: 5 }, () => ({
      user_id: `fan${Math.floor(random() * 30)}`,
      item_id: oneOf(random, world.stored),
      event_type: 'like',
    }));
    await this.write('POST', '/interactions', likes);
  }

  private async remove(): Promise<void> {
    const { world, random } = this;
    const id = oneOf(random, world.stored);
    if (world.deleted.has(id)) return;
    world.deleted.set(id, Number.POSITIVE_INFINITY);
    if (!(await this.write('DELETE', `/items/${id}`))) return;
    world.deleted.set(id, world.tick());
    world.counts.items_deleted++;
  }
}

/** Which of these items a node has. The node must answer. */
async function storedAt(node: Reachable, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let start = 0; start < ids.length; start += READ_MAX) {
    const asked = ids.slice(start, start + READ_MAX);
    const answer = await call(node, 'POST', `${V2}/records/read`, { items: asked });
    if (answer?.status !== 200) throw new Error(`a node that is ready answered ${answer?.status}`);
    // A deleted item is listed without its record.
    for (const { item_id, item } of answer.body.items) if (item !== null) found.add(item_id);
  }
  return found;
}

/** Compares the nodes with what was acknowledged, and with one another. All of them are ready, and no one writes. */
export async function compareNodes(world: World, viewers: readonly string[]): Promise<void> {
  const { violations, stored, deleted } = world;
  for (const node of world.nodes()) {
    const found = await storedAt(node, stored);
    for (const id of stored) {
      if (!found.has(id) && !deleted.has(id))
        violations.push(`${id} was acknowledged, but ${node.address} lacks it`);
      if (found.has(id) && Number.isFinite(deleted.get(id)))
        violations.push(`the deletion of ${id} was acknowledged, but ${node.address} has it`);
    }
  }
  for (const feed of FEEDS) {
    for (const user_id of viewers) {
      const difference = await differenceOf(world.nodes(), feed, user_id);
      if (difference !== undefined) violations.push(difference);
    }
  }
}

/** How often nodes are asked again whose pages differ: scores depend on the time, and one may have passed a step. */
const ASKED_MAX = 5;

/** Asks all nodes for the same page at the same time. Undefined if they agree, else what they answered last. */
async function differenceOf(
  nodes: readonly Reachable[],
  feed: string,
  user_id: string,
): Promise<string | undefined> {
  let pages: string[] = [];
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    pages = await Promise.all(nodes.map((node) => pageOf(node, feed, user_id)));
    if (new Set(pages).size === 1) return undefined;
  }
  return `with the same seed, nodes differ on a ${feed} page of ${user_id}:\n${pages.join('\n')}`;
}

/** A page with a seed as text, with the `seq` that it reflects. */
async function pageOf(node: Reachable, feed: string, user_id: string): Promise<string> {
  const answer = await call(node, 'POST', `${V2}/feeds/${feed}`, { user_id, top_k: 50, seed: 7 });
  if (answer?.status !== 200) throw new Error(`a node that is ready answered ${answer?.status}`);
  const ids = answer.body.body.map(({ item_id }: { item_id: string }) => item_id);
  const ready = await call(node, 'GET', '/readyz');
  return `at ${ready?.body.applied_seq}: ${ids.join(' ')}`;
}
