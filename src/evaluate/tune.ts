import { StartupError } from '../errors.ts';
import type { EventType } from '../model/acts.ts';
import { Reenactment } from './community.ts';
import type { Contestant } from './contestant.ts';
import { pageWorth } from './metrics.ts';
import { contestantOf, type OwnFeed } from './own-feeds.ts';
import type { Phase } from './progress.ts';
import { contestantWith, otherDecays, otherWeights, type Proposal } from './proposal.ts';
import { progressed, type Stage, seedOf } from './protocol.ts';
import { type Evaluation, Scoreboard } from './scoreboard.ts';
import { type Choice, SIGNALS_SCORING, type SignalReader } from './signal-reader.ts';
import { findTargets, sampled, withholdViews } from './targets.ts';
import { differenceOf, leastGain } from './verdict.ts';

export interface TuneOptions {
  feed: OwnFeed;
  /** Types of acts to predict. */
  events: ReadonlySet<EventType>;
  top_k: number;
  /** Maximum number of pages of each part. */
  sample: number;
  seed: number;
  reader: SignalReader;
  /** Called before each page. May throw to end the search. */
  onPage(): void;
}

export interface Tuned extends Evaluation {
  /** Undefined: the feed should stay as it is. */
  proposal: Proposal | undefined;
}

/** The parts of the history, by the share of all acts at which they begin. Before the first, nothing is asked. */
const PARTS = { fitting: 1 / 3, choosing: 1 / 2, reporting: 2 / 3 } as const satisfies Partial<
  Record<Phase, number>
>;
type Part = keyof typeof PARTS;

/** Of the interval of a gain whose lower bound decides. The last third, which a proposal must pass too, guards it. */
const CONFIDENCE = 0.95;

/**
 * Looks for a change of weights and decay with which a for-you feed finds more of what people did next.
 *
 * Weights are fitted to one part of the history. A change is chosen if the interval of its gain is above 0 in the next
 * part, and proposed if it is not worse in the last third.
 * @throws StartupError `nothing_to_evaluate`; errors of `onPage`
 */
export function tune(stage: Stage, options: TuneOptions): Promise<Tuned> {
  return new Tuning(stage, options).run();
}

class Tuning {
  private readonly replayed: Reenactment;
  private readonly targets: Record<Part, readonly number[]>;

  constructor(
    private readonly stage: Stage,
    private readonly options: TuneOptions,
  ) {
    const { timeline, community, log } = stage;
    const { events, sample, seed } = options;
    withholdViews(timeline, events, 0);
    const { acts } = timeline;
    const begin = (part: Part) => Math.floor(PARTS[part] * acts.length);
    const all = findTargets(acts, events, begin('fitting'));
    const between = (from: number, until: number) =>
      sampled(
        all.filter((act) => act >= from && act < until),
        sample,
        seed,
      );
    this.targets = {
      fitting: between(begin('fitting'), begin('choosing')),
      choosing: between(begin('choosing'), begin('reporting')),
      reporting: between(begin('reporting'), acts.length),
    };
    this.replayed = new Reenactment(community, timeline, log);
  }

  async run(): Promise<Tuned> {
    const { stage, options, targets } = this;
    const { feed, seed } = options;
    if (Object.values(targets).some(({ length }) => length === 0)) throw nothingToTune(stage.data);
    await this.replayed.begin(stage.timeline.before(targets.fitting[0]), stage.onProgress);
    const chosen = await this.choose(await this.proposals());
    const scores = await this.measured('reporting', chosen === undefined ? [] : [chosen]);
    const [own, change] = scores.served.map(({ score }) => score);
    const is_worse = change !== undefined && change.mean('hit_rate') < own.mean('hit_rate');
    const { verdict, ...result } = scores.result(seed);
    const proposal = is_worse ? undefined : chosen;
    const [pages, users] = [targets.reporting, own.pages].map(({ length }) => length.toLocaleString('en-US'));
    const about = `${pages} pages of ${users} users in the last third of the history`;
    return {
      ...result,
      data: stage.data,
      about,
      proposal,
      verdict: proposal === undefined ? kept(feed, is_worse) : verdict,
    };
  }

  /**
   * Changes that may be better, at most three: the best other decay, if it is better in the first part, and weights that
   * are fitted to that part.
   */
  private async proposals(): Promise<Proposal[]> {
    const { feed, reader, top_k } = this.options;
    const { request } = contestantOf(feed);
    const choices: Choice[] = [];
    const decays = otherDecays(feed);
    const scores = this.scoresOf(decays);
    await this.eachPage('fitting', async (target) => {
      // First, so that these pages pay for refreshing caches. The time of pages with plugins is limited.
      await judge(scores, target, top_k);
      const build = () => target.ask({ ...request, scoring: SIGNALS_SCORING, time_decay: undefined });
      const choice = await reader.choice(target.item_id, build);
      if (choice !== undefined) choices.push(choice);
    });
    const [own, ...others] = scores.served.map(({ score }) => score.mean('hit_rate'));
    const best = others.indexOf(Math.max(...others));
    const better = others[best] > own ? [decays[best]] : [];
    return [...better, ...otherWeights(feed, choices, reader.names)];
  }

  /** The change with the greatest lower bound of its gain, if that is above 0. */
  private async choose(proposals: readonly Proposal[]): Promise<Proposal | undefined> {
    const scores = await this.measured('choosing', proposals);
    const [own, ...changed] = scores.served.map(({ score }) => score);
    const gains = changed.map((score) => leastGain(differenceOf(score, own, CONFIDENCE, this.options.seed)));
    const best = gains.indexOf(Math.max(...gains));
    return gains[best] > 0 ? proposals[best] : undefined;
  }

  /** Empty scores of the feed, then of the feed with each change. */
  private scoresOf(proposals: readonly Proposal[]): Scoreboard<never> {
    const { feed, top_k } = this.options;
    const name = `${feed.feed_id} changed`;
    const changed = proposals.map((proposal) => contestantWith(feed, name, proposal));
    return new Scoreboard<never>('tune', [contestantOf(feed), ...changed], [], top_k);
  }

  private async measured(part: Part, proposals: readonly Proposal[]): Promise<Scoreboard<never>> {
    const scores = this.scoresOf(proposals);
    await this.eachPage(part, (target) => judge(scores, target, this.options.top_k));
    return scores;
  }

  private async eachPage(part: Part, work: (target: Target) => Promise<void>): Promise<void> {
    const { stage, replayed, options } = this;
    const { timeline } = stage;
    const { acts } = timeline;
    const targets = this.targets[part];
    for (const [index, act] of targets.entries()) {
      options.onPage();
      await replayed.advance(timeline.before(act));
      const [user, item] = [acts.user[act], acts.item[act]];
      const seed = seedOf(options.seed, index);
      const asked = { user_id: timeline.users.id(user), top_k: options.top_k, seed };
      const ask = (request: Contestant['request']) => replayed.ask('for-you', { ...asked, ...request });
      await work({ user, item, item_id: timeline.items.id(item), ask });
      await progressed(stage, index + 1, targets.length, part);
    }
  }
}

/** An act that pages should have predicted, at the moment before it. */
interface Target {
  user: number;
  item: number;
  item_id: string;
  ask(request: Contestant['request']): Promise<number[]>;
}

async function judge(scores: Scoreboard<never>, { user, item, ask }: Target, top_k: number): Promise<void> {
  for (const { contestant, score } of scores.served) {
    const page = await ask(contestant.request);
    score.add({ unit: user, page, worth: pageWorth(page, new Set([item]), top_k) }, () => 0);
  }
}

function kept({ feed_id }: OwnFeed, is_worse: boolean): string {
  const reason = is_worse
    ? 'what looked better before was not better in the last third'
    : 'no other weights and no other decay are known to find more of what people did next';
  return `Keep ${feed_id} as it is: ${reason}`;
}

function nothingToTune(data: string): StartupError {
  return new StartupError(
    'nothing_to_evaluate',
    `'${data}' has too little history: each sixth of its last two thirds needs acts of users with two earlier ones`,
  );
}
