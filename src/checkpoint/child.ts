import { constants, setPriority } from 'node:os';
import { reasonsOf } from '../errors.ts';
import { thisProgram } from '../this-program.ts';
import type { Job, Written } from './write-next.ts';

/** The command by which this program writes checkpoints in a process of its own; advertised nowhere. */
export const WRITE_CHECKPOINT = 'write-checkpoint';

/** A process that writes one checkpoint. */
export interface CheckpointProcess {
  /** @throws Error with what it said when it did not write any */
  written: Promise<Written>;
  /** At once; what it left unfinished is the caller's to remove. */
  kill(): void;
}

/**
 * Starts a process that does a job. The job is told by its standard input, as it may hold a password; that
 * stays open as long as this process lives, and no longer. It has this process's environment, where connections to
 * PostgreSQL find what their URL does not say.
 * @param urgent somebody waits for it; otherwise serving comes first
 */
export function startCheckpoint(job: Job, urgent: boolean): CheckpointProcess {
  const child = Bun.spawn([...thisProgram(), WRITE_CHECKPOINT], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  if (!urgent) lowerPriority(child.pid);
  child.unref();
  tell(child, job);
  return { written: outcome(child), kill: () => child.kill('SIGKILL') };
}

/** One that has ended already says so by its exit code. */
function tell({ stdin }: Bun.Subprocess<'pipe', 'pipe', 'pipe'>, job: Job): void {
  try {
    stdin.write(`${JSON.stringify(job)}\n`);
    Promise.resolve(stdin.flush()).catch(() => {});
  } catch {}
}

async function outcome(child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>): Promise<Written> {
  const [said, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0) return JSON.parse(said) as Written;
  throw new Error(complaint.trim() || `ended with ${child.signalCode ?? code}`);
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the machine knows no priorities.
  }
}

/** Does the job that standard input tells of, and says what came of it; ends when standard input does. */
export async function runCheckpointJob(work: (job: Job) => Promise<Written>): Promise<void> {
  // Sent to all processes of a terminal or a unit: it is for the service to say what ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  const reader = Bun.stdin.stream().getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('\n')) {
    const { done, value } = await reader.read();
    if (done) throw new Error('there is no job');
    text += decoder.decode(value, { stream: true });
  }
  // Whoever wanted it is gone: nobody would enter it into the book.
  reader.read().then(() => process.exit(1));
  try {
    console.log(JSON.stringify(await work(JSON.parse(text) as Job)));
  } catch (error) {
    // The reason alone: the service repeats it in its log.
    console.error(reasonsOf(error).join(': '));
    process.exit(2);
  }
}
