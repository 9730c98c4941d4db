import { csvRecord } from '../interchange/csv.ts';
import type { ExportFolder } from '../interchange/export-folder.ts';
import type { ExportLog } from '../interchange/export-log.ts';
import { replayed } from '../interchange/exporter.ts';
import { NAMES, type WalletKind } from '../interchange/files.ts';
import { State } from '../state/state.ts';
import { WALLETS } from '../state/vocabulary.ts';
import { type BadRow, refuseBadRow } from '../store/bad-rows.ts';
import type { Store } from '../store/store.ts';
import { EVENT_COLUMNS } from './formats.ts';

/** The number of lines per file. Empty files are not written. */
export type WalletExportResult = { kind: WalletKind; lines: number }[];

/** The number of contents in memory at a time. */
const CONTENTS_CHUNK = 1_000;

/** Exports wallets from one snapshot of the store, while the service may be running. */
export async function exportWallets(
  store: Store,
  folder: ExportFolder,
  onBadRow: (row: BadRow) => void = refuseBadRow,
): Promise<WalletExportResult> {
  const state = new State({ vocabulary: WALLETS, hash_key: await store.hashKey() });
  const log = await replayed(store, state, onBadRow);
  const result: WalletExportResult = [];
  const write = async (kind: WalletKind, header: string, lines: AsyncIterable<string> | Iterable<string>) => {
    const written = await folder.write(NAMES[kind], header, lines);
    if (written > 0) result.push({ kind, lines: written });
  };
  await write('events', csvRecord(EVENT_COLUMNS), eventLines(state, log));
  await write('tokens', '', tokenLines(state, log, store));
  return result;
}

/** Events by time, and equal times by arrival. This order determines which wallet holds an item. */
function* eventLines({ users, items, vocabulary }: State, log: ExportLog): Generator<string> {
  for (const { user, other, event_type, time } of log.acts('interaction'))
    yield csvRecord([users.names.id(user), items.names.id(other), vocabulary.names[event_type], time]);
}

/** Items with more data than their events contain, by age and name. An import may create them in another order. */
async function* tokenLines(state: State, log: ExportLog, store: Store): AsyncGenerator<string> {
  const { items } = state;
  const first_event = new Map<number, number>();
  for (const { other, time } of log.acts('interaction'))
    if (!first_event.has(other)) first_event.set(other, time);
  const described = Array.from({ length: items.size }, (_, item) => item).filter((item) =>
    items.described(item),
  );
  described.sort(
    (one, other) => items.created_at(one) - items.created_at(other) || items.names.compare(one, other),
  );
  for (let start = 0; start < described.length; start += CONTENTS_CHUNK) {
    const chunk = described.slice(start, start + CONTENTS_CHUNK);
    const contents = await store.readItems(chunk.map((item) => items.content_seq(item)));
    for (const item of chunk) {
      const content = contents.get(items.content_seq(item));
      const { dated, hidden, metadata = {} } = content ?? {};
      const created_at = items.created_at(item);
      const says_more = dated === true || hidden !== undefined || Object.keys(metadata).length > 0;
      if (first_event.get(item) === created_at && !says_more) continue;
      yield `${JSON.stringify({ item_id: items.names.id(item), created_at, hidden, ...metadata })}\n`;
    }
  }
}
