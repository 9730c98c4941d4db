import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Resources that are created once per test run and shared by its processes. */

/** Timeout of the creation. */
const WAIT_MS_MAX = 120_000;
const POLL_MS = 20;

/** Result of the work, written by the process that did it. */
type Outcome<T> = { made: T } | { failure: string };

/** The process that the test run ends with. `bun test --parallel` runs tests in its child processes. */
const RUN_PID = process.env.BUN_TEST_WORKER_ID === undefined ? process.pid : process.ppid;

/** Start time of a process, which distinguishes reused process ids. Constant on systems without /proc. */
function startedAt(pid: number): string {
  const path = `/proc/${pid}/stat`;
  // The program's name, in brackets, may contain blanks. The start time is the 20th field after it.
  return existsSync(path) ? (readFileSync(path, 'utf8').split(') ').pop()?.split(' ')[19] ?? '') : '';
}

/**
 * When the run has ended, runs the script `stop` of the folder, if there is one, and removes the folder. It has its own
 * process group, because the test runner kills its children on a timeout.
 */
function removeAfterRun(folder: string): void {
  const script = `
    while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
    [ ! -e "$2/stop" ] || sh "$2/stop"
    rm -rf "$2"`;
  const args = ['-c', `(${script}) &`, 'sh', String(RUN_PID), folder];
  spawn('sh', args, { cwd: '/', detached: true, stdio: 'ignore' }).unref();
}

/** Whether the folder exists and belongs to this run. */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function outcomeOf<T>(make: () => T): Outcome<T> {
  try {
    return { made: make() };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The result of `make` in the first process of the run that asks; the others wait for it. Neither the work nor a
 * failure is repeated. `make` gets a new folder, which is removed when the run ends.
 * @param parent where the folder is created
 * @throws Error of `make`
 */
export function oncePerRun<T>(name: string, parent: string, make: (folder: string) => T): T {
  const folder = join(parent, `feedloom-${name}-${RUN_PID}-${startedAt(RUN_PID)}`);
  const file = join(folder, 'outcome.json');
  if (claim(folder)) {
    removeAfterRun(folder);
    writeFileSync(`${file}.new`, JSON.stringify(outcomeOf(() => make(folder))));
    renameSync(`${file}.new`, file);
  }
  for (let waited_ms = 0; !existsSync(file); waited_ms += POLL_MS) {
    if (waited_ms > WAIT_MS_MAX) throw new Error(`another test process has not written ${file}`);
    Bun.sleepSync(POLL_MS);
  }
  const outcome: Outcome<T> = JSON.parse(readFileSync(file, 'utf8'));
  if ('failure' in outcome) throw new Error(outcome.failure);
  return outcome.made;
}
