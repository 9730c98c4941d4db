import { constants, setPriority } from 'node:os';
import { reasonsOf } from '../errors.ts';
import { killFirst } from '../platform/memory-limit.ts';
import { thisProgram } from '../this-program.ts';
import type { Job, Written } from './write-next.ts';

/** The internal command by which this program writes checkpoints in a child process. Not shown in the help. */
export const WRITE_CHECKPOINT = 'write-checkpoint';

/** A process that writes one checkpoint. */
export interface CheckpointProcess {
  /** @throws Error with the process's error output if it failed */
  written: Promise<Written>;
  kill(): void;
}

/**
 * Starts a process that writes a checkpoint.
 *
 * The job is passed by standard input, because it may contain a password. Standard input stays open while this
 * process lives, so the child notices its end. The child inherits the environment, which may contain connection
 * settings of PostgreSQL.
 * @param urgent a caller waits for it; otherwise it gets a lower priority than the service
 */
export function startCheckpoint(job: Job, urgent: boolean): CheckpointProcess {
  const child = Bun.spawn([...thisProgram(), WRITE_CHECKPOINT], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  // It needs as much memory as the service, which can go on without it.
  killFirst(child.pid);
  if (!urgent) lowerPriority(child.pid);
  child.unref();
  send(child, job);
  return { written: outcome(child), kill: () => child.kill('SIGKILL') };
}

/** Sends the job. If the process has already ended, its exit code reports that. */
function send({ stdin }: Bun.Subprocess<'pipe', 'pipe', 'pipe'>, job: Job): void {
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
    // The process has already ended, or the system has no priorities.
  }
}

/** Runs the job that standard input contains and prints the result. Ends when standard input is closed. */
export async function runCheckpointJob(work: (job: Job) => Promise<Written>): Promise<void> {
  // Terminals and service managers send signals to all processes. The service itself decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  const reader = Bun.stdin.stream().getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('\n')) {
    const { done, value } = await reader.read();
    if (done) throw new Error('standard input contains no job');
    text += decoder.decode(value, { stream: true });
  }
  // If the service is gone, the checkpoint cannot be recorded.
  reader.read().then(() => process.exit(1));
  try {
    console.log(JSON.stringify(await work(JSON.parse(text) as Job)));
  } catch (error) {
    // Only the reason, because the service repeats it in its log.
    console.error(reasonsOf(error).join(': '));
    process.exit(2);
  }
}
