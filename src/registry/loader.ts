import { readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import * as typebox from '@sinclair/typebox';
import { StartupError } from '../errors.ts';
import * as contract from '../plugin/index.ts';
import { refusePlugin } from './check-plugin.ts';
import type { Registry } from './registry.ts';

const PLUGIN_FILE = /\.(ts|js|mjs)$/;
const NOT_A_PLUGIN = /\.(d|test)\.ts$/;

/**
 * Gives files that are loaded from now on the host's own `feedloom/plugin` and TypeBox, wherever they lie:
 * a compiled executable has no node_modules, and a second TypeBox would not know the host's schemas.
 * Process-wide, because module resolution is.
 */
export function provideContract(): void {
  Bun.plugin({
    name: 'feedloom-contract',
    setup(build) {
      build.module('feedloom/plugin', () => ({ exports: { ...contract }, loader: 'object' }));
      build.module('@sinclair/typebox', () => ({ exports: { ...typebox }, loader: 'object' }));
    },
  });
}

/** The files and folders of a comma-separated list. */
function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((entry) => entry !== '');
}

/** The plugin files that a file's or folder's path stands for, as absolute paths in order. */
function pluginFiles(entry: string): string[] {
  const path = resolve(entry);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw refusePlugin(
      'plugin_not_found',
      entry,
      'there is no such file or folder',
      'Check the path given as --plugins.',
    );
  }
  return found.isDirectory() ? filesOfFolder(path) : [path];
}

function filesOfFolder(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => PLUGIN_FILE.test(name) && !NOT_A_PLUGIN.test(name));
  return names.sort().map((name) => resolve(folder, name));
}

/**
 * Loads every plugin of the list into the registry. Strict: the first refusal is thrown. Otherwise what is
 * refused is left out and returned.
 * @throws StartupError with a `plugin_…` code
 */
export async function loadPlugins(
  registry: Registry,
  list: string,
  strict: boolean,
): Promise<StartupError[]> {
  provideContract();
  const refused: StartupError[] = [];
  const leaveOut = (error: unknown): void => {
    if (strict || !(error instanceof StartupError)) throw error;
    refused.push(error);
  };
  for (const entry of entriesOf(list)) {
    try {
      for (const file of pluginFiles(entry)) await loadFile(registry, file).catch(leaveOut);
    } catch (error) {
      leaveOut(error);
    }
  }
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
    const reason = error instanceof Error ? error.message : String(error);
    throw refusePlugin('plugin_threw_on_load', file, reason, 'Run the file with bun to see the whole error.');
  }
}
