import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { withFolder } from '../ingest/interchange/support.ts';
import { freshDatabase } from '../support/postgres.ts';
import { type Ran, run } from './run.ts';

/** A refusal: one line with a code, and one with what helps. */
function refused({ code, stdout, stderr }: Ran): string {
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^feedloom: .* \[\w+\]\n {2}.*\n$/);
  return stderr;
}

async function execute(database_url: string, ...statements: string[]): Promise<void> {
  const client = new SQL({ url: database_url, max: 1 });
  for (const statement of statements) await client.unsafe(statement);
  await client.close();
}

/** The URL of a database for a role that owns nothing of it. @param grants what it is given, as `ROLE` */
async function forRole(database_url: string, ...grants: string[]): Promise<string> {
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
  const create = `create role ${role} login password 'of_role'`;
  await execute(database_url, create, ...grants.map((grant) => grant.replace('ROLE', role)));
  const url = new URL(database_url);
  url.username = role;
  url.password = 'of_role';
  return url.href;
}

const CREATE = ['keys', 'create', '--account', 'acme', '--database-url'] as const;

test('a role that may not write is told so, and what to do, by every command that writes', async () => {
  const database_url = await freshDatabase();
  expect((await run(...CREATE, database_url)).code).toBe(0);
  const reading = await forRole(database_url, 'grant select on all tables in schema public to ROLE');
  expect((await run('keys', 'list', '--database-url', reading)).stdout).toContain('acme');
  const commands = [[...CREATE], ['keys', 'revoke', 'key_1', '--database-url']];
  for (const command of [...commands, ['serve', '--port', '0', '--database-url']]) {
    const told = refused(await run(...command, reading));
    expect(told).toContain('permission denied');
    expect(told).toContain('[database_unsuitable]\n  name a role that owns the database');
  }
}, 120_000);

test('a database that may not be written is told as that, as a standby is', async () => {
  const database_url = await freshDatabase();
  expect((await run(...CREATE, database_url)).code).toBe(0);
  const name = new URL(database_url).pathname.slice(1);
  await execute(database_url, `alter database ${name} set default_transaction_read_only = on`);
  const commands = [[...CREATE], ['keys', 'revoke', 'key_1', '--database-url']];
  for (const command of [...commands, ['serve', '--port', '0', '--database-url']]) {
    const told = refused(await run(...command, database_url));
    expect(told).toContain('[data_unwritable]\n  name the primary server');
  }
}, 120_000);

test('a role that may create no tables is told which rights it lacks', async () => {
  const database_url = await forRole(await freshDatabase());
  const told = refused(await run('serve', '--port', '0', '--database-url', database_url));
  expect(told).toContain('permission denied for schema public) [database_unsuitable]');
}, 120_000);

test('keys of an embedded database that cannot be used are refused as plainly', () =>
  withFolder({}, async (data) => {
    expect((await run('keys', 'create', '--account', 'acme', '--data', data)).code).toBe(0);
    const database = new Database(databaseFile(data));
    database.run('alter table api_keys rename to hidden');
    database.close();
    for (const command of [['create', '--account', 'acme'], ['revoke', 'key_1'], ['list']]) {
      const told = refused(await run('keys', ...command, '--data', data));
      expect(told).toContain('(no such table: api_keys) [store_failed]');
    }
  }));
