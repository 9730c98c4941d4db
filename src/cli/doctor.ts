import type { Command } from 'commander';
import { examine } from '../doctor/examine.ts';
import type { SettingName, Settings } from '../settings.ts';
import { logConsole } from './console-lines.ts';
import { printFindings } from './findings.ts';
import { createLogging } from './run-service.ts';

interface Tools {
  withSettings(command: Command, names: readonly SettingName[]): Command;
  settingsOf(command: Command): Settings;
}

/** The settings that the findings depend on. */
const NEEDED: readonly SettingName[] = ['data', 'database_url', 'host', 'port', 'plugins', 'plugins_strict'];

const HELP = `
Each line is ok, warn or fail, then what was found, then what to do. Exit code 1 if a line is fail.
Run it as the account and with the settings of the service. A running service is not disturbed.`;

/** Adds `feedloom doctor`. */
export function addDoctor(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  withSettings(
    feedloom
      .command('doctor')
      .description('examine the machine, the data and the plugins, also beside a running service'),
    NEEDED,
  )
    .option('--deep', 'also check every page of the embedded database, which reads it completely')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((flags: { deep?: boolean; json?: boolean }, command: Command) =>
      doctor(settingsOf(command), flags),
    );
}

/** `feedloom doctor`. @throws FoundFailure if a finding is `fail` */
async function doctor(
  settings: Settings,
  { deep = false, json = false }: { deep?: boolean; json?: boolean },
): Promise<void> {
  // Output of plugins must not mix with the findings.
  const restoreConsole = logConsole(createLogging('stderr', 'info').log);
  const findings = await examine(settings, deep).finally(restoreConsole);
  printFindings(findings, json);
}
