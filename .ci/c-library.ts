import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's C library, which the executables for Linux are linked with, for the container image. */

const PLATFORMS = {
  x64: { architecture: 'amd64', triplet: 'x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2' },
  arm64: { architecture: 'arm64', triplet: 'aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1' },
};
export type Processor = keyof typeof PLATFORMS;

/** What `ldd` lists for an executable, beside the loader. */
const LIBRARIES = ['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'];
const LICENSE = 'usr/share/doc/libc6/copyright';

export interface CLibrary {
  /** As images and Debian name the processor. */
  architecture: string;
  /** Files by their path in the image. */
  files: Map<string, string>;
}

/**
 * The C library as it is installed or, for another processor, from the package that `apt-get` downloads.
 * @param downloads an existing folder for the package
 * @param root where Debian is installed
 * @throws Error if there is neither
 */
export function cLibraryFor(processor: Processor, downloads: string, root = '/'): CLibrary {
  const { architecture } = PLATFORMS[processor];
  const folder = join(downloads, architecture);
  const there = () => filesIn(root, processor) ?? filesIn(join(folder, 'files'), processor);
  const reason = there() === undefined ? download(architecture, folder) : '';
  const files = there();
  if (files !== undefined) return { architecture, files };
  throw new Error(
    `Debian's libc6 for ${architecture} is not installed, and apt-get cannot download it. ${reason}`.trim(),
  );
}

/** Undefined if a file is missing. */
function filesIn(base: string, processor: Processor): Map<string, string> | undefined {
  const { triplet, loader } = PLATFORMS[processor];
  const loader_name = loader.slice(loader.lastIndexOf('/') + 1);
  // Packages of Debian 13 and later have /usr in their paths.
  const above = ['', 'usr'].find((each) => existsSync(join(base, each, 'lib', triplet, LIBRARIES[0])));
  const from = join(base, above ?? '', 'lib', triplet);
  const files = new Map(LIBRARIES.map((name) => [`lib/${triplet}/${name}`, join(from, name)]));
  files.set(loader, join(from, loader_name)).set(LICENSE, join(base, LICENSE));
  return [...files.values()].every((file) => existsSync(file)) ? files : undefined;
}

/** Downloads and unpacks libc6 with lists of packages of its own, so that nothing changes on the machine. @returns faults */
function download(architecture: string, folder: string): string {
  for (const path of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, path), { recursive: true });
  const script = `
    set -eu
    cd "$1"
    for step in update 'download libc6'; do
      apt-get -qq -o Dir::State="$1/state" -o Dir::Cache="$1/cache" -o Dir::State::status=/dev/null \\
        -o APT::Architecture=${architecture} -o APT::Architectures=${architecture} -o APT::Sandbox::User=root $step
    done
    dpkg-deb -x libc6_*.deb files`;
  return Bun.spawnSync(['sh', '-c', script, 'sh', folder]).stderr.toString().trim();
}
