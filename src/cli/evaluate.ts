import { resolve } from 'node:path';
import type { Command } from 'commander';
import { evaluateAlpha } from '../evaluate/alpha.ts';
import { evaluateHoldout } from '../evaluate/holdout.ts';
import { evaluateImpressions } from '../evaluate/impressions.ts';
import { evaluateReplay } from '../evaluate/replay.ts';
import { evaluateTrending } from '../evaluate/trending.ts';
import { duration, integer, share, time } from '../setting-values.ts';
import type { Settings } from '../settings.ts';
import { type Asked, contestantsFor } from './evaluate-contestants.ts';
import { type Common, onStage, onWalletStage, outcomeOf } from './evaluate-stage.ts';
import * as values from './evaluate-values.ts';

export type FromSettings = (command: Command) => Settings;

const HOUR = 3600;

/** The protocols; each adds its own options. */
const PROTOCOLS = { holdout, replay, trending, impressions, alpha };
/** Items per page, if not 20. */
const TOP_K: Record<string, number> = { trending: 10, impressions: 10 };

/** Adds `feedloom evaluate` with a command for each protocol. */
export function addEvaluate(feedloom: Command, settingsOf: FromSettings): void {
  const evaluate = feedloom
    .command('evaluate')
    .description('measure the quality of the feeds on your own data, compared with simple baselines')
    .showHelpAfterError();
  for (const [name, protocol] of Object.entries(PROTOCOLS)) {
    protocol(withCommon(evaluate.command(name), TOP_K[name] ?? 20), settingsOf);
  }
}

export function withCommon(command: Command, top_k: number): Command {
  return command
    .requiredOption('--data <folder>', 'folder of interchange files, see feedloom import --help')
    .addOption(values.parsed('--top-k <n>', 'items per page', integer(1, 1000)).default(top_k))
    .addOption(values.parsed('--seed <n>', 'seed of random choices', integer(0, 2 ** 32 - 1)).default(1))
    .option('--plugins <files>', 'third-party plugins: files, folders or npm packages, separated by commas')
    .option('--json', 'print JSON and nothing else');
}

function withContestants(command: Command): Command {
  return withScoring(
    command.option(
      '--feed <ids>',
      'saved feeds of feeds.jsonl in the data, separated by commas',
      values.list,
    ),
    'all of the feed type, unless there is --feed',
  );
}

function withScoring(command: Command, standard: string): Command {
  return command.option(
    '--scoring <ids>',
    `scoring functions, separated by commas, each an id or {"name": id, "options": {…}} (default: ${standard})`,
    values.scorings,
  );
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
  const description = 'for-you, trending or popular (default: the type of --feed, or else for-you)';
  return withSample(
    withContestants(command.addOption(values.parsed('--type <type>', description, values.feedType))),
  );
}

interface Viewers extends Common, Asked {
  sample?: number;
}

interface Holdout extends Viewers {
  test?: string;
  holdOut?: number;
}

function holdout(command: Command, settingsOf: FromSettings): void {
  withViewers(command)
    .description(
      'are the held-out items of a user on the page, built after all acts in the data? If items are news for only hours or days, use replay',
    )
    .option('--test <file>', 'held-out acts in the form of interactions.csv')
    .addOption(
      values.parsed(
        '--hold-out <percent>',
        "instead of --test: hold out the last of each user's own acts, such as 20%",
        values.percent,
      ),
    )
    .action((options: Holdout, command: Command) => {
      const { topK: top_k, sample, seed } = options;
      const held_out = values.heldOut(options);
      const known = options.test === undefined ? [] : [resolve(options.test)];
      return onStage(settingsOf(command), options, known, async (opened) => {
        const asked = await contestantsFor(opened, options, top_k);
        const stage = await opened.read();
        const evaluation = await evaluateHoldout(stage, { ...asked, held_out, top_k, sample, seed });
        return outcomeOf(evaluation, options.json);
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
      const { topK: top_k, sample, seed, fromShare: share = 0.7 } = options;
      if (time !== undefined && options.fromShare !== undefined) {
        throw values.refuse('--from and --from-share exclude each other');
      }
      const from = time === undefined ? { share } : { time };
      return onStage(settingsOf(command), options, [], async (opened) => {
        const asked = await contestantsFor(opened, options, top_k);
        const stage = await opened.read();
        return outcomeOf(
          await evaluateReplay(stage, { ...asked, from, events, top_k, sample, seed }),
          options.json,
        );
      });
    });
}

interface Trending extends Common, Omit<Asked, 'type'> {
  from: number;
  every?: number;
  horizon?: number;
  activeWithin?: number;
}

function trending(command: Command, settingsOf: FromSettings): void {
  withContestants(command)
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
      return onStage(settingsOf(command), options, [], async (opened) => {
        const { contestants } = await contestantsFor(opened, { ...options, type: 'trending' }, top_k);
        const steps = { from, every, horizon, active_within };
        const stage = await opened.read();
        return outcomeOf(
          await evaluateTrending(stage, opened.active, { ...steps, contestants, top_k, seed }),
          options.json,
        );
      });
    });
}

interface Impressions extends Common, Pick<Asked, 'scoring'> {
  from: number;
  window?: number;
  slots: boolean;
}

function impressions(command: Command, settingsOf: FromSettings): void {
  withScoring(command, 'all for for-you feeds')
    .description(
      'are the items of a page that its viewer acted on above the others? Orders pages of impressions.csv again',
    )
    .addOption(
      values
        .parsed(
          '--from <time>',
          'evaluate pages from this time on, and learn from earlier ones: epoch seconds or ISO 8601',
          time,
        )
        .makeOptionMandatory(),
    )
    .addOption(
      values.parsed('--window <duration>', 'how long after a page acts count for it (default: 1h)', duration),
    )
    .option(
      '--no-slots',
      'the slots say nothing of what was looked at: all items of a page were, not only those above the last act and ten below it',
    )
    .action((options: Impressions, command: Command) => {
      const { window = HOUR, from, slots: with_slots, topK: top_k, seed } = options;
      return onStage(
        settingsOf(command),
        options,
        [],
        async (opened) => {
          const { contestants } = await contestantsFor(opened, { ...options, type: 'for-you' }, top_k);
          const stage = await opened.read();
          return outcomeOf(
            await evaluateImpressions(stage, opened.active, {
              ...{ contestants, from, window, with_slots, top_k, seed },
            }),
            options.json,
          );
        },
        { reads_pages: true },
      );
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
