import * as typebox from '@sinclair/typebox';
import * as contract from '../plugin/index.ts';
import { provideModules } from '../plugin/provide.ts';
import { RefusedPlugin, refusePlugin } from './check-plugin.ts';
import { pluginFiles } from './plugin-files.ts';
import { removeUnranked } from './rankings.ts';
import type { Registry } from './registry.ts';

/**
 * Plugins get the host's own `feedloom/plugin` and TypeBox: a compiled executable has no node_modules, and a
 * second TypeBox would not know the host's schemas.
 */
function provideContract(): void {
  provideModules({ 'feedloom/plugin': contract, '@sinclair/typebox': typebox });
}

/** The files and folders of a comma-separated list. */
function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((entry) => entry !== '');
}

/**
 * Loads every plugin of the list into the registry. Strict: the first refusal is thrown. Otherwise what is
 * refused is left out and returned.
 * @param judge_rankings refuse what is ranked by a signal that is not there; false where not all plugins are loaded
 * @throws StartupError with a `plugin_…` code
 */
export async function loadPlugins(
  registry: Registry,
  list: string,
  strict: boolean,
  judge_rankings = true,
): Promise<RefusedPlugin[]> {
  provideContract();
  const refused: RefusedPlugin[] = [];
  const leaveOut = (error: unknown): void => {
    if (strict || !(error instanceof RefusedPlugin)) throw error;
    refused.push(error);
  };
  for (const entry of entriesOf(list)) {
    try {
      for (const file of pluginFiles(entry)) await loadFile(registry, file).catch(leaveOut);
    } catch (error) {
      leaveOut(error);
    }
  }
  if (judge_rankings) for (const refusal of removeUnranked(registry).values()) leaveOut(refusal);
  return refused;
}

async function loadFile(registry: Registry, file: string): Promise<void> {
  registry.add(await importDefault(file), file);
}

async function importDefault(file: string): Promise<unknown> {
  try {
    const module: { default?: unknown } = await import(file);
    return module.default;
  } catch (error) {
    throw refusePlugin(
      'plugin_threw_on_load',
      file,
      reasonWithPlace(error),
      `Mend the file; 'feedloom plugins check ${file}' tries it alone.`,
    );
  }
}

/** What went wrong, with the place in the file where there is one. */
function reasonWithPlace(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { position } = error as { position?: { line: number; column: number } | null };
  const at = position == null ? '' : ` (line ${position.line}, column ${position.column})`;
  return `${error.message}${at}`;
}
