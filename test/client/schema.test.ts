import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientTypes } from '../../openapi/client-types.ts';
import { REPOSITORY } from '../support/feedloom.ts';

const CLIENT = join(REPOSITORY, 'openapi', 'client');

test('the committed types are those of the committed document (run bun run openapi after a change)', () => {
  const document = JSON.parse(readFileSync(join(REPOSITORY, 'openapi', 'openapi.json'), 'utf8'));
  const committed = readFileSync(join(CLIENT, 'src', 'schema.ts'), 'utf8');
  expect(clientTypes(document) === committed).toBe(true);
});

/** The faults that the compiler finds in a program which uses the client, by the line of the program. */
function faultsIn(...lines: string[]): Map<number, string> {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-client-types-'));
  try {
    const client = join(CLIENT, 'src', 'index.ts');
    const program = [
      `import { FeedloomClient } from '${client}';`,
      "export const client = new FeedloomClient({ url: 'https://feeds.example' });",
      ...lines,
    ];
    writeFileSync(join(folder, 'program.ts'), program.join('\n'));
    const options = { strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] };
    const compilerOptions = { ...options, target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const tsc = join(REPOSITORY, 'node_modules', '.bin', 'tsc');
    const { stdout } = Bun.spawnSync([process.execPath, tsc, '-p', folder], { cwd: folder });
    const faults = [...stdout.toString().matchAll(/^program\.ts\((\d+),\d+\): error \w+: (.*)$/gm)];
    expect(stdout.toString().match(/^\S.*error TS/gm)?.length ?? 0).toBe(faults.length);
    return new Map(faults.map(([, line, message]) => [Number(line) - 2, message]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the compiler', () => {
  test('takes calls that the document allows, and knows the types of their answers', () => {
    const faults = faultsIn(
      'export const id: string = (await client.forYou({ user_id: 7, top_k: 5 })).body[0].item_id;',
      'export const page = await client.popular();',
      "await client.forYou({ user_id: 'u', filters: { languages: ['en'], 'acme/keywords': { words: ['a'] } } });",
      "await client.trending({ scoring: { name: 'acme/fresh_v1.0.0', options: {} } });",
      "await client.popular({ scoring: '7day' });",
      "export const done: 'success' = (await client.call('DELETE', '/v2/{network}/items/{id}', { path: { id: 'a' } })).status;",
      "export const revision: number = (await client.call('POST', '/api/feed/config', { body: { name: 'n' } })).data.revision;",
      "export const plugins: string[] = (await client.call('GET', '/api/plugins')).data.map(({ id }) => id);",
      "await client.ingest('follows', [{ user_id: 'a', target_user_id: 'b' }, { user_id: 'a', event_id: 'e', action: 'unfollow' }]);",
      "for await (const item of client.walk('for-you', { user_id: 'u' })) item.score.toFixed(2);",
    );
    expect([...faults]).toEqual([]);
  });

  const REFUSED: [string, string][] = [
    ['a path that does not exist', "await client.call('GET', '/v2/{network}/item');"],
    ['a method that the path does not have', "await client.call('PUT', '/api/plugins');"],
    ['a missing body', "await client.call('POST', '/api/feed/config');"],
    ['a missing path parameter', "await client.call('GET', '/v2/{network}/items/{id}', {});"],
    ['a misspelt filter', "await client.forYou({ user_id: 'u', filters: { language: ['en'] } });"],
    ['a scoring function of another feed type', "await client.forYou({ user_id: 'u', scoring: '7day' });"],
    ['a record without a required field', "await client.ingest('users', { username: 'u' });"],
    ['a record of another kind', "await client.ingest('items', [{ user_id: 'a', target_user_id: 'b' }]);"],
    ['an answer of another type', 'export const name: number = (await client.languages()).data;'],
    ['one request_id for all pages of a walk', "client.walk('for-you', { user_id: 'u', request_id: 'r' });"],
  ];

  test('refuses a path, method, field or type that the document does not have', () => {
    const faults = faultsIn(...REFUSED.map(([, line]) => line));
    expect(REFUSED.filter((_, index) => !faults.has(index + 1)).map(([what]) => what)).toEqual([]);
  });
});
