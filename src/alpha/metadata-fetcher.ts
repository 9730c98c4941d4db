import { LRUCache } from 'lru-cache';
import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import type { Metadata, PluginLog } from '../plugin/index.ts';
import { metadataProblem } from '../plugin/metadata-problem.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

/** Fetches metadata of items. Returns one entry per item, in order. */
export type Provide = (item_ids: readonly string[]) => Promise<readonly Metadata[]>;

export interface FetcherOptions {
  /** Id of the provider, for the log. */
  id: string;
  provide: Provide;
  monotonicMs(): number;
  timers: Timers;
  log: PluginLog;
}

/** Maximum time that an answer waits for metadata, in seconds. */
const PATIENCE_SECONDS = 0.05;
/** Timeout of a call, in seconds. */
const CALL_SECONDS = 3;
/** Cache time of metadata (prices change) and of unknown items, in milliseconds. */
const FRESH_MS = 300_000;
const UNKNOWN_MS = 60_000;
/** Maximum number of cached items. */
const REMEMBERED_MAX = 20_000;
const CALL_ITEMS_MAX = 8;
const CALLS_MAX = 4;
/** Maximum number of queued items. Further items are requested by a later answer. */
const WAITING_MAX = 1_000;
/** Minimum time between two log lines about failures. */
const LOG_EVERY_MS = 60_000;

/** How an item of an answer got its metadata: from the cache, from a call in time, or not at all. */
type ItemOutcome = 'remembered' | 'in_time' | 'without';

/** Totals since the start. */
export interface FetcherFigures {
  calls: number;
  failed_calls: number;
  /** Answers that were sent while a call for one of their items was running. */
  late_answers: number;
  items: Record<ItemOutcome, number>;
}

interface Remembered {
  metadata: Metadata;
  /** Whether the provider has returned an entry for the item, even an empty one. False if its calls failed. */
  answered: boolean;
  until_ms: number;
}

/**
 * Fetches metadata from a provider that may be slow, wrong or unavailable.
 *
 * An answer waits for `PATIENCE_SECONDS` and goes out without what is missing then. A late result is cached for the
 * next answer. Stale entries are used while they are fetched again.
 */
export class MetadataFetcher {
  readonly figures: FetcherFigures = {
    calls: 0,
    failed_calls: 0,
    late_answers: 0,
    items: { remembered: 0, in_time: 0, without: 0 },
  };
  private readonly remembered = new LRUCache<string, Remembered>({ max: REMEMBERED_MAX });
  /** Items that are queued for a call, and items of running calls. */
  private readonly waiting = new Set<string>();
  private readonly asked = new Set<string>();
  /** Called after each call. */
  private readonly watchers = new Set<() => void>();
  private readonly breaker: CircuitBreaker;
  private calls = 0;
  private logged_ms = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: FetcherOptions) {
    this.breaker = new CircuitBreaker(options.monotonicMs);
  }

  get id(): string {
    return this.options.id;
  }

  get remembered_items(): number {
    return this.remembered.size;
  }

  /** Whether the provider has failed so often that it is not called, except for trials. */
  get is_circuit_open(): boolean {
    return this.breaker.is_open;
  }

  /** Fetches metadata of items, as far as it is available in time. Never rejects. */
  async describe(item_ids: readonly string[]): Promise<(item_id: string) => Metadata | undefined> {
    const now_ms = this.options.monotonicMs();
    const unknown = item_ids.filter((item_id) => !this.isAnswered(item_id));
    const missing = item_ids.filter((item_id) => !this.isFresh(item_id, now_ms));
    for (const item_id of missing) this.want(item_id);
    this.call();
    if (missing.some((item_id) => this.isComing(item_id))) await this.settled(missing);
    this.count(item_ids.length, unknown);
    const found = new Map(item_ids.map((item_id) => [item_id, this.remembered.get(item_id)?.metadata]));
    return (item_id) => found.get(item_id);
  }

  /** @param unknown the items for which the provider had returned nothing before */
  private count(items: number, unknown: readonly string[]): void {
    const without = unknown.filter((item_id) => !this.isAnswered(item_id));
    const { figures } = this;
    figures.items.remembered += items - unknown.length;
    figures.items.in_time += unknown.length - without.length;
    figures.items.without += without.length;
    if (without.some((item_id) => this.isComing(item_id))) figures.late_answers++;
  }

  /** Resolves when no call for the items is running or queued, or after the maximum waiting time. */
  private settled(item_ids: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stop();
        this.watchers.delete(look);
        resolve();
      };
      const look = () => {
        if (!item_ids.some((item_id) => this.isComing(item_id))) end();
      };
      const stop = this.options.timers.after(PATIENCE_SECONDS, end);
      this.watchers.add(look);
    });
  }

  /** Whether a first result for the item is being fetched. */
  private isComing(item_id: string): boolean {
    if (this.remembered.has(item_id)) return false;
    return this.waiting.has(item_id) || this.asked.has(item_id);
  }

  private isAnswered(item_id: string): boolean {
    return this.remembered.peek(item_id)?.answered === true;
  }

  private isFresh(item_id: string, now_ms: number): boolean {
    const known = this.remembered.peek(item_id);
    return known !== undefined && now_ms < known.until_ms;
  }

  private want(item_id: string): void {
    if (this.asked.has(item_id) || this.waiting.size >= WAITING_MAX) return;
    this.waiting.add(item_id);
  }

  private call(): void {
    while (this.waiting.size > 0 && this.calls < CALLS_MAX) {
      if (!this.breaker.allows()) {
        this.waiting.clear();
        return;
      }
      const item_ids = [...this.waiting].slice(0, CALL_ITEMS_MAX);
      for (const item_id of item_ids) {
        this.waiting.delete(item_id);
        this.asked.add(item_id);
      }
      void this.ask(item_ids);
    }
  }

  private async ask(item_ids: readonly string[]): Promise<void> {
    this.calls++;
    this.figures.calls++;
    try {
      const answers = await this.inTime(() => this.options.provide(item_ids), item_ids.length);
      const problems = item_ids.map((item_id, index) => this.take(item_id, answers[index]));
      const bad = problems.findIndex((problem) => problem !== undefined);
      if (bad < 0) this.breaker.succeeded();
      else this.fail(new Error(`the answer for ${item_ids[bad]} is not valid metadata: ${problems[bad]}`));
    } catch (error) {
      for (const item_id of item_ids) this.remember(item_id, false);
      this.fail(error);
    }
    this.calls--;
    for (const item_id of item_ids) this.asked.delete(item_id);
    this.call();
    for (const look of [...this.watchers]) look();
  }

  /** Invalid metadata counts as unknown. @returns why it is invalid */
  private take(item_id: string, answer: unknown): string | undefined {
    const problem = answer === undefined || answer === null ? undefined : metadataProblem(answer);
    if (problem === undefined) this.remember(item_id, true, copied(answer));
    else this.remember(item_id, false);
    return problem;
  }

  private fail(error: unknown): void {
    this.breaker.failed();
    this.figures.failed_calls++;
    this.logFailure(error);
  }

  /** @param count the number of requested items */
  private inTime(run: () => Promise<readonly Metadata[]>, count: number): Promise<readonly Metadata[]> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no answer within ${CALL_SECONDS} s`));
      const stop = this.options.timers.after(CALL_SECONDS, late);
      // A synchronous throw of the provider is a failure as well.
      Promise.resolve()
        .then(run)
        .then((answers) => {
          const wrong = faultOf(answers, count);
          if (wrong === undefined) resolve(answers);
          else reject(new Error(wrong));
        }, reject)
        .finally(stop);
    });
  }

  /**
   * Caches a result. Without a result, the previous metadata stays.
   * @param answered whether the provider returned an entry for the item, even an empty one
   */
  private remember(item_id: string, answered: boolean, metadata?: Metadata): void {
    const known = this.remembered.peek(item_id);
    const until_ms = this.options.monotonicMs() + (metadata === undefined ? UNKNOWN_MS : FRESH_MS);
    this.remembered.set(item_id, {
      metadata: metadata ?? known?.metadata ?? {},
      answered: answered || known?.answered === true,
      until_ms,
    });
  }

  private logFailure(error: unknown): void {
    const now_ms = this.options.monotonicMs();
    if (now_ms - this.logged_ms < LOG_EVERY_MS) return;
    this.logged_ms = now_ms;
    const cause = reasonOf(error);
    this.options.log.warn({ provider: this.options.id, cause }, 'metadata could not be fetched');
  }
}

/** Explains why an answer cannot be used. If entries are missing, the others cannot be assigned to items. */
function faultOf(answers: unknown, count: number): string | undefined {
  if (!Array.isArray(answers)) return 'the answer is not a list';
  if (answers.length === count) return undefined;
  return `the answer has ${answers.length} entries for ${count} items; it must have one for each, in their order`;
}

/**
 * Copies metadata, so that later changes by the plugin do not affect the cache. Undefined if it is empty.
 *
 * The values of its fields are checked later.
 */
function copied(metadata: unknown): Metadata | undefined {
  const copy = JSON.parse(JSON.stringify(metadata ?? {})) as Metadata;
  return Object.keys(copy).length === 0 ? undefined : copy;
}
