import * as typebox from '@sinclair/typebox';
import * as contract from '../plugin/index.ts';
import { provideModules } from '../plugin/provide.ts';
import { pluginFiles } from './plugin-files.ts';
import { removeUnranked } from './rankings.ts';
import { RefusedPlugin, refusePlugin } from './refused-plugin.ts';
import type { Registry } from './registry.ts';

/**
 * Plugins get the host's own `feedloom/plugin` and TypeBox: a compiled executable has no node_modules, and a
 * second TypeBox would not know the host's schemas.
 */
function provideContract(): void {
  provideModules({ 'feedloom/plugin': contract, '@sinclair/typebox': typebox });
}

export interface LoadOptions {
  /** Refuse what is ranked by a signal that is not there; false where not all plugins are loaded. Default true. */
  judge_rankings?: boolean;
  /** Waits for a file that is being loaded, which may take long or forever. */
  watched?(file: string, loading: Promise<void>): Promise<void>;
}

/**
 * Loads plugins into the registry: those of files, folders and packages. Strict: the first refusal is thrown. Otherwise what is
 * refused is left out and returned.
 * @throws StartupError with a `plugin_…` code
 */
export async function loadPlugins(
  registry: Registry,
  entries: readonly string[],
  strict: boolean,
  { judge_rankings = true, watched = (_, loading) => loading }: LoadOptions = {},
): Promise<RefusedPlugin[]> {
  provideContract();
  const refused: RefusedPlugin[] = [];
  const leaveOut = (error: unknown): void => {
    if (strict || !(error instanceof RefusedPlugin)) throw error;
    refused.push(error);
  };
  for (const entry of entries) {
    try {
      for (const file of filesOf(entry)) await watched(file, loadFile(registry, file)).catch(leaveOut);
    } catch (error) {
      leaveOut(error);
    }
  }
  if (judge_rankings) for (const refusal of removeUnranked(registry).values()) leaveOut(refusal);
  return refused;
}

/** @throws RefusedPlugin also for what the operating system does not let this process look at */
function filesOf(entry: string): string[] {
  try {
    return pluginFiles(entry);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw refusePlugin(
      'plugin_not_found',
      entry,
      `cannot be read (${error.message})`,
      "Check the path, and this account's rights to it.",
    );
  }
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
      loadingReason(error, file),
      'Mend the file, or install what it imports.',
    );
  }
}

/** What went wrong; the first of several errors, which are what a parser has to say, and how many more there are. */
function loadingReason(error: unknown, file: string): string {
  const all: unknown[] = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  const more = all.length > 1 ? ` and ${all.length - 1} more` : '';
  return `${reasonWithPlace(all[0], file)}${more}`;
}

/** What went wrong, with the place in the file, or in one that it imports, where there is one. */
function reasonWithPlace(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error);
  const { position } = error as { position?: { file: string; line: number; column: number } | null };
  if (position == null) return error.message;
  const imported = position.file === file ? '' : `${position.file}, `;
  return `${error.message} (${imported}line ${position.line}, column ${position.column})`;
}
