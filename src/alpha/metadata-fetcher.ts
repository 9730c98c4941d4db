import { LRUCache } from 'lru-cache';
import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import type { Metadata, PluginLog } from '../plugin/index.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { bytesOf, copied, entryProblem, listProblem } from './provided-metadata.ts';

/** Fetches metadata of items. Returns one entry per item, in order. See `MetadataProvider.compile`. */
export type Provide = (item_ids: readonly string[]) => Promise<readonly (Metadata | Error)[]>;

export interface FetcherOptions {
  id: string;
  provide: Provide;
  monotonicMs(): number;
  timers: Timers;
  log: PluginLog;
  /** Maximum size of all cached metadata, estimated. Default 64 MiB. */
  remembered_bytes_max?: number;
}

/** Maximum time that an answer waits for metadata, in seconds. */
const PATIENCE_SECONDS = 0.05;
const CALL_SECONDS = 3;
/** Cache time of metadata (prices change) and of unknown items, in milliseconds. The latter also follows a failed call. */
const FRESH_MS = 300_000;
const UNKNOWN_MS = 60_000;
/** The pause after an unusable entry for an item. It doubles with each further one. */
const UNUSABLE_MS = 120_000;
const UNUSABLE_MS_MAX = 3_600_000;
/** Maximum number of cached items, and the default of their size. */
const REMEMBERED_MAX = 20_000;
const REMEMBERED_BYTES_MAX = 64 * 1024 * 1024;
const CALL_ITEMS_MAX = 8;
const CALLS_MAX = 4;
/** Maximum number of calls for items that failed before. Such a call is for one item, which cannot fail others then. */
const RETRIES_MAX = 2;
/** Maximum number of queued items. Further items are requested by a later answer. */
const WAITING_MAX = 1_000;

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
  /** Consecutive calls that failed, and unusable entries. */
  failures: number;
  until_ms: number;
  bytes: number;
}

/**
 * Fetches metadata from a provider that may be slow, wrong or unavailable.
 *
 * An answer waits for `PATIENCE_SECONDS` and goes out without what is missing then. A late result is cached for the
 * next answer. Stale entries are used while they are fetched again.
 *
 * Anyone can add items by events, so a failed call alone does not count against the provider: the item that was
 * described last is requested again, and only if that fails, too, the circuit breaker counts a failure.
 */
export class MetadataFetcher {
  readonly figures: FetcherFigures = {
    calls: 0,
    failed_calls: 0,
    late_answers: 0,
    items: { remembered: 0, in_time: 0, without: 0 },
  };
  private readonly remembered: LRUCache<string, Remembered>;
  /** Items that are queued for a call, and items of running calls. */
  private readonly waiting = new Set<string>();
  private readonly asked = new Set<string>();
  private readonly watchers = new Set<() => void>();
  private readonly breaker: CircuitBreaker;
  private calls = 0;
  /** The item that was described last. Undefined before the first one. */
  private witness: string | undefined;
  /** Whether a call has failed since the last call for the witness. */
  private is_in_doubt = false;

  constructor(private readonly options: FetcherOptions) {
    this.remembered = new LRUCache({
      max: REMEMBERED_MAX,
      maxSize: options.remembered_bytes_max ?? REMEMBERED_BYTES_MAX,
      sizeCalculation: ({ bytes }) => bytes,
    });
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
        this.watchers.delete(onCall);
        resolve();
      };
      const onCall = () => {
        if (!item_ids.some((item_id) => this.isComing(item_id))) end();
      };
      const stop = this.options.timers.after(PATIENCE_SECONDS, end);
      this.watchers.add(onCall);
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

  private failuresOf(item_id: string): number {
    return this.remembered.peek(item_id)?.failures ?? 0;
  }

  private call(): void {
    while (this.waiting.size > 0 && this.calls < CALLS_MAX) {
      const item_ids = this.nextItems();
      if (item_ids.length === 0) return;
      if (!this.breaker.allows()) {
        this.waiting.clear();
        return;
      }
      for (const item_id of item_ids) {
        this.waiting.delete(item_id);
        this.asked.add(item_id);
      }
      void this.ask(item_ids);
    }
  }

  /** The items of the next call: items that never failed first. None if others must wait for the end of a call. */
  private nextItems(): string[] {
    const { witness } = this;
    const needs_witness = this.is_in_doubt || this.breaker.is_open;
    if (needs_witness && witness !== undefined && !this.asked.has(witness)) return [witness];
    const unfailed: string[] = [];
    for (const item_id of this.waiting) {
      if (this.failuresOf(item_id) === 0) unfailed.push(item_id);
      if (unfailed.length === CALL_ITEMS_MAX) break;
    }
    if (unfailed.length > 0) return unfailed;
    const retries = [...this.asked].filter((item_id) => this.failuresOf(item_id) > 0);
    return retries.length < RETRIES_MAX ? [...this.waiting].slice(0, 1) : [];
  }

  private async ask(item_ids: readonly string[]): Promise<void> {
    this.calls++;
    this.figures.calls++;
    const is_proof = this.witness === undefined || (item_ids.length === 1 && item_ids[0] === this.witness);
    if (is_proof) this.is_in_doubt = false;
    try {
      const answers = await this.inTime(() => this.options.provide(item_ids), item_ids.length);
      for (const [index, item_id] of item_ids.entries()) this.take(item_id, answers[index]);
      this.breaker.succeeded();
    } catch (error) {
      for (const item_id of item_ids) this.failed(item_id, UNKNOWN_MS);
      if (is_proof || this.breaker.is_open) this.breaker.failed();
      else this.is_in_doubt = true;
      this.figures.failed_calls++;
      this.logFailure({ cause: reasonOf(error) }, 'metadata could not be fetched');
    }
    this.calls--;
    for (const item_id of item_ids) this.asked.delete(item_id);
    this.call();
    for (const onCall of [...this.watchers]) onCall();
  }

  /** Caches the entry of an item. An entry that cannot be used costs this item, and not the provider. */
  private take(item_id: string, entry: unknown): void {
    const problem = entryProblem(entry);
    if (problem === undefined) {
      const metadata = copied(entry);
      if (metadata !== undefined) this.witness = item_id;
      this.remember(item_id, { metadata, answered: true }, metadata === undefined ? UNKNOWN_MS : FRESH_MS);
      return;
    }
    this.failed(item_id, Math.min(UNUSABLE_MS_MAX, UNUSABLE_MS * 2 ** this.failuresOf(item_id)));
    this.logFailure({ item_id, cause: problem }, 'an item cannot be described');
  }

  private failed(item_id: string, pause_ms: number): void {
    this.remember(item_id, { failures: this.failuresOf(item_id) + 1 }, pause_ms);
  }

  private inTime(run: () => ReturnType<Provide>, count: number): ReturnType<Provide> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no answer within ${CALL_SECONDS} s`));
      const stop = this.options.timers.after(CALL_SECONDS, late);
      // A synchronous throw of the provider is a failure as well.
      Promise.resolve()
        .then(run)
        .then((answers) => {
          const wrong = listProblem(answers, count);
          if (wrong === undefined) resolve(answers);
          else reject(new Error(wrong));
        }, reject)
        .finally(stop);
    });
  }

  /**
   * Caches a result. Without metadata, the previous one stays.
   * @param answered whether the provider returned an entry for the item, even an empty one
   */
  private remember(
    item_id: string,
    result: { metadata?: Metadata; answered?: boolean; failures?: number },
    fresh_ms: number,
  ): void {
    const known = this.remembered.peek(item_id);
    const metadata = result.metadata ?? known?.metadata ?? {};
    this.remembered.set(item_id, {
      metadata,
      answered: result.answered ?? known?.answered ?? false,
      failures: result.failures ?? 0,
      until_ms: this.options.monotonicMs() + fresh_ms,
      bytes: bytesOf(metadata),
    });
  }

  private logFailure(fields: object, message: string): void {
    this.options.log.warn({ provider: this.options.id, ...fields }, message);
  }
}
