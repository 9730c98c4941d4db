import { Value } from '@sinclair/typebox/value';
import type { Command } from 'commander';
import { OPTIONS } from '../../plugins/integrations/postgres-options.ts';
import { setupOf } from '../../plugins/integrations/postgres-sql.ts';
import { readEntry, readOptions } from '../connectors/connections.ts';
import { reasonOf, StartupError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import { readMaps } from '../registry/table-maps.ts';
import { openRegistry } from '../service.ts';
import type { Settings } from '../settings.ts';
import { withShownUrls } from '../shown-url.ts';
import { print } from './output.ts';
import type { Tools } from './tools.ts';

const ID = 'postgres';
const HELP = `
Takes the connectors 'postgres' of --connect (FEEDLOOM_CONNECT), compares their databases with their maps, and prints the
SQL that is missing: rights, replica identities, publication and slot. It changes nothing. docs/postgres.md says more.`;

export function addConnectPostgres(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  withSettings(
    feedloom
      .command('connect-postgres')
      .description('print the SQL that the connector postgres needs in your database'),
    ['connect'],
  )
    .requiredOption('--print-sql', 'print what is missing; run it as the owner of the tables')
    .addHelpText('after', HELP)
    .action(async (_options, command: Command) => printSql(settingsOf(command)));
}

async function printSql(settings: Settings): Promise<void> {
  const { registry } = await openRegistry({ ...settings, plugins: undefined });
  const entries = (settings.connect ?? []).filter((entry) => entry.split(/[#?]/)[0] === ID);
  if (entries.length === 0)
    throw bad(ID, `is not configured; expected --connect '${ID}?url_env=NAME&map=FILE'`);
  for (const entry of entries) print((await linesOf(entry, registry)).join('\n'));
}

async function linesOf(entry: string, registry: Registry): Promise<string[]> {
  const { given, query, registered } = readEntry(entry, 'connect', registry, bad);
  const options = readOptions(query, registered.options, (reason) => bad(given, reason));
  if (!Value.Check(OPTIONS, options)) throw bad(given, 'has other options than expected');
  try {
    const { sql, faults } = await setupOf(options, readMaps(options.map));
    const lines = [...faults.map((fault) => `-- ${fault}`), ...sql.map((statement) => `${statement};`)];
    return lines.length === 0 ? ['-- nothing is missing'] : lines;
  } catch (error) {
    throw bad(given, `cannot be compared with its database: ${withShownUrls(reasonOf(error))}`);
  }
}

function bad(name: string, reason: string): StartupError {
  return new StartupError('bad_setting', `--connect (FEEDLOOM_CONNECT): '${name}' ${reason}`);
}
