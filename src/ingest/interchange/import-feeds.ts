import type { Clock } from '../../clock.ts';
import type { Edit } from '../../store/audit.ts';
import type { FeedStore, StoredFeed } from '../../store/feeds.ts';
import { type CheckFields, parseFeedLine } from './feed-file.ts';
import type { FeedKind, InterchangeFile } from './files.ts';
import { JsonFormat, reading } from './formats.ts';
import type { FileReport, ImportLog } from './report.ts';
import { type Entry, Source } from './source.ts';

export interface FeedImportResult {
  files: FileReport[];
  /** Lines that were read, bad ones included. */
  records: number;
  /** Feeds that were stored. */
  changes: number;
}

/** What an import of saved feeds needs of a service. */
export interface FeedImportTarget {
  store: { feeds: FeedStore };
  saved_feeds: { checkForm: CheckFields };
  clock: Clock;
  /** Who imports, see `Edit`. */
  actor: string;
}

/** A line of a file of feeds. */
interface FeedRecord {
  record: StoredFeed;
}

/**
 * Imports saved feeds into a store that nobody else writes to; who has them in memory does not learn of it.
 * They keep their ids, accounts, revisions and times, and feeds created afterwards get higher ids. A feed that
 * is there under its id is replaced by a later revision only. It says nothing new when it is there at this
 * revision or a later one, whatever the two contain, or when it was deleted: an id that was deleted never
 * comes back. Under an id that is another account's it is a bad line, so that nobody loses a feed.
 * @throws StartupError for the first bad line of a strict import, or a file that cannot be read further;
 * ServiceError `store_unavailable`. What came before stays in either case, and the import can be repeated.
 */
export async function importFeeds(
  { store: { feeds }, saved_feeds, clock, actor }: FeedImportTarget,
  files: readonly InterchangeFile<FeedKind>[],
  log: ImportLog,
): Promise<FeedImportResult> {
  const owners = new Map((await feeds.all()).map(({ feed_id, account }) => [feed_id, account]));
  const checkFields: CheckFields = (given) => saved_feeds.checkForm(given);
  const now = clock.now();
  const reports: FileReport[] = [];
  for (const file of files) {
    const format = new JsonFormat((value) =>
      reading(parseFeedLine(value, checkFields, now), (record) => ({ record })),
    );
    const source = new Source<FeedRecord>(file, log, format);
    reports.push(source.report);
    try {
      for await (const entry of entriesOf(source)) await take(entry, feeds, owners, { now, actor });
    } finally {
      source.close();
      source.report.finish();
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

async function* entriesOf(source: Source<FeedRecord>): AsyncGenerator<Entry<FeedRecord>> {
  await source.refill();
  while (source.head !== undefined) {
    yield source.head;
    if (!source.advance()) await source.refill();
  }
}

/** @param owners whose each id is, of the feeds that are there */
async function take(
  { record, line, report }: Entry<FeedRecord>,
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
