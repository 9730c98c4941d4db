import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import client from '../openapi/client/package.json';
import { REPOSITORY } from './build.ts';

/**
 * Packs the client for JavaScript as `npm pack` would, from a folder of its own: a folder that was built before may have
 * files of former versions in it.
 * @param destination an existing folder
 * @returns the name of the archive
 * @throws Error if the client does not compile
 */
export function packClient(destination: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-pack-'));
  try {
    const source = join(REPOSITORY, 'openapi', 'client');
    for (const name of ['src', 'README.md'])
      cpSync(join(source, name), join(folder, name), { recursive: true });
    cpSync(join(REPOSITORY, 'LICENSE'), join(folder, 'LICENSE'));
    const { scripts: _, ...published } = client;
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    const tsc = join(REPOSITORY, 'node_modules', '.bin', 'tsc');
    run([tsc, '-p', source, '--outDir', join(folder, 'dist')], folder);
    makeReadable(folder);
    return (
      run(['pm', 'pack', '--quiet', '--destination', destination], folder).trim().split('/').at(-1) ?? ''
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Modes are part of an archive, so they must not depend on the umask. */
function makeReadable(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

function run(args: readonly string[], cwd: string): string {
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], { cwd });
  if (!success) throw new Error(`the client cannot be packed: ${stdout}${stderr}`.trim());
  return stdout.toString();
}
