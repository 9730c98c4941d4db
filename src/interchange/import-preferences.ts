import { isStateFull } from '../errors.ts';
import type { PreferencesRecord } from '../ingest/prepare-preferences.ts';
import {
  faultsOfPreferences,
  NO_PREFERENCES,
  PREFERENCES_LINE,
  patched,
} from '../model/records/preferences.ts';
import { type Parsed, readRecord } from '../model/values/record.ts';
import type { InterchangeFile, PreferencesKind } from './files.ts';
import { type FeedImportResult, importLines } from './import-feeds.ts';
import type { ImportTarget } from './importer.ts';
import type { ImportLog } from './report.ts';
import type { Entry } from './source.ts';

/** Stored in few transactions. */
const AT_ONCE_MAX = 200;

/**
 * Imports preferences, each line of which replaces those of its user. A line without room is a bad line.
 * @throws StartupError for the first bad line of a strict import; ServiceError `store_unavailable`
 */
export async function importPreferences(
  { ingest, settings: { write_queue } }: Pick<ImportTarget, 'ingest' | 'settings'>,
  files: readonly InterchangeFile<PreferencesKind>[],
  log: ImportLog,
): Promise<FeedImportResult> {
  const take = async ({ record, line, report }: Entry<{ record: PreferencesRecord }>) => {
    try {
      const { is_changed } = await ingest.preferences(record);
      report.accept(is_changed);
    } catch (error) {
      if (!isStateFull(error)) throw error;
      report.reject(line, error.detail);
    }
  };
  return importLines(files, log, parseLine, take, Math.min(AT_ONCE_MAX, write_queue));
}

function parseLine(value: unknown): Parsed<PreferencesRecord> {
  const read = readRecord(value, PREFERENCES_LINE.shape);
  if (!read.ok) return read;
  const { user_id, ...given } = read.record;
  const faults = faultsOfPreferences(patched(NO_PREFERENCES, given));
  if (faults.length > 0) return { ok: false, faults };
  return { ...read, record: { user_id, given, is_patch: false } };
}
