import { expect, test } from 'bun:test';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../interchange/support.ts';
import { EXAMPLES } from '../plugins/guide-examples.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { runTool } from '../support/tools.ts';
import { runIn } from './run.ts';

test('the examples of the guide compile with the files of a new plugin', async () => {
  const folder = folderWith({});
  expect((await runIn(folder, 'plugins', 'new', 'filter', 'acme/new')).code).toBe(0);
  for (const [name, code] of EXAMPLES) {
    // These types are those of another package.
    if (!code.includes("from 'bun'")) writeFileSync(join(folder, name), code);
  }
  expect(runTool(['tsc', '-p', folder])).toBe('');
});

/** Compiler errors of files next to the declarations of the contract, which are checked too. */
async function typeErrors(folder: string, types: readonly string[] = []): Promise<string> {
  const { stdout: contract } = await runIn(folder, 'plugins', 'types');
  writeFileSync(join(folder, 'feedloom-plugin.d.ts'), contract);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ESNext',
    lib: ['ESNext', 'DOM'],
    module: 'Preserve',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    types,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['feedloom-plugin.d.ts', '**/*.ts'] }),
  );
  return runTool(['tsc', '-p', folder]);
}

test('the built-in extensions compile with the contract, Bun and packages alone', async () => {
  const folder = folderWith({});
  cpSync(join(REPOSITORY, 'plugins'), join(folder, 'plugins'), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  expect(await typeErrors(folder, ['bun-types'])).toBe('');
});

test('a schema not made by TypeBox, and an unknown load, are type errors', async () => {
  const folder = folderWith({});
  const lines = [
    "import { type Static, Type } from 'feedloom/plugin';",
    "import type { TestWorld } from 'feedloom/plugin/testing';",
    "const side = Type.Unsafe<'a' | 'b'>(Type.String({ pattern: '^[ab]$' }));",
    "export const sides: Static<typeof side>[] = ['a', 'b'];",
    "export const plain = Type.Unsafe<'a' | 'b'>({ type: 'string' });",
    "export const world: TestWorld = { effort: 'none' };",
  ];
  writeFileSync(join(folder, 'sides.ts'), lines.join('\n'));
  const places = [...(await typeErrors(folder)).matchAll(/^(\S+\.ts)\((\d+),/gm)];
  expect(places.map(([, file, line]) => `${file.split('/').at(-1)}:${line}`)).toEqual([
    'sides.ts:5',
    'sides.ts:6',
  ]);
});
