import type { Clock } from '../clock.ts';
import type { Parsed } from '../model/values/record.ts';
import type { Edit } from '../store/audit.ts';
import type { FeedStore } from '../store/feeds.ts';
import type { StoredFeed } from '../store/stored-feed.ts';
import { type CheckFields, parseFeedLine } from './feed-file.ts';
import type { FeedKind, InterchangeFile, LineKind } from './files.ts';
import { JsonFormat, reading } from './line-formats.ts';
import type { FileReport, ImportLog } from './report.ts';
import { type Entry, Source } from './source.ts';

export interface FeedImportResult {
  files: FileReport[];
  records: number;
  changes: number;
}

export interface FeedImportTarget {
  store: { feeds: FeedStore };
  saved_feeds: { checkForm: CheckFields };
  clock: Clock;
  /** The importer, see `Edit`. */
  actor: string;
}

/**
 * Imports saved feeds into a store that has no other writer.
 *
 * Feeds keep their ids, accounts, revisions and times. Feeds created later get higher ids. An existing feed is replaced
 * only by a later revision; the same or an earlier revision changes nothing, whatever its content. A deleted id never
 * comes back. The id of another account's feed makes a bad line, so that no account loses a feed. A running service
 * does not see the imported feeds.
 * @throws StartupError for the first bad line of a strict import, or an unreadable file; ServiceError
 * `store_unavailable`. Earlier lines stay imported, and the import can be repeated.
 */
export async function importFeeds(
  { store: { feeds }, saved_feeds, clock, actor }: FeedImportTarget,
  files: readonly InterchangeFile<FeedKind>[],
  log: ImportLog,
): Promise<FeedImportResult> {
  const owners = new Map((await feeds.all()).map(({ feed_id, account }) => [feed_id, account]));
  const checkFields: CheckFields = (given) => saved_feeds.checkForm(given);
  const now = clock.now();
  const parse = (value: unknown) => parseFeedLine(value, checkFields, now);
  return importLines(files, log, parse, (entry) => take(entry, feeds, owners, { now, actor }));
}

/**
 * Reads files of JSON lines, and hands the record of each good line to `take`.
 * @param at_once number of records that are taken before the first of them is stored
 * @throws StartupError for the first bad line of a strict import, or an unreadable file; errors of `take`
 */
export async function importLines<T>(
  files: readonly InterchangeFile<LineKind>[],
  log: ImportLog,
  parse: (value: unknown) => Parsed<T>,
  take: (entry: Entry<{ record: T }>) => Promise<void>,
  at_once = 1,
): Promise<FeedImportResult> {
  const reports: FileReport[] = [];
  for (const file of files) {
    const read = (value: unknown) => reading(parse(value), (record) => ({ record }));
    const format = new JsonFormat({ cells: new Map(), required: [], optional: [], parse: read });
    const source = new Source<{ record: T }>(file, log, format);
    reports.push(source.report);
    const under_way: Promise<void>[] = [];
    const settled = () => Promise.all(under_way.splice(0));
    for await (const entry of source.entries(settled)) {
      const taken = take(entry);
      taken.catch(() => {});
      if (under_way.push(taken) >= at_once) await settled();
    }
    log.throwIfStopped();
  }
  const sum = (count: (report: FileReport) => number) => reports.reduce((all, one) => all + count(one), 0);
  return {
    files: reports,
    records: sum(({ accepted, rejected }) => accepted + rejected),
    changes: sum(({ accepted, unchanged }) => accepted - unchanged),
  };
}

/** @param owners the accounts of the existing feeds, by id */
async function take(
  { record, line, report }: Entry<{ record: StoredFeed }>,
  feeds: FeedStore,
  owners: Map<string, string>,
  edit: Edit,
): Promise<void> {
  const { feed_id, account } = record;
  const owner = owners.get(feed_id) ?? account;
  if (owner !== account) {
    report.reject(line, `config_id: ${feed_id} is a feed of another account here`);
    return;
  }
  const changed = await feeds.restore(record, edit);
  if (changed) owners.set(feed_id, account);
  report.accept(changed);
}
