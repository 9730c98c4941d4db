import { constants } from 'node:os';
import { Command, CommanderError } from 'commander';
import { backup } from './cli/backup.ts';
import { addBench } from './cli/bench.ts';
import { addBluesky } from './cli/bluesky.ts';
import { addWriteCheckpoint } from './cli/checkpoint.ts';
import { DEMO_DATA, demo } from './cli/demo.ts';
import { addDoctor } from './cli/doctor.ts';
import { addEvaluate } from './cli/evaluate.ts';
import { FoundFailure } from './cli/findings.ts';
import { addInterchange } from './cli/interchange.ts';
import { addKeys } from './cli/keys.ts';
import { untilUnknownCommand } from './cli/known-command.ts';
import { addMove } from './cli/move.ts';
import { printOpenApi } from './cli/openapi.ts';
import { OutputClosed, printNotice, printText } from './cli/output.ts';
import { addPlugins } from './cli/plugins.ts';
import { restore } from './cli/restore.ts';
import { serve } from './cli/serve.ts';
import { ProcessFailed } from './cli/serve-by-processes.ts';
import { rootReasonOf, ServiceError, StartupError } from './errors.ts';
import { memberOf } from './processes/member.ts';
import {
  DATA_SETTINGS,
  readSettings,
  SETTINGS,
  type SettingName,
  type Settings,
  unknownVariables,
  variablesOf,
} from './settings.ts';
import { thisVersion } from './version.ts';

const START_HERE = `
To try it: feedloom demo
For your own data: feedloom keys create --account NAME, then feedloom import DIR, then feedloom serve
feedloom COMMAND --help lists the options of a command, and the environment variables that do the same.
Variables that end in _FILE name a file with the value, so that no secret stands in a command line or the environment.`;

/** Defaults of a command that replace the general ones. */
type Defaults = Partial<Settings>;

/** Settings whose flag may be repeated. */
const REPEATABLE: readonly SettingName[] = ['connect', 'webhook'];

function joined(value: string, former?: string): string {
  return former === undefined ? value : `${former} ${value}`;
}

function withSettings(command: Command, names: readonly SettingName[], defaults: Defaults = {}): Command {
  for (const name of names) {
    const { flag, value, description } = SETTINGS[name];
    const initial = defaults[name] ?? SETTINGS[name].default;
    const shown = initial === undefined ? '' : `, default ${initial}`;
    const text = `${description} (${variablesOf(SETTINGS[name]).join(' or ')}${shown})`;
    if (REPEATABLE.includes(name)) command.option(`${flag} ${value}`, text, joined);
    else command.option(`${flag} ${value}`, text);
  }
  return command;
}

/** Reads settings from flags and the environment. Prints a notice about unknown variables, which may be misspelt. */
function settingsOf(command: Command, defaults: Defaults = {}): Settings {
  const unknown = unknownVariables(process.env).join(', ');
  if (unknown !== '') printNotice(`feedloom: no such setting, ignored: ${unknown}`);
  const given: Record<string, unknown> = command.optsWithGlobals();
  const flags: Partial<Record<SettingName, string>> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const value = given[camelCase(name)];
    if (typeof value === 'string') flags[name] = value;
  }
  return readSettings(process.env, flags, defaults);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const DEMO_DEFAULTS: Defaults = { data: DEMO_DATA };
const ALL_SETTINGS = Object.keys(SETTINGS) as SettingName[];

/** `--version`, which ends the command. */
function printVersion(): never {
  const { version, commit, contract } = thisVersion();
  printText(`feedloom ${version} (commit ${commit}, plugin contract ${contract})\n`);
  throw new CommanderError(0, 'commander.version', version);
}

function program(): Command {
  const feedloom = new Command('feedloom')
    .description('Turns a stream of posts, follows and interactions into ranked feeds.')
    .option(
      '-V, --version',
      'print the version, the commit it was built from, and the version of the plugin contract',
    )
    .on('option:version', printVersion)
    .addHelpText('after', START_HERE)
    .showHelpAfterError(
      'feedloom --help lists the commands, feedloom COMMAND --help the options of a command.',
    )
    .configureOutput({ writeOut: printText, writeErr: (text) => printNotice(text.replace(/\n$/, '')) })
    .exitOverride();
  withSettings(
    feedloom.command('serve').description('run the service until it gets SIGTERM or SIGINT'),
    ALL_SETTINGS,
  ).action(async (_options, command: Command) => {
    const member = memberOf(process.env);
    await serve(settingsOf(command), { argv: process.argv.slice(2), env: process.env }, member);
  });
  withSettings(
    feedloom
      .command('demo')
      .description('run the service with a sample community, and print a key and commands to try'),
    ALL_SETTINGS.filter((name) => name !== 'database_url' && name !== 'processes'),
    DEMO_DEFAULTS,
  ).action((_options, command: Command) => demo(settingsOf(command, DEMO_DEFAULTS)));
  const tools = { withSettings, settingsOf };
  addInterchange(feedloom, tools);
  withSettings(
    feedloom
      .command('backup <file>')
      .description(
        'write the embedded database as it is now into one file, also beside a running service; for PostgreSQL use pg_dump',
      ),
    DATA_SETTINGS,
  ).action((file: string, _options, command: Command) => backup(settingsOf(command), file));
  withSettings(
    feedloom
      .command('restore <file>')
      .description('fill an empty data folder with a file that backup wrote; for PostgreSQL use pg_restore'),
    ['data', 'database_url'],
  ).action((file: string, _options, command: Command) => restore(settingsOf(command), file));
  addMove(feedloom, tools);
  withSettings(feedloom.command('openapi').description("print the HTTP API's description (OpenAPI 3.1)"), [
    'network',
    'chain',
    'plugins',
    'plugins_strict',
  ]).action((_options, command: Command) => printOpenApi(settingsOf(command)));
  addKeys(feedloom, tools);
  addBluesky(feedloom, tools);
  addPlugins(feedloom, tools, process.env);
  addDoctor(feedloom, tools);
  addEvaluate(feedloom, settingsOf);
  addBench(feedloom);
  addWriteCheckpoint(feedloom);
  return feedloom;
}

/** The exit code that shells report for SIGPIPE, which Bun ignores. */
const CLOSED_PIPE = 128 + constants.signals.SIGPIPE;

/**
 * Runs the command line.
 *
 * Exit codes: 0; 1 for an unexpected failure, and if `doctor` found one; 2 for a rejected command; 141 if the reader of
 * the output has stopped.
 */
async function main(argv: string[]): Promise<number> {
  // All written files may contain personal data, so other accounts must not read them.
  process.umask(0o077);
  try {
    const feedloom = program();
    await feedloom.parseAsync(untilUnknownCommand(feedloom, argv.slice(2)), { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof OutputClosed) return CLOSED_PIPE;
    if (error instanceof FoundFailure) return 1;
    if (error instanceof ProcessFailed) return error.code;
    if (error instanceof StartupError) {
      printNotice(
        `feedloom: ${error.message} [${error.code}]${error.remedy === undefined ? '' : `\n  ${error.remedy}`}`,
      );
      return 2;
    }
    if (error instanceof ServiceError) {
      const reason = error.cause === undefined ? '' : `\n  ${rootReasonOf(error)}`;
      printNotice(`feedloom: ${error.detail} [${error.code}]${reason}`);
      return 2;
    }
    printNotice(Bun.inspect(error));
    return 1;
  }
}

process.exit(await main(process.argv));
