import { constants } from 'node:os';
import { Command, CommanderError } from 'commander';
import { untilUnknownCommand } from './cli/known-command.ts';
import { OutputClosed, Printed, printNotice, printText } from './cli/output.ts';
import { rootReasonOf, ServiceError, StartupError } from './errors.ts';
import { variablesOf } from './secret-variable.ts';
import { readSettings, SETTINGS, type SettingName, type Settings, unknownVariables } from './settings.ts';
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

const DEMO_DEFAULTS: Defaults = { data: './data/demo' };
const ALL_SETTINGS = Object.keys(SETTINGS) as SettingName[];

/** `--version`, which ends the command. */
function printVersion(): never {
  const { version, commit, contract } = thisVersion();
  printText(`feedloom ${version} (commit ${commit}, plugin contract ${contract})\n`);
  throw new CommanderError(0, 'commander.version', version);
}

/** What other modules add to the command line with. */
const TOOLS = { withSettings, settingsOf };

const COMMANDS =
  /^(serve|demo|import|export|backup|restore|move|upgrade|openapi|keys|bluesky|connect-postgres|plugins|doctor|verify|evaluate|tune|bench|bench-part|write-checkpoint)$/;

/**
 * Adds the command that the arguments begin with, or all commands if they begin otherwise. Only the code of these is
 * loaded, because loading all of it takes longer than most commands do.
 */
async function addCommands(feedloom: Command, args: readonly string[]): Promise<void> {
  const [name = ''] = args;
  const needs = (...names: string[]) => names.includes(name) || !COMMANDS.test(name);
  withSettings(
    feedloom.command('serve').description('run the service until it gets SIGTERM or SIGINT'),
    ALL_SETTINGS,
  ).action(async (_options, command: Command) => {
    await (await import('./cli/serve.ts')).serve(settingsOf(command), process.env);
  });
  withSettings(
    feedloom
      .command('demo')
      .description('run the service with a sample community, and print a key and commands to try'),
    ALL_SETTINGS.filter((name) => name !== 'database_url'),
    DEMO_DEFAULTS,
  ).action(async (_options, command: Command) =>
    (await import('./cli/demo.ts')).demo(settingsOf(command, DEMO_DEFAULTS), process.env),
  );
  if (needs('import', 'export')) (await import('./cli/interchange.ts')).addInterchange(feedloom, TOOLS);
  if (needs('backup')) (await import('./cli/backup.ts')).addBackup(feedloom, TOOLS);
  withSettings(
    feedloom
      .command('restore <file>')
      .description('fill an empty data folder with a file that backup wrote; for PostgreSQL use pg_restore'),
    ['data', 'database_url'],
  ).action(async (file: string, _options, command: Command) =>
    (await import('./cli/restore.ts')).restore(settingsOf(command), file),
  );
  if (needs('move')) (await import('./cli/move.ts')).addMove(feedloom, TOOLS);
  if (needs('upgrade')) (await import('./cli/upgrade.ts')).addUpgrade(feedloom, TOOLS);
  withSettings(feedloom.command('openapi').description("print the HTTP API's description (OpenAPI 3.1)"), [
    'network',
    'chain',
    'plugins',
    'plugins_strict',
  ]).action(async (_options, command: Command) =>
    (await import('./cli/openapi.ts')).printOpenApi(settingsOf(command)),
  );
  if (needs('keys')) (await import('./cli/keys.ts')).addKeys(feedloom, TOOLS);
  if (needs('bluesky')) (await import('./cli/bluesky.ts')).addBluesky(feedloom, TOOLS);
  if (needs('connect-postgres'))
    (await import('./cli/connect-postgres.ts')).addConnectPostgres(feedloom, TOOLS);
  if (needs('plugins')) (await import('./cli/plugins.ts')).addPlugins(feedloom, TOOLS, process.env);
  if (needs('doctor', 'verify')) (await import('./cli/doctor.ts')).addDoctor(feedloom, TOOLS);
  if (needs('evaluate')) (await import('./cli/evaluate.ts')).addEvaluate(feedloom, settingsOf);
  if (needs('tune')) (await import('./cli/tune.ts')).addTune(feedloom, settingsOf);
  if (needs('bench', 'bench-part')) (await import('./cli/bench.ts')).addBench(feedloom);
  if (needs('write-checkpoint')) (await import('./cli/checkpoint.ts')).addWriteCheckpoint(feedloom);
}

function program(): Command {
  return new Command('feedloom')
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
    const args = argv.slice(2);
    const feedloom = program();
    await addCommands(feedloom, args);
    await feedloom.parseAsync(untilUnknownCommand(feedloom, args), { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof OutputClosed) return CLOSED_PIPE;
    if (error instanceof Printed) return error.code;
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
