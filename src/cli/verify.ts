import type { Command } from 'commander';
import { openRegistry } from '../service.ts';
import type { SettingName, Settings } from '../settings.ts';
import { verifyData, verifyFiles } from '../verify/verify.ts';
import { besideService } from './beside.ts';
import { logConsole } from './console-lines.ts';
import { printFindings } from './findings.ts';
import { createLogging } from './run-service.ts';

interface Tools {
  withSettings(command: Command, names: readonly SettingName[]): Command;
  settingsOf(command: Command): Settings;
}

/** The settings that the findings depend on. */
const NEEDED: readonly SettingName[] = ['data', 'database_url', 'plugins', 'plugins_strict'];

const HELP = `
Reads all stored changes and compares references, counters, the checkpoint, neighbour lists, saved feeds and wallets.
Each line is ok, warn or fail, then what was found, then what to do. Exit code 1 if a line is fail.
It changes nothing and may run beside a service. It needs as much memory as the service, and up to three times that with a checkpoint.`;

/** Adds `feedloom verify`. */
export function addVerify(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  withSettings(
    feedloom
      .command('verify')
      .description('check the stored data against itself, also beside a running service'),
    NEEDED,
  )
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((flags: { json?: boolean }, command: Command) =>
      verify(settingsOf(command), flags.json === true),
    );
}

/** `feedloom verify`. @throws FoundFailure if a finding is `fail`; StartupError if the data cannot be opened */
async function verify(settings: Settings, json: boolean): Promise<void> {
  // Output of plugins must not mix with the findings.
  const restoreConsole = logConsole(createLogging('stderr', 'info').log);
  const findings = await examined(settings).finally(restoreConsole);
  printFindings(findings, json);
}

async function examined(settings: Settings) {
  const { registry } = await openRegistry(settings);
  const { findings, inspection } = await verifyFiles(settings);
  // A damaged file may not even open.
  if (findings.some(({ level }) => level === 'fail')) return findings;
  return besideService(settings, 'feedloom verify', async (stores) => [
    ...findings,
    ...(await verifyData(stores, inspection, registry, settings)),
  ]);
}
