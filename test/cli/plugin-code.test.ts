import { expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../interchange/support.ts';
import { run } from './run.ts';

const PLUGIN = `
  import { writeFileSync } from 'node:fs';
  writeFileSync(import.meta.dir + '/ran', '');
  export default { meta: { name: 'acme/leaves-a-file', version: '1.0.0', api: 1 } };
`;

test('the help of each command that runs the code of a plugin says so', async () => {
  const folder = folderWith({ 'plugin.js': PLUGIN });
  const [file, data] = ['plugin.js', 'data'].map((name) => join(folder, name));
  for (const [help, ...args] of [
    [['plugins', 'list'], '--plugins', file],
    [['plugins', 'check'], file],
    [['plugins', 'doc'], file],
    [['doctor'], '--data', data, '--plugins', file],
  ] as [string[], ...string[]][]) {
    await run(...help, ...args);
    expect([help, existsSync(join(folder, 'ran'))]).toEqual([help, true]);
    rmSync(join(folder, 'ran'));
    const text = (await run(...help, '--help')).stdout.replaceAll(/\s+/g, ' ');
    expect([help, text]).toEqual([help, expect.stringMatching(/\bcode runs\b|\bruns their code\b/)]);
  }
});
