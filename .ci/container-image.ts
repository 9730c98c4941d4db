import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { CLibrary } from './c-library.ts';
import { type Instructions, instructionsOf } from './containerfile.ts';
import { type Entry, tar } from './tar.ts';

/**
 * The container image of a release: an OCI image layout (image-spec 1.0) in a tar file, without a container engine.
 *
 * It consists of the executable and the C library of Debian that it is linked with, and of what deploy/Containerfile
 * says, but for the base image and the health check, which needs a shell. umoci could write a layout, too, but neither
 * an index of several platforms nor, in another version, the same bytes.
 */

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const OCI = 'application/vnd.oci.image';

export interface Release {
  version: string;
  commit: string;
  /** The time of everything in it, in seconds since 1970. */
  time: number;
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

/** What differs by processor. */
export interface Platform {
  /** A file. */
  executable: string;
  library: CLibrary;
}

/** Makes one image for several platforms. */
export function containerImage(
  platforms: readonly Platform[],
  containerfile: string,
  release: Release,
): Buffer {
  const blobs: Entry[] = [];
  const add = (type: string, content: Buffer): Descriptor => {
    const digest = sha256(content);
    blobs.push({ name: `blobs/sha256/${digest}`, mode: 0o644, content });
    return { mediaType: `${OCI}.${type}`, digest: `sha256:${digest}`, size: content.length };
  };
  const image = instructionsOf(containerfile);
  const manifests = platforms.map(({ executable, library }) => {
    const layers = [baseFiles(library), ownFiles(image, executable)].map((files) => tar(files, release.time));
    const { architecture } = library;
    const manifest = {
      schemaVersion: 2,
      mediaType: `${OCI}.manifest.v1+json`,
      config: add('config.v1+json', json(configOf(image, architecture, layers, release))),
      layers: layers.map((layer) => add('layer.v1.tar+gzip', gzipSync(layer))),
    };
    return { ...add('manifest.v1+json', json(manifest)), platform: { architecture, os: 'linux' } };
  });
  const index = { schemaVersion: 2, mediaType: `${OCI}.index.v1+json`, manifests };
  // containerd and Docker name the image by the second one, other programs by the first.
  const annotations = {
    'org.opencontainers.image.ref.name': release.version,
    'io.containerd.image.name': `docker.io/library/feedloom:${release.version}`,
  };
  const whole = { ...index, manifests: [{ ...add('index.v1+json', json(index)), annotations }] };
  const files = { 'index.json': whole, 'oci-layout': { imageLayoutVersion: '1.0.0' } };
  const top = Object.entries(files).map(([name, value]) => ({ name, mode: 0o644, content: json(value) }));
  return tar([...blobs, ...top], release.time);
}

function baseFiles({ files }: CLibrary): Entry[] {
  const entries = [...files].map(([name, file]) => {
    const mode = name.startsWith('lib') ? 0o755 : 0o644;
    return { name, mode, content: readFileSync(file) };
  });
  return [...entries, { name: 'tmp/', mode: 0o1777 }];
}

/** The executable, and folders for the volumes. */
function ownFiles({ copies: [{ target, mode }], volumes, user }: Instructions, file: string): Entry[] {
  const program = { name: target.slice(1), mode: Number.parseInt(mode, 8), content: readFileSync(file) };
  const owner = Number.parseInt(user, 10);
  return [program, ...volumes.map((path) => ({ name: `${path.slice(1)}/`, mode: 0o700, owner }))];
}

function configOf(image: Instructions, architecture: string, layers: Buffer[], release: Release): object {
  const created = new Date(release.time * 1000).toISOString();
  const set = (names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));
  return {
    created,
    architecture,
    os: 'linux',
    config: {
      User: image.user,
      Env: [`PATH=${PATH}`, ...[...image.env].map((pair) => pair.join('='))],
      ExposedPorts: set(image.ports.map((port) => `${port}/tcp`)),
      Volumes: set(image.volumes),
      Entrypoint: image.entrypoint,
      Cmd: image.command,
      StopSignal: image.stop_signal,
      Labels: {
        'org.opencontainers.image.title': 'feedloom',
        'org.opencontainers.image.version': release.version,
        'org.opencontainers.image.revision': release.commit,
        'org.opencontainers.image.created': created,
        'org.opencontainers.image.licenses': 'MIT AND LGPL-2.1-or-later',
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => `sha256:${sha256(layer)}`) },
    history: ['the C library of Debian', 'feedloom'].map((created_by) => ({ created, created_by })),
  };
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
