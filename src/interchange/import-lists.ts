import { isStateFull } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { LIST_LINE } from '../model/records/user-list.ts';
import { readRecord } from '../model/values/record.ts';
import type { InterchangeFile, ListKind } from './files.ts';
import { type FeedImportResult, importLines } from './import-feeds.ts';
import type { ImportLog } from './report.ts';

/**
 * Imports lists of users, each of which replaces the list of its identifier. A list without room is a bad line.
 * @throws StartupError for the first bad line of a strict import; ServiceError `store_unavailable`
 */
export async function importLists(
  { ingest }: { ingest: Ingest },
  files: readonly InterchangeFile<ListKind>[],
  log: ImportLog,
): Promise<FeedImportResult> {
  const parse = (value: unknown) => readRecord(value, LIST_LINE.shape);
  return importLines(files, log, parse, async ({ record, line, report }) => {
    try {
      const is_changed = await ingest.userList({ ...record, name: record.name ?? '' });
      report.accept(is_changed.added + is_changed.removed > 0);
    } catch (error) {
      if (!isStateFull(error)) throw error;
      report.reject(line, error.detail);
    }
  });
}
