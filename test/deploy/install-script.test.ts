import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readSigningKey, signature } from '../../.ci/minisign.ts';
import { ended, type Ran } from '../cli/run.ts';
import { SIGNING_KEY } from '../executable/signing-key.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { temporaryFolder } from '../support/folder.ts';
import { isInstalled } from './support.ts';

/** deploy/install.sh against a release of small programs, with a machine that `uname` makes up. */

const SCRIPT = join(REPOSITORY, 'deploy', 'install.sh');
const KEY = readSigningKey(SIGNING_KEY);
const OTHER_KEY = 'RWSk2GkyjiZhOFxYI05vW5cSru+NGmk5QHyXAQCa3xFG+pkojuslJNVx';

const files = new Map<string, string>();
const requested: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const name = new URL(request.url).pathname.slice(1);
    requested.push(name);
    const text = files.get(name);
    return text === undefined ? new Response('', { status: 404 }) : new Response(text);
  },
});
afterAll(() => server.stop(true));

const top = temporaryFolder('install-script');
let root: string;
let prefix: string;
beforeEach(() => {
  root = mkdtempSync(join(top, 'machine-'));
  prefix = join(root, 'prefix');
  requested.length = 0;
  publish('1.2.3', ['linux-arm64', 'linux-x64', 'linux-x64-baseline', 'macos-arm64']);
});

const program = (version: string, code = 0) => `#!/bin/sh\necho "feedloom ${version}"\nexit ${code}\n`;

/** Publishes a release with the same program for each target. */
function publish(version: string, targets: readonly string[], text = program(version)): void {
  files.clear();
  const names = targets.map((target) => `feedloom-${version}-${target}`);
  for (const name of names) files.set(name, text);
  const hash = createHash('sha256').update(text).digest('hex');
  const sums = names.map((name) => `${hash}  ${name}\n`).join('');
  files.set('SHA256SUMS', sums);
  files.set('SHA256SUMS.minisig', signature(KEY, Buffer.from(sums), 'a release'));
}

/** A folder for PATH with programs of this machine and some that are made up. */
function machine(uname: Record<string, string>, own: readonly string[]): string {
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of own) if (!existsSync(join(bin, name))) symlinkSync(Bun.which(name)!, join(bin, name));
  writeFileSync(
    join(bin, 'uname'),
    `#!/bin/sh\ncase $1 in -s) echo ${uname.s} ;; -m) echo ${uname.m} ;; esac\n`,
  );
  chmodSync(join(bin, 'uname'), 0o755);
  return bin;
}

const TOOLS = ['sh', 'mktemp', 'rm', 'grep', 'cut', 'sha256sum', 'mkdir', 'cp', 'chmod', 'mv', 'cat', 'curl'];
const LINUX = { s: 'Linux', m: 'aarch64' };

function install(args: readonly string[] = [], uname = LINUX, tools = TOOLS): Promise<Ran> {
  const given = ['--from', server.url.href, '--prefix', prefix, ...args];
  const env = { PATH: machine(uname, tools), HOME: root };
  return ended(Bun.spawn(['sh', SCRIPT, ...given], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' }));
}

const installed = () => join(prefix, 'bin', 'feedloom');

const NO_CURL = isInstalled('curl') ? '' : ' (skipped: there is no curl)';

describe.skipIf(NO_CURL !== '')(`install.sh${NO_CURL}`, () => {
  test('installs the executable, and a second run changes nothing and fetches only the checksums', async () => {
    const { code, stdout } = await install();
    expect([code, stdout]).toEqual([
      0,
      `feedloom 1.2.3\ninstalled as ${installed()}\nPATH does not have ${prefix}/bin\n`,
    ]);
    expect([statSync(installed()).mode & 0o777, readdirSync(join(prefix, 'bin'))]).toEqual([
      0o755,
      ['feedloom'],
    ]);
    requested.length = 0;
    const again = await install();
    expect([again.code, again.stdout]).toEqual([0, `${installed()} is feedloom-1.2.3-linux-arm64 already\n`]);
    expect(requested).toEqual(['SHA256SUMS']);
  });

  test('replaces another version, also by one with a longer name', async () => {
    await install();
    publish('1.3.0-rc.1', ['linux-arm64', 'linux-arm64-musl']);
    expect((await install()).code).toBe(0);
    expect(readFileSync(installed(), 'utf8')).toBe(program('1.3.0-rc.1'));
  });

  test.each([
    ['Linux', 'aarch64', 'linux-arm64'],
    ['Linux', 'x86_64', /^linux-x64(-baseline)?$/],
    ['Darwin', 'arm64', 'macos-arm64'],
  ])('fetches the executable for %s on %s', async (s, m, target) => {
    expect((await install([], { s, m })).code).toBe(0);
    const [, fetched] = requested;
    const expected = typeof target === 'string' ? target : expect.stringMatching(target);
    expect(fetched.replace('feedloom-1.2.3-', '')).toEqual(expected);
  });

  test.each([
    ['Linux', 'riscv64', 'there is no release for the processor riscv64'],
    ['FreeBSD', 'x86_64', 'there is no release for FreeBSD'],
    ['Darwin', 'x86_64', 'the release has no executable for macos-x64'],
  ])('refuses %s on %s', async (s, m, reason) => {
    const { code, stderr } = await install([], { s, m });
    expect([code, stderr.includes(reason), existsSync(prefix)]).toEqual([1, true, false]);
  });

  test('installs nothing and keeps the former version if the checksum is wrong', async () => {
    await install();
    publish('2.0.0', ['linux-arm64']);
    files.set('feedloom-2.0.0-linux-arm64', program('of somebody else'));
    const { code, stderr } = await install();
    expect([code, stderr.includes('the checksum of feedloom-2.0.0-linux-arm64 is wrong')]).toEqual([1, true]);
    expect(readFileSync(installed(), 'utf8')).toBe(program('1.2.3'));
  });

  test('installs nothing and keeps the former version if the new one does not run', async () => {
    await install();
    publish('2.0.0', ['linux-arm64'], program('2.0.0', 1));
    const { code, stderr } = await install();
    expect([code, stderr.includes('does not run on this machine')]).toEqual([1, true]);
    expect(readFileSync(installed(), 'utf8')).toBe(program('1.2.3'));
    expect(readdirSync(join(prefix, 'bin'))).toEqual(['feedloom']);
  });

  test('says what to do if the place cannot be written to', async () => {
    writeFileSync(prefix, 'a file');
    const { code, stderr } = await install();
    expect([
      code,
      stderr.includes('cannot be written to: choose another --prefix, or run this as root'),
    ]).toEqual([1, true]);
  });

  test.each([
    [['--key'], '--key needs a value'],
    [['--keys', 'x'], 'unknown: --keys'],
    [['x'], 'unknown: x'],
    [['--from', ''], 'name the folder of the release'],
  ])('refuses the arguments %j', async (args, reason) => {
    const { code, stderr } = await install(args);
    expect([code, stderr.includes(reason)]).toEqual([1, true]);
    expect(requested).toEqual([]);
  });

  test('says that the signature is not checked without minisign, or without a key', async () => {
    expect((await install(['--key', KEY.public])).stderr).toContain('minisign is not installed');
  });

  test.skipIf(!isInstalled('wget'))(
    'fetches with wget where there is no curl, if wget is installed',
    async () => {
      const tools = TOOLS.map((name) => (name === 'curl' ? 'wget' : name));
      expect((await install([], LINUX, tools)).code).toBe(0);
      expect(existsSync(installed())).toBe(true);
    },
  );

  describe.skipIf(!isInstalled('minisign'))('with minisign, if it is installed', () => {
    const tools = [...TOOLS, 'minisign'];

    test('installs what the key has signed', async () => {
      const { code, stderr } = await install(['--key', KEY.public], LINUX, tools);
      expect([code, stderr]).toEqual([0, '']);
    });

    test.each([
      ['another key', OTHER_KEY, () => {}],
      ['changed checksums', KEY.public, () => void files.set('SHA256SUMS', `${files.get('SHA256SUMS')}\n`)],
      ['no signature', KEY.public, () => void files.delete('SHA256SUMS.minisig')],
    ])('installs nothing with %s', async (_, key, change) => {
      change();
      const { code, stderr } = await install(['--key', key], LINUX, tools);
      expect([code, stderr.includes('signature'), existsSync(prefix)]).toEqual([1, true, false]);
    });
  });

  test.skipIf(!isInstalled('shellcheck'))('has no fault that ShellCheck finds, if it is installed', () => {
    expect(Bun.spawnSync(['shellcheck', SCRIPT]).stdout.toString()).toBe('');
  });

  test('does nothing if it was not downloaded whole', async () => {
    const text = readFileSync(SCRIPT, 'utf8');
    const half = join(root, 'half.sh');
    writeFileSync(half, text.slice(0, text.lastIndexOf('main "$@"')));
    const { exitCode } = Bun.spawnSync(['sh', half, '--from', server.url.href, '--prefix', prefix]);
    expect([exitCode, existsSync(prefix), requested]).toEqual([0, false, []]);
  });
});
