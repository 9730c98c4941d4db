import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cLibraryFor, type Processor } from '../../.ci/c-library.ts';
import { containerImage } from '../../.ci/container-image.ts';
import { instructionsOf } from '../../.ci/containerfile.ts';
import { tar } from '../../.ci/tar.ts';
import { feedloom, REPOSITORY } from '../support/feedloom.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { deployText, isInstalled } from './support.ts';

/** The container image of a release, which our own code writes: against the specification, and read by other programs. */

const CONTAINERFILE = deployText('Containerfile');
const IMAGE = instructionsOf(CONTAINERFILE);
const RELEASE = { version: '1.2.3', commit: 'abc', time: 1_700_000_000 };
const OWN: Processor = process.arch === 'arm64' ? 'arm64' : 'x64';
/** The least that a package of Debian says of itself. */
const CONTROL = `Package: libc6
Version: 1
Architecture: arm64
Maintainer: nobody <nobody@example.com>
Description: stands for the C library
`;

const root = temporaryFolder('image');

/** A folder with files that stand for the C library of both processors. */
function baseOfBoth(): string {
  const base = join(root, 'base');
  for (const path of [
    ...['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'].flatMap((name) =>
      ['x86_64', 'aarch64'].map((processor) => `lib/${processor}-linux-gnu/${name}`),
    ),
    'lib/x86_64-linux-gnu/ld-linux-x86-64.so.2',
    'lib/aarch64-linux-gnu/ld-linux-aarch64.so.1',
    'usr/share/doc/libc6/copyright',
  ]) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), path);
  }
  return base;
}

/** Writes an image of both processors. @returns its file */
function written(name: string): string {
  const executable = join(root, 'program');
  writeFileSync(executable, 'a program');
  const base = baseOfBoth();
  const platforms = (['x64', 'arm64'] as const).map((processor) => ({
    executable,
    library: cLibraryFor(processor, root, base),
  }));
  const file = join(root, name);
  writeFileSync(file, containerImage(platforms, CONTAINERFILE, RELEASE));
  return file;
}

/** Why this machine has no C library for an image; empty: it has one. */
function lacking(): string {
  try {
    cLibraryFor(OWN, join(root, 'downloads'));
    return '';
  } catch {
    return ' (skipped: there is no libc6 of Debian)';
  }
}
const LACKING = lacking();

function unpacked(file: string, to: string): string {
  mkdirSync(to, { recursive: true });
  expect(Bun.spawnSync(['tar', '-xpf', file, '-C', to]).exitCode).toBe(0);
  return to;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Described {
  mediaType: string;
  digest: string;
  size: number;
  annotations?: Record<string, string>;
  platform?: object;
}

const LAYOUT = unpacked(written('image.tar'), join(root, 'layout'));

/** The content of a descriptor, of the size and with the hash that it says. */
function blob({ digest, size }: Described): Buffer {
  const bytes = readFileSync(join(LAYOUT, 'blobs', digest.replace(':', '/')));
  expect([bytes.length, `sha256:${sha256(bytes)}`]).toEqual([size, digest]);
  return bytes;
}
const parsed = (described: Described) => JSON.parse(blob(described).toString());

/** Index, then a manifest a platform with its configuration and the tar files of its layers. */
function contents() {
  const [top] = JSON.parse(readFileSync(join(LAYOUT, 'index.json'), 'utf8')).manifests as Described[];
  const index: { manifests: Described[] } = parsed(top);
  const images = index.manifests.map((described) => {
    const manifest: { config: Described; layers: Described[] } = parsed(described);
    const layers = manifest.layers.map((layer) => gunzipSync(blob(layer)));
    return { described, manifest, config: parsed(manifest.config), layers };
  });
  return { top, images };
}

/** Lines of `tar -tv` without sizes and times: mode, owner, name. */
function listed(layer: Uint8Array): string[] {
  const { stdout } = Bun.spawnSync(['tar', '--numeric-owner', '--utc', '-tvf', '-'], { stdin: layer });
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.replace(/^(\S+) (\S+) .* (\S+)$/, '$1 $2 $3'));
}

describe('the container image of a release', () => {
  test('is a layout with one index of a manifest a processor, whose descriptors fit', () => {
    expect(JSON.parse(readFileSync(join(LAYOUT, 'oci-layout'), 'utf8'))).toEqual({
      imageLayoutVersion: '1.0.0',
    });
    const { top, images } = contents();
    expect(top.mediaType).toBe('application/vnd.oci.image.index.v1+json');
    expect(top.annotations?.['org.opencontainers.image.ref.name']).toBe('1.2.3');
    expect(images.map(({ described }) => described.platform)).toEqual([
      { architecture: 'amd64', os: 'linux' },
      { architecture: 'arm64', os: 'linux' },
    ]);
    for (const { described, manifest, config, layers } of images) {
      expect(described.mediaType).toBe('application/vnd.oci.image.manifest.v1+json');
      expect(manifest.config.mediaType).toBe('application/vnd.oci.image.config.v1+json');
      expect(new Set(manifest.layers.map(({ mediaType }) => mediaType))).toEqual(
        new Set(['application/vnd.oci.image.layer.v1.tar+gzip']),
      );
      expect(config.rootfs).toEqual({
        type: 'layers',
        diff_ids: layers.map((each) => `sha256:${sha256(each)}`),
      });
      expect(config.history).toHaveLength(layers.length);
      expect(config.created).toBe('2023-11-14T22:13:20.000Z');
    }
  });

  test('runs what the Containerfile says, as its account, with its settings and volumes', () => {
    for (const { config } of contents().images) {
      expect(config.config).toMatchObject({
        User: IMAGE.user,
        Entrypoint: IMAGE.entrypoint,
        Cmd: IMAGE.command,
        Volumes: { [IMAGE.volumes[0]]: {} },
        ExposedPorts: { [`${IMAGE.ports[0]}/tcp`]: {} },
        StopSignal: 'SIGTERM',
      });
      for (const [name, value] of IMAGE.env) expect(config.config.Env).toContain(`${name}=${value}`);
    }
  });

  test('has the executable, the C library, and folders for data and temporary files, with their owners', () => {
    const [{ layers }, arm] = contents().images;
    expect(listed(layers[1])).toEqual([
      `drwx------ ${IMAGE.user.replace(':', '/')} data/`,
      'drwxr-xr-x 0/0 usr/',
      'drwxr-xr-x 0/0 usr/local/',
      'drwxr-xr-x 0/0 usr/local/bin/',
      '-rwxr-xr-x 0/0 usr/local/bin/feedloom',
    ]);
    expect(listed(layers[0])).toContain('drwxrwxrwt 0/0 tmp/');
    expect(listed(layers[0])).toContain('-rwxr-xr-x 0/0 lib64/ld-linux-x86-64.so.2');
    expect(listed(arm.layers[0])).toContain('-rwxr-xr-x 0/0 lib/ld-linux-aarch64.so.1');
  });

  test('has the same bytes when it is made again', () => {
    expect(readFileSync(written('again.tar')).equals(readFileSync(join(root, 'image.tar')))).toBe(true);
  });

  test.skipIf(!isInstalled('dpkg-deb'))('gets the C library of Debian from a package', () => {
    // Stands for apt-get: a package with the files of another processor, as Debian 13 lays them out.
    const made = join(root, 'package');
    cpSync(join(baseOfBoth(), 'lib'), join(made, 'usr', 'lib'), { recursive: true });
    cpSync(join(root, 'base', 'usr', 'share'), join(made, 'usr', 'share'), { recursive: true });
    mkdirSync(join(made, 'DEBIAN'));
    writeFileSync(join(made, 'DEBIAN', 'control'), CONTROL);
    const bin = join(root, 'bin');
    mkdirSync(bin);
    const script = `import { cLibraryFor } from ${JSON.stringify(join(REPOSITORY, '.ci', 'c-library.ts'))};
      const { architecture, files } = cLibraryFor('arm64', ...${JSON.stringify([root, join(root, 'no-debian')])});
      console.log(JSON.stringify({ architecture, files: [...files] }));`;
    const getWith = (apt_get: string) => {
      writeFileSync(join(bin, 'apt-get'), `#!/bin/sh\n${apt_get}\n`, { mode: 0o755 });
      const env = { PATH: `${bin}:${process.env.PATH}` };
      return Bun.spawnSync([process.execPath, '-e', script], { env, stderr: 'pipe' });
    };
    const failed = getWith('echo unreachable >&2; exit 1');
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr.toString()).toContain(
      "Debian's libc6 for arm64 is not installed, and apt-get cannot download it. unreachable",
    );
    const pack = `dpkg-deb -b '${made}' libc6_1_arm64.deb`;
    const { stdout } = getWith(`case "$*" in *'Architecture=arm64 '*'download libc6') ${pack} ;; esac`);
    const { architecture, files } = JSON.parse(stdout.toString()) as {
      architecture: string;
      files: string[][];
    };
    expect([architecture, files.length]).toEqual(['arm64', 6]);
    const [, loader] = files.find(([name]) => name === 'lib/ld-linux-aarch64.so.1')!;
    expect(readFileSync(loader, 'utf8')).toBe('lib/aarch64-linux-gnu/ld-linux-aarch64.so.1');
  });

  test.skipIf(!isInstalled('skopeo'))('is read whole by skopeo, if it is installed', () => {
    const image = `oci-archive:${join(root, 'image.tar')}`;
    const copy = Bun.spawnSync(['skopeo', 'copy', '--all', image, `dir:${join(root, 'skopeo')}`]);
    expect({ code: copy.exitCode, stderr: copy.success ? '' : copy.stderr.toString() }).toEqual({
      code: 0,
      stderr: '',
    });
    for (const architecture of ['amd64', 'arm64']) {
      const inspect = ['skopeo', '--override-arch', architecture, 'inspect', '--config', image];
      expect(JSON.parse(Bun.spawnSync(inspect).stdout.toString())).toMatchObject({ architecture });
    }
  });

  test.skipIf(LACKING !== '')(`has all libraries that the executable is linked with${LACKING}`, () => {
    const { stdout } = Bun.spawnSync(['ldd', feedloom()]);
    const linked = [...stdout.toString().matchAll(/(\/?\S*\/)?(lib\S+|ld-\S+) (?:=>|\()/g)].map(
      ([, , name]) => name,
    );
    expect(linked).toContain('libc.so.6');
    const { layers } = contents().images[OWN === 'x64' ? 0 : 1];
    const names = listed(layers[0]).map((line) => line.split('/').at(-1));
    expect(linked.filter((name) => !names.includes(name))).toEqual([]);
  });
});

/** Only root can mount, and some containers forbid it even to root. */
const CAN_RUN =
  LACKING === '' &&
  isInstalled('umoci') &&
  process.getuid?.() === 0 &&
  Bun.spawnSync(['unshare', '--mount', 'true'], { stderr: 'ignore' }).success;

describe.skipIf(!CAN_RUN)('the image, unpacked by umoci', () => {
  longTest(
    'runs the executable with nothing but what is in it',
    async () => {
      const layout = join(root, 'own');
      const platform = { executable: feedloom(), library: cLibraryFor(OWN, root) };
      const image = containerImage([platform], CONTAINERFILE, RELEASE);
      writeFileSync(join(root, 'own.tar'), image);
      unpacked(join(root, 'own.tar'), layout);
      const bundle = join(root, 'bundle');
      const { exitCode, stderr } = Bun.spawnSync(['umoci', 'unpack', '--image', `${layout}:1.2.3`, bundle]);
      expect({ exitCode, stderr: exitCode === 0 ? '' : stderr.toString() }).toEqual({
        exitCode: 0,
        stderr: '',
      });
      const script = `
        set -eu
        cd "$1"
        mkdir -p proc dev
        mount --rbind /proc proc
        mount --rbind /dev dev
        exec chroot --userspec=${IMAGE.user} . ${IMAGE.entrypoint[0]} keys create --account my-app`;
      const command = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh'];
      const env = Object.fromEntries(IMAGE.env);
      const keys = Bun.spawnSync([...command, join(bundle, 'rootfs')], {
        env: { ...env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      });
      expect(keys.stderr.toString()).toStartWith('key_');
      expect(keys.stdout.toString()).toStartWith('fl_');
    },
    60_000,
  );
});

describe('a tar file', () => {
  test('names folders once, before their files, and refuses names that do not fit', () => {
    const entries = ['b/c/two', 'b/c/one', 'a'].map((name) => ({
      name,
      mode: 0o644,
      content: Buffer.from(name),
    }));
    const bytes = tar(entries, 0);
    expect(listed(bytes).map((line) => line.split(' ')[2])).toEqual([
      'a',
      'b/',
      'b/c/',
      'b/c/one',
      'b/c/two',
    ]);
    expect(bytes.length % 512).toBe(0);
    expect(() => tar([{ name: 'x'.repeat(101), mode: 0o644 }], 0)).toThrow('the name is too long');
  });
});
