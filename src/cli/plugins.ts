import type { Command } from 'commander';
import type { Registry } from '../registry/registry.ts';
import { openRegistry, type RegistryOptions } from '../service.ts';
import type { Settings } from '../settings.ts';
import { print, printNotice, printText } from './output.ts';
import { checkPlugins } from './plugins/check.ts';
import { documentation } from './plugins/doc.ts';
import { pluginList } from './plugins/list.ts';
import { newPlugin } from './plugins/new.ts';
import { testPlugins } from './plugins/run-tests.ts';
import { TEMPLATES } from './plugins/templates.ts';
import type { Tools } from './tools.ts';

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
      await checkPlugins(await loaded(settingsOf(command), { entries: [] }), files);
    });
  plugins
    .command('test [args...]')
    .description(
      'run tests of plugins and the code of the plugins with bun:test; takes the arguments of `bun test`',
    )
    .allowUnknownOption()
    .action((args: string[]) => testPlugins(args, env));
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
