import type { Clock } from '../clock.ts';
import { type Fault, invalidValue, ServiceError } from '../errors.ts';
import { clip } from '../ingest/records/refusal.ts';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import type { State } from '../state/state.ts';
import type { Edit } from '../store/audit.ts';
import type { DeletedFeed, FeedRevision } from '../store/feed-revisions.ts';
import type { FeedStore, StoredFeed } from '../store/feeds.ts';
import { unavailable } from '../store/refusals.ts';
import { Turns } from '../turns.ts';
import { compileFeed } from './compile-feed.ts';
import type { CompiledFeed } from './compiled-feed.ts';
import {
  type CheckedFeed,
  type CheckedForm,
  type FeedObject,
  FeedObjectChecker,
  feedTypeOf,
  type Visibility,
} from './feed-object.ts';
import { type FeedQuotas, FeedUsage } from './feed-usage.ts';
import { droppedKeys, merged } from './merge-config.ts';
import { outdated } from './outdated.ts';
import type { FeedParameters } from './parameters.ts';
import { RecordKeys } from './record-keys.ts';
import { failedFor, rowOf, type SavedFeed, type UnsavedFeed } from './saved-feed.ts';
import { savedValueWarnings } from './unseen-values.ts';

export interface Saved {
  feed: SavedFeed;
  warnings: string[];
}

/** Whether a change that expects a revision may be made to this revision. */
export type Precondition = (revision: number) => boolean;

/** The account and the actor of a change. */
export interface Editor {
  account: string;
  /** See `Edit`. */
  actor: string;
}

/**
 * All saved feeds, in memory, with their access rules.
 *
 * A change is durable and effective before its answer is sent. Changes are made one after another, by this process
 * only.
 */
export class SavedFeeds {
  private feeds = new Map<string, SavedFeed>();
  private usage: FeedUsage;
  readonly record_keys = new RecordKeys();
  private readonly checker: FeedObjectChecker;
  /** By account. Each account has at most one change in the common queue, so that no account delays others much. */
  private readonly turns = new Turns("changes of this account's feeds");
  private readonly writes = new Turns('changes of feeds', Number.POSITIVE_INFINITY);
  /** Whether the outcome of a change is unknown, so that the feeds must be read again before the next change. */
  private outdated = true;

  constructor(
    private readonly registry: Registry,
    private readonly store: FeedStore,
    private readonly clock: Clock,
    private readonly quotas: FeedQuotas,
    /** Knows the values that filters may name. */
    private readonly state: State,
  ) {
    this.checker = new FeedObjectChecker(registry);
    this.usage = new FeedUsage(quotas);
  }

  /** Reads all feeds. Those that cannot be built are kept, see `problems`. */
  async load(): Promise<void> {
    const feeds = new Map<string, SavedFeed>();
    const usage = new FeedUsage(this.quotas);
    for (const stored of await this.store.all()) {
      const feed = this.reopen(stored);
      feeds.set(feed.feed_id, feed);
      usage.add(feed);
    }
    this.feeds = feeds;
    this.usage = usage;
    this.record_keys.replace(feeds.values());
    this.outdated = false;
  }

  /** The public, active feed with this record key on Bluesky. */
  onBluesky(rkey: string): SavedFeed | undefined {
    const feed = this.feeds.get(this.record_keys.holder(rkey) ?? '');
    return feed?.object.visibility === 'public' && feed.object.status === 'active' ? feed : undefined;
  }

  /** Why some feeds cannot be built. */
  problems(): ServiceError[] {
    return [...this.feeds.values()].flatMap(({ problem }) => problem ?? []);
  }

  /**
   * A feed that `account` may read: its own, or one that is not private.
   * @throws ServiceError `not_found`, equally for a private feed of another account and a missing feed
   */
  read(feed_id: string, account: string | undefined): SavedFeed {
    const feed = this.find(feed_id, account);
    if (feed !== undefined) return feed;
    throw new ServiceError('not_found', `there is no feed '${clip(feed_id)}'`);
  }

  /** As `read`, but undefined if there is no such feed. */
  find(feed_id: string, account: string | undefined): SavedFeed | undefined {
    const feed = this.feeds.get(feed_id);
    if (feed === undefined || feed.account === account || feed.object.visibility !== 'private') return feed;
    return undefined;
  }

  /**
   * A feed that another feed names. It must be readable, active, and buildable.
   * @throws ServiceError `not_found`, `plugin_not_loaded`, `feed_outdated`, `plugin_failed`
   */
  referable(feed_id: string, account: string | undefined): SavedFeed {
    const feed = this.read(feed_id, account);
    if (feed.object.status === 'inactive') {
      throw new ServiceError('not_found', `the feed '${feed_id}' is inactive`);
    }
    if (feed.problem !== undefined) throw feed.problem;
    return feed;
  }

  /**
   * The feed of a request. It must be readable, active, and of this type.
   * @throws ServiceError `not_found`, `invalid_value`, `plugin_not_loaded`, `feed_outdated`, `plugin_failed`
   */
  buildable(feed_id: string, account: string | undefined, feed_type: FeedType): SavedFeed {
    const feed = this.read(feed_id, account);
    if (feed.object.status === 'active' && feed.feed_type !== feed_type) {
      const message = `'${feed_id}' is a feed of ${feed.object.endpoint}; ask for it there`;
      throw invalidValue([{ path: '/feed_id', message }]);
    }
    return this.referable(feed_id, account);
  }

  /** The feeds of an account, newest first. For `template`, the feeds of all accounts. O(all feeds). */
  list(account: string, visibility: Visibility | undefined): SavedFeed[] {
    const listed = [...this.feeds.values()].filter(({ object, account: owner }) => {
      if (visibility === 'template') return object.visibility === 'template';
      return owner === account && (visibility ?? object.visibility) === object.visibility;
    });
    return listed.reverse();
  }

  /**
   * Checks a feed as if the account saved it.
   * @throws ServiceError `plugin_failed`
   */
  check(account: string, given: object): CheckedFeed {
    return this.checker.check(given, undefined, (feed_id) => this.refers(feed_id, account));
  }

  /** Checks a feed of a file. See `FeedObjectChecker.checkForm`. */
  checkForm(given: object): CheckedForm {
    return this.checker.checkForm(given);
  }

  /** Makes a feed from a valid result of `check`, to build it without saving. */
  unsaved(account: string, { feed_type, parameters, compiled }: CheckedFeed): UnsavedFeed {
    return { account, feed_type, parameters, compiled: this.compiler(feed_type, parameters, compiled) };
  }

  /** @throws ServiceError `invalid_value`, `quota_exceeded`, `rkey_taken`, `overloaded`, `store_unavailable` */
  create({ account, actor }: Editor, given: object): Promise<Saved> {
    return this.writing(account, async () => {
      const checked = sound(this.check(account, given));
      this.record_keys.ensureFree(checked.object, undefined);
      const content = JSON.stringify(checked.object);
      this.usage.ensureRoom({ account, content_bytes: Buffer.byteLength(content) }, undefined);
      const stored = await this.store.create(account, content, this.edit(actor));
      const warnings = [...checked.warnings, ...savedValueWarnings(this.registry, checked, this.state)];
      return this.accept(this.savedFeed(stored, checked, undefined), warnings);
    });
  }

  /**
   * Replaces the given fields.
   * @param merge keys of `config` are merged into the saved ones instead (`merge-config.ts`)
   * @throws ServiceError `not_found`, `forbidden`, `revision_mismatch`, `invalid_value`, `rkey_taken`,
   * `quota_exceeded`, `overloaded`, `store_unavailable`
   */
  change(
    { account, actor }: Editor,
    feed_id: string,
    given: Record<string, unknown>,
    precondition: Precondition,
    merge = false,
  ): Promise<Saved> {
    return this.writing(account, async () => {
      const former = this.owned(feed_id, account, precondition);
      const refers = (named: string) => this.refers(named, account);
      const wanted = merge ? merged(given, former.object.config) : given;
      const { object, rebuilt, warnings } = sound(this.checker.change(wanted, former.object, refers));
      this.record_keys.ensureFree(object, feed_id);
      const { revision } = former;
      const content = JSON.stringify(object);
      const content_bytes = Buffer.byteLength(content);
      this.usage.ensureRoom({ account, content_bytes }, former);
      const stored = await this.store.replace(feed_id, revision, content, this.edit(actor));
      if (stored === undefined) throw unavailable(new Error(`${feed_id} is not at revision ${revision}`));
      // With the same definition, the compiled feed or the reason why it cannot be built stays the same.
      const feed =
        rebuilt === undefined
          ? { ...former, ...rowOf(stored), object, content_bytes }
          : this.savedFeed(stored, rebuilt, undefined);
      const dropped = merge ? [] : droppedKeys(former.object.config, object.config);
      const values = rebuilt === undefined ? [] : savedValueWarnings(this.registry, rebuilt, this.state);
      return this.accept(feed, [...dropped, ...warnings, ...values]);
    });
  }

  /** @throws ServiceError `not_found`, `forbidden`, `revision_mismatch`, `overloaded`, `store_unavailable` */
  remove({ account, actor }: Editor, feed_id: string, precondition: Precondition): Promise<void> {
    return this.writing(account, async () => {
      const feed = this.owned(feed_id, account, precondition);
      await this.store.delete(feed_id, this.edit(actor));
      this.feeds.delete(feed_id);
      this.usage.remove(feed);
      this.record_keys.remove(feed);
    });
  }

  /**
   * Restores a deleted feed as it was. Plugins and feeds that it names may be missing since, as after a start.
   * @throws ServiceError `not_found`, `rkey_taken`, `quota_exceeded`, `overloaded`, `store_unavailable`
   */
  undelete({ account, actor }: Editor, feed_id: string): Promise<Saved> {
    return this.writing(account, async () => {
      const deleted = await this.restorable(feed_id, account);
      if (deleted === undefined) {
        const days = LIMITS.feed_restore_seconds / 86_400;
        const detail = `there is no feed '${clip(feed_id)}' that was deleted in the last ${days} days`;
        throw new ServiceError('not_found', detail);
      }
      this.record_keys.ensureFree(JSON.parse(deleted.content) as FeedObject, undefined);
      this.usage.ensureRoom({ account, content_bytes: Buffer.byteLength(deleted.content) }, undefined);
      const stored = await this.store.undelete(feed_id, this.edit(actor));
      if (stored === undefined) throw unavailable(new Error(`${feed_id} is not deleted`));
      const feed = this.reopen(stored);
      return this.accept(feed, feed.problem === undefined ? [] : [feed.problem.detail]);
    });
  }

  /**
   * The kept revisions of an account's feed, newest first, also after a deletion that can be undone.
   * @throws ServiceError `not_found`, `forbidden`, `store_unavailable`
   */
  async revisions(feed_id: string, account: string): Promise<FeedRevision[]> {
    await this.requireHistory(feed_id, account);
    return this.store.revisions(feed_id);
  }

  /**
   * An account's feed as of a revision.
   * @throws ServiceError `not_found`, `forbidden`, `store_unavailable`
   */
  async revision(
    feed_id: string,
    account: string,
    revision: number,
  ): Promise<Pick<SavedFeed, 'feed_id' | 'object' | 'revision' | 'created_at' | 'updated_at'>> {
    await this.requireHistory(feed_id, account);
    const stored = await this.store.revision(feed_id, revision);
    if (stored === undefined) {
      const detail = `revision ${revision} of the feed '${feed_id}' is not kept; the list of its revisions names those that are`;
      throw new ServiceError('not_found', detail);
    }
    const { content, ...row } = stored;
    return { feed_id, ...row, object: JSON.parse(content) as FeedObject };
  }

  /** Removes the content of feeds that can no longer be restored. @throws ServiceError `store_unavailable` */
  forgetDeleted(): Promise<void> {
    return this.store.forget({ now: this.clock.now(), actor: '' });
  }

  /** @throws ServiceError `not_found`, `forbidden`, `store_unavailable` */
  private async requireHistory(feed_id: string, account: string): Promise<void> {
    if (!this.feeds.has(feed_id) && (await this.restorable(feed_id, account)) !== undefined) return;
    if (this.read(feed_id, account).account === account) return;
    const detail = `the feed '${feed_id}' belongs to another account; only its owner may read its revisions`;
    throw new ServiceError('forbidden', detail);
  }

  /** A deleted feed of the account that can be restored. */
  private async restorable(feed_id: string, account: string): Promise<DeletedFeed | undefined> {
    const deleted = await this.store.deleted(feed_id);
    if (deleted?.account !== account) return undefined;
    return deleted.deleted_at > this.clock.now() - LIMITS.feed_restore_seconds ? deleted : undefined;
  }

  private edit(actor: string): Edit {
    return { now: this.clock.now(), actor };
  }

  /** @throws ServiceError `overloaded`, and errors of `task` */
  private writing<T>(account: string, task: () => Promise<T>): Promise<T> {
    return this.turns.take(account, () => this.writes.take('all', () => this.inForce(task)));
  }

  /** Runs a change after the feeds have been brought up to date with the store. */
  private async inForce<T>(task: () => Promise<T>): Promise<T> {
    try {
      if (this.outdated) await this.load().catch((error: unknown) => Promise.reject(unavailable(error)));
      return await task();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'store_unavailable') this.outdated = true;
      throw error;
    }
  }

  private owned(feed_id: string, account: string, precondition: Precondition): SavedFeed {
    const feed = this.read(feed_id, account);
    if (feed.account !== account) {
      const detail = `the feed '${feed_id}' belongs to another account; only its owner may change it`;
      throw new ServiceError('forbidden', detail);
    }
    if (precondition(feed.revision)) return feed;
    const detail = `the feed '${feed_id}' is at revision ${feed.revision}; read it again and repeat the change`;
    throw new ServiceError('revision_mismatch', detail);
  }

  /** Whether a feed or a request of this account may take items from a feed. */
  refers(feed_id: string, account: string | undefined): boolean {
    const feed = this.find(feed_id, account);
    return feed !== undefined && feed.object.status !== 'inactive';
  }

  private accept(feed: SavedFeed, warnings: string[]): Saved {
    const former = this.feeds.get(feed.feed_id);
    if (former !== undefined) {
      this.usage.remove(former);
      this.record_keys.remove(former);
    }
    this.usage.add(feed);
    this.record_keys.add(feed);
    this.feeds.set(feed.feed_id, feed);
    return { feed, warnings };
  }

  /** Checks a stored feed with the plugins that are loaded now. */
  private reopen(stored: StoredFeed): SavedFeed {
    const object = JSON.parse(stored.content) as FeedObject;
    try {
      // References to missing feeds are skipped when a page is built.
      const checked = this.checker.check({}, object, () => true);
      return this.savedFeed(stored, checked, outdated(this.registry, stored.feed_id, checked));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const feed_type = feedTypeOf(object.endpoint) ?? 'for-you';
      const problem = failedFor(stored.feed_id, error);
      return this.savedFeed(stored, { object, feed_type, parameters: {}, compiled: undefined }, problem);
    }
  }

  private savedFeed(
    stored: StoredFeed,
    {
      object,
      feed_type,
      parameters,
      compiled,
    }: Pick<CheckedFeed, 'object' | 'feed_type' | 'parameters' | 'compiled'>,
    problem: ServiceError | undefined,
  ): SavedFeed {
    const build = this.compiler(feed_type, parameters, compiled);
    const content_bytes = Buffer.byteLength(stored.content);
    return { ...rowOf(stored), content_bytes, object, feed_type, parameters, problem, compiled: build };
  }

  /** Compiles a feed on first use, separately for plain pages, and caches it. */
  private compiler(
    feed_type: FeedType,
    parameters: FeedParameters,
    compiled: CompiledFeed | undefined,
  ): SavedFeed['compiled'] {
    const { registry } = this;
    let whole = compiled;
    let pages: CompiledFeed | undefined;
    return (paged) => {
      if (paged) pages ??= compileFeed(registry, feed_type, parameters, true);
      else whole ??= compileFeed(registry, feed_type, parameters);
      return (paged ? pages : whole) as CompiledFeed;
    };
  }
}

/** @throws ServiceError `invalid_value` if there are faults */
function sound<T extends { faults: Fault[] }>(checked: T): T {
  if (checked.faults.length > 0) throw invalidValue(checked.faults);
  return checked;
}
