import { expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended } from '../cli/run.ts';
import { blocksOf, document } from '../docs/markdown.ts';
import { withFolder } from '../interchange/support.ts';
import { feedloom, REPOSITORY } from '../support/feedloom.ts';
import { isInstalled } from './support.ts';

/**
 * The commands of docs/install.md, executed as they stand in a copy of this machine's file system that is thrown away,
 * with a network and processes of its own. Only systemd and apt are replaced, and the key that the page cannot know.
 */

/** Mounts an overlay of the machine's file system in `$1/root`, with `$1/new` as the folder of the new user. */
const IN_A_COPY = `
set -eu
mount -t tmpfs tmpfs "$1"
mkdir -p "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount --bind "$2" "$1/root/srv"
ip link set lo up
cd "$1/root"
exec chroot "$1/root" "\${@:3}"`;

/** Starts and stops what systemd would: the unit with its account, its folder and its settings, and nginx. */
const SYSTEMCTL = `#!/bin/bash
set -eu
unit=/etc/systemd/system/feedloom.service
of() { sed -n "s/^$1=//p" "$unit"; }
start() {
  install -d -m "$(of StateDirectoryMode)" -o "$(of User)" -g "$(of Group)" "/var/lib/$(of StateDirectory)"
  set -a
  eval "$(of Environment)"
  . "$(of EnvironmentFile | tr -d -- -)"
  set +a
  mkfifo /run/feedloom.log
  setpriv --reuid="$(of User)" --regid="$(of Group)" --clear-groups $(of ExecStart) > /run/feedloom.log 2>&1 &
  echo $! > /run/feedloom.pid
  exec 9< /run/feedloom.log
  rm /run/feedloom.log
  until [[ "\${line:=}" == *'"listening on'* ]]; do read -r line <&9 || exit 1; done
  cat <&9 > /dev/null 2>&1 &
}
once() {
  eval "export $(of Environment)"
  setpriv --reuid="$(of User)" --regid="$(of Group)" --clear-groups $(of ExecStart)
}
stop() {
  kill "$(cat /run/feedloom.pid)"
  tail --pid="$(cat /run/feedloom.pid)" -f /dev/null
}
case "$*" in
  daemon-reload) ;;
  'enable --now feedloom' | 'start feedloom') start ;;
  'start feedloom-backup') unit=/etc/systemd/system/feedloom-backup.service; once ;;
  'enable --now feedloom-backup.timer') [ -s /etc/systemd/system/feedloom-backup.timer ] ;;
  'stop feedloom') stop ;;
  'restart feedloom') stop; start ;;
  'reload nginx') nginx ;;
  *) echo "systemctl $* is not expected" >&2; exit 1 ;;
esac
`;

const NOTHING = '#!/bin/sh\n';

/** What stands between the outputs before and after the restore. */
const RESTORED = 'RESTORED';

const NEEDED = ['unshare', 'nginx', 'openssl', 'curl', 'useradd', 'setpriv', 'runuser', 'ip'];

/** Only root can mount, and some containers forbid it even to root. */
function canCopy(): boolean {
  if (process.getuid?.() !== 0 || !NEEDED.every(isInstalled)) return false;
  const try_overlay = `mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w && mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt && mount -t proc proc /mnt/proc`;
  const command = ['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-c', try_overlay];
  return Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).success;
}

/** The commands of the page, and a page of the service after the restore. */
function script(): string {
  const blocks = blocksOf(document('docs/install.md'))
    .filter(({ kind }) => kind === 'sh' || kind.startsWith('sh '))
    .map(({ text }) => text);
  expect(blocks.length).toBeGreaterThan(5);
  const commands = blocks
    .join('\n')
    .replace(/^(runuser .* keys create .*)$/m, '$1 | tee /tmp/key')
    .replace(/^KEY=.*$/m, 'KEY="Bearer $(cat /tmp/key)"');
  expect(commands).toContain('cat /tmp/key');
  expect(commands).toContain('tee /tmp/key');
  const page = `call /v2/farcaster/feeds/popular -d '{"top_k":3}'`;
  return ['set -eu', 'cd /srv', commands, `echo ${RESTORED}`, page, 'systemctl stop feedloom'].join('\n');
}

// Skipped where mounts are not permitted, or a program of Debian is missing.
test.skipIf(!canCopy())(
  'a new user who follows docs/install.md has a service behind nginx with TLS, and restores its backup',
  () =>
    withFolder({}, async (folder) => {
      const [mounted, own] = [join(folder, 'mounted'), join(folder, 'own')];
      for (const each of [mounted, own]) mkdirSync(each);
      cpSync(feedloom(), join(own, 'feedloom'));
      cpSync(join(REPOSITORY, 'deploy'), join(own, 'deploy'), { recursive: true });
      mkdirSync(join(own, 'bin'));
      for (const [name, text] of [
        ['systemctl', SYSTEMCTL],
        ['apt-get', NOTHING],
      ]) {
        writeFileSync(join(own, 'bin', name), text);
        chmodSync(join(own, 'bin', name), 0o755);
      }
      writeFileSync(join(own, 'follow.sh'), script());
      const namespaces = [
        'unshare',
        '--mount',
        '--net',
        '--pid',
        '--fork',
        '--kill-child',
        '--propagation',
        'private',
      ];
      const child = Bun.spawn(
        [...namespaces, 'bash', '-c', IN_A_COPY, 'bash', mounted, own, 'bash', '/srv/follow.sh'],
        {
          env: {
            PATH: '/srv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
            HOME: '/tmp',
          },
          stdin: 'ignore',
          stdout: 'pipe',
          stderr: 'pipe',
        },
      );
      const { stdout, stderr, code } = await ended(child);
      expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
      const [before, after] = stdout.split(RESTORED);
      expect(before).toMatch(/^ok {4}service: http:\/\/127\.0\.0\.1:3000 serves feeds$/m);
      expect(before).not.toMatch(/^fail/m);
      expect(before).toContain('"status":"ready"');
      expect(before).toContain('"accepted":1');
      expect(before).toContain('"item_id":"post-1"');
      expect(after).toContain('"item_id":"post-1"');
    }),
  120_000,
);
