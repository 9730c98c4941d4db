import type { Fault } from '../errors.ts';
import type { RecordKind } from '../ingest/record-kinds.ts';
import type { ItemVersion } from '../ingest/stored-versions.ts';
import { LIMITS } from '../limits.ts';
import type { ItemContent } from '../model/records/item.ts';
import { type CatalogRecord, catalogParser } from './catalog-record.ts';
import { bareItem } from './record-events.ts';

/** Records with metadata of tokens and NFTs. Given fields are replaced, other fields stay. */
export function catalogKind(chain: string): RecordKind<CatalogRecord> {
  const parse = catalogParser(chain);
  return {
    is_long: true,
    parse: (value) => parse(value),
    addReads: ({ item_id }, { items }) => void items.push(item_id),
    prepare(record, batch) {
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
    },
  };
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
