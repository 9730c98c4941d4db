import { resolve } from 'node:path';
import type { Command } from 'commander';
import { evaluateAlpha } from '../evaluate/alpha.ts';
import { evaluateHoldout } from '../evaluate/holdout.ts';
import { evaluateReplay } from '../evaluate/replay.ts';
import { evaluateTrending } from '../evaluate/trending.ts';
import { defaultScoring } from '../feeds/compile-feed.ts';
import type { FeedType } from '../plugin/index.ts';
import { duration, integer, share, time } from '../setting-values.ts';
import type { Settings } from '../settings.ts';
import { type Common, type Opened, onStage, onWalletStage } from './evaluate-stage.ts';
import * as values from './evaluate-values.ts';
import { refuse } from './evaluate-values.ts';

/**
 * The ids of the scoring functions to measure.
 *
 * Without names, all functions for this feed type, its default first. Functions that need options are left out with a
 * notice.
 */
function scoringFor({ registry, stage }: Opened, type: FeedType, named?: readonly string[]): string[] {
  const of_type = registry
    .all('scoring_functions')
    .filter(({ extension }) => extension.feeds?.includes(type) ?? true);
  const reasons = new Map<string, string>();
  for (const { id, options } of of_type) {
    const checked = options.check(undefined, '');
    if (checked.ok) continue;
    const messages = checked.faults.map(({ path, message }) => `${path.slice(1)} ${message}`.trimStart());
    reasons.set(id, messages.join('; '));
  }
  const standard = defaultScoring(type);
  const fitting = of_type
    .map(({ id }) => id)
    .filter((id) => !reasons.has(id))
    .sort((one, other) => Number(other === standard) - Number(one === standard));
  const choice = `Choose ${fitting.join(', ')}.`;
  if (named?.length === 0) throw refuse('--scoring names no scoring function', choice);
  for (const id of named ?? []) {
    const reason = reasons.get(id);
    if (reason !== undefined) throw refuse(`'${id}' cannot be used without options: ${reason}`, choice);
    if (!fitting.includes(id)) throw refuse(`there is no scoring function '${id}' for ${type} feeds`, choice);
  }
  if (named !== undefined) return [...named];
  for (const [id, reason] of reasons)
    stage.log.print(`left out: ${id} (it cannot be used without options: ${reason})`);
  return fitting;
}

type FromSettings = (command: Command) => Settings;

const HOUR = 3600;

/** The protocols; each adds its own options. */
const PROTOCOLS = { holdout, replay, trending, alpha };

/** Adds `feedloom evaluate` with a command for each protocol. */
export function addEvaluate(feedloom: Command, settingsOf: FromSettings): void {
  const evaluate = feedloom
    .command('evaluate')
    .description('measure the quality of the feeds on your own data, compared with simple baselines')
    .showHelpAfterError();
  for (const [name, protocol] of Object.entries(PROTOCOLS)) {
    protocol(withCommon(evaluate.command(name), name === 'trending' ? 10 : 20), settingsOf);
  }
}

function withCommon(command: Command, top_k: number): Command {
  return command
    .requiredOption('--data <folder>', 'folder of interchange files, see feedloom import --help')
    .addOption(values.parsed('--top-k <n>', 'items per page', integer(1, 1000)).default(top_k))
    .addOption(values.parsed('--seed <n>', 'seed of random choices', integer(0, 2 ** 32 - 1)).default(1))
    .option('--plugins <files>', 'third-party plugins: files, folders or npm packages, separated by commas')
    .option('--json', 'print JSON and nothing else');
}

function withScoring(command: Command): Command {
  return command.option(
    '--scoring <ids>',
    'scoring functions, separated by commas (default: all of the feed type)',
    values.list,
  );
}

interface Scoring extends Common {
  scoring?: string[];
}

function withSample(command: Command): Command {
  return command.addOption(
    values.parsed(
      '--sample <n>',
      'build at most this many pages, for a random sample of the users or acts',
      integer(1, 1e9),
    ),
  );
}

function withViewers(command: Command): Command {
  const type = values.parsed('--type <type>', 'for-you, trending or popular', values.feedType);
  return withSample(withScoring(command.addOption(type.default('for-you'))));
}

interface Viewers extends Scoring {
  type: ReturnType<typeof values.feedType>;
  sample?: number;
}

function holdout(command: Command, settingsOf: FromSettings): void {
  withViewers(command)
    .description(
      'are the held-out items of a user on the page, built after all acts in the data? If items are news for only hours or days, use replay',
    )
    .requiredOption('--test <file>', 'held-out acts in the form of interactions.csv')
    .action((options: Viewers & { test: string }, command: Command) => {
      const { type, topK: top_k, sample, seed } = options;
      values.checkTopK(top_k, type);
      const test = values.testFile(options.test);
      return onStage(settingsOf(command), options, [resolve(options.test)], (opened) => {
        const scoring = scoringFor(opened, type, options.scoring);
        return evaluateHoldout(opened.stage, { test, feed_type: type, scoring, top_k, sample, seed });
      });
    });
}

interface Replay extends Viewers {
  from?: number;
  fromShare?: number;
  events?: ReturnType<typeof values.events>;
}

function replay(command: Command, settingsOf: FromSettings): void {
  withViewers(command)
    .description("is each user's next item on the page that was built right before the act?")
    .addOption(
      values.parsed(
        '--from <time>',
        'build pages for acts from this time on: epoch seconds or ISO 8601',
        time,
      ),
    )
    .addOption(
      values.parsed(
        '--from-share <share>',
        'build pages for acts after this share of all acts (default: 0.7)',
        share,
      ),
    )
    .option('--events <types>', 'acts that pages are to predict (default: like,share,comment)', values.events)
    .action((options: Replay, command: Command) => {
      const { events = values.events('like,share,comment'), from: time } = options;
      const { type, topK: top_k, sample, seed, fromShare: share = 0.7 } = options;
      values.checkTopK(top_k, type);
      if (time !== undefined && options.fromShare !== undefined) {
        throw values.refuse('--from and --from-share exclude each other');
      }
      const from = time === undefined ? { share } : { time };
      return onStage(settingsOf(command), options, [], (opened) => {
        const scoring = scoringFor(opened, type, options.scoring);
        return evaluateReplay(opened.stage, { from, events, feed_type: type, scoring, top_k, sample, seed });
      });
    });
}

interface Trending extends Scoring {
  from: number;
  every?: number;
  horizon?: number;
  activeWithin?: number;
}

function trending(command: Command, settingsOf: FromSettings): void {
  withScoring(command)
    .description('does the trending feed rank the items first that gain the most engagement afterwards?')
    .addOption(
      values
        .parsed('--from <time>', 'time of the first ranking: epoch seconds or ISO 8601', time)
        .makeOptionMandatory(),
    )
    .addOption(values.parsed('--every <duration>', 'time between two rankings (default: 1h)', duration))
    .addOption(values.parsed('--horizon <duration>', 'how far ahead gains count (default: 3h)', duration))
    .addOption(
      values.parsed(
        '--active-within <duration>',
        'rank items that had engagement within this time (default: 24h)',
        duration,
      ),
    )
    .action((options: Trending, command: Command) => {
      const { every = HOUR, horizon = 3 * HOUR, activeWithin: active_within = 24 * HOUR } = options;
      const { from, topK: top_k, seed } = options;
      values.checkTopK(top_k, 'trending');
      return onStage(settingsOf(command), options, [], (opened) => {
        const scoring = scoringFor(opened, 'trending', options.scoring);
        const { stage, active } = opened;
        const steps = { from, every, horizon, active_within };
        return evaluateTrending(stage, active, { ...steps, scoring, top_k, seed });
      });
    });
}

function alpha(command: Command, settingsOf: FromSettings): void {
  withSample(command)
    .description('are the next tokens and NFTs of a wallet on its page?')
    .addOption(
      values.parsed(
        '--split <share>',
        'build pages after this share of the events, in order of time (default: 0.8)',
        share,
      ),
    )
    .option('--chain <name>', 'the chain of the items (default: base)')
    .action((options: Common & { split?: number; sample?: number }, command: Command) => {
      const { split = 0.8, sample, topK: top_k, seed } = options;
      values.checkTopK(top_k, 'for-you');
      return onWalletStage(settingsOf(command), options, (stage, events) =>
        evaluateAlpha(stage, events, { split, top_k, sample, seed }),
      );
    });
}
