import { LIMITS } from '../../src/limits.ts';
import { clamped } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import type { DeletionChange } from '../../src/model/changes/deletion.ts';
import type { ExperimentChange } from '../../src/model/changes/experiment.ts';
import type { ItemChange } from '../../src/model/changes/item.ts';
import { type Key, NONE } from '../../src/model/key.ts';

/** A stored row; an erasure has a mark that it was purged. */
export type Row = Change & { purged?: boolean };

/** The rows that a purge leaves, computed by full scans. */
export function purged(rows: readonly Row[]): Row[] {
  const users = erasedUsers(rows);
  const items = itemsOf(users, rows);
  const viewers = viewersOf(rows);
  const left = withoutDeletedActs(withoutFormerExperiments(withoutEndedOutcomes(rows)))
    .filter((row) => !isErased(row, users, items.gone))
    .map((row) => released(row, items.released))
    .map((row) => emptied(row, users))
    .map((row) => nameless(row, viewers));
  return withoutFormerVersions(left).map((row) => (row.kind === 'erasure' ? { ...row, purged: true } : row));
}

/** Erased viewers whose pages still name them, with the `seq` of the last erasure. */
function viewersOf(rows: readonly Row[]): Map<string, number> {
  return new Map(
    rows.flatMap((row) => (row.kind === 'erasure' && !row.purged ? [[row.viewer, row.seq]] : [])),
  );
}

/** Pages from before the erasure of their viewer lose the name. */
function nameless(row: Row, viewers: ReadonlyMap<string, number>): Row {
  return row.kind === 'shown' && row.seq < (viewers.get(row.viewer) ?? 0) ? { ...row, viewer: '' } : row;
}

/** Deleted acts are removed, and then their deletions. */
function withoutDeletedActs(rows: readonly Row[]): Row[] {
  const deletions = rows.filter((row) => row.kind === 'act_deletion');
  const time = ({ timestamp = 0, applied_at }: { timestamp?: number; applied_at: number }) =>
    clamped(timestamp, applied_at + LIMITS.future_tolerance_seconds);
  return rows.filter((row) => {
    if (row.kind === 'act_deletion') return false;
    if (row.kind !== 'interaction' || row.event_id !== '') return true;
    return !deletions.some(
      (deletion) =>
        row.seq < deletion.seq &&
        row.user === deletion.user &&
        row.item === deletion.item &&
        row.event_type === deletion.event_type &&
        (deletion.timestamp === undefined || time(deletion) === time(row)),
    );
  });
}

/** The latest version of each experiment. */
function latestExperiments(rows: readonly Row[]): Map<number, ExperimentChange> {
  return new Map(rows.flatMap((row) => (row.kind === 'experiment' ? [[row.experiment, row]] : [])));
}

/** Of each experiment the latest version stays. */
function withoutFormerExperiments(rows: readonly Row[]): readonly Row[] {
  const latest = latestExperiments(rows);
  return rows.filter((row) => row.kind !== 'experiment' || row.seq === latest.get(row.experiment)?.seq);
}

/** Outcomes of periods that have ended are removed. */
function withoutEndedOutcomes(rows: readonly Row[]): readonly Row[] {
  const running = [...latestExperiments(rows).values()].filter(({ content }) => content.status === 'running');
  const open = new Set(running.flatMap(({ content }) => content.variants.map(({ arm }) => arm)));
  return rows.filter((row) => row.kind !== 'outcome' || open.has(row.arm));
}

/** A version of another user's item that was written by an erased user loses its contents. */
function emptied(row: Row, users: ReadonlyMap<Key, number>): Row {
  return row.kind === 'item' && users.has(row.author) ? { ...row, content: { created_at: 0 } } : row;
}

/** A version of a remaining item loses its erased author. */
function released(row: Row, items: ReadonlyMap<Key, Key>): Row {
  const has_author = row.kind === 'item' || (row.kind === 'deletion' && row.author !== undefined);
  return has_author && items.get(row.item) === row.author ? { ...row, author: NONE } : row;
}

/** Users erased since the last purge, with the `seq` of the erasure. */
function erasedUsers(rows: readonly Row[]): Map<Key, number> {
  const users = new Map<Key, number>();
  for (const row of rows)
    if (row.kind === 'erasure' && !row.purged && row.user !== NONE) users.set(row.user, row.seq);
  return users;
}

/**
 * Items whose last version before the erasure of its author is by that author: those to remove, also if they are
 * deleted already, and those that were released from their author before, with that author.
 */
function itemsOf(
  users: ReadonlyMap<Key, number>,
  rows: readonly Row[],
): { gone: Set<Key>; released: Map<Key, Key> } {
  const gone = new Set<Key>();
  const released = new Map<Key, Key>();
  for (const [user, erased_at] of users) {
    const last = new Map<Key, ItemChange | DeletionChange>();
    for (const row of rows) {
      if (row.seq >= erased_at) continue;
      if (row.kind === 'item') last.set(row.item, row);
      // The versions before a purged deletion are gone, but the deletion keeps the author.
      else if (row.kind === 'deletion' && row.author !== undefined) last.set(row.item, row);
    }
    const kept = new Set(
      rows.flatMap((row) => (row.kind === 'release' && row.user === user ? [...row.items] : [])),
    );
    for (const [item, row] of last) {
      if (row.author !== user) continue;
      if (kept.has(item)) released.set(item, user);
      else gone.add(item);
    }
  }
  for (const item of gone) released.delete(item);
  return { gone, released };
}

function isErased(row: Row, users: ReadonlyMap<Key, number>, items: ReadonlySet<Key>): boolean {
  switch (row.kind) {
    case 'name':
      return row.space === 'user' ? users.has(row.key) : items.has(row.key);
    case 'interaction':
      return users.has(row.user) || items.has(row.item);
    case 'event':
      return users.has(row.user) || users.has(row.target) || items.has(row.item);
    case 'label':
      return users.has(row.labeler) || users.has(row.user) || items.has(row.item);
    case 'follow':
    case 'block':
      return users.has(row.user) || users.has(row.target);
    case 'user':
    case 'follow_list':
    case 'preferences':
      return users.has(row.user);
    case 'user_list':
      return users.has(row.owner);
    case 'item':
    case 'engagement':
    case 'deletion':
      return items.has(row.item);
    case 'act_deletion':
      return users.has(row.user) || items.has(row.item);
    case 'erasure':
    case 'trend':
    case 'retirement':
    case 'tombstone':
    case 'release':
    case 'experiment':
    case 'shown':
    case 'shown_counts':
    case 'model':
    case 'learning':
    case 'outcome':
      return false;
  }
}

/** Deleted items lose their versions, counts and earlier deletions. The last deletion keeps the author. */
function withoutFormerVersions(rows: readonly Row[]): Row[] {
  const deleted_at = new Map<Key, number>();
  for (const row of rows) if (row.kind === 'deletion') deleted_at.set(row.item, row.seq);
  const author = new Map<Key, Key>();
  const left: Row[] = [];
  for (const row of rows) {
    const dated = row.kind === 'item' || row.kind === 'deletion';
    const versioned = dated || row.kind === 'engagement' || row.kind === 'label';
    const until = versioned ? (deleted_at.get(row.item) ?? 0) : 0;
    if (row.seq <= until && dated && row.author !== undefined) {
      author.set(row.item, row.author);
    }
    if (row.seq >= until) {
      left.push(row.kind === 'deletion' ? { ...row, author: author.get(row.item) ?? row.author } : row);
    }
  }
  return left;
}

/**
 * The rows left by a purge of retired items: none of retired items, and none of items without a name if any item was
 * retired. Deletions of acts stay until the other purge.
 */
export function purgedOfRetired(rows: readonly Row[]): Row[] {
  const retired = new Set(rows.flatMap((row) => (row.kind === 'retirement' ? [...row.items] : [])));
  if (retired.size === 0) return rows.filter(({ kind }) => kind !== 'retirement');
  const left = rows.filter(
    (row) =>
      row.kind !== 'retirement' && !(row.kind === 'name' && row.space === 'item' && retired.has(row.key)),
  );
  const named = new Set(
    left.flatMap((row) => (row.kind === 'name' && row.space === 'item' ? [row.key] : [])),
  );
  return left.filter((row) => {
    return (
      row.kind === 'act_deletion' ||
      row.kind === 'outcome' ||
      !('item' in row) ||
      row.item === NONE ||
      named.has(row.item)
    );
  });
}
