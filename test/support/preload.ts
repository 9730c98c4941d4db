import { mock } from 'bun:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { feedloom, REPOSITORY } from './feedloom.ts';
import { useMemory } from './memory.ts';
import { oncePerRun } from './once-per-run.ts';
import { reuseThreads } from './reused-threads.ts';

/** Runs before every test file (`bunfig.toml`). */

/** Lists of random length get up to as many elements as their property allows; by default ten more than the fewest. */
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });

/** Fixed umask: tests share files with other accounts and check modes, so they must not depend on the user's umask. */
process.umask(0o022);

useMemory();
reuseThreads();

let folder: string | undefined;

/** Folder of the worker threads' files, each bundled with its imports. */
function threads(): string {
  folder ??= oncePerRun('threads', tmpdir(), (folder) => {
    const files = [...new Bun.Glob('src/**/*-worker.ts').scanSync({ cwd: REPOSITORY })];
    const options = [
      '--target=bun',
      '--minify-syntax',
      '--minify-whitespace',
      '--bytecode',
      '--format=cjs',
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
 * Bundles the worker threads. A test run starts a thousand threads and many checkpoint processes; from sources each
 * takes several times the CPU time that it takes bundled, as in the executable.
 */
mock.module(join(REPOSITORY, 'src', 'this-program.ts'), () => ({
  thisProgram: () => [feedloom()],
  threadUrl: (file: string) => pathToFileURL(join(threads(), `${file}.js`)),
}));
