import { useState } from 'preact/hooks';
import { FeedloomError } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { tell, tellFailure } from '../../ui/toast.tsx';
import { attempt } from './actions.ts';
import { changesOf, withChanges } from './diff.ts';
import { type FeedFields, fieldsOf, type SavedFeed } from './feed.ts';
import type { Fault } from './inputs/form.ts';

/** A feed that is edited. */
export interface Editor {
  /** As it was saved last. */
  base: SavedFeed;
  draft: FeedFields;
  is_dirty: boolean;
  is_saving: boolean;
  /** What the service refused at the last attempt to save. */
  faults: readonly Fault[];
  /** What it noticed when it saved. */
  warnings: readonly string[];
  /** As somebody else saved it meanwhile. */
  theirs: { feed: SavedFeed; by: string } | undefined;
  change(changes: Partial<FeedFields>): void;
  /** Takes over a status that was saved beside what is edited. */
  setStatus(feed: SavedFeed): void;
  /** Drops what is not saved. @param feed a newer version */
  reset(feed?: SavedFeed): void;
  /** @returns whether it worked */
  save(): Promise<boolean>;
  /** Saves on top of what somebody else saved: what only one of both changed stays. */
  saveOnTop(): Promise<boolean>;
  /** Goes on without a decision about what somebody else saved. */
  ignoreTheirs(): void;
}

export function useEditor(initial: SavedFeed): Editor {
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState<FeedFields>(() => fieldsOf(initial));
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const [theirs, setTheirs] = useState<Editor['theirs']>();
  const [is_saving, setSaving] = useState(false);
  const is_dirty = changesOf(fieldsOf(base), draft).length > 0;

  const reset = (feed: SavedFeed = base): void => {
    setBase(feed);
    setDraft(fieldsOf(feed));
    setFaults([]);
    setWarnings([]);
    setTheirs(undefined);
  };

  /** Takes over what was saved beside the draft. What was typed since `before` stays. */
  const adopt = (feed: SavedFeed, before: FeedFields): void => {
    setBase(feed);
    setDraft((now) => withChanges(fieldsOf(feed), changesOf(before, now)));
  };

  const write = async (over: SavedFeed, wanted: FeedFields): Promise<boolean> => {
    const { config_id, revision } = over;
    setSaving(true);
    try {
      const body = { config_id, ...changedFields(fieldsOf(over), wanted) };
      const { data, warnings: said = [] } = await api().changeFeed(body, { revision });
      adopt(data, wanted);
      setFaults([]);
      setWarnings(said);
      tell('Saved', () => attempt(() => takeBack(over, data, (feed) => adopt(feed, fieldsOf(data)))));
      return true;
    } catch (error) {
      if (error instanceof FeedloomError && error.status === 412)
        attempt(async () => {
          const [{ data: feed }, { data: revisions }] = await Promise.all([
            api().readFeed(config_id),
            api().feedRevisions(config_id),
          ]);
          const found = revisions.find((entry) => entry.revision === feed.revision);
          setTheirs({ feed, by: found?.key_name ?? found?.actor ?? 'unknown' });
        });
      else if (error instanceof FeedloomError && error.errors.length > 0) setFaults(error.errors);
      else tellFailure(error);
      return false;
    } finally {
      setSaving(false);
    }
  };

  return {
    ...{ base, draft, is_dirty, is_saving, faults, warnings, theirs, reset },
    change: (changes) => setDraft((before) => ({ ...before, ...changes })),
    setStatus: (feed) => adopt(feed, fieldsOf(base)),
    save: async () => (is_dirty && !is_saving ? write(base, draft) : !is_dirty),
    saveOnTop: async () => {
      if (theirs === undefined) return false;
      const mine = changesOf(fieldsOf(base), draft);
      const both = withChanges(fieldsOf(theirs.feed), mine);
      setBase(theirs.feed);
      setDraft(both);
      setTheirs(undefined);
      return write(theirs.feed, both);
    },
    ignoreTheirs: () => setTheirs(undefined),
  };
}

/** Only fields that differ are sent, so that others are not checked or named in the audit log. */
function changedFields(from: FeedFields, to: FeedFields): Partial<FeedFields> {
  const keys = new Set(changesOf(from, to).map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(to).filter(([key]) => keys.has(key)));
}

/** Saves what a feed was before, unless it was changed since. */
async function takeBack(before: SavedFeed, after: SavedFeed, done: (feed: SavedFeed) => void): Promise<void> {
  const { config_id, revision } = after;
  const body = { config_id, ...changedFields(fieldsOf(after), fieldsOf(before)) };
  const { data } = await api().changeFeed(body, { revision });
  done(data);
  tell('The feed is as it was before');
}
