import { describe, expect, test } from 'bun:test';
import { closeSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromCLibrary } from '../../src/platform/c-library.ts';
import { CleanUp } from '../support/clean-up.ts';
import { environment, feedloom } from '../support/feedloom.ts';
import { freePort } from '../support/free-port.ts';
import { samples } from '../support/samples.ts';

/** A log line per request: several times the capacity of a pipe, a socket or a terminal. */
const REQUESTS = 1_000;

const left = new CleanUp('feedloom-stopped-reader-');
const { folder } = left;

/** Both ends of a stream socket, as service managers use. */
function socketPair(): [number, number] {
  const library = fromCLibrary({ socketpair: { args: ['i32', 'i32', 'i32', 'ptr'], returns: 'i32' } });
  const [AF_UNIX, SOCK_STREAM] = [1, 1];
  const ends = new Int32Array(2);
  expect(library?.socketpair(AF_UNIX, SOCK_STREAM, 0, ends)).toBe(0);
  for (const end of ends) left.atEnd(() => closeSync(end));
  return [ends[0], ends[1]];
}

/** Whether writes to a descriptor of a process fail instead of blocking. */
function isSetNotToWait(pid: number, descriptor: number): boolean {
  const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8')) ?? [];
  return (Number.parseInt(flags, 8) & constants.O_NONBLOCK) !== 0;
}

interface Started {
  child: Bun.Subprocess;
  /** Stops the reader, if there is one. */
  stopReading?(): void;
  /** Descriptor of this process for the same open file as the child's stdout, if it is shared. */
  shared?: number;
}

/** Starts a command whose stdout has no reader. */
const READERS: Record<string, (command: string[], env: Record<string, string | undefined>) => Started> = {
  'a pipe': (command, env) => {
    const pipe = join(folder, 'pipe');
    Bun.spawnSync(['mkfifo', pipe]);
    left.opened(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    return { child: Bun.spawn(['sh', '-c', 'exec "$@" > "$0"', pipe, ...command], { env }) };
  },
  'a socket': (command, env) => {
    const [shared] = socketPair();
    return { child: Bun.spawn(command, { env, stdout: shared }), shared };
  },
  'a terminal': (command, env) => {
    const child = Bun.spawn(command, { env, terminal: { data() {} } });
    const control_s = '\x13';
    return { child, stopReading: () => child.terminal?.write(control_s) };
  },
};

// Non-blocking descriptors need Linux, which also shows their flags.
describe.skipIf(process.platform !== 'linux')('a service without a reader of its log', () => {
  test.each(Object.keys(READERS))(
    'a service whose log goes to %s without a reader keeps running and stops cleanly',
    async (name) => {
      const port = freePort();
      const call = (path: string) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': 'key-of-the-tests' } });
      const data = join(folder, name.replaceAll(' ', '-'));
      const flags = ['--port', String(port), '--data', data, '--log-level', 'debug'];
      const env = environment({ FEEDLOOM_API_KEY: 'key-of-the-tests' });
      const { child, stopReading, shared } = READERS[name]([feedloom(), 'serve', ...flags], env);
      left.atEnd(() => child.kill('SIGKILL'));
      const isReady = () =>
        call('/readyz').then(
          ({ ok }) => ok,
          () => false,
        );
      while (child.exitCode === null && !(await isReady())) await Bun.sleep(20);
      stopReading?.();
      for (let time = 0; time < REQUESTS; time++) expect((await call('/healthz')).status).toBe(200);
      const metrics = samples(await (await call('/metrics')).text());
      expect(metrics.get('feedloom_log_lines_lost_total')).toBeGreaterThan(0);
      expect(isSetNotToWait(child.pid, 1)).toBe(shared !== undefined);
      child.kill('SIGTERM');
      expect(await child.exited).toBe(0);
      if (shared !== undefined) expect(isSetNotToWait(process.pid, shared)).toBe(false);
    },
  );
});
