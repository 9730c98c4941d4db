import type { Command } from 'commander';
import { monotonicMs } from '../clock.ts';
import { StartupError } from '../errors.ts';
import { readOwnFeeds } from '../evaluate/own-feeds.ts';
import { patchOf } from '../evaluate/proposal.ts';
import { jsonReport, tableReport } from '../evaluate/report.ts';
import { SignalReader } from '../evaluate/signal-reader.ts';
import { tune } from '../evaluate/tune.ts';
import { integer, positive } from '../setting-values.ts';
import type { Settings } from '../settings.ts';
import { type FromSettings, withCommon } from './evaluate.ts';
import { type Common, type Opened, type Outcome, onStage } from './evaluate-stage.ts';
import * as values from './evaluate-values.ts';

interface Options extends Common {
  feed: string;
  events: ReturnType<typeof values.events>;
  sample: number;
  minutes: number;
}

/** Signals that get no weight: a higher dislike is worse, and the time of an item is almost the same for all. */
const UNWEIGHTED = ['dislike', 'newest'];

/** Adds `feedloom tune`. */
export function addTune(feedloom: Command, settingsOf: FromSettings): void {
  const command = feedloom
    .command('tune')
    .description(
      'propose weights and time decay for a saved for-you feed, from the first two thirds of the history, and measure them on the last third; changes nothing',
    )
    .requiredOption('--feed <id>', 'saved feed of feeds.jsonl in the data');
  withCommon(command, 20)
    .addOption(
      values
        .parsed('--events <types>', 'acts that pages are to predict', values.events)
        .default(values.events('like,share,comment'), 'like,share,comment'),
    )
    .addOption(
      values
        .parsed('--sample <n>', 'pages for each part: fitting, choosing and reporting', integer(1, 1e9))
        .default(3000),
    )
    .addOption(
      values.parsed('--minutes <n>', 'ends without a proposal after this time', positive).default(30),
    )
    .action((options: Options, command: Command) => {
      values.checkTopK(options.topK, 'for-you');
      const settings: Settings = settingsOf(command);
      return onStage(settings, options, [], (opened) => tuned(opened, options));
    });
}

async function tuned(opened: Opened, options: Options): Promise<Outcome> {
  const { registry, feed_files, log } = opened;
  const [feed] = await readOwnFeeds(registry, feed_files, [options.feed], log);
  if (feed.feed_type !== 'for-you')
    throw values.refuse(`'${feed.feed_id}' is a ${feed.feed_type} feed; only for-you feeds can be tuned`);
  const reader = new SignalReader(registry.ids('signals').filter((id) => !UNWEIGHTED.includes(id)));
  registry.add(reader.plugin, 'feedloom tune');
  const stage = await opened.read();
  const { events, topK: top_k, sample, seed, minutes } = options;
  const end_ms = monotonicMs() + minutes * 60_000;
  const onPage = () => {
    if (monotonicMs() > end_ms) throw outOfTime(minutes);
  };
  const result = await tune(stage, { feed, events, top_k, sample, seed, reader, onPage });
  const patch = result.proposal && patchOf(feed, result.proposal);
  if (options.json) return { text: jsonReport(result, { patch: patch ?? null }) };
  const verdict =
    patch === undefined ? result.verdict : `${curlOf(patch, feed.revision)}\n\n${result.verdict}`;
  return { text: tableReport({ ...result, verdict }) };
}

/** A command that makes the change if the feed is still the one that was measured. */
function curlOf(patch: object, revision: number): string {
  const body = JSON.stringify(patch).replaceAll("'", "'\\''");
  return `Nothing was changed. This command changes the feed:

curl -X PATCH "$URL/api/feed/config?merge=true" -H "authorization: $KEY" -H 'content-type: application/json' \\
  -H 'if-match: "${revision}"' -d '${body}'`;
}

function outOfTime(minutes: number): StartupError {
  return new StartupError(
    'out_of_time',
    `not finished after ${minutes} minutes, so nothing is proposed`,
    'Choose a smaller --sample, or more --minutes.',
  );
}
