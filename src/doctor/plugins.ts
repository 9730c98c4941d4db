import { reasonOf, StartupError } from '../errors.ts';
import type { RefusedPlugin } from '../registry/refused-plugin.ts';
import { openRegistry } from '../service.ts';
import type { Settings } from '../settings.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const SUBJECT = 'plugins';

/**
 * Loads third-party plugins as a start does, which runs their code.
 * @param known the refused plugins, if they were already loaded
 */
export async function examinePlugins(
  settings: Settings,
  known?: readonly RefusedPlugin[],
): Promise<Finding[]> {
  const { plugins, plugins_strict } = settings;
  if (plugins === undefined) return [ok(SUBJECT, 'only built-in ones')];
  const at = plugins_strict ? fail : warn;
  const refused = ({ message, remedy }: StartupError) =>
    at(SUBJECT, message, remedy ?? 'fix the plugin, or leave it out');
  try {
    const refused_plugins =
      known ?? (await openRegistry({ ...settings, plugins_strict: false })).refused_plugins;
    return refused_plugins.length > 0
      ? refused_plugins.map(refused)
      : [ok(SUBJECT, `${plugins} can be loaded`)];
  } catch (error) {
    if (error instanceof StartupError) return [refused(error)];
    return [at(SUBJECT, reasonOf(error), 'fix the plugin, or leave it out')];
  }
}
