import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, type Run, runProgram, serverAccount } from './account.ts';
import { runnablePrograms } from './programs.ts';
import { makeFolderFor, startServer } from './server.ts';

/** Longer than a start may take. */
const WAIT_MS_MAX = 90_000;
const POLL_MS = 20;

/** How the start ended, as the test process that made it tells the others. */
type Outcome = { port: number } | { failure: string };

/** The process that a test run ends with: `bun test --parallel` runs the tests in children. */
const RUN_PID = process.env.BUN_TEST_WORKER_ID === undefined ? process.pid : process.ppid;

/** Tells two processes of the same number apart; the same everywhere on systems without /proc. */
function startedAt(pid: number): string {
  const path = `/proc/${pid}/stat`;
  // The name of the program, in brackets, may hold blanks; the start is the 20th field after it.
  return existsSync(path) ? (readFileSync(path, 'utf8').split(') ').pop()?.split(' ')[19] ?? '') : '';
}

/** The temporary folder, unless the server's account cannot enter it. */
async function temporaryFolder(account: Account | undefined): Promise<string> {
  try {
    await runProgram({ account, cwd: '/' }, 'sh', ['-c', 'cd "$0"', tmpdir()]);
    return tmpdir();
  } catch {
    return '/tmp';
  }
}

/** Whether the folder was made, and not by another process of the run before. */
function claim(account: Account | undefined, folder: string): boolean {
  try {
    makeFolderFor(account, folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function start(run: Run): Promise<Outcome> {
  try {
    return { port: await startServer(run, await runnablePrograms(run), RUN_PID) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

async function outcomeOf(file: string): Promise<Outcome> {
  for (let waited_ms = 0; !existsSync(file); waited_ms += POLL_MS) {
    if (waited_ms > WAIT_MS_MAX) throw new Error(`the test process that starts it has not written ${file}`);
    await Bun.sleep(POLL_MS);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * The port of the server that all test processes of a run share. The process that asks first starts it; it and its
 * folder go when the run ends. Neither a start nor a failure is repeated.
 * @throws Error with what PostgreSQL's programs said
 */
export async function sharedServer(): Promise<number> {
  const account = await serverAccount();
  const name = `feedloom-postgres-${RUN_PID}-${startedAt(RUN_PID)}`;
  const folder = join(await temporaryFolder(account), name);
  const file = join(folder, 'outcome.json');
  if (claim(account, folder)) {
    writeFileSync(`${file}.new`, JSON.stringify(await start({ account, cwd: folder })));
    renameSync(`${file}.new`, file);
  }
  const outcome = await outcomeOf(file);
  if ('failure' in outcome) throw new Error(outcome.failure);
  return outcome.port;
}
