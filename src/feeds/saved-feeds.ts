import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type Fault, invalidValue, ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { clip } from '../model/values/refusal.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import type { State } from '../state/state.ts';
import type { Edit } from '../store/audit.ts';
import type { DeletedFeed, FeedRevision } from '../store/feed-revisions.ts';
import { byNumber, type FeedStore } from '../store/feeds.ts';
import { unavailable } from '../store/refusals.ts';
import { FairTurns } from '../turns.ts';
import type { CheckedFeed, CheckedForm, FeedObject, Visibility } from './feed-object.ts';
import { FeedOpener } from './feed-opener.ts';
import { type FeedQuotas, KnownFeeds } from './known-feeds.ts';
import { droppedKeys, merged } from './merge-config.ts';
import { PinnedRevisions } from './pinned-revisions.ts';
import { type RecordKeys, recordKeyOf, taken } from './record-keys.ts';
import { rowOf, type SavedFeed, shownProblem, type UnsavedFeed } from './saved-feed.ts';
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
 * A change is durable and effective before its answer is sent. Only this process makes changes, one after another.
 */
export class SavedFeeds {
  private known: KnownFeeds;
  /** Changes of the store up to this number are known, see `FeedStore.changed`. */
  private read_until = 0;
  private readonly opener: FeedOpener;
  private readonly pinned: PinnedRevisions;
  private readonly turns = new FairTurns("changes of this account's feeds");
  /** Whether the outcome of a change is unknown, so that the store must be read before the next change. */
  private outdated = true;

  constructor(
    private readonly registry: Registry,
    private readonly store: FeedStore,
    private readonly clock: Clock,
    private readonly quotas: FeedQuotas,
    /** Knows the values that filters may name. */
    private readonly state: State,
  ) {
    this.opener = new FeedOpener(registry, () => state.words.want());
    this.pinned = new PinnedRevisions(store, this.opener);
    this.known = new KnownFeeds(quotas);
  }

  /**
   * Reads the feeds that changed in the store since the last call: all of them at first. Other requests are served
   * between two feeds. Feeds that cannot be built are kept, see `problems`.
   * @param revision of the store, if it is known. All feeds are read again if it has gone back, as after a fail-over to
   * a standby that lacked the latest changes
   */
  async keepUp(revision = this.read_until): Promise<void> {
    const anew = this.read_until === 0 || revision < this.read_until;
    const known = anew ? new KnownFeeds(this.quotas) : this.known;
    for (let after = anew ? 0 : this.read_until; ; ) {
      const { saved, deleted, until, is_last } = await this.store.changed(after, !anew);
      for (const feed_id of deleted) known.remove(feed_id);
      for (const stored of saved) {
        if (known.get(stored.feed_id)?.revision === stored.revision) continue;
        known.put(this.opener.reopen(stored));
        await nextTurn();
      }
      after = until;
      if (is_last) {
        if (anew) this.pinned.forget();
        this.known = known;
        this.read_until = until;
        this.outdated = false;
        return;
      }
    }
  }

  get record_keys(): RecordKeys {
    return this.known.record_keys;
  }

  /** The public, active feed with this record key on Bluesky. */
  onBluesky(rkey: string): SavedFeed | undefined {
    const feed = this.known.get(this.record_keys.holder(rkey) ?? '');
    return feed?.object.visibility === 'public' && feed.object.status === 'active' ? feed : undefined;
  }

  /** Why some feeds cannot be built. */
  problems(): ServiceError[] {
    return this.known.all().flatMap(({ problem }) => problem ?? []);
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
    const feed = this.known.get(feed_id);
    if (feed === undefined || feed.account === account || feed.object.visibility !== 'private') return feed;
    return undefined;
  }

  /** The current revision of any feed. Undefined if there is no such feed. */
  revisionOf(feed_id: string): number | undefined {
    return this.known.get(feed_id)?.revision;
  }

  /** The type of any feed. Undefined if there is no such feed. */
  typeOf(feed_id: string): FeedType | undefined {
    return this.known.get(feed_id)?.feed_type;
  }

  /**
   * A feed as of a kept revision, whoever owns it. Undefined if that is not kept, or the feed was deleted for good.
   * @throws ServiceError `store_unavailable`
   */
  atRevision(feed_id: string, revision: number): SavedFeed | undefined | Promise<SavedFeed | undefined> {
    const current = this.known.get(feed_id);
    return current?.revision === revision ? current : this.pinned.read(feed_id, revision);
  }

  /**
   * A feed that another feed names. It must be readable, active, and buildable.
   * @param shown_account see `FeedRequest`
   * @throws ServiceError `not_found`, `plugin_not_loaded`, `feed_outdated`, `plugin_failed`
   */
  referable(feed_id: string, account: string | undefined, shown_account: string | undefined): SavedFeed {
    const feed = this.read(feed_id, account);
    if (feed.object.status === 'inactive') {
      throw new ServiceError('not_found', `the feed '${feed_id}' is inactive`);
    }
    const problem = shownProblem(feed, shown_account);
    if (problem !== undefined) throw problem;
    return feed;
  }

  /**
   * The feed of a request. It must be readable, active, and of this type.
   * @throws ServiceError `not_found`, `invalid_value`, `plugin_not_loaded`, `feed_outdated`, `plugin_failed`
   */
  buildable(
    feed_id: string,
    account: string | undefined,
    feed_type: FeedType,
    shown_account: string | undefined,
  ): SavedFeed {
    const feed = this.read(feed_id, account);
    if (feed.object.status === 'active' && feed.feed_type !== feed_type) {
      const message = `'${feed_id}' is a feed of ${feed.object.endpoint}; ask for it there`;
      throw invalidValue([{ path: '/feed_id', message }]);
    }
    return this.referable(feed_id, account, shown_account);
  }

  /** The feeds of an account, newest first. For `template`, the newest of every account. O(all feeds). */
  list(account: string, visibility: Visibility | undefined): SavedFeed[] {
    const listed = this.known.all().filter(({ object, account: owner }) => {
      if (visibility === 'template') return object.visibility === 'template';
      return owner === account && (visibility ?? object.visibility) === object.visibility;
    });
    listed.sort((one, other) => byNumber(other.feed_id, one.feed_id));
    if (visibility !== 'template') return listed;
    // So that no account crowds the others out.
    const by_account = Map.groupBy(listed, (feed) => feed.account).values();
    const shown = new Set(by_account.flatMap((feeds) => feeds.slice(0, LIMITS.templates_listed_of_account)));
    return listed.filter((feed) => shown.has(feed));
  }

  /**
   * Checks a feed as if the account saved it.
   * @throws ServiceError `plugin_failed`
   */
  check(account: string, given: object): CheckedFeed {
    return this.opener.checker.check(given, undefined, (feed_id) => this.refers(feed_id, account));
  }

  /** Checks a feed of a file. See `FeedObjectChecker.checkForm`. */
  checkForm(given: object): CheckedForm {
    return this.opener.checker.checkForm(given);
  }

  /** Makes a feed from a valid result of `check`, to build it without saving. */
  unsaved(account: string, checked: CheckedFeed): UnsavedFeed {
    return this.opener.unsaved(account, checked);
  }

  /** @throws ServiceError `invalid_value`, `quota_exceeded`, `rkey_taken`, `overloaded`, `store_unavailable` */
  create({ account, actor }: Editor, given: object): Promise<Saved> {
    return this.writing(account, async () => {
      const checked = sound(this.check(account, given));
      await this.requireKey(account, checked.object, undefined);
      const content = JSON.stringify(checked.object);
      this.known.usage.ensureRoom({ account, content_bytes: Buffer.byteLength(content) }, undefined);
      const stored = await this.store.create(account, content, this.edit(actor));
      const warnings = [...checked.warnings, ...savedValueWarnings(this.registry, checked, this.state)];
      return this.accept(this.opener.saved(stored, checked), warnings);
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
      const { object, rebuilt, warnings } = sound(this.opener.checker.change(wanted, former.object, refers));
      await this.requireKey(account, object, feed_id);
      const { revision } = former;
      const content = JSON.stringify(object);
      const content_bytes = Buffer.byteLength(content);
      this.known.usage.ensureRoom({ account, content_bytes }, former);
      const released = this.record_keys.released(former, object);
      const stored = await this.store.replace(feed_id, revision, content, this.edit(actor), released);
      if (stored === undefined) throw unavailable(new Error(`${feed_id} is not at revision ${revision}`));
      // With the same definition, the compiled feed or the reason why it cannot be built stays the same.
      const feed =
        rebuilt === undefined
          ? { ...former, ...rowOf(stored), object, content_bytes }
          : this.opener.saved(stored, rebuilt);
      const dropped = merge ? [] : droppedKeys(former.object.config, object.config);
      const values = rebuilt === undefined ? [] : savedValueWarnings(this.registry, rebuilt, this.state);
      return this.accept(feed, [...dropped, ...warnings, ...values]);
    });
  }

  /** @throws ServiceError `not_found`, `forbidden`, `revision_mismatch`, `overloaded`, `store_unavailable` */
  remove({ account, actor }: Editor, feed_id: string, precondition: Precondition): Promise<void> {
    return this.writing(account, async () => {
      const feed = this.owned(feed_id, account, precondition);
      await this.store.delete(feed_id, this.edit(actor), this.record_keys.released(feed));
      this.known.remove(feed_id);
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
      await this.requireKey(account, JSON.parse(deleted.content) as FeedObject, undefined);
      this.known.usage.ensureRoom({ account, content_bytes: Buffer.byteLength(deleted.content) }, undefined);
      const stored = await this.store.undelete(feed_id, this.edit(actor));
      if (stored === undefined) throw unavailable(new Error(`${feed_id} is not deleted`));
      const feed = this.opener.reopen(stored);
      return this.accept(feed, feed.problem === undefined ? [] : [feed.problem.detail]);
    });
  }

  /**
   * The kept revisions of an account's feed, newest first, also after a deletion that can be undone.
   * @throws ServiceError `not_found`, `forbidden`, `store_unavailable`
   */
  async revisions(feed_id: string, account: string, limit: number, offset: number): Promise<FeedRevision[]> {
    await this.requireHistory(feed_id, account);
    return this.store.revisions(feed_id, limit, offset);
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

  /** Removes deleted feeds, record keys and entries of the audit log that are kept no longer. @throws ServiceError `store_unavailable` */
  forgetDeleted(): Promise<void> {
    return this.store.forget({ now: this.clock.now(), actor: '' });
  }

  /** @throws ServiceError `not_found`, `forbidden`, `store_unavailable` */
  private async requireHistory(feed_id: string, account: string): Promise<void> {
    if (this.known.get(feed_id) === undefined && (await this.restorable(feed_id, account)) !== undefined)
      return;
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

  /**
   * A key that a feed gave up is kept for its account as long as a deleted feed can be restored, because its followers
   * on Bluesky still read it.
   */
  private async requireKey(account: string, object: FeedObject, feed_id: string | undefined): Promise<void> {
    this.record_keys.ensureFree(object, feed_id);
    const rkey = recordKeyOf(object);
    if (rkey === undefined || this.record_keys.holder(rkey) !== undefined) return;
    const owner = await this.store.keyOwner(rkey, this.clock.now() - LIMITS.feed_restore_seconds);
    if (owner === undefined || owner === account) return;
    const days = LIMITS.feed_restore_seconds / 86_400;
    throw taken(`a feed of another account had the record key '${rkey}' in the last ${days} days`);
  }

  private edit(actor: string): Edit {
    return { now: this.clock.now(), actor };
  }

  /** @throws ServiceError `overloaded`, and errors of `task` */
  private writing<T>(account: string, task: () => Promise<T>): Promise<T> {
    return this.turns.take(account, () => this.inForce(task));
  }

  /** Runs a change after the feeds have been brought up to date with the store. */
  private async inForce<T>(task: () => Promise<T>): Promise<T> {
    try {
      if (this.outdated) await this.keepUp().catch((error: unknown) => Promise.reject(unavailable(error)));
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
    this.known.put(feed);
    return { feed, warnings };
  }
}

/** @throws ServiceError `invalid_value` if there are faults */
function sound<T extends { faults: Fault[] }>(checked: T): T {
  if (checked.faults.length > 0) throw invalidValue(checked.faults);
  return checked;
}
