import type { Clock } from '../clock.ts';
import type { FeedObject } from '../feeds/feed-object.ts';
import type { ExperimentKind, InterchangeFile } from '../interchange/files.ts';
import { type FeedImportResult, importLines } from '../interchange/import-feeds.ts';
import type { ImportLog } from '../interchange/report.ts';
import { EXPERIMENT } from '../model/changes/experiment.ts';
import { experimentId, experimentNumber } from '../model/experiment-id.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import type { StoredFeed } from '../store/stored-feed.ts';
import { type ExperimentLine, importedContent, parseExperimentLine } from './experiment-file.ts';
import { runningMax } from './experiments.ts';

export interface ExperimentImportTarget {
  state: State;
  store: Pick<Store, 'submit' | 'feeds'>;
  stamps: Clock;
  /** The importer, see `Edit`. */
  actor: string;
}

/**
 * Imports experiments into a store that has no other writer.
 *
 * They keep their ids, and a viewer keeps the variant. A running experiment begins a new period; the totals of the former
 * ones come with it. An id that exists or existed here changes nothing.
 * @throws StartupError for the first bad line of a strict import; ServiceError `store_unavailable`
 */
export async function importExperiments(
  target: ExperimentImportTarget,
  files: readonly InterchangeFile<ExperimentKind>[],
  log: ImportLog,
): Promise<FeedImportResult> {
  const feeds = new Map((await target.store.feeds.all()).map((feed) => [feed.feed_id, feed]));
  return importLines(files, log, parseExperimentLine, async ({ record, line, report }) => {
    const refusal = refusalOf(target.state, feeds, record);
    if (refusal !== undefined) report.reject(line, refusal);
    else report.accept(await stored(target, feeds, record));
  });
}

/** Why an experiment cannot be imported. */
function refusalOf(
  { experiments }: State,
  feeds: ReadonlyMap<string, StoredFeed>,
  line: ExperimentLine,
): string | undefined {
  const { experiment_id, account, status, feed_id } = line;
  const here = experiments.get(experimentNumber(experiment_id));
  if (here !== undefined)
    return here.account === account
      ? undefined
      : `experiment_id: ${experiment_id} is an experiment of another account here`;
  const refusal = feedRefusal(feeds, line);
  if (refusal !== undefined || status !== 'running') return refusal;
  const other = experiments.runningOn(feed_id);
  if (other !== undefined) return `feed_id: ${experimentId(other)} runs on ${feed_id} here`;
  const { own, max } = runningMax(experiments, account);
  if (own < max) return undefined;
  return `status: ${own} experiments of the account '${account}' are running here, and no more can run`;
}

/**
 * Why the feeds of an experiment are refused. Those of a stopped experiment may have been deleted. The feed of a running
 * one must exist, because another account could create a feed under its id later.
 */
function feedRefusal(
  feeds: ReadonlyMap<string, StoredFeed>,
  { account, feed_id, status, variants }: ExperimentLine,
): string | undefined {
  const feed = feeds.get(feed_id);
  if (feed === undefined && status === 'running') return `feed_id: there is no feed ${feed_id} here`;
  if (feed !== undefined && feed.account !== account)
    return `feed_id: ${feed_id} is a feed of another account here`;
  const at = variants.findIndex((variant) => !isReadable(feeds.get(variant.feed_id), account));
  if (at === -1) return undefined;
  return `variants/${at}/feed_id: ${variants[at].feed_id} is a private feed of another account here`;
}

/** Whether an account may show a feed as a variant. A missing one is not shown. */
function isReadable(feed: StoredFeed | undefined, account: string): boolean {
  if (feed === undefined || feed.account === account) return true;
  const { visibility } = JSON.parse(feed.content) as Pick<FeedObject, 'visibility'>;
  return visibility !== 'private';
}

/** @returns whether it was new */
async function stored(
  { state, store, stamps, actor }: ExperimentImportTarget,
  feeds: ReadonlyMap<string, StoredFeed>,
  line: ExperimentLine,
): Promise<boolean> {
  const { experiments } = state;
  const experiment = experimentNumber(line.experiment_id);
  if (experiments.wasUsed(experiment)) return false;
  const now = stamps.now();
  const pinned = Object.fromEntries(
    line.variants.flatMap(({ feed_id }) => {
      const revision = feeds.get(feed_id)?.revision;
      return revision === undefined ? [] : [[feed_id, revision] as const];
    }),
  );
  const content = importedContent(line, now, actor, experiments.highest_arm + 1, pinned);
  await store.submit([{ kind: EXPERIMENT.kind, experiment, content, seq: 0, applied_at: now }]);
  return true;
}
