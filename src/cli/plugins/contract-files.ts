import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The contract for authors who have only the executable: its types as one file, and the scripts of their tests.
 *
 * These are macros. They run over the sources when the executable is built, and it contains their packed results.
 */

const ROOT = join(import.meta.dir, '..', '..', '..');
const CONTRACT = join(ROOT, 'src', 'plugin');
const KIT = join(ROOT, 'src', 'kit');
/** The files of the testing kit that authors see. */
const KIT_FILES = ['index.ts', 'case-types.ts', 'test-world.ts'];

/** A declaration file with the modules `feedloom/plugin` and `feedloom/plugin/testing`. It needs no other file. */
export function contractTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-contract-'));
  try {
    const kit = join(folder, 'testing');
    emitDeclarations(CONTRACT, ['index.ts'], folder);
    // Their types are written out, so the engine that they import need not be compiled.
    emitDeclarations(KIT, KIT_FILES, kit, { noResolve: true, noCheck: true });
    const subset = readFileSync(join(import.meta.dir, 'typebox-subset.d.ts'), 'utf8');
    const contract = [subset, ...declarations(folder, 'index.d.ts')];
    const testing = [contractImport(kit), ...declarations(kit, 'index.d.ts')];
    const text = [
      '// The contract of Feedloom plugins, made by `feedloom plugins types`.\n',
      ambientModule('feedloom/plugin', contract),
      ambientModule('feedloom/plugin/testing', testing),
    ].join('\n');
    return packed(text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A script that gives an author's tests the contract and the testing kit.
 *
 * It is not minified, because its lines and names appear in stack traces of plugins.
 */
export function testPreload(): string {
  return packed(run(['build', join(import.meta.dir, 'preload.ts'), '--target=bun']));
}

/** The thread that ends tests which hang. */
export function testWatchdog(): string {
  return packed(run(['build', join(ROOT, 'src', 'cli', 'watchdog-worker.ts'), '--target=bun']));
}

function emitDeclarations(from: string, files: string[], to: string, options: object = {}): void {
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: to,
      rootDir: from,
      typeRoots: [join(ROOT, 'node_modules')],
      ...options,
    },
    include: [],
    files: files.map((file) => join(from, file)),
  };
  mkdirSync(to, { recursive: true });
  const path = join(to, 'tsconfig.json');
  writeFileSync(path, JSON.stringify(config));
  run(['x', '--no-install', 'tsc', '-p', path]);
}

/** The texts of the files that an index names, the index last. Only the names in the index are exported. */
function declarations(folder: string, index: string): string[] {
  const named = filesNamed(folder, index).map(({ names, text }) =>
    exporting(text, (name) => names === '*' || new RegExp(`\\b${name}\\b`).test(names)),
  );
  return [...named, exporting(readFileSync(join(folder, index), 'utf8'), () => true)];
}

/** The files that an index re-exports, with the exported names or `*` for all. */
function filesNamed(folder: string, index: string): { names: string; text: string }[] {
  const text = readFileSync(join(folder, index), 'utf8');
  const files = [...text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '\.\/([\w-]+)\.ts';$/gm)];
  return files.map(([, names, file]) => ({
    names,
    text: readFileSync(join(folder, `${file}.d.ts`), 'utf8'),
  }));
}

/** The import of contract types that the testing kit needs. */
function contractImport(kit: string): string {
  const imports = filesNamed(kit, 'index.d.ts').flatMap(({ text }) => [
    ...text.matchAll(/^import type \{ ([^}]*) \} from '\.\.\/[^']+';$/gm),
  ]);
  const names = new Set(imports.flatMap(([, imported]) => imported.split(', ')));
  return `import type { ${[...names].sort().join(', ')} } from 'feedloom/plugin';\n`;
}

/** Declarations without imports and re-exports, for use inside a module block. */
function exporting(text: string, exported: (name: string) => boolean): string {
  return text
    .replace(/^(import|export) [^;]*? from '[^']+';\n/gm, '')
    .replace(/^import '[^']+';\n/gm, '')
    .replace(/^export \{\};\n/gm, '')
    .replaceAll('import("@sinclair/typebox").', '')
    .replace(
      /^(export )?(?:declare )?(interface|type|const|function|class) (\w+)/gm,
      (_, was, what, name) => `${was !== undefined && exported(name) ? 'export ' : ''}${what} ${name}`,
    );
}

function ambientModule(name: string, parts: readonly string[]): string {
  const lines = parts.join('\n').trim().split('\n');
  const indented = lines.map((line) => (line === '' ? '' : `  ${line}`));
  return `declare module '${name}' {\n${indented.join('\n')}\n  export {};\n}\n`;
}

function packed(text: string): string {
  return Buffer.from(Bun.gzipSync(text)).toString('base64');
}

function run(args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`bun ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout.toString();
}
