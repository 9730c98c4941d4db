import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import pino from 'pino';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { token, wallet } from '../alpha/support.ts';
import { folderWith, jsonl, withFolder } from '../interchange/support.ts';
import { freshDatabase } from '../support/postgres.ts';
import { openTestService, START } from '../support/service.ts';
import { type Ran, run } from './run.ts';

/** An error: one line with a code, and one with the remedy. */
function refused({ code, stdout, stderr }: Ran): string {
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^feedloom: .* \[\w+\]\n {2}.*\n$/);
  return stderr;
}

async function execute(database_url: string, ...statements: string[]): Promise<void> {
  await using client = new SQL({ url: database_url, max: 1 });
  for (const statement of statements) await client.unsafe(statement);
}

/** URL of a database for a role that owns nothing in it. @param grants SQL grants for `ROLE` */
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

test('every command that writes reports a role without write access, with a remedy', async () => {
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

test('a read-only database, such as a standby, is reported as read-only', async () => {
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

test('a command names the rights that its role lacks to create tables', async () => {
  const database_url = await forRole(await freshDatabase());
  const told = refused(await run('serve', '--port', '0', '--database-url', database_url));
  expect(told).toContain('permission denied for schema public) [database_unsuitable]');
}, 120_000);

const NO_SCHEMA = 'does not give this role the right to create the schema of wallet events';
const EVENT = { wallet_address: wallet(1), item_id: token(1), event_type: 'mint' } as const;

/** Output of a start, during which wallets may get an event. */
async function saidBy(database_url: string, event?: typeof EVENT): Promise<object[]> {
  const lines: object[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const opened = await openTestService({ settings: { database_url }, opening: { log } });
  if (event !== undefined) await opened.service.alpha.recordEvent(event);
  await opened.close();
  return lines;
}

test('a role that may not create schemas causes a warning at the start, until it may or the schema exists', async () => {
  const owned = await freshDatabase();
  const database_url = await forRole(owned, 'grant all on schema public to ROLE');
  const warning = { level: 40, code: 'database_unsuitable', remedy: expect.stringContaining('grant create') };
  expect(await saidBy(database_url)).toMatchObject([{ ...warning, msg: expect.stringContaining(NO_SCHEMA) }]);
  const name = new URL(database_url).pathname.slice(1);
  const role = new URL(database_url).username;
  await execute(owned, `grant create on database ${name} to ${role}`);
  expect(await saidBy(database_url, EVENT)).toEqual([]);
  await execute(owned, `revoke create on database ${name} from ${role}`);
  expect(await saidBy(database_url)).toEqual([]);
}, 120_000);

test('a start continues with a notice if the server does not tell whether the role may create a schema', async () => {
  const owned = await freshDatabase();
  const database_url = await forRole(owned, 'grant all on schema public to ROLE');
  await execute(owned, 'revoke execute on function has_database_privilege(text, text) from public');
  const cause = expect.stringContaining('permission denied for function');
  const msg = 'could not check whether wallet events can be stored';
  expect(await saidBy(database_url)).toMatchObject([{ level: 40, cause, msg }]);
}, 120_000);

test('an import of events without the right to create a schema imports nothing', async () => {
  const owned = await freshDatabase();
  const database_url = await forRole(owned, 'grant all on schema public to ROLE');
  const { wallet_address, item_id, event_type } = EVENT;
  const files = {
    'users.jsonl': jsonl([{ user_id: 'u' }]),
    'events.csv': `wallet_address,item_id,event_type,timestamp\n${wallet_address},${item_id},${event_type},${START}\n`,
  };
  await withFolder(files, async (folder) => {
    expect(refused(await run('import', folder, '--database-url', database_url))).toContain(NO_SCHEMA);
  });
  await using client = new SQL({ url: owned, max: 1 });
  expect([...(await client.unsafe('select * from users').values())]).toEqual([]);
}, 120_000);

test('keys of an unusable embedded database fail with an equally clear error', async () => {
  const data = folderWith({});
  expect((await run('keys', 'create', '--account', 'acme', '--data', data)).code).toBe(0);
  const database = new Database(databaseFile(data));
  database.run('alter table api_keys rename to hidden');
  database.close();
  for (const command of [['create', '--account', 'acme'], ['revoke', 'key_1'], ['list']]) {
    const told = refused(await run('keys', ...command, '--data', data));
    expect(told).toContain('(no such table: api_keys) [store_failed]');
  }
});
