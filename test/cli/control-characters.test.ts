import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../interchange/support.ts';
import { type Ran, run } from './run.ts';

/** Files may contain characters that clear a terminal, hide text or change its direction. Commands escape them. */

const CLEAR = '\u001b[2J';
const TURN = '\u202e';
const C1 = '\u009b';
const BAD = `${CLEAR}${TURN}${C1}`;
const SHOWN = '\\u001b[2J\\u202e\\u009b';

/** Any character but plain letters, line feeds and tabs. */
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function expectEscaped({ stdout, stderr }: Ran, ...shown: string[]): void {
  expect([stdout, stderr].filter((text) => CONTROLS.test(text))).toEqual([]);
  for (const each of shown) expect(`${stdout}${stderr}`).toContain(each);
}

/** Field names, ids and values with control characters, and a line feed that would start a new line. */
const FILES = {
  'users.jsonl': `${JSON.stringify({ user_id: 'u', [`field${BAD}`]: 1, 'a\nusers.jsonl:9: forged': 1 })}\n`,
  'items.jsonl': [
    { item_id: 'i', author_id: 'u', created_at: `yesterday${BAD}` },
    { item_id: 'i', author_id: 'u', created_at: 1000, language: `x${BAD}\nforged` },
    { item_id: 'i', author_id: 'u', created_at: 1000, ai_labels: { [`l${BAD}`]: 7 } },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
  'interactions.csv': `user_id,item_id,event_type,timestamp\nu,i,like${BAD},1000\nu,i,like,${BAD}\nu,i,like,1000\n`,
  [`notes${BAD}\n.txt`]: '',
};

describe('an import', () => {
  test('an import shows field names, values and file names escaped, each on its own line', async () => {
    const folder = folderWith(FILES);
    const ran = await run('import', folder, '--data', join(folder, 'data'));
    expect(ran.code).toBe(0);
    expectEscaped(
      ran,
      `notes${SHOWN}\\u000a.txt`,
      `unknown field 'field${SHOWN}'`,
      `yesterday${SHOWN}`,
      `x${SHOWN}\\nforged`,
    );
    expect(ran.stderr).toContain("unknown field 'a\\u000ausers.jsonl:9: forged'");
    expect(ran.stderr).not.toMatch(/^(users\.jsonl:9|forged)/m);
  });

  test('a strict import fails with an escaped error', async () => {
    const folder = folderWith({ 'items.jsonl': FILES['items.jsonl'] });
    const ran = await run('import', folder, '--strict', '--data', join(folder, 'data'));
    expect(ran.code).toBe(2);
    expectEscaped(ran, 'items.jsonl:1', SHOWN);
  });

  test('an import refuses a CSV file with its columns escaped', async () => {
    const folder = folderWith({ 'follows.csv': `user_id,target${BAD}\na,b\n` });
    const ran = await run('import', folder, '--data', join(folder, 'data'));
    expectEscaped(ran, 'follows.csv');
  });
});

test('an evaluation shows control characters escaped', async () => {
  const folder = folderWith(FILES);
  expectEscaped(await run('evaluate', 'replay', '--data', folder), `notes${SHOWN}\\u000a.txt`, SHOWN);
});

test('a refused user input is shown escaped', async () => {
  expectEscaped(await run('import', `/nowhere${BAD}`), `/nowhere${SHOWN}`);
  expectEscaped(await run('serve', `--port${BAD}`), `--port${SHOWN}`);
  expectEscaped(await run('keys', 'revoke', BAD, '--data', '/nowhere'), '/nowhere');
});

describe('a plugin', () => {
  const plugin = (summary: string, then = ''): string => `
    import { defineFilter, definePlugin, Type } from 'feedloom/plugin';
    ${then}
    export default definePlugin({
      meta: { name: 'acme', version: '1.0.0', api: 2 },
      filters: {
        'acme/f': defineFilter({
          summary: ${JSON.stringify(summary)},
          kind: 'inclusion',
          options: Type.Object({}, { additionalProperties: false, description: ${JSON.stringify(`an object${BAD}`)} }),
          compile: () => () => () => { throw new Error(${JSON.stringify(`broken${BAD}`)}); },
        }),
      },
    });
  `;

  test('a plugin is listed, described and checked with escaped texts', async () => {
    const folder = folderWith({ 'f.ts': plugin(`Keeps${BAD}\nnothing.`) });
    const file = join(folder, 'f.ts');
    expectEscaped(
      await run('plugins', 'list', '--external', '--plugins', file),
      `Keeps${SHOWN}\\u000anothing.`,
    );
    expectEscaped(await run('plugins', 'doc', file), `Keeps${SHOWN}`);
    const checked = await run('plugins', 'check', file);
    expect(checked.code).toBe(2);
    expectEscaped(checked, `broken${SHOWN}`);
  });

  test('a plugin that throws while it is loaded is named with an escaped message', async () => {
    const folder = folderWith({});
    const file = join(folder, 'f.ts');
    writeFileSync(file, plugin('Keeps nothing.', `throw new Error(${JSON.stringify(`early${BAD}`)});`));
    const ran = await run('plugins', 'check', file);
    expect(ran.code).toBe(2);
    expectEscaped(ran, `early${SHOWN}`);
    const served = await run('serve', '--port', '0', '--data', join(folder, 'data'), '--plugins', file);
    expectEscaped(served, `early${SHOWN}`);
  });
});
