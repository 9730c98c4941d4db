import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { StartupError } from '../errors.ts';
import { printable } from '../printable.ts';
import { KINDS } from '../registry/kinds.ts';
import { BUILT_IN, type Registry } from '../registry/registry.ts';
import { openRegistry, type RegistryOptions } from '../service.ts';
import type { Settings } from '../settings.ts';
import { print, printNotice, printText } from './output.ts';
import { checkPlugins } from './plugins/check.ts';
import { documentation } from './plugins/doc.ts';
import { newPlugin } from './plugins/new.ts';
import { TEMPLATES } from './plugins/templates.ts';
import { watchChecks } from './plugins/watch-checks.ts';
import type { Tools } from './tools.ts';

/** Exit code of a command that was refused, and of checks that failed. */
const REFUSED = 2;

/**
 * `feedloom plugins test [args…]`: runs tests with `bun:test`, with the contract and the testing kit available.
 *
 * The executable is its own test runner: with BUN_BE_BUN it is Bun.
 * @param env environment of the runner
 */
async function testPlugins(
  args: readonly string[],
  { watchdog_seconds }: Settings,
  env: Record<string, string | undefined>,
): Promise<void> {
  const { TEST_PRELOAD, TEST_WATCHDOG } = await import('./plugins/contract.ts');
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-plugin-test-'));
  try {
    const preload = join(folder, 'preload.js');
    writeFileSync(preload, `globalThis.watchdog_seconds = ${watchdog_seconds};\n${TEST_PRELOAD}`);
    // Where the preload script looks for it, as `threadUrl` does.
    mkdirSync(join(folder, 'cli'));
    writeFileSync(join(folder, 'cli', 'watchdog-worker.ts'), TEST_WATCHDOG);
    const files = args.map((arg) => (/^[\w@][^*]*\.(ts|js|mjs)$/.test(arg) ? `./${arg}` : arg));
    const runner = Bun.spawn([process.execPath, 'test', '--preload', preload, ...files], {
      env: { ...env, BUN_BE_BUN: '1' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if ((await runner.exited) !== 0) throw new StartupError('plugin_tests_failed', 'tests failed');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `feedloom plugins list`: a line per loaded extension with kind, id, origin and summary. */
function pluginList(registry: Registry, external_only: boolean): string {
  const rows = KINDS.flatMap((kind) =>
    registry
      .all(kind)
      .filter(({ source }) => !external_only || source !== BUILT_IN)
      .map(({ id, source, extension }) => [kind, id, source, extension.summary].map(printable)),
  );
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')).join('\n');
}

/** Adds `feedloom plugins …`: commands for authors of plugins. They need no running service. */
export function addPlugins(
  feedloom: Command,
  { withSettings, settingsOf }: Tools,
  env: Record<string, string | undefined>,
): void {
  const plugins = feedloom.command('plugins').description('write, check, test, list and document plugins');
  withSettings(plugins.command('list').description('list the loaded extensions, including built-in ones'), [
    'plugins',
    'plugins_strict',
  ])
    .option('--external', 'leave out built-in ones')
    .action(async ({ external }: { external?: boolean }, command: Command) => {
      const registry = await loaded(settingsOf(command));
      print(pluginList(registry, external === true));
    });
  plugins
    .command('new <kind> <name>')
    .description(`write a template with a test: ${Object.keys(TEMPLATES).join(', ')}`)
    .action((kind: string, name: string) => newPlugin(kind, name));
  plugins
    .command('check <files...>')
    .description('load plugins, which runs their code, and check the rules that every plugin must follow')
    .action(async (files: string[], _options, command: Command) => {
      const settings = settingsOf(command);
      const watchdog = watchChecks(settings.watchdog_seconds, REFUSED);
      await checkPlugins(await loaded(settings, { entries: [] }), files).finally(() => watchdog.close());
    });
  plugins
    .command('test [args...]')
    .description(
      'run tests of plugins and the code of the plugins with bun:test; takes the arguments of `bun test`',
    )
    .allowUnknownOption()
    .action((args: string[], _options, command: Command) => testPlugins(args, settingsOf(command), env));
  plugins
    .command('types')
    .description('print the types of feedloom/plugin as a TypeScript declaration file')
    .action(async () => {
      const { CONTRACT_TYPES } = await import('./plugins/contract.ts');
      printText(CONTRACT_TYPES);
    });
  withSettings(
    plugins
      .command('doc [files...]')
      .description('print the names and options of extensions, as Markdown; their code runs'),
    ['plugins', 'plugins_strict'],
  ).action(async (files: string[], _options, command: Command) => {
    const settings = settingsOf(command);
    const given = files.length > 0;
    // Plugins that a file refers to need not be loaded to describe it.
    const registry = await loaded(settings, given ? { entries: files, judge_rankings: false } : {});
    print(documentation(registry, given));
  });
}

async function loaded(settings: Settings, options?: RegistryOptions): Promise<Registry> {
  const { registry, refused_plugins } = await openRegistry(settings, options);
  for (const { code, message } of refused_plugins) printNotice(`left out: ${message} [${code}]`);
  return registry;
}
