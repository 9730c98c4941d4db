import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ended } from '../cli/run.ts';
import { install, KEY, openService } from '../client/support.ts';
import { withFolder } from '../interchange/support.ts';
import { environment, REPOSITORY } from '../support/feedloom.ts';
import { blocksOf, document } from './markdown.ts';

/** The programs in the documents about clients work as they stand. */

const PYTHON = Bun.which('python3');
const NO_PYTHON = PYTHON === null ? ' (skipped: there is no python3)' : '';

/** The blocks of a language, in order, as one program. */
function programIn(path: string, kind: string): string {
  const blocks = blocksOf(document(path)).filter((block) => block.kind === kind);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.map(({ text }) => text).join('\n');
}

async function run(command: string[], cwd: string, settings: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(command, { cwd, env: environment(settings), stdout: 'pipe', stderr: 'pipe' });
  const { stdout, stderr, code } = await ended(child);
  expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
  return stdout;
}

describe('the examples in TypeScript', () => {
  test.each(['openapi/client/README.md', 'docs/clients.md'])(
    'in %s compile with the built package, and run',
    async (path) => {
      await using service = await openService();
      const program = programIn(path, 'ts').replaceAll('http://127.0.0.1:3000', service.address);
      await withFolder({ 'program.mts': program.replaceAll('fl_…', KEY) }, async (folder) => {
        install(folder);
        const tsc = join(REPOSITORY, 'node_modules', '.bin', 'tsc');
        const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
        await run([process.execPath, tsc, ...options, 'program.mts'], folder);
        await run([process.execPath, 'program.mts'], folder);
      });
    },
  );
});

describe.skipIf(PYTHON === null)(`the recipe in Python${NO_PYTHON}`, () => {
  test('sends records and walks through a whole feed', async () => {
    await using service = await openService();
    await withFolder({ 'recipe.py': programIn('docs/clients.md', 'python') }, async (folder) => {
      const settings = { URL: `${service.address}/v2/community`, KEY };
      const printed = await run(['python3', 'recipe.py'], folder, settings);
      const ids = printed
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]);
      const expected = Array.from({ length: 60 }, (_, index) => `post-${index}`).filter(
        (id) => id !== 'post-7',
      );
      expect(ids.sort()).toEqual(expected.sort());
    });
  });
});
