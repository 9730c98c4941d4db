import type { Command } from 'commander';
import { examine, verify } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { printable } from '../printable.ts';
import type { SettingName, Settings } from '../settings.ts';
import { logConsole } from './console-lines.ts';
import { Printed, print } from './output.ts';
import { createLogging } from './run-service.ts';
import type { Tools } from './tools.ts';

/** Prints findings, a line each or as one JSON object. */
function printFindings(findings: readonly Finding[], json: boolean): void {
  const has_failed = findings.some(({ level }) => level === 'fail');
  print(json ? JSON.stringify({ ok: !has_failed, findings }, null, 2) : findings.map(lineOf).join('\n'));
  if (has_failed) throw new Printed(1);
}

function lineOf({ level, subject, message, remedy }: Finding): string {
  const found = `${level.padEnd(4)}  ${subject}: ${message}`;
  return printable(remedy === undefined ? found : `${found}  → ${remedy}`);
}

interface Flags {
  deep?: boolean;
  json?: boolean;
}

/** The settings that findings about the stored data depend on. */
const OF_DATA: readonly SettingName[] = ['data', 'database_url', 'plugins', 'plugins_strict'];

const LINES = `
Each line is ok, warn or fail, then what was found, then what to do. Exit code 1 if a line is fail.`;

const DEEP = `reads all stored changes and compares references, counters, the checkpoint, neighbour lists, saved feeds and wallets.
It changes nothing and may run beside a service. It needs as much memory as the service, and up to three times that with a checkpoint.
Exit code 2 if the data cannot be opened.`;

/** Adds `feedloom doctor`, and `feedloom verify` for the part of `doctor --deep` that concerns the stored data. */
export function addDoctor(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  const doctor = feedloom
    .command('doctor')
    .description('examine the machine, the data and the plugins, also beside a running service')
    .option('--deep', 'also check every stored page and row, and compare the data with itself')
    .addHelpText(
      'after',
      `${LINES}
Run it as the account and with the settings of the service. A running service is not disturbed.
--deep ${DEEP}`,
    );
  const verifies = feedloom
    .command('verify')
    .description('do what doctor --deep does, and print only what concerns the stored data')
    .addHelpText('after', `${LINES}\nIt ${DEEP}`);
  withSettings(doctor, OF_DATA);
  withSettings(verifies, OF_DATA);
  const examined = (settings: Settings, { deep = false }: Flags) => examine(settings, deep);
  for (const [command, examination] of [
    [doctor, examined],
    [verifies, verify],
  ] as const)
    command.option('--json', 'print one JSON object').action((flags: Flags) => {
      const settings = settingsOf(command);
      return printed(() => examination(settings, flags), flags);
    });
}

/** Prints what is found. */
async function printed(examination: () => Promise<Finding[]>, { json = false }: Flags): Promise<void> {
  // Output of plugins must not mix with the findings.
  const restoreConsole = logConsole(createLogging('stderr', 'info').log);
  const findings = await examination().finally(restoreConsole);
  printFindings(findings, json);
}
