import { mock } from 'bun:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { feedloom, REPOSITORY } from './feedloom.ts';
import { oncePerRun } from './once-per-run.ts';

/** Runs before every test file (`bunfig.toml`). */

/**
 * A property ends before its test would: a slow machine tries fewer inputs, and one that fails tells its
 * counterexample, as small as it was made until then, and not just that the time was up.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 30_000 });

/** Tests share files with other accounts, and look at rights: neither may depend on who runs them. */
process.umask(0o022);

let folder: string | undefined;

/** The folder of the threads' files, each with all that it imports. */
function threads(): string {
  folder ??= oncePerRun('threads', tmpdir(), (folder) => {
    const files = [...new Bun.Glob('src/**/*-worker.ts').scanSync({ cwd: REPOSITORY })];
    const options = [
      '--target=bun',
      '--minify-syntax',
      '--minify-whitespace',
      '--root=src',
      '--outdir',
      folder,
    ];
    const command = [process.execPath, 'build', ...files, ...options];
    const { success, stderr } = Bun.spawnSync(command, { cwd: REPOSITORY });
    if (!success) throw new Error(`the threads cannot be built:\n${stderr}`);
    return folder;
  });
  return folder;
}

/**
 * A run of the tests starts a thousand threads and many processes that write checkpoints. From the sources each of them
 * takes several times the CPU time that it takes when it is built, as it is in the executable.
 */
mock.module(join(REPOSITORY, 'src', 'this-program.ts'), () => ({
  thisProgram: () => [feedloom()],
  threadUrl: (file: string) => pathToFileURL(join(threads(), `${file}.js`)),
}));
