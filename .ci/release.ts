import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeApps } from '../src/console/build.ts';
import { thisVersion } from '../src/version.ts';
import { buildExecutable, REPOSITORY } from './build.ts';
import { billOfMaterials } from './sbom.ts';

/** `bun run release`: the executables of all platforms, their checksums and the bill of materials, in `dist/`. */

/** Targets of `bun build` by the last part of the file's name. `baseline` is for x64 processors without AVX2. */
const TARGETS: Readonly<Record<string, string>> = {
  'linux-x64': 'bun-linux-x64',
  'linux-x64-baseline': 'bun-linux-x64-baseline',
  'linux-x64-musl': 'bun-linux-x64-musl',
  'linux-x64-musl-baseline': 'bun-linux-x64-musl-baseline',
  'linux-arm64': 'bun-linux-arm64',
  'linux-arm64-musl': 'bun-linux-arm64-musl',
  'macos-x64': 'bun-darwin-x64',
  'macos-arm64': 'bun-darwin-arm64',
};

const USAGE = `Usage: bun run release [--only TARGET,...] [--out FOLDER]

Builds the executable for every target, or only for the named ones. Runtimes of other platforms are downloaded.
Targets: ${Object.keys(TARGETS).join(', ')}`;

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

/** Builds the targets and returns why some could not be built, by target. */
function release(names: readonly string[], folder: string): Map<string, string> {
  const { version } = thisVersion();
  mkdirSync(folder, { recursive: true });
  const former = readdirSync(folder).filter((name) => name.startsWith('feedloom-') || name === 'SHA256SUMS');
  for (const name of former) rmSync(join(folder, name));
  const failures = new Map<string, string>();
  const files: string[] = [];
  for (const target of names) {
    const file = `feedloom-${version}-${target}`;
    const failure = buildExecutable(join(folder, file), TARGETS[target]);
    if (failure !== undefined) {
      failures.set(target, failure);
      continue;
    }
    files.push(file);
    console.log(`${file}  ${(statSync(join(folder, file)).size / 1e6).toFixed(1)} MB`);
  }
  const bom = `feedloom-${version}.cdx.json`;
  writeFileSync(join(folder, bom), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  files.push(bom);
  console.log(bom);
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((name) => checksum(folder, name)).join(''));
  return failures;
}

function main(): number {
  const options = { only: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const names = targetsOf(values.only);
  const failures = release(names, resolve(values.out ?? join(REPOSITORY, 'dist')));
  for (const [target, reason] of failures)
    console.error(`not built: ${target}: ${reason.replaceAll('\n', '\n  ')}`);
  if (failures.size > 0)
    console.error(
      `${failures.size} of ${names.length} targets are missing. --only names those that are wanted.`,
    );
  return failures.size === 0 ? 0 : 1;
}

try {
  await writeApps();
  process.exit(main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
