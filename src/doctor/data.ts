import { statSync } from 'node:fs';
import { checkpointFile } from '../checkpoint/folder.ts';
import { DAY_SECONDS, systemClock } from '../clock.ts';
import { reasonOf, StartupError } from '../errors.ts';
import type { Location } from '../store/connection.ts';
import { inspectStore } from '../store/inspect.ts';
import type {
  InspectedCommunity,
  InspectedFile,
  Inspection,
  PostgresInspection,
  SqliteInspection,
} from '../store/inspection.ts';
import { RESTORE } from './check.ts';
import { type Finding, fail, megabytes, ok, otherClock, warn } from './finding.ts';

/** The maximum number of connections of a service. */
const CONNECTIONS = 46;
/** The oldest PostgreSQL that still gets corrections. */
const VERSION_NUMBER_MIN = 150_000;

/** The clock of a database server may differ by this without effect. */
const SKEW_SECONDS_MAX = 2;
/** Stored changes may be ahead of the clock by this without a warning. */
const AHEAD_SECONDS_MAX = 60;

/** A log that readers keep from being merged takes disk space and makes reads slow. */
const LOG_BYTES_MAX = 1024 * 1024 * 1024;
/** If the last checkpoint is older, a start reads many changes. */
const CHECKPOINT_DAYS_MAX = 7;

/** The remedy for the log of another database. */
const REMOVE_LOG = 'start the service: it removes the log';

export interface DataReport {
  findings: Finding[];
  /** Undefined if the data could not be read, or there is none. */
  inspection: Inspection | undefined;
  checkpoint_bytes: number;
}

/**
 * Examines the database, the times in it, and checkpoints. Opens nothing for writing.
 * @param known what was already read of the data
 */
export async function examineData(place: Location, known?: Inspection): Promise<DataReport> {
  let inspection: Inspection;
  try {
    inspection = known ?? (await inspectStore(place, false));
  } catch (error) {
    return { findings: [unreadable(error)], inspection: undefined, checkpoint_bytes: 0 };
  }
  const older = inspection.communities.filter(({ is_current }) => !is_current);
  const current = inspection.communities.filter(({ is_current }) => is_current);
  const checkpoints = current.map((community) => examineCheckpoint(place, community));
  const findings = [
    ...(inspection.engine === 'sqlite' ? sqliteFindings(inspection) : postgresFindings(inspection)),
    ...older.map(olderData),
    ...storedTimes(current),
    ...checkpoints.map(({ finding }) => finding),
  ];
  return { findings, inspection, checkpoint_bytes: Math.max(0, ...checkpoints.map(({ bytes }) => bytes)) };
}

/** A finding of data that cannot be read at all. */
export function unreadable(error: unknown): Finding {
  if (error instanceof StartupError && error.code === 'no_data')
    return warn('database', error.message, error.remedy ?? '');
  const remedy = error instanceof StartupError ? error.remedy : undefined;
  return fail('database', reasonOf(error), remedy ?? `fix the cause, or ${RESTORE}`);
}

function olderData({ community }: InspectedCommunity): Finding {
  const message = `an older version wrote the data of ${community}`;
  return warn(
    'database',
    message,
    'make a backup with that version; the next start of this one upgrades the data',
  );
}

function sqliteFindings(inspection: SqliteInspection): Finding[] {
  return [ok('database', `SQLite ${inspection.version}`), ...fileFindings(inspection)];
}

/** The size, the log and the damage of each file of SQLite. */
export function fileFindings(inspection: Inspection): Finding[] {
  return inspection.engine === 'sqlite' ? inspection.files.map(fileFinding) : [];
}

/** Whether every file was inspected deeply and is whole. */
export function isWhole(inspection: Inspection): boolean {
  return inspection.engine === 'postgres' || inspection.files.every(({ damage }) => damage?.length === 0);
}

/** A finding of each file that a deep inspection could not read because of a log that is not its own. */
export function unreadFiles(inspection: Inspection): Finding[] {
  if (inspection.engine === 'postgres') return [];
  return inspection.files
    .filter(({ has_former_log }) => has_former_log)
    .map(({ file }) => {
      const message = `the data was not read, because '${file}' has the log of another database beside it`;
      return fail('database', message, REMOVE_LOG);
    });
}

function fileFinding({
  file,
  bytes,
  log_bytes,
  has_former_log,
  journal_mode,
  damage,
}: InspectedFile): Finding {
  if (has_former_log)
    return warn('database', `'${file}' has the log of another database beside it`, REMOVE_LOG);
  if (damage !== undefined && damage.length > 0)
    return fail(
      'database',
      `'${file}' is damaged: ${damage[0]}`,
      'restore the data from a backup (feedloom restore)',
    );
  if (log_bytes > LOG_BYTES_MAX) {
    const message = `'${file}' has a log of ${megabytes(log_bytes)}, which a long read keeps from being merged`;
    return warn('database', message, 'end backups and exports that hang, or restart the service');
  }
  const log = journal_mode === 'wal' ? `a log of ${megabytes(log_bytes)}` : 'no log, because it was closed';
  const checked = damage === undefined ? '' : ', no damage';
  return ok('database', `'${file}' has ${megabytes(bytes)} and ${log}${checked}`);
}

function postgresFindings(inspection: PostgresInspection): Finding[] {
  const { version, version_number, encoding, synchronous_commit, clock_ahead_seconds } = inspection;
  const { connections_max, connections_open } = inspection;
  const findings: Finding[] = [];
  const message = `PostgreSQL ${version}`;
  findings.push(
    version_number < VERSION_NUMBER_MIN
      ? warn('database', `${message} gets no corrections any more`, 'upgrade the server')
      : ok('database', message),
  );
  if (encoding !== 'UTF8')
    findings.push(
      fail(
        'database',
        `it keeps texts as ${encoding}`,
        "create one with: create database NAME encoding 'UTF8' template template0",
      ),
    );
  findings.push(
    ok(
      'database',
      `synchronous_commit is ${synchronous_commit}; writes of the service are durable with any value`,
    ),
  );
  const connections = `max_connections gives roles ${connections_max} connections, and ${connections_open} are open`;
  findings.push(
    connections_max < CONNECTIONS
      ? warn('database', connections, `set max_connections so that the service can open ${CONNECTIONS}`)
      : ok('database', connections),
  );
  findings.push(otherClock('the database server', clock_ahead_seconds, SKEW_SECONDS_MAX));
  return findings;
}

/** Changes that are dated ahead of this machine's clock. */
function storedTimes(communities: readonly InspectedCommunity[]): Finding[] {
  const now = systemClock.now();
  return communities.flatMap(({ community, last_applied_at }) => {
    const ahead = (last_applied_at ?? now) - now;
    if (ahead <= AHEAD_SECONDS_MAX) return [];
    const message = `stored changes of ${community} are ${ahead.toFixed(0)} s ahead of this machine`;
    return [
      warn('clock', message, 'set the clock right; docs/operations.md (Disk and clock) has the way back'),
    ];
  });
}

function examineCheckpoint(
  place: Location,
  { community, checkpoint, database_id }: InspectedCommunity,
): { finding: Finding; bytes: number } {
  const subject = 'checkpoint';
  if (checkpoint === undefined) {
    const message = `${community} has none yet, so a start reads all changes`;
    return { finding: ok(subject, message), bytes: 0 };
  }
  const file = checkpointFile({ ...place, community }, database_id, checkpoint.name);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) {
    const message = `'${file}' of ${community} is missing, so a start reads all changes`;
    return { finding: warn(subject, message, 'nothing is lost; the service writes the next one'), bytes: 0 };
  }
  const age_seconds = Math.max(0, systemClock.now() - found.mtimeMs / 1000);
  const message = `that of ${community} is ${duration(age_seconds)} old and has ${megabytes(found.size)}`;
  if (age_seconds <= CHECKPOINT_DAYS_MAX * DAY_SECONDS)
    return { finding: ok(subject, message), bytes: found.size };
  const remedy = 'look for "no checkpoint could be written" in the log, unless little has changed since';
  return { finding: warn(subject, message, remedy), bytes: found.size };
}

function duration(seconds: number): string {
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < DAY_SECONDS ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / DAY_SECONDS)} d`;
}
