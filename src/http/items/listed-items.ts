import type { Static } from '@sinclair/typebox';
import { sentContent } from '../../ingest/merged-content.ts';
import { LIMITS } from '../../limits.ts';
import { NONE } from '../../model/key.ts';
import type { Service } from '../../service.ts';
import type { State } from '../../state/state.ts';
import type { StoredItemSchema } from '../records/stored-record-schemas.ts';
import { withoutVersion } from '../records/stored-records.ts';

/** Approximate characters of an item in addition to its record. */
const ITEM_LENGTH = 1_000;

export interface ListedItem {
  item_id: string;
  /** Whether a moderator or the network hides the item or its author. */
  hidden: boolean;
  /** The stored record. Null if it is not described, or was deleted. */
  item: Static<typeof StoredItemSchema> | null;
}

/**
 * Reads the records of items for moderators, with hidden ones.
 *
 * The list ends early if the answer would be too large, but has at least one item.
 * @throws ServiceError `store_unavailable`; the reason of `given_up`
 */
export async function listedItems(
  { state, store }: Pick<Service, 'state' | 'store'>,
  items: readonly number[],
  given_up: AbortSignal,
): Promise<ListedItem[]> {
  const entries = items.map((item) => entryOf(state, item));
  const contents = await store.readItems(
    entries.map(({ seq }) => seq).filter((seq) => seq > 0),
    given_up,
  );
  const listed: ListedItem[] = [];
  let length = 0;
  for (const { seq, record, created_at, ...entry } of entries) {
    const content = contents.get(seq);
    const item =
      content === undefined ? null : { ...record, ...withoutVersion(sentContent(content)), created_at };
    length += ITEM_LENGTH + JSON.stringify(item).length;
    // At least one item, however large, so that the caller can continue. A character takes up to three bytes.
    if (listed.length > 0 && 3 * length > LIMITS.answer_bytes_max) break;
    listed.push({ ...entry, item });
  }
  return listed;
}

function entryOf({ items, users }: State, item: number) {
  const described = items.described(item);
  const item_id = items.names.id(item);
  const author = described ? items.author(item) : NONE;
  const author_id = author === NONE ? null : users.names.id(author);
  return {
    item_id,
    hidden: described && (items.hidden(item) || (author !== NONE && users.hidden(author))),
    record: { item_id, author_id, ...items.counts(item) },
    seq: described ? items.content_seq(item) : 0,
    created_at: Math.floor(items.created_at(item)),
  };
}
