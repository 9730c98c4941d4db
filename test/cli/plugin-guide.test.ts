import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withFolder } from '../ingest/interchange/support.ts';
import { runIn } from './run.ts';

const ROOT = resolve(import.meta.dir, '..', '..');

test('the examples of the guide have no type error beside what is written for a new plugin', () =>
  withFolder({}, async (folder) => {
    expect((await runIn(folder, 'plugins', 'new', 'filter', 'acme/new')).code).toBe(0);
    const guide = readFileSync(join(ROOT, 'plugins', 'README.md'), 'utf8');
    const examples = [...guide.matchAll(/^```ts\n\/\/ (\S+\.ts)\n(.*?)^```$/gms)];
    expect(examples.map(([, name]) => name)).toContain('muted.ts');
    for (const [, name, code] of examples) writeFileSync(join(folder, name), code);
    const { stdout } = Bun.spawnSync(['bunx', 'tsc', '-p', folder], { cwd: ROOT });
    expect(stdout.toString()).toBe('');
  }));
