import { feedloom } from '../../support/feedloom.ts';

/** `feedloom serve` as a child process, so that it can be killed. */

/** The key of every started service. */
export const API_KEY = 'simulation-test-key';

export interface ServiceProcess {
  pid: number;
  /** `http://host:port` */
  address: string;
  /** Last seq of the checkpoint, number of changes replayed after it, and duration of the load. */
  loaded: { checkpoint_seq: number; changes: number; load_ms: number };
  /** Lines printed so far. */
  log: string[];
  /** Output on stderr, after the process has ended. */
  stderr: Promise<string>;
  /** Resolves when the log contains a line with this text. */
  logged(text: string): Promise<string>;
  /** Kills the process (SIGKILL). Resolves when it has ended. */
  crash(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number>;
}

/** The service did not start. Contains its output and its exit code. */
export class DidNotStart extends Error {
  constructor(
    readonly exit_code: number,
    readonly stderr: string,
  ) {
    super(`the service ended with ${exit_code} before it listened:\n${stderr}`);
  }
}

export interface StartOptions {
  env?: Record<string, string>;
  /** Command to run it with, for example to change the user. */
  prefix?: readonly string[];
}

const running = new Set<Bun.Subprocess>();

/** Kills every service that is still running, for `afterAll`. */
export async function killAll(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => child.exited));
}
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Keeps the lines of a stream, and waits for one of them. */
class Lines {
  readonly all: string[] = [];
  private rest = '';
  private waiting: { text: string; resolve(line: string): void }[] = [];

  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      const parts = (this.rest + decoder.decode(bytes, { stream: true })).split('\n');
      this.rest = parts.pop() ?? '';
      for (const line of parts) this.add(line);
    }
  }

  holding(text: string): Promise<string> {
    const known = this.all.find((line) => line.includes(text));
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.waiting.push({ text, resolve }));
  }

  private add(line: string): void {
    this.all.push(line);
    for (const { text, resolve } of this.waiting) if (line.includes(text)) resolve(line);
    this.waiting = this.waiting.filter(({ text }) => !line.includes(text));
  }
}

/** Starts the service on a data folder. */
export function launch(data: string, options: StartOptions = {}) {
  const child = Bun.spawn([...(options.prefix ?? []), feedloom(), 'serve'], {
    // The environment of the tests must not configure the service.
    cwd: '/',
    env: {
      PATH: process.env.PATH ?? '',
      FEEDLOOM_API_KEY: API_KEY,
      FEEDLOOM_PORT: '0',
      FEEDLOOM_DATA: data,
      FEEDLOOM_DERIVED_LAG_MS: '0',
      ...options.env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  running.add(child);
  const lines = new Lines();
  const reading = lines.read(child.stdout);
  const stderr = new Response(child.stderr).text();
  const exited = Promise.all([child.exited, reading]).then(([code]) => {
    running.delete(child);
    return code;
  });
  return { child, lines, stderr, exited };
}

/**
 * Starts the service on a data folder and waits until it serves.
 * @throws DidNotStart
 */
export async function startService(data: string, options: StartOptions = {}): Promise<ServiceProcess> {
  const { child, lines, stderr, exited } = launch(data, options);
  const first = await Promise.race([lines.holding('"listening on '), exited]);
  if (typeof first === 'number') throw new DidNotStart(first, await stderr);
  const { address, checkpoint_seq, changes, load_ms } = JSON.parse(first);
  return {
    pid: child.pid,
    address,
    loaded: { checkpoint_seq, changes, load_ms },
    log: lines.all,
    stderr,
    logged: (text) => lines.holding(text),
    async crash() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
