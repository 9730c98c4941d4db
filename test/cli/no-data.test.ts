import { expect, test } from 'bun:test';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../interchange/support.ts';
import { freshDatabase } from '../support/postgres.ts';
import { run } from './run.ts';

const COMMANDS = [
  ['export', 'out'],
  ['keys', 'list'],
  ['keys', 'revoke', 'key_1'],
  ['upgrade'],
  ['upgrade', '--dry-run'],
];

for (const [command, ...rest] of COMMANDS) {
  test(`feedloom ${[command, ...rest].join(' ')} reports missing data and creates none`, async () => {
    const folder = folderWith({});
    const args = command === 'export' ? [join(folder, 'out')] : rest;
    for (const data of [folder, join(folder, 'absent')]) {
      const { code, stdout, stderr } = await run(command, ...args, '--data', data);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`there is no data of feedloom in the folder '${data}' [no_data]`);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
}

for (const [command, ...rest] of [...COMMANDS, ['backup', 'file']]) {
  test(`feedloom ${[command, ...rest].join(' ')} does not take inaccessible data for absent`, async () => {
    const folder = folderWith({});
    const data = join(folder, 'data');
    symlinkSync(data, data);
    const { code, stderr } = await run(command, ...rest, '--data', data);
    expect(code).toBe(2);
    expect(stderr).toMatch(/the data folder '.*' may not be read \(ELOOP.*\) \[data_unreadable\]/);
    expect(stderr).not.toContain('no_data');
  });
}

test('feedloom keys list reports an empty PostgreSQL database, without its password', async () => {
  const database_url = await freshDatabase();
  const { code, stderr } = await run('keys', 'list', '--database-url', database_url);
  expect(code).toBe(2);
  expect(stderr).toContain('[no_data]');
  expect(stderr).not.toContain(`${new URL(database_url).password}@`);
});

test('feedloom keys create creates the data with which the service then starts', async () => {
  const folder = folderWith({});
  const data = join(folder, 'new');
  const create = () => run('keys', 'create', '--account', 'acme', '--data', data);
  const { code, stdout, stderr } = await create();
  expect([code, stdout.startsWith('fl_')]).toEqual([0, true]);
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^key_\S+$/),
    `the folder '${data}' contained no data of feedloom; new data was created`,
    '',
  ]);
  expect((await create()).stderr).toMatch(/^key_\S+\n$/);
  expect(existsSync(join(data, 'feedloom.sqlite'))).toBe(true);
  expect((await run('keys', 'list', '--data', data)).stdout).toContain('acme');
});

test('feedloom keys create reports new data if a failed start left an empty file', async () => {
  const data = folderWith({ 'feedloom.sqlite': '' });
  const { code, stderr } = await run('keys', 'create', '--account', 'acme', '--data', data);
  expect(code).toBe(0);
  expect(stderr).toEndWith(`\nthe folder '${data}' contained no data of feedloom; new data was created\n`);
});

test('feedloom keys create reports a new PostgreSQL database, without its URL', async () => {
  const database_url = await freshDatabase();
  const create = () => run('keys', 'create', '--account', 'acme', '--database-url', database_url);
  const { code, stderr } = await create();
  expect(code).toBe(0);
  expect(stderr).toEndWith(
    '\nthat PostgreSQL database contained no data of feedloom; new data was created\n',
  );
  expect((await create()).stderr).toMatch(/^key_\S+\n$/);
});

test('several commands that create the same data concurrently all succeed', async () => {
  const folder = folderWith({});
  const data = join(folder, 'new');
  const accounts = ['one', 'two', 'three', 'four'];
  const made = await Promise.all(
    accounts.map((account) => run('keys', 'create', '--account', account, '--data', data)),
  );
  expect(made.map(({ stderr, code }) => (code === 0 ? '' : stderr)).join('')).toBe('');
  const { stdout } = await run('keys', 'list', '--data', data);
  expect(accounts.filter((account) => !stdout.includes(account))).toEqual([]);
});
