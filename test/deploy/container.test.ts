import { afterAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { instructionsOf } from '../../.ci/containerfile.ts';
import { feedloom, REPOSITORY } from '../support/feedloom.ts';
import { deployText } from './support.ts';

/**
 * The steps of the Containerfile, executed in an empty root without a container engine: its own mount namespace with
 * the programs and libraries of this machine in place of the base image, and a root that is then made read-only.
 */

const IMAGE = instructionsOf(deployText('Containerfile'));

/** Only root can mount, and some containers forbid it even to root. */
const CAN_MOUNT =
  process.getuid?.() === 0 && Bun.spawnSync(['unshare', '--mount', 'true'], { stderr: 'ignore' }).success;

const KEY = 'container-test-key';

const roots: string[] = [];
const running = new Set<Bun.Subprocess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => child.exited));
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** An empty root with folders for what the base image has. */
function emptyRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'feedloom-image-'));
  roots.push(root);
  chmodSync(root, 0o755);
  for (const folder of ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64', 'dev', 'proc', 'tmp'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${folder}`, join(root, folder));
  return root;
}

/** Mounts the base into a root, then runs `then` with the root as `$1`. The mounts end with the process. */
function inNamespace(root: string, then: string, args: readonly string[] = []): string[] {
  const script = `
    set -eu
    root=$1
    shift
    mount --bind "$root" "$root"
    for part in usr/bin usr/sbin usr/lib usr/lib64; do
      [ ! -d "/$part" ] || mount --bind -o ro "/$part" "$root/$part"
    done
    mount --rbind /dev "$root/dev"
    mount --rbind /proc "$root/proc"
    ${then}`;
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', root, ...args];
}

/** Makes everything but the volumes read-only, and runs a command as the account of the image. */
const AS_CONTAINER = `
    for volume in ${IMAGE.volumes.join(' ')}; do mount --bind "$root$volume" "$root$volume"; done
    mount -o remount,bind,ro "$root"
    exec chroot --userspec=${IMAGE.user} "$root" "$@"`;

/** Builds the image: copies files and runs commands as root. */
function build(root: string): void {
  for (const { source, target, mode } of IMAGE.copies) {
    const from = source === 'dist/feedloom' ? feedloom() : join(REPOSITORY, source);
    mkdirSync(dirname(join(root, target)), { recursive: true });
    cpSync(from, join(root, target));
    chmodSync(join(root, target), Number.parseInt(mode, 8));
  }
  for (const command of IMAGE.runs) {
    const step = inNamespace(root, 'exec chroot "$root" /bin/sh -c "$1"', [command]);
    const { success, stderr } = Bun.spawnSync(step);
    if (!success) throw new Error(`RUN ${command} failed: ${stderr}`);
  }
}

/** The environment of the container, and nothing of this process. */
function environment(port: number): Record<string, string> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...Object.fromEntries(IMAGE.env),
    FEEDLOOM_PORT: String(port),
    FEEDLOOM_API_KEY: KEY,
  };
}

/** Starts the entry point with arguments instead of the image's command. */
function start(root: string, port: number, args: readonly string[] = IMAGE.command) {
  const child = Bun.spawn(inNamespace(root, AS_CONTAINER, [...IMAGE.entrypoint, ...args]), {
    env: environment(port),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  running.add(child);
  return child;
}

/** Exit code of the health check. */
function healthCheck(root: string, port: number): Promise<number> {
  const [, ...args] = IMAGE.health_check;
  const check = [Bun.which('bash') ?? 'bash', ...args];
  return Bun.spawn(inNamespace(root, AS_CONTAINER, check), { env: environment(port), stderr: 'ignore' })
    .exited;
}

/** The port on which the container listens, once it does. */
async function listeningPort(child: ReturnType<typeof start>): Promise<number> {
  let printed = '';
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    const line = printed.split('\n').find((each) => each.includes('"listening on ') && each.endsWith('}'));
    if (line !== undefined) return Number(new URL(JSON.parse(line).address).port);
  }
  throw new Error(`the container ended: ${printed}${await new Response(child.stderr).text()}`);
}

// Skipped where mounts are not permitted: the steps need a root of their own.
test.skipIf(!CAN_MOUNT)('the image serves from a read-only root as an account without rights', async () => {
  const root = emptyRoot();
  build(root);
  const data = join(root, IMAGE.volumes[0]);
  const [uid, gid] = IMAGE.user.split(':').map(Number);
  const owned = statSync(data);
  expect([owned.uid, owned.gid, owned.mode & 0o777]).toEqual([uid, gid, 0o700]);

  // The service chooses its port.
  const child = start(root, 0);
  const port = await listeningPort(child);
  expect(await healthCheck(root, port)).toBe(0);
  const closing = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { open: (socket) => void socket.end(), data() {} },
  });
  expect(await healthCheck(root, closing.port)).not.toBe(0);
  closing.stop(true);

  const written = await fetch(`http://127.0.0.1:${port}/v2/farcaster/items`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({
      item_id: 'a',
      author_id: 'b',
      created_at: '2026-11-19T10:00:00Z',
      text: 'hello',
    }),
  });
  expect(written.status).toBe(200);
  expect(statSync(join(data, 'feedloom.sqlite')).uid).toBe(uid);

  const keys = start(root, 0, ['keys', 'create', '--account', 'my-app']);
  expect(await keys.exited).toBe(0);

  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
});

test('the image starts the service as an account without a name, with a health check and a volume', () => {
  expect(IMAGE.base).toMatch(/^docker\.io\/library\/debian:\d+-slim$/);
  expect(IMAGE.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect([...IMAGE.entrypoint, ...IMAGE.command]).toEqual([IMAGE.copies[0].target, 'serve']);
  expect(IMAGE.health_check[0]).toBe('bash');
  expect(IMAGE.volumes).toEqual([IMAGE.env.get('FEEDLOOM_DATA')!]);
});
