import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { temporaryFolder } from '../support/folder.ts';
import { LogicalServer } from '../support/postgres/logical-server.ts';
import { ended, startWith } from './run.ts';

const postgres = LogicalServer.start('postgres-logical');
const folder = temporaryFolder('connect-postgres');

function printed(url: string, map: string, options = '') {
  const file = join(folder, 'maps');
  writeFileSync(file, map);
  const slot = `cli_${process.pid}`;
  const entry = `postgres?url_env=APP_DATABASE_URL&map=${file}&slot=${slot}${options}`;
  return ended(startWith({ APP_DATABASE_URL: url }, 'connect-postgres', '--print-sql', '--connect', entry));
}

test('connect-postgres prints the SQL that is missing, and nothing once it was run', async () => {
  const url = await postgres.fresh();
  const db = new SQL({ url, max: 1 });
  await db.unsafe(`create table likes (id int primary key, who int, what int, made timestamptz)`);
  const map = "likes=interactions:user_id=who,item_id=what,timestamp=made,event_type='like'";
  const first = await printed(url, map);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const statements = first.stdout.trim().split('\n');
  expect(statements).toEqual([
    'alter table "public"."likes" replica identity full;',
    'create publication "feedloom" for table "public"."likes" with (publish_via_partition_root = true);',
    `select pg_create_logical_replication_slot('cli_${process.pid}', 'pgoutput');`,
  ]);
  for (const statement of statements) await db.unsafe(statement);
  expect(await printed(url, map)).toMatchObject({ code: 0, stdout: '-- nothing is missing\n' });
  await db.close();
});

test('connect-postgres names what no SQL mends', async () => {
  const url = await postgres.fresh();
  const { stdout } = await printed(
    url,
    'posts=items:item_id=id\ntopics=items:item_id=id\n',
    '&truncate=delete',
  );
  expect(stdout).toContain('-- there is no table posts');
  expect(stdout).toContain('-- truncate=delete: posts and topics are both items');
});

test('connect-postgres shows no password when the database refuses it', async () => {
  const url = new URL(await postgres.fresh());
  url.password = 'wrong-password-17';
  const { code, stderr } = await printed(url.href, 'posts=items:item_id=id\n');
  expect([code, stderr]).toEqual([2, expect.stringContaining('password authentication failed')]);
  expect(stderr).not.toContain('wrong-password-17');
});

test('connect-postgres names a line of the map that is not understood', async () => {
  const { code, stderr } = await printed(await postgres.fresh(), '# none\nposts=topics:item_id=id\n');
  expect([code, stderr]).toEqual([2, expect.stringContaining("line 2: there is no kind 'topics'")]);
});

test('connect-postgres says how to configure it', async () => {
  const { code, stderr } = await ended(startWith({}, 'connect-postgres', '--print-sql'));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("expected --connect 'postgres?url_env=NAME&map=FILE'"),
  ]);
});
