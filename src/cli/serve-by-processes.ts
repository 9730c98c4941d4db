import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { systemTimers } from '../clock.ts';
import { isNode } from '../cluster/open-node.ts';
import { reasonOf, StartupError } from '../errors.ts';
import { Supervisor } from '../processes/supervisor.ts';
import type { Settings } from '../settings.ts';
import { thisProgram } from '../this-program.ts';
import { requireFree } from './listeners.ts';
import { Printed } from './output.ts';
import { createLogging } from './run-service.ts';
import { StopSignals } from './stop-signals.ts';

export interface ThisCommand {
  argv: readonly string[];
  env: Record<string, string | undefined>;
}

/**
 * Runs several processes of this command until a signal stops them.
 *
 * The process that supervises them is another one. It loads no state, so it cannot run out of memory or fail with a
 * change, and no process is special: any of them can be killed and is started again.
 * @throws StartupError `bad_setting`, `processes_unsupported`, `cannot_listen`, `no_sockets`; Printed if the first process ended before it served
 */
export async function serveByProcesses(settings: Settings, { argv, env }: ThisCommand): Promise<void> {
  const { processes, host, port, metrics_port, cluster_secret, log_level, drain_seconds } = settings;
  requireLinux(processes);
  isNode(settings);
  requireFree(host, port, '--port');
  if (metrics_port !== undefined) requireFree(host, metrics_port, '--metrics-port');
  const { log, destination } = createLogging('stdout', log_level, 'supervisor');
  // Nodes on other machines cannot reach a socket.
  const sockets = cluster_secret === undefined ? folderForSockets() : undefined;
  const removeSockets = () => {
    if (sockets !== undefined) rmSync(sockets, { recursive: true, force: true });
  };
  const supervisor = new Supervisor({
    command: [...thisProgram(), ...argv],
    env,
    processes,
    secret: cluster_secret ?? crypto.randomUUID() + crypto.randomUUID(),
    sockets,
    log,
    output: destination,
    timers: systemTimers,
  });
  const signals = new StopSignals((exit_code) => {
    supervisor.kill();
    removeSockets();
    process.exit(exit_code);
  });
  try {
    await superviseUntil(signals, supervisor, drain_seconds, log);
  } finally {
    removeSockets();
  }
}

/** The longest path of a folder in which a socket fits: the system allows 107 bytes for the whole path. */
const FOLDER_BYTES_MAX = 90;

/** @throws StartupError `no_sockets` */
function folderForSockets(): string {
  const within = tmpdir();
  const remedy = 'set TMPDIR to a folder with a short path in which this account can create files';
  let folder: string;
  try {
    folder = mkdtempSync(join(within, 'feedloom-'));
  } catch (error) {
    throw new StartupError(
      'no_sockets',
      `no sockets can be made in '${within}' (${reasonOf(error)})`,
      remedy,
    );
  }
  if (Buffer.byteLength(folder) <= FOLDER_BYTES_MAX) return folder;
  rmSync(folder, { recursive: true });
  throw new StartupError('no_sockets', `the path '${within}' is too long for sockets`, remedy);
}

function requireLinux(processes: number): void {
  if (process.platform === 'linux') return;
  throw new StartupError(
    'processes_unsupported',
    `--processes ${processes} needs Linux, where several processes can share a port; this is ${process.platform}`,
    'use --processes 1, or run several nodes on PostgreSQL behind a load balancer',
  );
}

async function superviseUntil(
  signals: StopSignals,
  supervisor: Supervisor,
  drain_seconds: number,
  log: Logger,
): Promise<void> {
  const { stopping } = signals;
  let all_serve = false;
  const stop = async (): Promise<void> => {
    log.info({ signal: (stopping.reason as Error).message, drain_seconds }, 'stopping all processes');
    // The terminal may have signalled the processes, too. Then they end without a drain.
    if (all_serve && drain_seconds > 0) await signals.drain(drain_seconds, supervisor.drain());
    await supervisor.stop();
  };
  const stopped = new Promise<void>((resolve) => {
    stopping.addEventListener('abort', () => stop().then(resolve));
  });
  const started = await supervisor.start();
  if (!stopping.aborted) {
    all_serve = true;
    if ('code' in started) throw new Printed(started.code);
    log.info(started, `all processes are listening on ${started.address}`);
  }
  await stopped;
}
