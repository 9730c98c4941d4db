import { reasonOf } from '../errors.ts';
import { fetchBounded } from '../plugin/index.ts';
import type { Settings } from '../settings.ts';
import type { Holder } from '../store/connection.ts';
import { type Finding, ok, warn } from './finding.ts';

const SUBJECT = 'service';
const BOUNDS = { timeout_ms: 5_000, bytes_max: 64 * 1024 };
/** Commands that answer requests. Others, such as an import, only hold the data. */
const SERVING = /^feedloom (serve|demo)$/;

/** Whether a service holds the data, and whether it answers where the settings say. */
export async function examineService(
  holder: Holder | undefined,
  { host, port }: Pick<Settings, 'host' | 'port'>,
): Promise<Finding[]> {
  if (holder === undefined) return [ok(SUBJECT, 'none runs on this data')];
  const { command, pid, since } = holder;
  const runs = ok(SUBJECT, `'${command}' (pid ${pid}) has the data since ${since}`);
  return SERVING.test(command) ? [runs, await readiness(addressOf(host, port))] : [runs];
}

function addressOf(host: string, port: number): string {
  const called = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${called.includes(':') ? `[${called}]` : called}:${port}`;
}

async function readiness(address: string): Promise<Finding> {
  try {
    const answer = await fetchBounded(`${address}/readyz`, BOUNDS);
    if (answer.ok) return ok(SUBJECT, `${address} serves feeds`);
    const { detail = '' } = (await answer.json().catch(() => ({}))) as { detail?: string };
    return warn(SUBJECT, `${address} answers ${answer.status} (${detail})`, 'its log has the cause');
  } catch (error) {
    const remedy = 'if it listens elsewhere, give this command the same --host and --port';
    return warn(SUBJECT, `nothing answers at ${address} (${reasonOf(error)})`, remedy);
  }
}
