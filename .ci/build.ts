import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

const FLAGS = [
  '--compile',
  '--root=src',
  '--format=esm',
  // Paths of this machine: packages have them for files that the executable does not read.
  '--define=__dirname="/"',
  '--define=__filename="/"',
  '--bytecode',
  '--splitting',
  '--minify-syntax',
  '--minify-whitespace',
  '--sourcemap',
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-dotenv',
  '--compile-autoload-package-json',
];

/**
 * Builds an executable. The files that browsers load must have been written.
 * @param target of `bun build`, such as `bun-linux-arm64-musl`; default: this machine. Others are downloaded once.
 * @returns why it failed; undefined if it was built
 */
export function buildExecutable(outfile: string, target?: string): string | undefined {
  const commit = ['--define', `FEEDLOOM_COMMIT=${JSON.stringify(thisVersion().commit)}`];
  const of_target = target === undefined ? [] : [`--target=${target}`];
  const command = ['build', ...FLAGS, ...commit, ...of_target, ...ENTRY_POINTS, '--outfile', outfile];
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, ...command], { cwd: REPOSITORY });
  const folder = dirname(outfile);
  const maps = success ? readdirSync(folder).filter((name) => name.endsWith('.map')) : [];
  for (const name of maps) rmSync(join(folder, name));
  return success ? undefined : `${stdout}${stderr}`.trim();
}

if (import.meta.main) {
  const outfile = join(REPOSITORY, 'dist', 'feedloom');
  await writeApps();
  const failure = buildExecutable(outfile);
  console.log(failure ?? outfile);
  process.exit(failure === undefined ? 0 : 1);
}
