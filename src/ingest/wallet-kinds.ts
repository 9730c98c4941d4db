/** The kinds of records of wallets: events, and the catalog of tokens and NFTs. */
import { type Fault, invalidValue } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { ItemContent } from '../model/records/item.ts';
import { type CatalogRecord, catalogParser } from '../model/records/token.ts';
import { eventParser, type WalletEvent } from '../model/records/wallet-event.ts';
import type { PreparedRecord, RecordKind } from './record-kinds.ts';
import type { ItemVersion } from './stored-versions.ts';
import { addWalletEvent, bareItem } from './wallet-events.ts';
import type { WriteBatch } from './write-batch.ts';

/** The kinds of records of a chain that a body may have. */
export function walletKinds(chain: string) {
  const [parseEvent, parseToken] = [eventParser(chain), catalogParser(chain)];
  const events: RecordKind<WalletEvent> = {
    parse: (value) => parseEvent(value),
    addReads() {},
    prepare: prepareEvent,
  };
  const items: RecordKind<CatalogRecord> = {
    is_long: true,
    parse: (value) => parseToken(value),
    addReads: ({ item_id }, { items }) => void items.push(item_id),
    prepare: prepareToken,
  };
  return { events, items };
}

/**
 * Anyone may send events. So an event stores only itself: an existing item keeps its content and its age.
 * Nobody may learn from the answer that a wallet or an event was erased, so only the deletion of the item is named.
 */
function prepareEvent(event: WalletEvent, batch: WriteBatch): PreparedRecord {
  const { item_id, timestamp } = event;
  const { applied_at, context } = batch;
  if (timestamp !== undefined) {
    const of_item = context.deletions.outdatedFor('item', item_id, timestamp, applied_at);
    if (of_item !== undefined) return { warnings: [of_item] };
  }
  if (context.deletions.outdatedEvent(event, applied_at) !== undefined) return {};
  return { faults: addWalletEvent(event, batch, false) };
}

/** Refuses an event before it waits for room. @throws ServiceError `invalid_value` if it is too far ahead of `now` */
export function requireNotAhead({ timestamp = 0 }: WalletEvent, now: number): void {
  if (timestamp <= now + LIMITS.future_tolerance_seconds) return;
  const message = `may lie at most ${LIMITS.future_tolerance_seconds} s ahead of the service's clock`;
  throw invalidValue([{ path: '/timestamp', message }]);
}

/** Adds a version with the given fields to the catalog. Other fields stay. */
export function prepareToken(record: CatalogRecord, batch: WriteBatch): PreparedRecord {
  const { item_id, revive } = record;
  const { applied_at, context } = batch;
  const former = batch.latest.item(item_id);
  const outdated = context.deletions.outdatedDescription(record, former !== undefined, applied_at);
  if (outdated !== undefined) return { warnings: [outdated] };
  const content = nextContent(record, former, applied_at);
  if (former !== undefined && Bun.deepEquals(content, former.content)) return {};
  const faults = tooLarge(content);
  if (faults.length > 0) return { faults };
  batch.require(context.estimates.item(item_id, undefined, content, undefined));
  batch.itemKey(item_id);
  batch.setItem(item_id, { content });
  if (revive) context.deletions.lift('item', item_id, batch);
  return {};
}

/** A creation time in a record takes precedence over all earlier data. Events do not change it. */
function nextContent(
  { item_id, created_at, hidden, metadata }: CatalogRecord,
  version: ItemVersion | undefined,
  applied_at: number,
): ItemContent {
  const former = version?.content ?? bareItem(item_id, applied_at);
  const known = { ...former.metadata, ...metadata };
  const content = {
    ...former,
    ...(created_at === undefined ? {} : { created_at, dated: true }),
    ...(hidden === undefined ? {} : { hidden }),
  };
  return Object.keys(known).length === 0 ? content : { ...content, metadata: known };
}

/** An export writes an item as one record, so the merged metadata must fit the limit of a record. */
function tooLarge({ metadata = {} }: ItemContent): Fault[] {
  const { length } = JSON.stringify(metadata);
  if (length <= LIMITS.metadata_bytes_max) return [];
  const allowed = `expected at most ${LIMITS.metadata_bytes_max} characters of JSON text`;
  const message = `${allowed} together with what the catalog already holds of the item; got ${length}`;
  return [{ path: '', message }];
}
