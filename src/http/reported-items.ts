import { sentContent } from '../ingest/merged-content.ts';
import { LIMITS } from '../limits.ts';
import type { Service } from '../service.ts';
import { NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { countsOf } from './stored-records.ts';

/** Approximate characters of a reported item in addition to its record. */
const ITEM_LENGTH = 1_000;

/**
 * `GET /v2/<network>/reports`: items by their current number of hides and reports.
 *
 * The list ends early if the answer would be too large, and names the offset to continue at.
 * @param given_up aborted when the client disconnects
 * @throws ServiceError `store_unavailable`; the reason of `given_up`
 */
export async function reportedItems(
  { state, store }: Service,
  offset: number,
  limit: number,
  given_up: AbortSignal,
): Promise<object> {
  const total = state.reports.size;
  const entries = state.reports
    .mostReported(offset, limit)
    .map((key) => entryOf(state, state.items.names.ordinal(key)));
  const contents = await store.readItems(
    entries.map(({ seq }) => seq).filter((seq) => seq > 0),
    given_up,
  );
  const reports: object[] = [];
  let length = 0;
  for (const { seq, record, created_at, ...entry } of entries) {
    const content = contents.get(seq);
    const item =
      content === undefined ? null : { ...record, ...withoutVersion(sentContent(content)), created_at };
    length += ITEM_LENGTH + JSON.stringify(item).length;
    // At least one item, however large, so that the caller can continue. A character takes up to three bytes.
    if (reports.length > 0 && 3 * length > LIMITS.answer_bytes_max) break;
    reports.push({ ...entry, item });
  }
  const next = offset + reports.length;
  return { reports, total, next_offset: next < total && reports.length > 0 ? next : null };
}

function withoutVersion<T extends { updated_at?: number }>({
  updated_at: _,
  ...fields
}: T): Omit<T, 'updated_at'> {
  return fields;
}

/** The fields of a reported item that are in memory. */
function entryOf({ items, users, reports }: State, item: number) {
  const described = items.described(item);
  const item_id = items.names.id(item);
  const author = described ? items.author(item) : NONE;
  const author_id = author === NONE ? null : users.names.id(author);
  return {
    item_id,
    ...reports.of(item),
    hidden: described && (items.hidden(item) || (author !== NONE && users.hidden(author))),
    record: { item_id, author_id, ...countsOf(items, item) },
    seq: described ? items.content_seq(item) : 0,
    created_at: Math.floor(items.created_at(item)),
  };
}
