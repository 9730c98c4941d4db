import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pkg from '../../package.json';
import { withFolder } from '../interchange/support.ts';
import { environment, REPOSITORY } from '../support/feedloom.ts';
import { longTest } from '../support/long.ts';
import { SIGNING_KEY as KEY, PUBLIC_KEY } from './signing-key.ts';

/** The target of this machine, whose runtime need not be downloaded. */
const OWN = `${process.platform === 'darwin' ? 'macos' : 'linux'}-${process.arch}`;
const FOREIGN = OWN === 'macos-arm64' ? 'macos-x64' : 'macos-arm64';

/** What is made whatever the targets are. */
const BESIDE = [
  `feedloom-client-${pkg.version}.tgz`,
  `feedloom-${pkg.version}-deploy.tar.gz`,
  'install.sh',
  `feedloom-${pkg.version}.cdx.json`,
];

function release(args: readonly string[], settings: Record<string, string> = {}) {
  const command = [process.execPath, '.ci/release.ts', ...args];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    cwd: REPOSITORY,
    env: environment(settings),
  });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Every line of SHA256SUMS, checked against its file. @returns the names */
function checkedFiles(folder: string): string[] {
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [hash, name] = line.split('  ');
    const bytes = readFileSync(join(folder, name));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
    return name;
  });
}

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: object[];
  hashes?: { alg: string; content: string }[];
}
interface Bom {
  bomFormat: string;
  specVersion: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** minisign accepts the signature, if it is installed. */
function expectSigned(folder: string): void {
  const comment = readFileSync(join(folder, 'SHA256SUMS.minisig'), 'utf8').split('\n')[2];
  expect(comment).toMatch(/^trusted comment: timestamp:\d+\tfile:SHA256SUMS\tfeedloom /);
  if (Bun.which('minisign') === null) return;
  const command = ['minisign', '-Vm', join(folder, 'SHA256SUMS'), '-P', PUBLIC_KEY];
  expect(Bun.spawnSync(command).exitCode).toBe(0);
}

/** Components are listed once, and are what the program and its packages depend on. */
function expectConsistent({ components, dependencies, metadata }: Bom): void {
  const refs = components.map((each) => each['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  const [program, ...others] = dependencies;
  expect(program.ref).toBe(metadata.component['bom-ref']);
  const known = new Set([program.ref, ...refs]);
  const named = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => !known.has(ref))).toEqual([]);
  const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect(others.map(({ ref }) => ref).filter((ref) => !reached.has(ref))).toEqual([]);
}

describe('bun run release', () => {
  longTest(
    'makes the named target and all beside it twice with the same bytes, and signs the checksums',
    () =>
      withFolder({ key: KEY }, async (files) => {
        const folder = join(files, 'out');
        mkdirSync(folder);
        writeFileSync(join(folder, 'feedloom-0.0.9-linux-x64'), 'of a former release');
        const url = 'https://example.com/feedloom/v1';
        const {
          code,
          stdout: printed,
          stderr,
        } = release(['--only', OWN, '--out', folder, '--url', `${url}/`, '--check'], {
          FEEDLOOM_RELEASE_KEY_FILE: join(files, 'key'),
        });
        expect([code, stderr]).toEqual([0, '']);
        expect(printed).toContain(`signed by ${PUBLIC_KEY}\n`);
        const executable = `feedloom-${pkg.version}-${OWN}`;
        const bom_file = `feedloom-${pkg.version}.cdx.json`;
        const image = OWN.startsWith('linux') ? [`feedloom-${pkg.version}-image.tar`] : [];
        const listed = [executable, ...image, ...BESIDE];
        expect(checkedFiles(folder)).toEqual(listed);
        expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', 'SHA256SUMS.minisig', ...listed].sort());
        expectSigned(folder);
        const installer = readFileSync(join(folder, 'install.sh'), 'utf8');
        expect(installer).toContain(`\nfrom='${url}'\nkey='${PUBLIC_KEY}'\n`);
        const deploy = await new Bun.Archive(readFileSync(join(folder, BESIDE[1]))).files();
        expect([...deploy.keys()]).toContain('deploy/systemd/feedloom-backup.timer');
        const { stdout } = Bun.spawnSync([join(folder, executable), '--version']);
        expect(stdout.toString()).toStartWith(`feedloom ${pkg.version} (commit `);

        const bom: Bom = JSON.parse(readFileSync(join(folder, bom_file), 'utf8'));
        expect([bom.bomFormat, bom.specVersion]).toEqual(['CycloneDX', '1.6']);
        expect(bom.metadata.component).toMatchObject({ name: 'feedloom', version: pkg.version });
        const by_name = new Map(bom.components.map((each) => [each.name, each]));
        // Every direct dependency, one that only another package needs, and the runtime.
        for (const [name, version] of Object.entries(pkg.dependencies))
          expect(by_name.get(name)?.version).toBe(version);
        expect(by_name.has('fast-redact') || by_name.has('sonic-boom')).toBe(true);
        expect(by_name.get('bun')?.version).toBe(Bun.version);
        for (const name of ['ajv', 'playwright-core', '@biomejs/biome'])
          expect(by_name.has(name)).toBe(false);
        for (const { name, licenses, hashes, purl } of bom.components.filter((each) => each.name !== 'bun')) {
          expect(purl).toStartWith('pkg:npm/');
          expect([name, licenses?.length]).toEqual([name, 1]);
          expect([name, hashes?.[0].content.length]).toEqual([name, 128]);
        }
        expectConsistent(bom);
      }),
    120_000,
  );

  test(
    'names targets whose runtime cannot be downloaded, and fails',
    () =>
      withFolder({}, async (folder) => {
        const nowhere = 'http://127.0.0.1:1';
        const offline = {
          HTTP_PROXY: nowhere,
          HTTPS_PROXY: nowhere,
          BUN_INSTALL_CACHE_DIR: join(folder, 'cache'),
        };
        const { code, stderr } = release(['--only', FOREIGN, '--out', join(folder, 'out')], offline);
        expect(code).toBe(1);
        expect(stderr).toContain(`not built: ${FOREIGN}: `);
        expect(stderr).toContain('Failed to download');
        expect(checkedFiles(join(folder, 'out'))).toEqual(BESIDE);
      }),
    120_000,
  );

  test.each([
    [
      'an address that would end the quotes in a shell',
      ['--url', "https://example.com/';x"],
      {},
      '--url must',
    ],
    ['an address that is none', ['--url', 'example.com'], {}, '--url must be an address of the web'],
    ['a time that is none', [], { SOURCE_DATE_EPOCH: 'today' }, 'SOURCE_DATE_EPOCH must be whole seconds'],
    ['a key that is none', [], { FEEDLOOM_RELEASE_KEY: 'x' }, 'is not a secret key of minisign'],
    ['a missing file of a key', [], { FEEDLOOM_RELEASE_KEY_FILE: '/no/key' }, 'cannot be read'],
  ])('refuses %s, before it builds', (_, args, settings: Record<string, string>, reason) => {
    const { code, stdout, stderr } = release(args, settings);
    expect([code, stdout, stderr.includes(reason)]).toEqual([2, '', true]);
  });

  test('refuses an unknown target and lists the known ones', () => {
    const { code, stderr } = release(['--only', 'linux-arm6']);
    expect(code).toBe(2);
    expect(stderr).toContain('no such target: linux-arm6');
    for (const target of ['linux-x64-baseline', 'linux-arm64-musl', 'macos-arm64'])
      expect(stderr).toContain(target);
  });
});
