import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisVersion } from '../src/version.ts';
import { REPOSITORY } from './build.ts';

/** The software bill of materials: what is in the executable, as CycloneDX 1.6 JSON, from `bun.lock`. */

/** What `bun.lock` says of a package: `name@version`, registry, its dependencies, the hash of its archive. */
type Locked = [id: string, registry: string, of: Dependencies, integrity: string];

interface Dependencies {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalPeers?: string[];
}

interface LockFile {
  workspaces: Record<'', Dependencies>;
  packages: Record<string, Locked>;
}

interface Component {
  type: 'library' | 'application' | 'platform';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: ({ license: { id: string } } | { expression: string })[];
  hashes?: { alg: 'SHA-512'; content: string }[];
}

interface Bom {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  version: 1;
  metadata: { component: Component & { properties: { name: string; value: string }[] } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** The names of what a package needs. Optional packages are absent from the lock file where they were left out. */
function neededBy(of: Dependencies): string[] {
  const optional = new Set(of.optionalPeers);
  const peers = Object.keys(of.peerDependencies ?? {}).filter((name) => !optional.has(name));
  return [...Object.keys(of.dependencies ?? {}), ...Object.keys(of.optionalDependencies ?? {}), ...peers];
}

/**
 * The key of a package in the lock file. A version of its own for `from` has the key `from/name`.
 * @param from the key of the package that needs it; undefined for the program itself
 */
function keyOf(packages: LockFile['packages'], name: string, from: string | undefined): string | undefined {
  for (
    let around = from;
    around !== undefined && around !== '';
    around = around.replace(/(^|\/)(@[^/]+\/)?[^/]+$/, '')
  )
    if (packages[`${around}/${name}`] !== undefined) return `${around}/${name}`;
  return packages[name] === undefined ? undefined : name;
}

/** Licences in the package's own file. Undefined if it is not installed or names none. */
function licensesOf(key: string): Component['licenses'] {
  const folder = `node_modules/${key.replaceAll(/(?<!@[^/]*)\//g, '/node_modules/')}`;
  let license: unknown;
  try {
    license = JSON.parse(readFileSync(join(REPOSITORY, folder, 'package.json'), 'utf8')).license;
  } catch {
    return undefined;
  }
  if (typeof license !== 'string') return undefined;
  return /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function componentOf(key: string, [id, , , integrity]: Locked): Component {
  const at = id.lastIndexOf('@');
  const [name, version] = [id.slice(0, at), id.slice(at + 1)];
  const purl = purlOf(name, version);
  const [algorithm, hash] = integrity.split(/-(.*)/s);
  const content = Buffer.from(hash, 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: licensesOf(key),
    hashes: algorithm === 'sha512' ? [{ alg: 'SHA-512', content }] : undefined,
  };
}

/** The runtime, which is part of every executable. */
function runtime(): Component {
  const purl = `pkg:github/oven-sh/bun@bun-v${Bun.version}`;
  return { type: 'platform', 'bom-ref': purl, name: 'bun', version: Bun.version, purl };
}

/** Lists the packages that the executable contains, without those of development. */
export function billOfMaterials(): Bom {
  const lock = readLock();
  const { version, commit, contract } = thisVersion();
  const { packages } = lock;
  const refs = new Map<string, string>();
  const components = [runtime()];
  const dependencies: Bom['dependencies'] = [];
  const refOf = (name: string, from?: string): string[] => {
    const key = keyOf(packages, name, from);
    if (key === undefined) return [];
    const known = refs.get(key);
    if (known !== undefined) return [known];
    const component = componentOf(key, packages[key]);
    const { 'bom-ref': ref } = component;
    refs.set(key, ref);
    if (!components.some((each) => each['bom-ref'] === ref)) components.push(component);
    dependencies.push({ ref, dependsOn: neededBy(packages[key][2]).flatMap((needed) => refOf(needed, key)) });
    return [ref];
  };
  const purl = purlOf('feedloom', version);
  const direct = Object.keys(lock.workspaces[''].dependencies ?? {}).flatMap((name) => refOf(name));
  dependencies.unshift({ ref: purl, dependsOn: [components[0]['bom-ref'], ...direct] });
  const properties = [
    { name: 'feedloom:commit', value: commit },
    { name: 'feedloom:plugin-contract', value: String(contract) },
  ];
  const program: Component = { type: 'application', 'bom-ref': purl, name: 'feedloom', version, purl };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...program, licenses: [{ license: { id: 'MIT' } }], properties } },
    components: components.sort((one, other) => (one.purl < other.purl ? -1 : 1)),
    dependencies,
  };
}

function readLock(): LockFile {
  return Bun.JSONC.parse(readFileSync(join(REPOSITORY, 'bun.lock'), 'utf8')) as LockFile;
}
