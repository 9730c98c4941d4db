import { monotonicMs } from '../../src/clock.ts';
import { thisProgram } from '../../src/this-program.ts';
import type { Program } from './program.ts';
import type { Progress } from './progress.ts';
import { WORLD_NOW, type WorldSize } from './worlds.ts';

/** The key that measured services accept. */
export const API_KEY = 'bench';

/** Flags of a service that never builds cheaper pages because it is busy. */
export const WITHOUT_SHEDDING = ['--lag-ms', '0'];

/** The largest world without a checkpoint takes some minutes. */
const START_TIMEOUT_MS = 1_800_000;
const STOP_TIMEOUT_MS = 120_000;

/** A child process that listens. */
export interface Server {
  /** `http://host:port` */
  address: string;
  pid: number;
  /** From its start until it could answer. */
  ready_ms: number;
  /** The line in which it said that it listens. */
  said: Record<string, unknown>;
  /** SIGTERM, and waits for a clean end. */
  stop(): Promise<void>;
  /** At once; what it acknowledged is durable all the same. */
  kill(): Promise<void>;
}

/**
 * The child processes of one run; none outlives it. Everything that reads or writes a data folder is the measured
 * program; everything that makes load is this program, so that two versions meet the same load.
 */
export class Children {
  private readonly running = new Set<Bun.Subprocess>();
  private readonly onExit = () => this.killNow();

  constructor(private readonly measured: Program = thisProgram()) {
    process.on('exit', this.onExit);
  }

  /** `feedloom serve` on a data folder, with the clock of the worlds; it writes no checkpoints. @param more flags */
  service(data: string, more: readonly string[] = []): Promise<Server> {
    const flags = ['--data', data, '--now', String(WORLD_NOW), '--checkpoint-changes', '0', ...more];
    return this.server(this.measured, ['serve', '--port', '0', ...flags], '');
  }

  /** The bare handler, which answers every feed request with `page`. */
  bareHandler(page: string): Promise<Server> {
    return this.server(thisProgram(), ['bench-part', 'bare-handler'], page);
  }

  /** A sender of a world's interactions, which waits for orders. */
  arrivals(service: string, size: WorldSize): Promise<Server> {
    return this.server(thisProgram(), ['bench-part', 'arrivals', service, JSON.stringify(size)], '');
  }

  /** Runs a part of the measured program on a data folder. @returns the JSON that it printed last */
  async part(name: 'checkpoint' | 'hash' | 'memory', data: string): Promise<unknown> {
    let answer: unknown;
    await this.eachLine(this.measured, ['bench-part', name, data], (line) => {
      answer = JSON.parse(line);
    });
    return answer;
  }

  /** Writes the interchange files of a world into a folder. */
  async writeWorldFiles(progress: Progress, files: string, size: WorldSize): Promise<void> {
    const args = ['bench-part', 'world-files', files, JSON.stringify(size)];
    await this.eachLine(thisProgram(), args, (line) => progress.advance(Number(line)));
  }

  /** Imports the interchange files of a world into a data folder. */
  async importWorld(progress: Progress, files: string, data: string): Promise<void> {
    const args = ['bench-part', 'import', files, data];
    await this.eachLine(this.measured, args, (line) => progress.advance(Number(line)));
  }

  /** Runs a command to its end. @throws Error when it fails */
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
      // Nothing of the caller's environment may configure what is measured.
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

/** The first line with an `address`. Goes on reading after it, so that the pipe never fills. */
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
