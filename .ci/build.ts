import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BunPlugin } from 'bun';
import { writeApps } from '../src/console/build.ts';
import { thisVersion } from '../src/version.ts';

/** `bun run build`: builds the executable of this machine, `dist/feedloom`. */

export const REPOSITORY = join(import.meta.dir, '..');

/** The program, its threads, and the files that browsers load. */
const ENTRY_POINTS = [
  'src/main.ts',
  'src/cli/watchdog-worker.ts',
  'src/store/backup-worker.ts',
  'src/store/reader-worker.ts',
  'src/store/writer-worker.ts',
  'dist/console/embedded.ts',
];

/**
 * Embeds the data of the language detector compressed. As a module it would be in the executable as source, as
 * bytecode, and in the source map: 5 MB more. The file is in `dist/`, so that its path is always the same.
 */
const packedLanguages: BunPlugin = {
  name: 'packed languages',
  async setup(build) {
    const { ngramsData } = await import(join(REPOSITORY, 'node_modules/eld/src/ngrams/extrasmall.js'));
    const file = join(REPOSITORY, 'dist', 'console', 'languages.zst');
    writeFileSync(file, Bun.zstdCompressSync(JSON.stringify(ngramsData), { level: 19 }));
    const contents = `
      import { readFileSync } from 'node:fs';
      import file from ${JSON.stringify(file)} with { type: 'file' };
      export const ngramsData = JSON.parse(Bun.zstdDecompressSync(readFileSync(file)).toString());`;
    build.onLoad({ filter: /\/eld\/src\/ngrams\// }, () => ({ contents, loader: 'js' }));
  },
};

/**
 * Builds an executable. The files that browsers load must have been written.
 * @param target of `bun build`, such as `bun-linux-arm64-musl`; default: this machine. Others are downloaded once.
 * @returns why it failed; undefined if it was built
 */
export async function buildExecutable(
  outfile: string,
  target?: Bun.Build.CompileTarget,
): Promise<string | undefined> {
  const { success, logs } = await Bun.build({
    entrypoints: ENTRY_POINTS.map((path) => join(REPOSITORY, path)),
    root: join(REPOSITORY, 'src'),
    target: 'bun',
    format: 'esm',
    define: {
      // Paths of this machine: packages have them for files that the executable does not read.
      __dirname: '"/"',
      __filename: '"/"',
      FEEDLOOM_COMMIT: JSON.stringify(thisVersion().commit),
    },
    bytecode: true,
    splitting: true,
    minify: { syntax: true, whitespace: true },
    sourcemap: 'linked',
    compile: {
      ...(target !== undefined && { target }),
      outfile,
      autoloadBunfig: false,
      autoloadDotenv: false,
      autoloadPackageJson: true,
    },
    plugins: [packedLanguages],
    throw: false,
  });
  const folder = dirname(outfile);
  const maps = success ? readdirSync(folder).filter((name) => name.endsWith('.map')) : [];
  for (const name of maps) rmSync(join(folder, name));
  return success ? undefined : logs.join('\n');
}

if (import.meta.main) {
  const outfile = join(REPOSITORY, 'dist', 'feedloom');
  await writeApps();
  const failure = await buildExecutable(outfile);
  console.log(failure ?? outfile);
  process.exit(failure === undefined ? 0 : 1);
}
