/** Proxies as child processes, with files of `deploy/` in which addresses are replaced. */

const running = new Set<Bun.Subprocess>();

/** Stops all proxies. */
export async function endProxies(): Promise<void> {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all([...running].map((child) => child.exited));
  running.clear();
}

/** How often a proxy is started on another port when a process has taken its port meanwhile. */
const STARTS_MAX = 5;

/** A proxy that is ready to run. */
interface Prepared {
  command: string[];
  env?: Record<string, string>;
  /** What the proxy prints on stderr once it listens. */
  ready: string;
  /** Its address for clients. */
  base: string;
}

/**
 * Starts a proxy and waits until it reports that it listens.
 *
 * The proxies cannot choose a free port themselves, so another port is tried if the chosen one is in use.
 * @param prepare writes the configuration with free ports
 */
export async function startProxy(prepare: () => Prepared): Promise<string> {
  for (let left = STARTS_MAX; ; left--) {
    const { command, env, ready, base } = prepare();
    const child = Bun.spawn(command, { env: { ...process.env, ...env }, stderr: 'pipe' });
    running.add(child);
    const { is_ready, printed } = await readUntil(child.stderr, ready);
    if (is_ready) return base;
    await child.exited;
    running.delete(child);
    if (left === 1 || !/address already in use/i.test(printed)) throw new Error(`no proxy: ${printed}`);
  }
}

/** Reads a stream up to a text. The rest is read and dropped, so that the process is not blocked. */
async function readUntil(
  stream: ReadableStream<Uint8Array>,
  text: string,
): Promise<{ is_ready: boolean; printed: string }> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let printed = '';
  while (!printed.includes(text)) {
    const { done, value } = await reader.read();
    if (done) return { is_ready: false, printed };
    printed += decoder.decode(value, { stream: true });
  }
  const drop = async () => {
    while (!(await reader.read()).done);
  };
  drop().catch(() => {});
  return { is_ready: true, printed };
}

/** @throws Error if the text lacks something to replace */
export function replaced(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the file has no '${from}'`);
    return result.replaceAll(from, to);
  }, text);
}
