import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pkg from '../../package.json';
import { PLUGIN_API } from '../../src/plugin/api.ts';
import { folderWith } from '../interchange/support.ts';
import { environment, REPOSITORY } from '../support/feedloom.ts';
import { run } from './run.ts';

/** What the program consists of. */
const SOURCES = [
  'src',
  'plugins',
  'workloads',
  'docs',
  'package.json',
  'tsconfig.json',
  'README.md',
  'CHANGELOG.md',
];

const VERSION = /^feedloom (\S+) \(commit (\S+), plugin contract (\d+)\)\n$/;

function describedByGit(): string {
  const command = ['git', 'describe', '--always', '--abbrev=12', '--exclude=*', '--dirty=+modified'];
  const { success, stdout } = Bun.spawnSync(command, { cwd: REPOSITORY, stderr: 'ignore' });
  return success ? stdout.toString().trim() : 'unknown';
}

test('--version prints the version, the commit of the build and the version of the plugin contract', async () => {
  const { code, stdout, stderr } = await run('--version');
  expect([code, stderr]).toEqual([0, '']);
  const [, version, commit, contract] = VERSION.exec(stdout) ?? [];
  expect([version, contract]).toEqual([pkg.version, String(PLUGIN_API)]);
  expect(commit).toBe(describedByGit());
});

test('--version says that the commit is unknown for sources without Git, even within another checkout', async () => {
  const folder = folderWith({});
  const sources = join(folder, 'unpacked');
  mkdirSync(sources);
  for (const path of SOURCES) cpSync(join(REPOSITORY, path), join(sources, path), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(sources, 'node_modules'));
  // Where Git is not installed, the commit is unknown anyway.
  if (Bun.which('git') !== null) Bun.spawnSync(['git', 'init', '--quiet', folder]);
  const command = [process.execPath, 'src/main.ts', '--version'];
  const { stdout, stderr } = Bun.spawnSync(command, { cwd: sources, env: environment() });
  expect([stdout.toString(), stderr.toString()]).toEqual([
    `feedloom ${pkg.version} (commit unknown, plugin contract ${PLUGIN_API})\n`,
    '',
  ]);
});
