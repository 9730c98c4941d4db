import { batch, signal } from '@preact/signals';
import { FeedloomError } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { readRevision, type SavedFeed } from '../../ui/feeds.tsx';
import { choicesTaken } from '../../ui/look-up-state.ts';
import { attempt, tell, tellFailure } from '../../ui/toast.tsx';
import { changesOf, withChanges } from './diff.ts';
import { type FeedFields, fieldsOf } from './feed.ts';
import type { Fault } from './inputs/form.ts';

/** A feed that is edited. Everything is read when it is needed, so that handlers of an older render do no harm. */
export class Editor {
  private readonly saved = signal<SavedFeed>();
  private readonly drafted = signal<FeedFields>();
  private readonly refused = signal<readonly Fault[]>([]);
  private readonly noticed = signal<readonly string[]>([]);
  private readonly conflicting = signal<{ feed: SavedFeed; by: string }>();
  private readonly writing = signal<Promise<boolean>>();
  /** Fields whose text is no value, by path. */
  private readonly unreadable = signal<readonly string[]>([]);

  constructor(private readonly initial: SavedFeed) {}

  /** As it was saved last. */
  get base(): SavedFeed {
    return this.saved.value ?? this.initial;
  }

  get draft(): FeedFields {
    return this.drafted.value ?? fieldsOf(this.initial);
  }

  get is_dirty(): boolean {
    return changesOf(fieldsOf(this.base), this.draft).length > 0;
  }

  get is_saving(): boolean {
    return this.writing.value !== undefined;
  }

  /** Whether the text of a field is no value, so that the draft is not what people see. */
  get has_unreadable(): boolean {
    return this.unreadable.value.length > 0;
  }

  get faults(): readonly Fault[] {
    return this.refused.value;
  }

  /** What it noticed when it saved. */
  get warnings(): readonly string[] {
    return this.noticed.value;
  }

  /** As somebody else saved it meanwhile. */
  get theirs(): { feed: SavedFeed; by: string } | undefined {
    return this.conflicting.value;
  }

  /** @param seen the draft from which the changes were made. What was changed since then stays */
  change(seen: FeedFields, changes: Partial<FeedFields>): void {
    this.drafted.value = withChanges(this.draft, changesOf(seen, { ...seen, ...changes }));
  }

  setUnreadable(path: string, is_unreadable: boolean): void {
    const others = this.unreadable.value.filter((other) => other !== path);
    this.unreadable.value = is_unreadable ? [...others, path] : others;
  }

  /** Takes over a status that was saved beside what is edited. */
  setStatus(feed: SavedFeed): void {
    this.adopt(feed, fieldsOf(this.base));
  }

  /** Drops what is not saved. @param feed a newer version */
  reset(feed: SavedFeed = this.base): void {
    batch(() => {
      this.saved.value = feed;
      this.drafted.value = fieldsOf(feed);
      this.refused.value = [];
      this.noticed.value = [];
      this.conflicting.value = undefined;
    });
  }

  /** Saves what is typed by now, also if something is being looked up or saved. @returns whether it worked */
  async save(): Promise<boolean> {
    await choicesTaken();
    while (this.writing.value !== undefined) await this.writing.value;
    if (this.has_unreadable) return false;
    const { base, draft } = this;
    return this.is_dirty ? this.write(() => this.send(base, draft)) : true;
  }

  /** Saves the revision before the last one again, unless something is not saved. What is typed meanwhile stays. */
  async goBack(): Promise<void> {
    if (this.is_saving || this.is_dirty || this.has_unreadable) return;
    await this.write(() => this.sendFormer(this.base));
  }

  /** Saves on top of what somebody else saved: what only one of both changed stays. */
  async saveOnTop(): Promise<boolean> {
    const { theirs } = this;
    if (theirs === undefined) return false;
    const mine = changesOf(fieldsOf(this.base), this.draft);
    batch(() => {
      this.saved.value = theirs.feed;
      this.drafted.value = withChanges(fieldsOf(theirs.feed), mine);
      this.conflicting.value = undefined;
    });
    return this.save();
  }

  /** Goes on without a decision about what somebody else saved. */
  ignoreTheirs(): void {
    this.conflicting.value = undefined;
  }

  /** Takes over what was saved beside the draft. What was typed since `before` stays. */
  private adopt(feed: SavedFeed, before: FeedFields): void {
    const typed = changesOf(before, this.draft);
    batch(() => {
      this.saved.value = feed;
      this.drafted.value = withChanges(fieldsOf(feed), typed);
    });
  }

  private async write(send: () => Promise<boolean>): Promise<boolean> {
    this.writing.value = send();
    try {
      return await this.writing.value;
    } finally {
      this.writing.value = undefined;
    }
  }

  private async sendFormer(over: SavedFeed): Promise<boolean> {
    const revision = over.revision - 1;
    try {
      const former = fieldsOf(await readRevision(over.config_id, revision));
      return await this.send(over, former, fieldsOf(over), `The feed is as of revision ${revision}`);
    } catch (error) {
      // Old revisions are removed when an account has many large ones.
      tellFailure(error);
      return false;
    }
  }

  /**
   * @param before the draft that the answer replaces. What differs from it was typed meanwhile and stays. If it is not
   * what is sent, faults are not about the fields that people see
   */
  private async send(over: SavedFeed, wanted: FeedFields, before = wanted, said = 'Saved'): Promise<boolean> {
    const { config_id, revision } = over;
    try {
      const body = { config_id, ...changedFields(fieldsOf(over), wanted) };
      const { data, warnings = [] } = await api().changeFeed(body, { revision });
      batch(() => {
        this.adopt(data, before);
        this.refused.value = [];
        this.noticed.value = warnings;
      });
      tell(said, () => attempt(() => this.takeBack(over, data)));
      return true;
    } catch (error) {
      if (error instanceof FeedloomError && error.status === 412) attempt(() => this.loadTheirs(config_id));
      else if (error instanceof FeedloomError && error.errors.length > 0 && wanted === before)
        this.refused.value = error.errors;
      else tellFailure(error);
      return false;
    }
  }

  private async loadTheirs(config_id: string): Promise<void> {
    const [{ data: feed }, { data: revisions }] = await Promise.all([
      api().readFeed(config_id),
      api().feedRevisions(config_id),
    ]);
    const found = revisions.find((entry) => entry.revision === feed.revision);
    this.conflicting.value = { feed, by: found?.key_name ?? found?.actor ?? 'unknown' };
  }

  /** Saves what the feed was before, unless it was changed since. */
  private async takeBack(before: SavedFeed, after: SavedFeed): Promise<void> {
    const { config_id, revision } = after;
    const body = { config_id, ...changedFields(fieldsOf(after), fieldsOf(before)) };
    const { data } = await api().changeFeed(body, { revision });
    this.adopt(data, fieldsOf(after));
    tell('The feed is as it was before');
  }
}

/** Only fields that differ are sent, so that others are not checked or named in the audit log. */
function changedFields(from: FeedFields, to: FeedFields): Partial<FeedFields> {
  const keys = new Set(changesOf(from, to).map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(to).filter(([key]) => keys.has(key)));
}
