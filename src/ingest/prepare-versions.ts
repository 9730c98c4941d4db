/** Turns records of items and users into changes. A record without effect makes no change. */
import type { Fault } from '../errors.ts';
import { COUNTERS, clamped } from '../model/acts.ts';
import { ENGAGEMENT, type EngagementChange } from '../model/changes/engagement.ts';
import { type Key, NONE } from '../model/key.ts';
import type { ItemCounters, ItemRecord, UserRecord } from '../model/records/index.ts';
import type { UserContent } from '../model/records/user.ts';
import { embeddingLength } from '../model/values/embedding.ts';
import { isPast } from './act-times.ts';
import type { IngestContext } from './context.ts';
import type { LanguageDetector } from './detect-language.ts';
import { inOrderOfNetwork, mergedContent, withoutUndefined } from './merged-content.ts';
import { countedAt } from './queued-changes.ts';
import type { ItemVersion } from './stored-versions.ts';
import type { WriteBatch } from './write-batch.ts';

export function addItem(record: ItemRecord, batch: WriteBatch): Fault[] {
  const { item_id, counters } = record;
  const { context } = batch;
  const former = batch.latest.item(item_id);
  const faults = [...missingOfNewItem(record, former), ...otherLength(record, context)];
  if (faults.length > 0) return faults;
  const version = nextItem(record, former, context.languages);
  batch.require(context.estimates.item(item_id, version?.author, version?.content, counters));
  const item = batch.itemKey(item_id);
  if (version !== undefined) batch.setItem(item_id, version);
  if (counters !== undefined) addCounters(item, counters, batch);
  if (record.revive) context.deletions.lift('item', item_id, batch);
  return [];
}

/** The version that a record makes from the former one; undefined if it changes nothing. */
export function nextItem(
  record: ItemRecord,
  former: ItemVersion | undefined,
  languages: LanguageDetector,
): ItemVersion | undefined {
  const content = mergedContent(record, former?.content, languages);
  const { author_id, in_order } = record;
  const author = author_id === null && in_order ? undefined : (author_id ?? former?.author);
  if (former === undefined || author !== former.author) return { content, author };
  // Counters are stored again with each count, together with its time.
  const compared =
    record.counters === undefined ? former.content : { ...former.content, updated_at: content.updated_at };
  return Bun.deepEquals(content, compared) ? undefined : { content, author };
}

/** The fault of an embedding whose length differs from the others. Queued embeddings count. */
export function otherLength(
  { content: { embedding } }: ItemRecord,
  { state, queued_changes }: IngestContext,
): Fault[] {
  if (embedding === undefined) return [];
  const length = state.embeddings.length || queued_changes.embedding_length;
  const given = embeddingLength(embedding);
  if (length === undefined || length === given) return [];
  const message = `expected ${length} numbers, as in the other embeddings; got ${given}`;
  return [{ path: '/embedding', message }];
}

/**
 * The faults of the first record of an item that lacks required fields. Its author may be null.
 * @param completeness of a line of an import, which may lack the author or the time
 */
export function missingOfNewItem(
  record: ItemRecord,
  former: ItemVersion | undefined,
  completeness: 'described' | 'bare' | 'undescribed' | 'rejected' = 'described',
): Fault[] {
  if (former !== undefined || completeness === 'undescribed') return [];
  const missing: string[] = [];
  if (record.author_id === undefined && completeness === 'described') missing.push('author_id');
  if (record.content.created_at === undefined) missing.push('created_at');
  return missing.map((field) => ({ path: `/${field}`, message: 'is required for a new item' }));
}

export function addUser(
  record: UserRecord,
  batch: WriteBatch,
  content = nextUser(record, batch.latest.user(record.user_id)),
): void {
  const { user_id, revive } = record;
  const { estimates, deletions } = batch.context;
  batch.require(estimates.user(user_id, content));
  batch.userKey(user_id);
  if (content !== undefined) batch.setUser(user_id, content);
  if (revive) deletions.lift('user', user_id, batch);
}

/** The profile that a record makes from the former one; undefined if it changes nothing. */
export function nextUser(record: UserRecord, former: UserContent | undefined): UserContent | undefined {
  const content = withoutUndefined<UserContent>({
    ...former,
    ...inOrderOfNetwork(record.content, former, record.in_order),
  });
  return former !== undefined && Bun.deepEquals(content, former) ? undefined : content;
}

/** Adds counters of an item that has a key. */
export function addCounters(item: Key, counters: ItemCounters, batch: WriteBatch): void {
  const { applied_at, context } = batch;
  if (isOldCount(context, item, counters, applied_at)) return;
  const { likes_count = NONE, comments_count = NONE, shares_count = NONE } = counters;
  const { updated_at = applied_at } = counters;
  const counts = { likes_count, comments_count, shares_count, updated_at };
  const change: EngagementChange = { kind: ENGAGEMENT.kind, item, ...counts, seq: 0, applied_at };
  context.queued_changes.counted(change);
  batch.push(change);
}

/** Whether each count is known, is queued, or is older than the known one. */
function isOldCount(
  { state: { items }, queued_changes }: IngestContext,
  item: Key,
  counters: ItemCounters,
  applied_at: number,
): boolean {
  const dated = isPast(counters.updated_at, applied_at);
  const updated_at = clamped(counters.updated_at ?? applied_at, applied_at);
  const ordinal = queued_changes.deletes(item) ? NONE : items.names.ordinal(item);
  return COUNTERS.every((counter) => {
    const count = counters[counter];
    if (count === undefined) return true;
    const queued = queued_changes.count(item, counter);
    const queued_at = queued === undefined ? 0 : countedAt(queued);
    const stored_at = ordinal === NONE ? 0 : items.counted_at(ordinal, counter);
    const counted_at = Math.max(queued_at, stored_at);
    if (counted_at === 0) return false;
    if (updated_at < counted_at) return true;
    const known = queued_at >= stored_at ? queued?.[counter] : items.source(ordinal, counter);
    return count === known && (!dated || updated_at === counted_at);
  });
}
