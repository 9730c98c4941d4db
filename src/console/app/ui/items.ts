import type { ListedItem } from '../../../../openapi/client/src/index.ts';
import { api } from '../session.ts';

/** Maximum number of items of one request. */
const READ_MAX = 100;

/** Items by their identifiers, with hidden ones. Unknown ones are missing. */
export async function readItems(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ListedItem>> {
  const read = new Map<string, ListedItem>();
  let rest = [...new Set(ids)];
  while (rest.length > 0) {
    const { items, unread_items = [] } = await api().readRecords(
      { items: rest.slice(0, READ_MAX) },
      { signal },
    );
    for (const item of items) read.set(item.item_id, item);
    rest = [...unread_items, ...rest.slice(READ_MAX)];
  }
  return read;
}

/** One item. Undefined if it is unknown. */
export async function readItem(item_id: string, signal: AbortSignal): Promise<ListedItem | undefined> {
  return (await readItems([item_id], signal)).get(item_id);
}
