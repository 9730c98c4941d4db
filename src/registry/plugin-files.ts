import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isRecord } from './member-checks.ts';
import { RefusedPlugin } from './refused-plugin.ts';

const PLUGIN_FILE = /\.(ts|js|mjs)$/;
const NOT_A_PLUGIN = /\.(d|test)\.(ts|js|mjs)$/;
/** The form of npm package names: `boost`, `@acme/boost`. */
const PACKAGE_NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;
/** The default entry files of a package. */
const INDEX_FILES = ['index.ts', 'index.js', 'index.mjs'];

/** Splits the value of `--plugins` at commas. */
export function pluginEntries(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((entry) => entry !== '');
}

/**
 * Resolves an entry of `--plugins` to absolute paths of plugin files.
 *
 * An entry is a file, a folder (its files in order of names), or a package (its entry file). A package is a folder
 * with an entry point, or a name in `node_modules` of the working directory or a parent.
 * @throws StartupError `plugin_not_found`
 */
export function pluginFiles(entry: string): string[] {
  const path = resolve(entry);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  if (found?.isDirectory()) return filesOfFolder(path);
  const installed = PACKAGE_NAME.test(entry) ? installedPackage(entry, process.cwd()) : undefined;
  if (installed === undefined) {
    throw notFound(
      entry,
      'there is no such file or folder, and no such package in node_modules',
      'Check the path, or install the package where the service is started.',
    );
  }
  return [packageFile(installed) ?? missingEntry(installed)];
}

function filesOfFolder(folder: string): string[] {
  const own = existsSync(join(folder, 'package.json')) ? packageFile(folder) : undefined;
  if (own !== undefined) return [own];
  const names = readdirSync(folder).filter((name) => PLUGIN_FILE.test(name) && !NOT_A_PLUGIN.test(name));
  return names.sort().map((name) => join(folder, name));
}

function installedPackage(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(from);
  return above === from ? undefined : installedPackage(name, above);
}

/**
 * The entry file of a package: `exports` (of `.`), `module` or `main` of `package.json`, or `index`.
 *
 * Undefined if there is none, as in a folder whose `package.json` only lists dependencies of its plugins.
 */
function packageFile(folder: string): string | undefined {
  const { exports, module, main } = readPackage(folder);
  const named = exportedFile(exports) ?? module ?? main;
  const files = typeof named === 'string' ? [named] : INDEX_FILES;
  const file = files.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined && typeof named === 'string') return missingEntry(folder, named);
  return file;
}

function readPackage(folder: string): Record<string, unknown> {
  const path = join(folder, 'package.json');
  try {
    const described: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isRecord(described)) return described;
  } catch {
    // Rejected below, like JSON that is not an object.
  }
  throw notFound(folder, 'its package.json cannot be read', 'Repair or reinstall it.');
}

/** Resolves `exports` for an import of the package itself. */
function exportedFile(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (!isRecord(exports)) return undefined;
  const file = exports['.'] ?? exports.bun ?? exports.import ?? exports.default;
  return exportedFile(file);
}

function missingEntry(folder: string, file = INDEX_FILES.join(' or ')): never {
  throw notFound(folder, `the package has no ${file}`, 'Name the file in the "exports" of its package.json.');
}

export function notFound(entry: string, reason: string, remedy: string): RefusedPlugin {
  return new RefusedPlugin('plugin_not_found', entry, reason, remedy);
}
