import { type Random, seededRandom } from '../../../src/clock.ts';
import { LIMITS } from '../../../src/limits.ts';
import { Client, Disconnected } from './client.ts';
import { Inspector } from './inspector.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { BASE_ITEMS, baseItem, baseUser, type Operation, Workload, withdrawals } from './workload.ts';
import { blocked, isInvalid, keptAway, moderated, World } from './world.ts';

/** Number of concurrent clients. Each has one request under way. */
const CLIENTS = 6;

/** Checkpoints are written continuously. */
const CHECKPOINTS = { FEEDLOOM_CHECKPOINT_CHANGES: '1', FEEDLOOM_CHECKPOINT_SECONDS: '0' };
const WRITTEN = 'checkpoint written';

/** One in this many rounds begins with a complete checkpoint; most rounds are too short for one. */
export const LIVES_PER_CHECKPOINT = 3;

/** The end of a round: numbers of acknowledged requests and of requests under way. */
export interface KillPlan {
  /** Before the round, one client sends until a checkpoint was written. */
  checkpoint: boolean;
  acknowledged: number;
  in_flight: number;
}

/** A client: the requests that it sends, and the records that it knows to be stored. */
export interface Actor {
  world: World;
  workload: Workload;
  /** Sent and not answered when the service was killed. */
  unanswered: Unanswered | undefined;
}

export interface Unanswered {
  operation: Operation;
  /** `withdrawn` of the simulation when it was sent. */
  withdrawn_before: number;
}

/** Figures for the report. */
export interface Figures {
  kills: number;
  operations_acknowledged: number;
  records_acknowledged: number;
  /** Unanswered requests that were stored completely, in part (whole slices of a body), and not at all. */
  unanswered_stored: number;
  unanswered_in_part: number;
  unanswered_gone: number;
  /** Unanswered requests with unknown outcome, also pages whose items were removed since. */
  unanswered_sent_again: number;
  viewers_erased: number;
  /** Number of comparisons of users and items with the acknowledged records. */
  users_checked: number;
  items_checked: number;
  pages_checked: number;
  checkpoints_written: number;
  starts_from_checkpoint: number;
  changes_folded: number;
  fold_ms: number;
}

/** A service under load that is killed and restarted, and the answers that its clients got. */
export class Simulation {
  readonly actors: Actor[];
  readonly base = new World();
  readonly figures: Figures = {
    kills: 0,
    operations_acknowledged: 0,
    records_acknowledged: 0,
    unanswered_stored: 0,
    unanswered_in_part: 0,
    unanswered_gone: 0,
    unanswered_sent_again: 0,
    viewers_erased: 0,
    users_checked: 0,
    items_checked: 0,
    pages_checked: 0,
    checkpoints_written: 0,
    starts_from_checkpoint: 0,
    changes_folded: 0,
    fold_ms: 0,
  };
  private service: ServiceProcess | undefined;
  /** Number of deletions and hidings of items by all clients. */
  private withdrawn = 0;
  private in_flight = 0;
  private readonly random: Random;

  constructor(
    readonly seed: number,
    private readonly data: string,
  ) {
    this.random = seededRandom(seed);
    this.actors = Array.from({ length: CLIENTS }, (_, index) => ({
      world: new World(),
      workload: new Workload(`client${index}`, seededRandom(seed * CLIENTS + index)),
      unanswered: undefined,
    }));
  }

  /** Starts the service on the stored data. */
  async start(): Promise<Client> {
    this.service = await startService(this.data, { env: CHECKPOINTS });
    if (this.service.loaded.checkpoint_seq > 0) this.figures.starts_from_checkpoint++;
    this.figures.changes_folded += this.service.loaded.changes;
    this.figures.fold_ms += this.service.loaded.load_ms;
    return new Client(this.service.address);
  }

  /** Shared users and items, which every client may like and follow, and none deletes. */
  async prepare(client: Client): Promise<void> {
    const records = Array.from({ length: BASE_ITEMS }, (_, index) => ({
      item_id: baseItem(index),
      author_id: baseUser(index),
      created_at: 1_690_000_000 + index,
      text: `base text ${index}`,
    }));
    const { status } = await client.post('items', records);
    if (status !== 200) throw new Error(`the base items were answered with ${status}`);
    this.base.take('items', records);
  }

  /** Lets all clients send until the plan is fulfilled, then kills the service at any point. */
  async runUntilKilled(client: Client, plan: KillPlan): Promise<void> {
    if (plan.checkpoint) await this.checkpointed(client);
    const service = this.service!;
    const goal = this.figures.operations_acknowledged + plan.acknowledged;
    let killed: Promise<void> | undefined;
    const onEvent = () => {
      if (this.figures.operations_acknowledged < goal || this.in_flight < plan.in_flight) return;
      killed ??= service.crash();
    };
    await Promise.all(
      this.actors.map((actor) => this.drive(client, actor, onEvent, () => killed !== undefined)),
    );
    await killed;
    this.figures.kills++;
    this.countCheckpoints();
  }

  /** A plan for the next round. */
  plan(): KillPlan {
    return {
      checkpoint: this.figures.kills % LIVES_PER_CHECKPOINT === 1,
      acknowledged: 15 + Math.floor(this.random() * 75),
      in_flight: 1 + Math.floor(this.random() * CLIENTS),
    };
  }

  /** Finds the outcome of the unanswered requests, and checks all other records. */
  async verify(client: Client): Promise<void> {
    const inspector = new Inspector(client, this.base, this.actors, this.figures);
    await inspector.settle(this.withdrawn);
    await inspector.verifyAll();
  }

  /** Popular pages of all users of all clients. Their order does not depend on the time. */
  async popularPages(client: Client): Promise<string[][]> {
    const users = this.actors.flatMap(({ workload }) => workload.userNames());
    return Promise.all(users.map((user_id) => client.page('popular', { user_id, top_k: 1_000 })));
  }

  /** Stops the service cleanly. */
  async stop(): Promise<void> {
    const code = await this.service!.stop();
    this.countCheckpoints();
    if (code !== 0) throw new Error(`the service ended with ${code} after SIGTERM`);
  }

  /**
   * Lets one client send until the running service has written a checkpoint. A checkpoint is due when a share of all
   * changes is new. It has a lower priority than requests, so it would never complete while all clients send.
   */
  async checkpointed(client: Client): Promise<void> {
    const { log } = this.service!;
    const written = () => log.some((line) => line.includes(WRITTEN));
    await this.drive(client, this.actors[0], () => {}, written);
  }

  private countCheckpoints(): void {
    this.figures.checkpoints_written += this.service!.log.filter((line) => line.includes(WRITTEN)).length;
  }

  /** One line for the report. */
  report(): string {
    const { changes_folded, fold_ms, ...counts } = this.figures;
    const listed = Object.entries(counts).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`);
    const per_second = Math.round((changes_folded / Math.max(fold_ms, 1)) * 1000);
    return `seed ${this.seed}: ${listed.join(', ')}; start-up folded ${changes_folded} changes at ${per_second}/s`;
  }

  private async drive(client: Client, actor: Actor, onEvent: () => void, over: () => boolean): Promise<void> {
    const inspector = new Inspector(client, this.base, this.actors, this.figures);
    while (!over()) {
      const operation = actor.workload.next(actor.world);
      actor.unanswered = { operation, withdrawn_before: this.withdrawn };
      this.in_flight++;
      try {
        const answer = this.send(client, actor, operation);
        onEvent();
        await answer;
        actor.unanswered = undefined;
        this.figures.operations_acknowledged++;
        onEvent();
        await inspector.verifyNext(actor, operation);
      } catch (error) {
        if (!(error instanceof Disconnected)) throw error;
        return;
      } finally {
        this.in_flight--;
      }
    }
  }

  /** Sends an operation and applies acknowledged records to the actor's world. */
  private async send(client: Client, { world }: Actor, operation: Operation): Promise<void> {
    if (operation.kind === 'page') return this.sendPage(client, world, operation);
    const withdrawn = withdrawals(world, operation);
    if (operation.kind === 'delete item') {
      expectStatus(operation, (await client.delete('items', operation.id)).status);
      world.deleteItem(operation.id);
    } else if (operation.kind === 'erase user') {
      expectStatus(operation, (await client.delete('users', operation.id)).status);
      world.eraseUser(operation.id);
    } else {
      const { kind, records } = operation;
      const { status, body } = await client.post(kind, records);
      expectStatus(operation, status);
      const valid = records.filter((record) => !isInvalid(record)).length;
      if (body.accepted !== valid) throw new Error(`refused ${kind}: ${JSON.stringify(body.rejected)}`);
      world.take(kind, records);
      this.figures.records_acknowledged += valid;
    }
    this.withdrawn += withdrawn;
  }

  /** Checks a page against everything acknowledged to this client, and records its items as seen. */
  private async sendPage(
    client: Client,
    world: World,
    operation: Operation & { kind: 'page' },
  ): Promise<void> {
    const { type, user_id, top_k } = operation;
    const page = await client.page(type, { user_id, top_k, impression_count: top_k });
    if (page.length !== top_k) throw new Error(`a page of ${top_k} had ${page.length} items`);
    if (new Set(page).size !== page.length) throw new Error(`an item was twice on one page: ${page}`);
    const away = keptAway(world.users.get(user_id));
    for (const item_id of page) {
      if (away.has(item_id)) throw new Error(`${user_id} was shown ${item_id} again`);
      const item = world.items.get(item_id) ?? this.base.items.get(item_id);
      if (world.deleted.has(item_id) || world.retired.has(item_id))
        throw new Error(`${item_id} is shown though deleted`);
      if (item !== undefined && moderated(world, item)) throw new Error(`${item_id} is shown though hidden`);
      if (item !== undefined && blocked(world, user_id, item.author_id))
        throw new Error(`${user_id} was shown ${item_id} of a blocked author`);
      world.user(user_id).seen.add(item_id);
    }
    this.figures.pages_checked++;
  }
}

function expectStatus(operation: Operation, status: number): void {
  if (status === 200) return;
  const what =
    'records' in operation ? `${operation.records.length} ${operation.kind}` : JSON.stringify(operation);
  throw new Error(`${what}: answered with ${status}`);
}

/** Possible lengths of slices of a body, by whether pages are requested; the last slice may be shorter. */
const SLICE_RECORDS = [LIMITS.ingest_slice_records, LIMITS.ingest_slice_records_read];

/** The parts of a body that are each stored completely: those between two possible ends of a slice. */
export function slices<T>(records: readonly T[]): T[][] {
  const parts: T[][] = [];
  const ends = new Set([0]);
  for (let start = 0, end = 1; end <= records.length; end++) {
    if (end < records.length && !SLICE_RECORDS.some((length) => ends.has(end - length))) continue;
    ends.add(end);
    parts.push(records.slice(start, end));
    start = end;
  }
  return parts;
}
