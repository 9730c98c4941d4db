import type { WalletFeeds } from '../alpha/wallet-feeds.ts';
import { seededRandom } from '../clock.ts';
import { StartupError } from '../errors.ts';
import type { DatedEvent } from '../interchange/formats.ts';
import { pageWorth } from './metrics.ts';
import { Names } from './names.ts';
import { Orders } from './orders.ts';
import type { OnProgress } from './progress.ts';
import type { Score } from './score.ts';
import { type Evaluation, Scoreboard } from './scoreboard.ts';
import { sampled } from './targets.ts';

export interface AlphaStage {
  alpha: Pick<WalletFeeds, 'forYou'>;
  data: string;
  /** Applies events in order and sets the clock to the last one. */
  apply(events: readonly DatedEvent[]): Promise<void>;
  onProgress: OnProgress;
}

export interface AlphaOptions {
  /** Share of the events, in order of time, to apply before pages are built. */
  split: number;
  top_k: number;
  /** Number of wallets to evaluate. Undefined: all. */
  sample?: number;
  seed: number;
}

const HOUR = 3600;
const BASELINES = ['random', 'popular', 'last 6 hours', 'last-hour'] as const;
type BaselineName = (typeof BASELINES)[number];

/** A wallet and the items that should be recommended to it. */
interface Question {
  wallet: string;
  held: ReadonlySet<number>;
  relevant: Set<number>;
}

/**
 * Applies the first part of the events and builds a page for each known wallet.
 *
 * Relevant are the known items that the wallet interacts with in the second part for the first time.
 * @throws StartupError `nothing_to_evaluate`
 */
export async function evaluateAlpha(
  { alpha, data, apply, onProgress }: AlphaStage,
  events: readonly DatedEvent[],
  { split, top_k, sample, seed }: AlphaOptions,
): Promise<Evaluation> {
  const ordered = events.toSorted((one, other) => one.timestamp - other.timestamp);
  const past = ordered.slice(0, Math.floor(ordered.length * split));
  const known = new Past(past);
  const questions = sampled(questionsOf(known, ordered.slice(past.length)), sample, seed);
  if (questions.length === 0) throw nothingToAsk(data);
  onProgress('applying', 0, past.length);
  await apply(past);
  const scores = new Scoreboard('alpha', [{ name: 'for-you', request: {} }], BASELINES, top_k);
  const [{ score: served }] = scores.served;
  const random = seededRandom(seed);
  const popularityOf = (item: number) => known.times[item].length;
  for (const [user, { wallet, held, relevant }] of questions.entries()) {
    const judge = (score: Score, page: readonly number[]) =>
      score.add({ unit: user, page, worth: pageWorth(page, relevant, top_k) }, popularityOf);
    const position = { index: user, total: questions.length };
    const { items } = await served.times.measure(() => alpha.forYou(wallet, top_k), position);
    judge(
      served,
      items.map(({ itemId }) => known.items.add(itemId)),
    );
    for (const { name, score } of scores.simple) judge(score, known.page(name, held, top_k, random));
    onProgress('asking', user + 1, questions.length);
  }
  const about = `${questions.length.toLocaleString('en-US')} wallets`;
  return { data, about, ...scores.result(seed, known.times.length) };
}

/** The events that were applied before pages are built. */
class Past {
  readonly items = new Names();
  readonly times: number[][] = [];
  readonly acted_on = new Map<string, Set<number>>();
  private readonly end: number;
  private readonly orders: Orders<BaselineName>;

  constructor(events: readonly DatedEvent[]) {
    for (const { wallet_address, item_id, timestamp } of events) {
      const item = this.items.add(item_id);
      if (item === this.times.length) this.times.push([]);
      this.times[item].push(timestamp);
      const items = this.acted_on.get(wallet_address) ?? new Set();
      this.acted_on.set(wallet_address, items.add(item));
    }
    this.end = events.at(-1)?.timestamp ?? 0;
    this.orders = new Orders(this.times.map((_, item) => item));
  }

  /** The first items of a simple order that are new to a wallet. Ties: newer first. */
  page(name: BaselineName, held: ReadonlySet<number>, length: number, random: () => number): number[] {
    if (name === 'random') return this.orders.page(undefined, () => () => random(), held, length);
    return this.orders.page(name, () => this.scoreOf(name), held, length);
  }

  private scoreOf(name: BaselineName): (item: number) => number {
    const hours = name === 'last 6 hours' ? 6 : name === 'last-hour' ? 1 : Number.POSITIVE_INFINITY;
    const since = this.end - hours * HOUR;
    return (item) => this.times[item].filter((time) => time > since).length;
  }
}

function questionsOf(known: Past, future: readonly DatedEvent[]): Question[] {
  const questions = new Map<string, Question>();
  for (const { wallet_address: wallet, item_id } of future) {
    const held = known.acted_on.get(wallet);
    const item = known.items.find(item_id);
    if (held === undefined || item === undefined || held.has(item)) continue;
    const question = questions.get(wallet) ?? { wallet, held, relevant: new Set() };
    question.relevant.add(item);
    questions.set(wallet, question);
  }
  return [...questions.values()];
}

function nothingToAsk(data: string): StartupError {
  return new StartupError(
    'nothing_to_evaluate',
    `after the split no known wallet of '${data}' has an event with a known item that is new to it`,
    'Choose another --split.',
  );
}
