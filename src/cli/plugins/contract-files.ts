import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The contract for authors who have only the executable: its types as one file, and what their tests run on.
 * Macros: they run when the executable is built, over the sources, and leave their results in it, packed.
 */

const ROOT = join(import.meta.dir, '..', '..', '..');
const CONTRACT = join(ROOT, 'src', 'plugin');

/** A declaration file with the modules `feedloom/plugin` and `feedloom/plugin/testing`; needs nothing else. */
export function contractTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-contract-'));
  try {
    emitDeclarations(folder);
    const subset = readFileSync(join(import.meta.dir, 'typebox-subset.d.ts'), 'utf8');
    const contract = [subset, ...declarations(folder, 'index.d.ts')];
    const kit = join(folder, 'testing');
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
 * A script that gives an author's tests the contract and the testing kit. Not minified: where an error of a plugin passes
 * through it, its lines and names are printed.
 */
export function testPreload(): string {
  return packed(run(['build', join(import.meta.dir, 'preload.ts'), '--target=bun']));
}

function emitDeclarations(folder: string): void {
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: folder,
      rootDir: CONTRACT,
      typeRoots: [join(ROOT, 'node_modules')],
    },
    include: [],
    files: [join(CONTRACT, 'index.ts'), join(CONTRACT, 'testing', 'index.ts')],
  };
  const path = join(folder, 'tsconfig.json');
  writeFileSync(path, JSON.stringify(config));
  run(['x', '--no-install', 'tsc', '-p', path]);
}

/** The text of a module's files that its index names, the index last; only what it names is exported. */
function declarations(folder: string, index: string): string[] {
  const named = filesNamed(folder, index).map(({ names, text }) =>
    exporting(text, (name) => names === '*' || new RegExp(`\\b${name}\\b`).test(names)),
  );
  return [...named, exporting(readFileSync(join(folder, index), 'utf8'), () => true)];
}

/** The files that an index re-exports names of, or `*`: all. */
function filesNamed(folder: string, index: string): { names: string; text: string }[] {
  const text = readFileSync(join(folder, index), 'utf8');
  const files = [...text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '\.\/([\w-]+)\.ts';$/gm)];
  return files.map(([, names, file]) => ({
    names,
    text: readFileSync(join(folder, `${file}.d.ts`), 'utf8'),
  }));
}

/** What the testing kit takes from the contract, as an import of its module. */
function contractImport(kit: string): string {
  const imports = filesNamed(kit, 'index.d.ts').flatMap(({ text }) => [
    ...text.matchAll(/^import type \{ ([^}]*) \} from '\.\.\/[^']+';$/gm),
  ]);
  const names = new Set(imports.flatMap(([, imported]) => imported.split(', ')));
  return `import type { ${[...names].sort().join(', ')} } from 'feedloom/plugin';\n`;
}

/** Declarations without imports and re-exports, as they stand in a module block. */
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

/** `export {}` keeps what is not exported by name to the module. */
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
