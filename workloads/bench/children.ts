import { monotonicMs } from '../../src/clock.ts';
import { thisProgram } from '../../src/this-program.ts';
import type { Program } from './program.ts';
import type { Progress } from './progress.ts';
import { WORLD_NOW, type WorldSize } from './worlds.ts';

/** The API key of measured services. */
export const API_KEY = 'key-of-the-bench';

/** Flags that switch off load shedding. */
export const WITHOUT_SHEDDING = ['--lag-ms', '0'];

/** The largest world takes some minutes to start without a checkpoint. */
const START_TIMEOUT_MS = 1_800_000;
const STOP_TIMEOUT_MS = 120_000;

/** A child process that serves HTTP. */
export interface Server {
  /** `http://host:port` */
  address: string;
  pid: number;
  /** The time from its start until it could answer. */
  ready_ms: number;
  /** The log line with its address. */
  said: Record<string, unknown>;
  /** Sends SIGTERM and waits for a clean exit. */
  stop(): Promise<void>;
  /** Kills it immediately. Acknowledged data is durable nevertheless. */
  kill(): Promise<void>;
}

/**
 * The child processes of one run. All end with the run.
 *
 * The measured program reads and writes all data folders. This program generates all load, so that two versions get
 * the same load.
 */
export class Children {
  private readonly running = new Set<Bun.Subprocess>();
  private readonly onExit = () => this.killNow();

  constructor(private readonly measured: Program = thisProgram()) {
    process.on('exit', this.onExit);
  }

  /** `feedloom serve` on a data folder, with the clock of the worlds and without checkpoints. @param more flags */
  service(data: string, more: readonly string[] = []): Promise<Server> {
    const flags = ['--data', data, '--now', String(WORLD_NOW), '--checkpoint-changes', '0', ...more];
    return this.server(this.measured, ['serve', '--port', '0', ...flags], '');
  }

  /** The bare handler, which answers every feed request with `page`. */
  bareHandler(page: string): Promise<Server> {
    return this.server(thisProgram(), ['bench-part', 'bare-handler'], page);
  }

  /** A process that sends a world's interactions on request. */
  arrivals(service: string, size: WorldSize): Promise<Server> {
    return this.server(thisProgram(), ['bench-part', 'arrivals', service, JSON.stringify(size)], '');
  }

  /** Runs a part of the measured program on a data folder. @returns the last JSON that it printed */
  async part(name: 'checkpoint' | 'hash' | 'memory', data: string): Promise<unknown> {
    let answer: unknown;
    await this.eachLine(this.measured, ['bench-part', name, data], (line) => {
      answer = JSON.parse(line);
    });
    return answer;
  }

  /** Writes the interchange files of a world to a folder. */
  async writeWorldFiles(progress: Progress, files: string, size: WorldSize): Promise<void> {
    const args = ['bench-part', 'world-files', files, JSON.stringify(size)];
    await this.eachLine(thisProgram(), args, (line) => progress.advance(Number(line)));
  }

  /** Imports the interchange files of a world into a data folder. */
  async importWorld(progress: Progress, files: string, data: string): Promise<void> {
    const args = ['bench-part', 'import', files, data];
    await this.eachLine(this.measured, args, (line) => progress.advance(Number(line)));
  }

  /** Runs a command to its end. @throws Error if it fails */
  private async eachLine(program: Program, args: string[], onLine: (line: string) => void): Promise<void> {
    const child = this.spawn(program, args, '');
    for await (const line of linesOf(child.stdout)) onLine(line);
    const code = await child.exited;
    this.running.delete(child);
    if (code !== 0) throw new Error(`${args[0]} ${args[1]} ended with ${code}`);
  }

  async killAll(): Promise<void> {
    const ended = [...this.running].map((child) => child.exited);
    this.killNow();
    await Promise.all(ended);
    process.off('exit', this.onExit);
  }

  killNow(): void {
    for (const child of this.running) child.kill('SIGKILL');
    this.running.clear();
  }

  private spawn(
    program: Program,
    args: string[],
    input: string,
  ): Bun.Subprocess<Uint8Array, 'pipe', 'inherit'> {
    const child = Bun.spawn([...program, ...args], {
      // The caller's environment must not configure the measured program.
      env: { FEEDLOOM_API_KEY: API_KEY },
      stdin: new TextEncoder().encode(input),
      stdout: 'pipe',
      stderr: 'inherit',
    });
    this.running.add(child);
    return child;
  }

  private async server(program: Program, args: string[], input: string): Promise<Server> {
    const start_ms = monotonicMs();
    const child = this.spawn(program, args, input);
    const said = await within(START_TIMEOUT_MS, listening(child.stdout), `${args[0]} did not start`);
    const ready_ms = monotonicMs() - start_ms;
    const ended = async (signal: NodeJS.Signals): Promise<void> => {
      child.kill(signal);
      await within(STOP_TIMEOUT_MS, child.exited, `${args[0]} did not stop`);
      this.running.delete(child);
    };
    return {
      address: String(said.address),
      pid: child.pid,
      ready_ms,
      said,
      stop: () => ended('SIGTERM'),
      kill: () => ended('SIGKILL'),
    };
  }
}

async function within<T>(timeout_ms: number, wanted: Promise<T>, failure: string): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${failure} within ${timeout_ms / 1000} s`)), timeout_ms);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the first line with an `address`. Continues reading after it, so that the pipe does not fill up. */
function listening(stdout: ReadableStream<Uint8Array>): Promise<Record<string, unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
  const read = async (): Promise<void> => {
    let last = '';
    for await (const line of linesOf(stdout)) {
      last = line;
      if (line.includes('"address"')) resolve(JSON.parse(line));
    }
    reject(new Error(`a child process ended before it listened: ${last}`));
  };
  read().catch(reject);
  return promise;
}

async function* linesOf(stdout: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stdout) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
