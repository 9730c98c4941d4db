import { basename } from 'node:path';
import * as typebox from '@sinclair/typebox';
import * as contract from '../plugin/index.ts';
import { refusalOfImport } from './api-changes.ts';
import { PLUGIN_CALLS } from './plugin-calls.ts';
import { notFound, pluginFiles } from './plugin-files.ts';
import { provideModules } from './provide.ts';
import { removeUnranked } from './rankings.ts';
import { RefusedPlugin } from './refused-plugin.ts';
import type { Registry } from './registry.ts';

/**
 * Gives plugins the host's own `feedloom/plugin` and TypeBox.
 *
 * A compiled executable has no node_modules, and a second TypeBox would not recognise the host's schemas.
 */
function provideContract(): void {
  provideModules({ 'feedloom/plugin': contract, '@sinclair/typebox': typebox });
}

export interface LoadOptions {
  /** Reject plugins that are ranked by an unknown signal. False if not all plugins are loaded. Default true. */
  judge_rankings?: boolean;
  /** Awaits the loading of a file, which may take long or never end. */
  watched?(file: string, loading: Promise<void>): Promise<void>;
}

/**
 * Loads plugins from files, folders and packages into the registry.
 *
 * Strict: throws the first rejection. Otherwise rejected plugins are left out and returned.
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

function filesOf(entry: string): string[] {
  try {
    return pluginFiles(entry);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw notFound(entry, `cannot be read (${error.message})`, 'Check the path and its permissions.');
  }
}

async function loadFile(registry: Registry, file: string): Promise<void> {
  registry.add(await importDefault(file), file);
}

async function importDefault(file: string): Promise<unknown> {
  try {
    const call = { plugin: basename(file), call: 'import', source: file };
    const module: { default?: unknown } = await PLUGIN_CALLS.during(call, () => import(file));
    return module.default;
  } catch (error) {
    const reason = loadingReason(error, file);
    const refusal = refusalOfImport(reason, file);
    throw (
      refusal ??
      new RefusedPlugin('plugin_threw_on_load', file, reason, 'Fix the file, or install what it imports.')
    );
  }
}

/** Describes the first error. A parser reports several, and the number of the others is added. */
function loadingReason(error: unknown, file: string): string {
  const all: unknown[] = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  const more = all.length > 1 ? ` and ${all.length - 1} more` : '';
  return `${reasonWithPlace(all[0], file)}${more}`;
}

/** Describes an error with its place in the file or in an imported file, if known. */
function reasonWithPlace(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error);
  const { position } = error as { position?: { file: string; line: number; column: number } | null };
  if (position == null) return error.message;
  const imported = position.file === file ? '' : `${position.file}, `;
  return `${error.message} (${imported}line ${position.line}, column ${position.column})`;
}
