import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from './feedloom.ts';
import { temporaryFolder } from './folder.ts';

const FAST_CHECK = Bun.resolveSync('fast-check', import.meta.dir);
const LONG = join(import.meta.dir, 'long.ts');

/** Two properties; each writes every input. */
const FILE = `
import { expect, test } from 'bun:test';
import fc from '${FAST_CHECK}';
import { check, checkAsync } from '${LONG}';
const small = (name, number) => {
  console.log(name + '=' + number);
  expect(number).toBeLessThan(5);
};
test('passes', () => {
  check(100, [fc.nat(4)], (number) => small('other', number));
});
test('fails', async () => {
  await checkAsync(100, [fc.nat()], async (number) => small('input', number));
});
`;

test('a property that fails shows its counterexample, and a command that tries this input first', () => {
  const folder = temporaryFolder('long');
  writeFileSync(join(folder, 'small.test.ts'), FILE);
  const run = (settings: Record<string, string>): string => {
    const command = [process.execPath, 'test', './small.test.ts'];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder, env: environment(settings) });
    expect(exitCode).toBe(1);
    return `${stdout}${stderr}`;
  };
  const first = run({});
  expect(first).toContain('Counterexample: [5]');
  const [, FEEDLOOM_PROPERTY = ''] =
    /Again: FEEDLOOM_PROPERTY=(\S+) bun test .*small\.test\.ts\n/.exec(first) ?? [];
  const again = run({ FEEDLOOM_PROPERTY });
  expect(again.match(/input=\d+/g)).toEqual(['input=5']);
  expect(again.match(/other=\d+/g)).toHaveLength(100);
});
