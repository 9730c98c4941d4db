import { expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../ingest/interchange/support.ts';
import { run } from './run.ts';

test('no other account of the machine reads what is written', async () => {
  await withFolder({ 'users.jsonl': '{"user_id":"a"}\n' }, async (folder) => {
    const data = join(folder, 'data');
    expect((await run('import', folder, '--data', data)).code).toBe(0);
    expect((await run('export', join(folder, 'exported'), '--data', data)).code).toBe(0);
    expect((await run('backup', join(folder, 'kept', 'feedloom.sqlite'), '--data', data)).code).toBe(0);
    const written = ['data', 'exported', 'kept'].flatMap((name) => [
      name,
      ...readdirSync(join(folder, name)).map((file) => join(name, file)),
    ]);
    expect(written).toEqual(
      expect.arrayContaining(['data/feedloom.sqlite', 'exported/users.jsonl', 'kept/feedloom.sqlite']),
    );
    for (const name of written) expect([name, statSync(join(folder, name)).mode & 0o007]).toEqual([name, 0]);
  });
});
