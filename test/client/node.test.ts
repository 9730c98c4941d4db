import { describe, expect, test } from 'bun:test';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../interchange/support.ts';
import { environment } from '../support/feedloom.ts';
import { install, KEY, openService } from './support.ts';

/** Why the client cannot be tested in Node; empty: it can. */
function missingNode(): string {
  const node = Bun.which('node');
  const version = node === null ? '' : Bun.spawnSync([node, '--version']).stdout.toString().trim();
  return Number(/^v(\d+)/.exec(version)?.[1] ?? 0) >= 20
    ? ''
    : ' (skipped: there is no Node of version 20 or later)';
}

const MISSING = missingNode();

const PROGRAM = `
import { FeedloomClient, FeedloomError } from 'feedloom-client';

const [url, key] = process.argv.slice(2);
const client = new FeedloomClient({ url, key });
const items = Array.from({ length: 30 }, (_, index) => ({ item_id: 'item-' + index, author_id: 'a', created_at: '2025-01-01' }));
const { accepted } = await client.ingest('items', items);
await client.ingest('interactions', { user_id: 'u', item_id: 'item-7', event_type: 'like' });
const { token } = await client.createToken({ user_id: 'v', ttl_seconds: 60 });
const viewer = new FeedloomClient({ url, token });
const [best] = (await viewer.popular({ top_k: 1 })).body;
const walked = new Set();
for await (const { item_id } of viewer.walk('for-you', { top_k: 7 })) walked.add(item_id);
const { code } = await viewer.popular({ top_k: 0 }).catch((error) => error instanceof FeedloomError ? error : {});
console.log(JSON.stringify({ accepted, best: best.item_id, walked: walked.size, code }));
`;

describe.skipIf(MISSING !== '')(`the built package${MISSING}`, () => {
  test('works in Node against a service', async () => {
    await using service = await openService();
    await withFolder({ 'program.mjs': PROGRAM }, async (folder) => {
      const installed = install(folder);
      // A link would lead nowhere after the project is copied.
      expect(lstatSync(installed).isSymbolicLink()).toBe(false);
      expect(
        readdirSync(installed)
          .filter((name) => !name.startsWith('.'))
          .sort(),
      ).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'src']);
      const command = ['node', join(folder, 'program.mjs'), service.address, KEY];
      const child = Bun.spawn(command, { cwd: folder, env: environment(), stdout: 'pipe', stderr: 'pipe' });
      const [printed, errors] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect(errors).toBe('');
      expect(JSON.parse(printed)).toEqual({
        accepted: 30,
        best: 'item-7',
        walked: 30,
        code: 'invalid_value',
      });
    });
  });
});
