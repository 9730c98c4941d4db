import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { refusePlugin } from './refused-plugin.ts';

const PLUGIN_FILE = /\.(ts|js|mjs)$/;
const NOT_A_PLUGIN = /\.(d|test)\.(ts|js|mjs)$/;
/** The name of an npm package: `boost`, `@acme/boost`. */
const PACKAGE_NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;
/** Where a package's code is when it does not say. */
const INDEX_FILES = ['index.ts', 'index.js', 'index.mjs'];

/** The files, folders and packages of `--plugins`, which are separated by commas. */
export function pluginEntries(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((entry) => entry !== '');
}

/**
 * The plugin files that an entry of `--plugins` stands for, as absolute paths: a file, the files of a folder
 * in order of names, or the one file of a package, which is a folder that says where its code begins or a
 * name found in `node_modules` here or further up.
 * @throws StartupError `plugin_not_found`
 */
export function pluginFiles(entry: string): string[] {
  const path = resolve(entry);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  if (found?.isDirectory()) return filesOfFolder(path);
  const installed = PACKAGE_NAME.test(entry) ? installedPackage(entry, process.cwd()) : undefined;
  if (installed === undefined) {
    throw refusePlugin(
      'plugin_not_found',
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

/** The folder of a package by its name, in the `node_modules` of a folder or of one above it. */
function installedPackage(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(from);
  return above === from ? undefined : installedPackage(name, above);
}

/**
 * The file that `package.json` names: `exports` (of `.`), `module`, `main`. Undefined when it names none and
 * there is no `index` either, as in a folder that only lists what its plugins need.
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
    // Refused below, as what is no object.
  }
  throw refusePlugin(
    'plugin_not_found',
    folder,
    'its package.json cannot be read',
    'Repair or reinstall it.',
  );
}

/** What `exports` gives whoever imports the package itself. */
function exportedFile(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (!isRecord(exports)) return undefined;
  const file = exports['.'] ?? exports.bun ?? exports.import ?? exports.default;
  return exportedFile(file);
}

function missingEntry(folder: string, file = INDEX_FILES.join(' or ')): never {
  throw refusePlugin(
    'plugin_not_found',
    folder,
    `the package has no ${file}`,
    'Name the file in the "exports" of its package.json.',
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
