import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { writeApps } from '../src/console/build.ts';
import { reasonOf } from '../src/errors.ts';
import { secretVariable } from '../src/secret-variable.ts';
import { thisVersion } from '../src/version.ts';
import { buildExecutable, REPOSITORY } from './build.ts';
import { cLibraryFor, type Processor } from './c-library.ts';
import { packClient } from './client-package.ts';
import { containerImage, type Platform } from './container-image.ts';
import { readSigningKey, type SigningKey, signature } from './minisign.ts';
import { billOfMaterials } from './sbom.ts';
import { tar } from './tar.ts';

/**
 * `bun run release`: everything that is published, in `dist/`. The same commit gives the same bytes, also in another
 * folder.
 */

/** Targets of `bun build` by the last part of the file's name. `baseline` is for x64 processors without AVX2. */
const TARGETS: Readonly<Record<string, Bun.Build.CompileTarget>> = {
  'linux-x64': 'bun-linux-x64',
  'linux-x64-baseline': 'bun-linux-x64-baseline',
  'linux-x64-musl': 'bun-linux-x64-musl',
  'linux-x64-musl-baseline': 'bun-linux-x64-musl-baseline',
  'linux-arm64': 'bun-linux-arm64',
  'linux-arm64-musl': 'bun-linux-arm64-musl',
  'macos-x64': 'bun-darwin-x64',
  'macos-arm64': 'bun-darwin-arm64',
};

/** Targets whose executable is in the container image. */
const IN_IMAGE: Readonly<Record<string, Processor>> = { 'linux-x64': 'x64', 'linux-arm64': 'arm64' };

const SIGNING_KEY = 'FEEDLOOM_RELEASE_KEY';
const PASSWORD = 'FEEDLOOM_RELEASE_KEY_PASSWORD';

const USAGE = `Usage: bun run release [--only TARGET,...] [--out FOLDER] [--url URL] [--check]

Makes the executable of every target, or only of the named ones, a container image of those for Linux, the client for
JavaScript, the files of deploy/, install.sh, a bill of materials, and SHA256SUMS. Runtimes of other platforms are downloaded.

Targets: ${Object.keys(TARGETS).join(', ')}

--out    where to write; default dist/
--url    where the files will be published, which install.sh then knows
--check  build everything twice, and fail if a byte differs

${SIGNING_KEY} is a secret key of minisign, ${PASSWORD} its password if it has one; ${SIGNING_KEY}_FILE and
${PASSWORD}_FILE name files with them. With a key SHA256SUMS is signed. SOURCE_DATE_EPOCH is the time of all files in
archives; default: the time of the commit.`;

interface Options {
  targets: readonly string[];
  url: string;
  key: SigningKey | undefined;
  /** Seconds since 1970. */
  time: number;
  /** A folder for packages of Debian, which is removed at the end. */
  downloads: string;
}

/** Names of the targets to build. @throws Error for an unknown one */
function targetsOf(only: string | undefined): string[] {
  if (only === undefined) return Object.keys(TARGETS);
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => TARGETS[name] === undefined);
  if (unknown.length > 0) throw new Error(`no such target: ${unknown.join(', ')}\n\n${USAGE}`);
  return names;
}

/** A line as `sha256sum --check` reads it. */
function checksum(folder: string, name: string): string {
  const hash = createHash('sha256').update(readFileSync(join(folder, name)));
  return `${hash.digest('hex')}  ${name}\n`;
}

/** Whether a release writes a file of that name. */
function isOfRelease(name: string): boolean {
  return /^(feedloom-|SHA256SUMS|install\.sh$)/.test(name);
}

/** Writes all files into a folder, without those of a former release. @returns why some were not made, by their name */
async function release(folder: string, options: Options): Promise<Map<string, string>> {
  const { version, commit } = thisVersion();
  const { time, key } = options;
  mkdirSync(folder, { recursive: true });
  const former = readdirSync(folder).filter(isOfRelease);
  for (const name of former) rmSync(join(folder, name));
  const files: string[] = [];
  const made = (name: string, content?: string | Uint8Array) => {
    if (content !== undefined) writeFileSync(join(folder, name), content);
    files.push(name);
    console.log(`${name}  ${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB`);
  };
  const failures = new Map<string, string>();
  const in_image: Platform[] = [];
  for (const target of options.targets) {
    const name = `feedloom-${version}-${target}`;
    const failure = await buildExecutable(join(folder, name), TARGETS[target]);
    if (failure === undefined) made(name);
    else failures.set(target, failure);
    const processor = IN_IMAGE[target];
    if (failure !== undefined || processor === undefined) continue;
    try {
      in_image.push({ executable: join(folder, name), library: cLibraryFor(processor, options.downloads) });
    } catch (error) {
      failures.set(`the container image for ${target}`, reasonOf(error));
    }
  }
  if (in_image.length > 0) {
    const containerfile = readFileSync(join(REPOSITORY, 'deploy', 'Containerfile'), 'utf8');
    const image = containerImage(in_image, containerfile, { version, commit, time });
    made(`feedloom-${version}-image.tar`, image);
  }
  made(packClient(folder));
  made(`feedloom-${version}-deploy.tar.gz`, gzipSync(tar(deployFiles(), time)));
  made('install.sh', installer(options));
  made(`feedloom-${version}.cdx.json`, `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  const sums = files.map((name) => checksum(folder, name)).join('');
  writeFileSync(join(folder, 'SHA256SUMS'), sums);
  if (key !== undefined) {
    const comment = `timestamp:${time}\tfile:SHA256SUMS\tfeedloom ${version} ${commit}`;
    writeFileSync(join(folder, 'SHA256SUMS.minisig'), signature(key, Buffer.from(sums), comment));
  }
  return failures;
}

/** The files of deploy/, as they are installed from. */
function deployFiles() {
  const paths = [...new Bun.Glob('deploy/**/*').scanSync({ cwd: REPOSITORY })];
  return paths
    .filter((path) => !path.includes('/node_modules/'))
    .map((name) => ({
      name,
      mode: name.endsWith('.sh') ? 0o755 : 0o644,
      content: readFileSync(join(REPOSITORY, name)),
    }));
}

/** deploy/install.sh, which knows where the release is published and by whom. */
function installer({ url, key }: Options): string {
  return readFileSync(join(REPOSITORY, 'deploy', 'install.sh'), 'utf8')
    .replace("\nfrom=''\n", `\nfrom='${url}'\n`)
    .replace("\nkey=''\n", `\nkey='${key?.public ?? ''}'\n`);
}

/** Builds once more, into a folder that does not exist. @returns the names of files that are not the same */
async function differences(folder: string, again: string, options: Options): Promise<string[]> {
  console.log('built again, to compare:');
  await release(again, options);
  const names = new Set([...readdirSync(again), ...readdirSync(folder).filter(isOfRelease)]);
  const hash = (where: string, name: string) => existsSync(join(where, name)) && checksum(where, name);
  return [...names].filter((name) => hash(folder, name) !== hash(again, name));
}

/** When the commit was made; 0 outside of a Git checkout. In seconds since 1970. */
function commitTime(): number {
  const { success, stdout } = Bun.spawnSync(['git', 'log', '-1', '--format=%ct'], {
    cwd: REPOSITORY,
    stderr: 'ignore',
  });
  return success ? Number(stdout) : 0;
}

function optionsOf(values: { only?: string; url?: string }, downloads: string): Options {
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  const time = epoch ? Number(epoch) : commitTime();
  if (!Number.isSafeInteger(time) || time < 0)
    throw new Error(`SOURCE_DATE_EPOCH must be whole seconds since 1970, not '${epoch}'`);
  const { url = '', only } = values;
  if (!/^(https?:\/\/[^\s'\\]+)?$/.test(url))
    throw new Error(`--url must be an address of the web, not '${url}'`);
  const secret = secretVariable(process.env, SIGNING_KEY);
  const key =
    secret === undefined ? undefined : readSigningKey(secret, secretVariable(process.env, PASSWORD));
  return { targets: targetsOf(only), url: url.replace(/\/$/, ''), downloads, key, time };
}

/** @param temporary an empty folder, which is removed afterwards */
async function main(temporary: string): Promise<number> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    options: { only: text, out: text, url: text, check: flag, help: flag },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const options = optionsOf(values, temporary);
  await writeApps();
  const folder = resolve(values.out ?? join(REPOSITORY, 'dist'));
  const failures = await release(folder, options);
  if (options.key === undefined) console.log(`not signed: ${SIGNING_KEY} is not set`);
  else console.log(`signed by ${options.key.public}`);
  for (const [name, reason] of failures)
    console.error(`not built: ${name}: ${reason.replaceAll('\n', '\n  ')}`);
  if (failures.size > 0)
    console.error('The release is not complete. --only names the targets that are wanted.');
  const differing = values.check ? await differences(folder, join(temporary, 'again'), options) : [];
  for (const name of differing) console.error(`not reproducible: ${name} differs when it is built again`);
  return failures.size + differing.length === 0 ? 0 : 1;
}

const temporary = mkdtempSync(join(tmpdir(), 'feedloom-release-'));
try {
  process.exitCode = await main(temporary);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  rmSync(temporary, { recursive: true });
}
