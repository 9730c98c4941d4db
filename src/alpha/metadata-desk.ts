import { LRUCache } from 'lru-cache';
import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import type { Metadata, PluginLog } from '../plugin/index.ts';
import { metadataProblem } from '../plugin/metadata-problem.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

/** Says what is known of items, in their order. */
export type Provide = (item_ids: readonly string[]) => Promise<readonly Metadata[]>;

export interface DeskOptions {
  /** Id of the provider, for the log. */
  id: string;
  provide: Provide;
  monotonicMs(): number;
  timers: Timers;
  log: PluginLog;
}

/** An answer waits for metadata at most so long, seconds. */
const PATIENCE_SECONDS = 0.05;
/** A call that has not ended by then has failed, seconds. */
const CALL_SECONDS = 3;
/** What is known stays good for so long (prices move), and what is not known is asked again after so long, ms. */
const FRESH_MS = 300_000;
const UNKNOWN_MS = 60_000;
/** Items that are remembered. */
const REMEMBERED_MAX = 20_000;
const CALL_ITEMS_MAX = 8;
const CALLS_MAX = 4;
/** Items that wait to be asked about; what comes on top is asked about another time. */
const WAITING_MAX = 1_000;
/** From one line about failures in the log to the next. */
const LOG_EVERY_MS = 60_000;

/** How an item of an answer got its metadata: from memory, from a call that it waited for, or not at all, as after failed calls. */
type ItemOutcome = 'remembered' | 'in_time' | 'without';

/** Totals since the start. */
export interface DeskFigures {
  calls: number;
  failed_calls: number;
  /** Answers that went out while something that they waited for was still being asked about. */
  late_answers: number;
  items: Record<ItemOutcome, number>;
}

interface Remembered {
  metadata: Metadata;
  /** The provider has said something of the item, be it that it knows nothing; false: its calls failed. */
  answered: boolean;
  until_ms: number;
}

/**
 * Stands between answers and a metadata provider, which may be slow, wrong or gone: an answer waits for
 * `PATIENCE_SECONDS` and goes without what is not there by then. What arrives later is remembered for the
 * next answer, and what was known stays in use while it is asked for anew.
 */
export class MetadataDesk {
  readonly figures: DeskFigures = {
    calls: 0,
    failed_calls: 0,
    late_answers: 0,
    items: { remembered: 0, in_time: 0, without: 0 },
  };
  private readonly remembered = new LRUCache<string, Remembered>({ max: REMEMBERED_MAX });
  /** Items that wait for a call, and those that are being asked about. */
  private readonly waiting = new Set<string>();
  private readonly asked = new Set<string>();
  /** Called after each call. */
  private readonly watchers = new Set<() => void>();
  private readonly breaker: CircuitBreaker;
  private calls = 0;
  private logged_ms = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: DeskOptions) {
    this.breaker = new CircuitBreaker(options.monotonicMs);
  }

  get id(): string {
    return this.options.id;
  }

  get remembered_items(): number {
    return this.remembered.size;
  }

  /** The provider failed so often that it is not called, tries apart. */
  get is_left_alone(): boolean {
    return this.breaker.is_open;
  }

  /** What is known of some items, as far as it is known in time. Never rejects. */
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

  /** @param unknown those of the items that the provider had said nothing of */
  private count(items: number, unknown: readonly string[]): void {
    const without = unknown.filter((item_id) => !this.isAnswered(item_id));
    const { figures } = this;
    figures.items.remembered += items - unknown.length;
    figures.items.in_time += unknown.length - without.length;
    figures.items.without += without.length;
    if (without.some((item_id) => this.isComing(item_id))) figures.late_answers++;
  }

  /** Resolves when none of the items is being asked about any more, or patience ends. */
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

  /** Something new will be known of the item: nothing is yet, and somebody is asking. */
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
      else this.fail(new Error(`the answer for ${item_ids[bad]} is no metadata: ${problems[bad]}`));
    } catch (error) {
      for (const item_id of item_ids) this.remember(item_id, false);
      this.fail(error);
    }
    this.calls--;
    for (const item_id of item_ids) this.asked.delete(item_id);
    this.call();
    for (const look of [...this.watchers]) look();
  }

  /** What is no metadata counts as nothing known. @returns why it is none */
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

  /** @param count of items that are asked for */
  private inTime(run: () => Promise<readonly Metadata[]>, count: number): Promise<readonly Metadata[]> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no answer within ${CALL_SECONDS} s`));
      const stop = this.options.timers.after(CALL_SECONDS, late);
      // What throws before it returns a promise is a failure, too.
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
   * Of an item about which nothing was said, what was known before stays.
   * @param answered whether the provider said something of it, be it that it knows nothing
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
    this.options.log.warn({ provider: this.options.id, cause }, 'metadata could not be had');
  }
}

/** Why an answer cannot be used: of one with entries left out, nobody knows which entry is whose. */
function faultOf(answers: unknown, count: number): string | undefined {
  if (!Array.isArray(answers)) return 'the answer is no list';
  if (answers.length === count) return undefined;
  return `the answer has ${answers.length} entries for ${count} items; it must have one for each, in their order`;
}

/**
 * A copy: what a plugin goes on changing must not change what is remembered. Undefined for metadata that says nothing. What its
 * fields hold is looked at later.
 */
function copied(metadata: unknown): Metadata | undefined {
  const copy = JSON.parse(JSON.stringify(metadata ?? {})) as Metadata;
  return Object.keys(copy).length === 0 ? undefined : copy;
}
