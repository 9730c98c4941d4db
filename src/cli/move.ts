import type { Command } from 'commander';
import { StartupError } from '../errors.ts';
import { grouped } from '../plugin/list-of.ts';
import { variablesOf } from '../secret-variable.ts';
import { databaseUrl } from '../setting-values.ts';
import { SETTINGS } from '../settings.ts';
import type { Location } from '../store/connection.ts';
import { moveData } from '../store/move.ts';
import { shownOnStderr } from './import-progress.ts';
import { print } from './output.ts';
import type { Tools } from './tools.ts';
import { untilSignal } from './until-signal.ts';

/** As a place: the database of the settings. */
const DATABASE_URL = 'database-url';

const HELP = `
One of the places is a data folder, the other one an empty PostgreSQL database: --from data --to postgres://USER@HOST/NAME
${DATABASE_URL} as a place is the database of ${SETTINGS.database_url.env}, so that no password stands in the command line.
Stop the service first. Everything is moved: content, wallets, keys, secrets, saved feeds, the audit log. Cursors, tokens
and keys of clients stay valid. Checkpoints are not moved, so the next start reads all changes. The source does not change.
All rows of both places are compared. An interrupted move leaves a target that no command accepts until the same move is
run again and ends.`;

export function addMove(feedloom: Command, { settingsOf }: Pick<Tools, 'settingsOf'>): void {
  feedloom
    .command('move')
    .description('copy all data from a data folder to PostgreSQL, or back, and compare both')
    .requiredOption('--from <place>', 'a data folder, postgres://… or database-url')
    .requiredOption('--to <place>', 'an empty place of the other kind')
    .addHelpText('after', HELP)
    .action(({ from, to }: { from: string; to: string }, command: Command) => {
      const { database_url } = settingsOf(command);
      return move(placeOf(from, '--from', database_url), placeOf(to, '--to', database_url));
    });
}

function placeOf(text: string, flag: string, database_url: string | undefined): Location {
  if (text === DATABASE_URL) {
    if (database_url !== undefined) return { data: '', database_url };
    throw new StartupError(
      'bad_setting',
      `${flag} ${DATABASE_URL} needs ${variablesOf(SETTINGS.database_url).join(' or ')}`,
    );
  }
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) return { data: '', database_url: databaseUrl(text, flag) };
  if (text.trim() === '') throw new StartupError('bad_setting', `${flag} must be a folder or postgres://…`);
  return { data: text };
}

async function move(from: Location, to: Location): Promise<void> {
  if ((from.database_url === undefined) === (to.database_url === undefined)) {
    throw new StartupError(
      'bad_setting',
      'one of --from and --to must be a folder and the other one postgres://…',
      'to copy a folder use feedloom backup and restore, for PostgreSQL pg_dump and pg_restore',
    );
  }
  const progress = shownOnStderr();
  const copied = ({ rows_done, rows_total }: { rows_done: number; rows_total: number }) =>
    progress.show({ bytes_taken: rows_done, bytes_total: rows_total, records: rows_done });
  const comparing = () => {
    progress.end();
    progress.print('copied; now comparing');
  };
  // A signal ends the process at once. The mark in the target remains.
  const rows = await untilSignal(
    () => progress.end(),
    () => moveData(from, to, { copied, comparing }),
  ).finally(() => progress.end());
  print(`${grouped(rows)} rows moved, and the same on both sides; the source is unchanged`);
}
