import { type Clock, freshSeed, monotonicMs } from '../clock.ts';
import { type Fault, invalidValue, ServiceError } from '../errors.ts';
import { type SavedFeed, shownProblem } from '../feeds/saved-feed.ts';
import type { Editor, Precondition, SavedFeeds } from '../feeds/saved-feeds.ts';
import { LIMITS } from '../limits.ts';
import { EXPERIMENT } from '../model/changes/experiment.ts';
import type { ExperimentContent, ExperimentVariant, PeriodTotals } from '../model/experiment-content.ts';
import { experimentId, experimentNumber } from '../model/experiment-id.ts';
import { clip } from '../model/values/refusal.ts';
import type { SeenBook } from '../seen/seen-book.ts';
import { pointOf } from '../state/assignment.ts';
import type { State } from '../state/state.ts';
import { silent } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';
import { FairTurns } from '../turns.ts';
import { CurrentTotals } from './current-totals.ts';
import {
  type ChangedExperiment,
  changeFaults,
  DEFAULT_METRIC,
  type NewExperiment,
  stateFaults,
} from './form.ts';
import { KnownViewers } from './known-viewers.ts';
import { ArmTimes } from './page-times.ts';
import { cohortAt, loneGrowth, NO_RANGES, ofNewPeriod, withRanges } from './ranges.ts';
import { ServedVariants } from './served-variants.ts';
import { type CountedData, totalsOf, viewersOf } from './totals.ts';
import type { VariantViewer } from './variant-viewer.ts';

export interface Experiment {
  number: number;
  content: ExperimentContent;
}

export interface ExperimentsOptions {
  state: State;
  store: Pick<Store, 'submit' | 'is_silent' | 'experiment_rows'>;
  saved_feeds: SavedFeeds;
  /** The clock that changes are stamped with. */
  stamps: Clock;
  seen: Pick<SeenBook, 'viewerOf'>;
}

type Content = Omit<ExperimentContent, 'actor' | 'operation' | 'updated_at' | 'revision'>;

/** All experiments, with their access rules. Changes are made one after another, by the node that leads. */
export class Experiments {
  /** Times of pages at this node. */
  readonly times: ArmTimes;
  readonly served: ServedVariants;
  private readonly data: CountedData;
  private readonly current: CurrentTotals;
  private readonly turns = new FairTurns("changes of this account's experiments");

  constructor(private readonly options: ExperimentsOptions) {
    const { state, store, seen, stamps } = options;
    const viewerOf = (user_id: string) => seen.viewerOf(user_id);
    this.data = { state, rows: store.experiment_rows, viewerOf, now: () => stamps.now() };
    this.current = new CurrentTotals(this.data, monotonicMs);
    this.times = new ArmTimes((arm) => this.isOpen(arm));
    this.served = new ServedVariants(state, options.saved_feeds);
  }

  get state(): State {
    return this.options.state;
  }

  private get known(): State['experiments'] {
    return this.options.state.experiments;
  }

  list(account: string): Experiment[] {
    return this.known
      .all()
      .filter(([, content]) => content.account === account)
      .map(([number, content]) => ({ number, content }))
      .reverse();
  }

  /** @throws ServiceError `not_found`, equally for an experiment of another account */
  read(experiment_id: string, account: string): Experiment {
    const number = experimentNumber(experiment_id);
    const content = this.known.get(number);
    if (content?.account === account) return { number, content };
    throw new ServiceError('not_found', `there is no experiment '${clip(experiment_id)}'`);
  }

  /**
   * Creates an experiment, which runs at once.
   * @param salt see `ExperimentContent`; the same gives the same variants
   * @throws ServiceError `experiment_running`, `invalid_value`, `not_found`, `forbidden`, `quota_exceeded`,
   * `store_unavailable`
   */
  create(editor: Editor, form: NewExperiment, salt = freshSalt()): Promise<Experiment> {
    const { account } = editor;
    return this.turns.take(account, async () => {
      this.requireFree(form.feed_id, account);
      const feed = this.ownFeed(form.feed_id, account);
      const wrong = this.feedFaults(form, feed, account);
      if (wrong.length > 0) throw invalidValue(wrong);
      this.requireRoomToRun(account);
      this.requireRoom(account);
      const now = this.options.stamps.now();
      const { variants, ...rest } = form;
      const method = form.method ?? 'split';
      const percents = variants.map(({ percent = 100 }) => percent);
      const empty = variants.map((variant) => ({ ...variant, percent: 0, arm: 0, ...NO_RANGES }));
      const content: Content = {
        method,
        metric: DEFAULT_METRIC,
        attribution_hours: LIMITS.attribution_hours_default,
        ...rest,
        account,
        status: 'running',
        salt,
        variants: this.withArms(withRanges(method, empty, percents, 0)),
        pinned: this.currentRevisions(variants, account),
        period: 1,
        period_started_at: now,
        percent_changes: 0,
        ended: [],
        created_at: now,
      };
      const number = this.known.highest_number + 1;
      await this.write(number, { ...content, ...stamped(editor, 'create', 1, now) });
      return this.saved(number);
    });
  }

  /**
   * Changes the name, the percents or the status, or takes the current revisions of the feeds. This begins a new period,
   * and so does starting again. If everything stays as it is, nothing is stored.
   * @throws ServiceError `not_found`, `revision_mismatch`, `experiment_running`, `invalid_value`, `quota_exceeded`,
   * `store_unavailable`
   */
  change(
    editor: Editor,
    experiment_id: string,
    form: ChangedExperiment,
    precondition: Precondition,
  ): Promise<Experiment & { warnings: string[] }> {
    return this.turns.take(editor.account, async () => {
      const { number, content } = this.owned(experiment_id, editor.account, precondition);
      const given = new Map(form.variants?.map(({ name, percent }) => [name, percent]));
      const percents = content.variants.map(({ name, percent }) => given.get(name) ?? percent);
      const faults = [...changeFaults(form, content), ...stateFaults(form, content, percents)];
      if (faults.length > 0) throw invalidValue(faults);
      const { status = content.status, name = content.name, repin = false } = form;
      const starts = status === 'running' && content.status === 'stopped';
      if (starts) {
        this.requireFree(content.feed_id, editor.account);
        this.requireRoomToRun(editor.account);
      }
      if (starts || repin) {
        const feed = this.ownFeed(content.feed_id, editor.account);
        const wrong = this.feedFaults(content, feed, editor.account);
        if (wrong.length > 0) throw invalidValue(wrong);
      }
      const moved = percents.some((percent, at) => percent !== content.variants[at].percent);
      if (!moved && !repin && name === content.name && status === content.status)
        return { ...this.saved(number), warnings: [] };
      const now = this.options.stamps.now();
      const change = content.percent_changes + 1;
      const changed: Content = moved
        ? {
            ...{ ...content, name, status, percent_changes: change },
            variants: withRanges(content.method, content.variants, percents, change),
          }
        : { ...content, name, status };
      const repins = starts || repin;
      const { experiment_percent_changes_max: changes_max } = LIMITS;
      const is_full = moved && content.status === 'running' && change > changes_max;
      const next = await this.nextPeriod(content, changed, { repins, begins: repins || is_full }, now);
      const operation = status !== content.status && status === 'stopped' ? 'stop' : 'change';
      await this.write(number, { ...next, ...stamped(editor, operation, content.revision + 1, now) });
      const warnings = next.period === content.period ? loneGrowth(content.variants, percents) : [];
      if (is_full && !repins)
        warnings.push(
          `the percents were changed ${changes_max} times in this period, so a new one has begun`,
        );
      return { ...this.saved(number), warnings: next.status === 'running' ? warnings : [] };
    });
  }

  remove(editor: Editor, experiment_id: string, precondition: Precondition): Promise<void> {
    return this.turns.take(editor.account, async () => {
      const { number, content } = this.owned(experiment_id, editor.account, precondition);
      const now = this.options.stamps.now();
      const { account } = content;
      await this.write(number, {
        ...{ account, name: '', feed_id: '', metric: '', attribution_hours: 0, status: 'stopped', salt: '' },
        ...{
          method: content.method,
          variants: content.variants.map(({ arm }) => ({
            ...{ name: '', feed_id: '', percent: 0, arm, ...NO_RANGES },
          })),
          pinned: {},
          period: 0,
          period_started_at: 0,
          percent_changes: 0,
          ended: [],
          created_at: 0,
        },
        ...stamped(editor, 'delete', content.revision + 1, now),
      });
    });
  }

  /** Whether an arm belongs to a running period. The viewers of other arms are not known. */
  isOpen(arm: number): boolean {
    return this.known.isOpen(arm);
  }

  totals(content: ExperimentContent): Promise<PeriodTotals> {
    return this.current.of(content);
  }

  /** The viewers of an arm, some at a time. */
  viewersOf(content: ExperimentContent, arm: number): AsyncGenerator<VariantViewer[]> {
    return viewersOf(this.data, content, arm);
  }

  /** The users who may be viewers of an experiment. O(users), with pauses. */
  assignedUsers({ variants, salt }: ExperimentContent): Promise<KnownViewers> {
    const { names } = this.state.users;
    const isAssigned = (user: number) => {
      const point = pointOf(salt, names.id(user));
      return variants.some((variant) => cohortAt(variant, point) !== undefined);
    };
    return KnownViewers.of(this.state, this.data.viewerOf, isAssigned);
  }

  /** The content after a change, with the totals of the period that it ends. A period may keep its pinned revisions. */
  private async nextPeriod(
    former: ExperimentContent,
    changed: Content,
    { repins, begins }: { repins: boolean; begins: boolean },
    now: number,
  ): Promise<Content> {
    const ends = former.status === 'running' && (begins || changed.status === 'stopped');
    const { period, period_started_at: started_at, ended } = former;
    const next = ends
      ? {
          ...changed,
          ended: [
            ...ended,
            { period, started_at, ended_at: now, ...(await totalsOf(this.data, former)) },
          ].slice(-LIMITS.experiment_periods_kept),
        }
      : changed;
    if (!begins || changed.status === 'stopped') return next;
    return {
      ...next,
      variants: this.withArms(ofNewPeriod(changed.method, changed.variants)),
      pinned: repins ? this.currentRevisions(changed.variants, changed.account) : changed.pinned,
      period: period + 1,
      period_started_at: now,
      percent_changes: 0,
    };
  }

  /** The revisions of variants' feeds, which exist. */
  private currentRevisions(
    variants: readonly Pick<ExperimentVariant, 'feed_id'>[],
    account: string,
  ): Record<string, number> {
    const { saved_feeds } = this.options;
    return Object.fromEntries(
      variants.map(({ feed_id }) => [feed_id, saved_feeds.read(feed_id, account).revision]),
    );
  }

  /** Gives every variant a new arm, so that earlier impressions do not count in the new period. */
  private withArms(variants: readonly ExperimentVariant[]): ExperimentVariant[] {
    const { highest_arm } = this.known;
    return variants.map((variant, at) => ({ ...variant, arm: highest_arm + 1 + at }));
  }

  requireFree(feed_id: string, account: string): void {
    const number = this.known.runningOn(feed_id);
    const running = number === undefined ? undefined : this.known.get(number);
    if (number === undefined || running?.account !== account) return;
    const detail = `the experiment '${experimentId(number)}' runs on the feed '${clip(feed_id)}'; a feed has at most one running experiment: stop that one first`;
    throw new ServiceError('experiment_running', detail);
  }

  private requireRoomToRun(account: string): void {
    const running = runningMax(this.known, account);
    if (running.own < running.max) return;
    const detail = `${running.own} experiments of the account '${account}' are running, and ${running.max} of an account can run at a time now; stop one first`;
    throw new ServiceError('quota_exceeded', detail);
  }

  private requireRoom(account: string): void {
    const { experiments_max } = LIMITS;
    if (this.list(account).length < experiments_max) return;
    const detail = `this account has ${experiments_max} experiments and may have ${experiments_max}; delete one first`;
    throw new ServiceError('quota_exceeded', detail);
  }

  private ownFeed(feed_id: string, account: string): SavedFeed {
    const feed = this.options.saved_feeds.read(feed_id, account);
    if (feed.account === account) return feed;
    const detail = `the feed '${feed_id}' belongs to another account; only its owner may experiment with it`;
    throw new ServiceError('forbidden', detail);
  }

  private feedFaults(
    { variants }: Pick<NewExperiment, 'variants'>,
    { feed_type }: SavedFeed,
    account: string,
  ): Fault[] {
    const { saved_feeds } = this.options;
    return variants.flatMap(({ feed_id }, at) => {
      const path = `/variants/${at}/feed_id`;
      const feed = saved_feeds.find(feed_id, account);
      if (feed === undefined) return [{ path, message: `there is no feed '${clip(feed_id)}'` }];
      if (feed.object.status === 'inactive') return [{ path, message: `the feed '${feed_id}' is inactive` }];
      const problem = shownProblem(feed, account);
      if (problem !== undefined) return [{ path, message: problem.detail }];
      if (feed.feed_type === feed_type) return [];
      return [{ path, message: `'${feed_id}' is a ${feed.feed_type} feed; the feed itself is ${feed_type}` }];
    });
  }

  private owned(experiment_id: string, account: string, precondition: Precondition): Experiment {
    const experiment = this.read(experiment_id, account);
    const { revision } = experiment.content;
    if (precondition(revision)) return experiment;
    const detail = `the experiment '${experiment_id}' is at revision ${revision}; read it again and repeat the change`;
    throw new ServiceError('revision_mismatch', detail);
  }

  /** Stores a version. Resolves when it is durable and applied. @throws ServiceError `store_unavailable` */
  private async write(experiment: number, content: ExperimentContent): Promise<void> {
    const { store } = this.options;
    if (store.is_silent) throw silent();
    const applied_at = content.updated_at;
    await store.submit([{ kind: EXPERIMENT.kind, experiment, content, seq: 0, applied_at }]);
  }

  private saved(number: number): Experiment {
    const content = this.known.get(number);
    if (content === undefined) throw new Error(`${experimentId(number)} is missing after it was stored`);
    return { number, content };
  }
}

/** The number of running experiments of an account, and how many may run. */
export function runningMax(experiments: State['experiments'], account: string): { own: number; max: number } {
  const running = experiments.running();
  const own = running.filter((content) => content.account === account).length;
  const { experiments_running_max, experiments_running_in_all_max } = LIMITS;
  return { own, max: Math.min(experiments_running_max, experiments_running_in_all_max - running.length) };
}

function stamped(
  { actor }: Editor,
  operation: ExperimentContent['operation'],
  revision: number,
  now: number,
): Pick<ExperimentContent, 'actor' | 'operation' | 'revision' | 'updated_at'> {
  return { actor, operation, revision, updated_at: now };
}

function freshSalt(): string {
  return freshSeed().toString(36);
}
