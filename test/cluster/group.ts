import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../cli/run.ts';
import { API_KEY, launch } from '../simulation/support/service-process.ts';
import type { Answer } from './support.ts';
import { until } from './support.ts';

/** One process of two is left out by so many connections once in 16 million times. */
const ASKED = 25;

/** A line of the log, by which process. */
export interface Line {
  process: string;
  msg: string;
  of?: number;
  pid?: number;
  seconds?: number;
  address?: string;
  metrics_address?: string;
}

/** What a test needs of a process. */
interface Shown {
  process: number;
  state: 'leader' | 'follower' | 'starting';
}

/**
 * `feedloom serve --processes N` on an empty folder: `await using group = await Group.start(2)`. Each call is a connection
 * of its own, so the kernel chooses the process.
 */
export class Group {
  private constructor(
    private readonly launched: ReturnType<typeof launch>,
    readonly address: string,
    readonly folder: string,
  ) {}

  /** Resolves when all processes serve. */
  static async start(processes: number, env: Record<string, string> = {}): Promise<Group> {
    const folder = mkdtempSync(join(tmpdir(), 'feedloom-group-'));
    const launched = launch(join(folder, 'data'), { env: { FEEDLOOM_PROCESSES: String(processes), ...env } });
    const first = await Promise.race([launched.lines.holding('"all processes are'), launched.exited]);
    if (typeof first === 'number') throw new Error(`ended with ${first}: ${await launched.stderr}`);
    return new Group(launched, JSON.parse(first).address, folder);
  }

  /** Lines printed so far. */
  get lines(): Line[] {
    return this.launched.lines.all.map((line) => JSON.parse(line) as Line);
  }

  get supervisor_pid(): number {
    return this.launched.child.pid;
  }

  /** Resolves with the exit code when the supervisor and all that hold its output have ended. */
  get exited(): Promise<number> {
    return this.launched.exited;
  }

  logged(text: string): Promise<string> {
    return this.launched.lines.holding(text);
  }

  /** The process ids that a process has had, newest last. */
  pidsOf(process: number): number[] {
    const started = this.lines.filter(({ msg, of }) => msg === 'a process was started' && of === process);
    return started.map(({ pid }) => pid as number);
  }

  /** How often a process has begun to lead. */
  get leads(): number {
    return this.lines.filter(({ msg }) => msg === 'this node leads').length;
  }

  async call(method: string, path: string, body?: unknown, key = API_KEY): Promise<Answer> {
    const response = await fetch(this.address + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      keepalive: false,
    });
    const text = await response.text();
    const is_json = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, body: is_json ? JSON.parse(text) : text };
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.call('POST', path, body);
  }

  /** The same, but without an answer it is undefined: a process that is killed cuts its connections. */
  tried(path: string, body: unknown): Promise<Answer | undefined> {
    return this.post(path, body).catch(() => undefined);
  }

  /** A new key of another account. */
  async newKey(): Promise<string> {
    const { stdout } = await run('keys', 'create', '--account', 'other', '--data', join(this.folder, 'data'));
    return stdout.trim();
  }

  /** Answers to the same request, so many that no process is left out. */
  async fromAll(ask: () => Promise<Answer>): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let asked = 0; asked < ASKED; asked++) answers.push(await ask());
    return answers;
  }

  /** The state of the processes as any of them sees it. Empty without an answer. */
  async states(): Promise<Shown[]> {
    const answer = await this.call('GET', '/readyz').catch(() => undefined);
    return answer?.body.processes ?? [];
  }

  /** Resolves when all processes serve and one of them leads. @returns the number of the leader */
  async settled(processes: number): Promise<number> {
    const states = await until(
      () => this.states(),
      (found) =>
        found.length === processes &&
        found.every(({ state }) => state !== 'starting') &&
        found.filter(({ state }) => state === 'leader').length === 1,
    );
    return states.find(({ state }) => state === 'leader')?.process ?? 0;
  }

  /** SIGKILL to a process. */
  kill(process: number): void {
    globalThis.process.kill(this.pidsOf(process).at(-1) as number, 'SIGKILL');
  }

  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number> {
    this.launched.child.kill('SIGTERM');
    return this.launched.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
