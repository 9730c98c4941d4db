import { monotonicMs } from '../clock.ts';
import { MEMBER_VARIABLE, type Membership, type News, type Report, type SeenProcess } from './messages.ts';

export interface ChildOptions {
  command: readonly string[];
  env: Record<string, string | undefined>;
  membership: Membership;
  onReport(report: Report): void;
  /** Gets each complete line of the process's output. */
  onLine(line: string): void;
}

/** A running process that the supervisor started. */
export class Child {
  private node: { row: SeenProcess['node'] & {}; seen_ms: number } | undefined;
  private readonly child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>;
  /** When it began to serve, in milliseconds. Undefined before. */
  served_ms: number | undefined;
  /** The exit code, or the signal that ended it. All of its output has been handed on by then. */
  readonly ended: Promise<number | string>;

  constructor({ command, env, membership, onReport, onLine }: ChildOptions) {
    this.child = Bun.spawn([...command], {
      env: { ...env, [MEMBER_VARIABLE]: JSON.stringify(membership) },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
      serialization: 'json',
      ipc: (message: Report) => {
        this.hear(message);
        onReport(message);
      },
    });
    const read = readLines(this.child.stdout, onLine);
    this.ended = Promise.all([this.child.exited, read]).then(([code]) => this.child.signalCode ?? code);
  }

  get pid(): number {
    return this.child.pid;
  }

  get seen(): SeenProcess['node'] {
    if (this.node === undefined) return undefined;
    const { row, seen_ms } = this.node;
    return { ...row, silent_seconds: (monotonicMs() - seen_ms) / 1_000 };
  }

  send(news: News): void {
    // It may have ended a moment ago.
    try {
      this.child.send(news);
    } catch {}
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.child.kill(signal);
  }

  private hear(report: Report): void {
    if (report.type === 'serves') this.served_ms = monotonicMs();
    if (report.type === 'left') this.node = undefined;
    if (report.type !== 'node') return;
    const { node, leads } = report;
    this.node = { row: { ...node, leads, silent_seconds: 0 }, seen_ms: monotonicMs() };
  }
}

async function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  }
  if (rest !== '') onLine(rest);
}
