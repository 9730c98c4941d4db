import { afterAll, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SQL } from 'bun';
import { environment, feedloom } from '../support/feedloom.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { LogicalServer } from '../support/postgres/logical-server.ts';
import { blocksOf, document } from './markdown.ts';

/** Runs the commands of docs/postgres.md, on a database with the tables of its forum. */

const TABLES = `
create table users (id int primary key, name text, created_at timestamptz default now());
create table posts (id int primary key, author_id int, body text, topic text, state text default 'live', created_at timestamptz);
create table likes (id int primary key, user_id int, post_id int, created_at timestamptz);
create table follows (follower_id int, followee_id int, created_at timestamptz, primary key (follower_id, followee_id));
insert into users values (1, 'Ann'), (2, 'Ben');
insert into posts select n, 2, 'post ' || n, 'tea', 'live', now() - interval '1 hour' from generate_series(1, 30) n;
insert into likes values (1, 1, 3, now());
insert into follows values (1, 2, now());`;

const blocks = blocksOf(document('docs/postgres.md'));
const scripts = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text);
const outbox_at = scripts.findIndex((text) => text.includes('outbox.sql'));
const serving = /^feedloom serve .*$/m;

const children = new Set<Bun.Subprocess>();
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([...children].map((child) => child.exited));
});

const folder = temporaryFolder('guide');
const programs = join(folder, 'programs');
mkdirSync(programs);
for (const [name, file] of [
  ['psql', 'psql-url.ts'],
  ['curl', 'curl.ts'],
]) {
  const path = join(programs, name);
  writeFileSync(
    path,
    `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dir, '../support', file)}' "$@"\n`,
  );
  chmodSync(path, 0o755);
}

function spawn(script: string, variables: Record<string, string>): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  const { PATH, ...others } = environment(variables);
  const child = Bun.spawn(['sh', '-c', `set -e\n${script}`], {
    cwd: folder,
    env: { ...others, PATH: `${programs}:${dirname(feedloom())}:${PATH}` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  children.add(child);
  return child;
}

async function shell(script: string, variables: Record<string, string>): Promise<string> {
  const child = spawn(script, variables);
  const [stdout, stderr] = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  const code = await child.exited;
  expect({ script, code, stderr: code === 0 ? '' : await stderr }).toEqual({ script, code: 0, stderr: '' });
  return stdout;
}

/** Starts a service as the page does. Resolves when it listens. */
async function serve(command: string, variables: Record<string, string>): Promise<Bun.Subprocess> {
  const child = spawn(`exec ${command}`, variables);
  const listening = Promise.withResolvers<void>();
  const read = async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream()))
      if (text.includes('listening on')) listening.resolve();
    listening.reject(new Error(await new Response(child.stderr).text()));
  };
  read().catch(listening.reject);
  await listening.promise;
  return child;
}

test('docs/postgres.md leads from a database to a page, and its outbox sends what was changed', async () => {
  const owner = await LogicalServer.start('postgres-logical').fresh();
  const db = new SQL({ url: owner, max: 1 });
  await db.unsafe(TABLES);
  const reader = new URL(owner);
  [reader.username, reader.password] = ['feedloom_reader', 'change-me'];
  const port = String(freePort());
  const address = `http://127.0.0.1:${port}`;
  const variables = {
    OWNER_URL: owner,
    READER_URL: reader.href,
    APP_DATABASE_URL: reader.href,
    SERVICE_URL: address,
    FEEDLOOM_PORT: port,
  };
  let service: Bun.Subprocess | undefined;
  const get = async (path: string) => {
    const key = readFileSync(join(folder, 'key.txt'), 'utf8').trim();
    const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, text: await answer.text() };
  };
  const answers: string[] = [];
  for (const script of scripts.slice(0, outbox_at)) {
    answers.push(
      await shell(script.replace(serving, '').replaceAll('http://127.0.0.1:3000', address), variables),
    );
    const command = serving.exec(script)?.[0];
    if (command === undefined) continue;
    service = await serve(command, variables);
    while (
      (await get('/v2/community/users/1')).status !== 200 ||
      !(await get('/api/connectors')).text.includes('"running"')
    )
      await Bun.sleep(10);
    while ((JSON.parse((await get('/api/connectors')).text).data[0].cursor ?? '').split(',"').length < 2)
      await Bun.sleep(10);
    while (!(await get('/v2/community/users/1')).text.includes('"follows":["2"]')) await Bun.sleep(10);
  }
  // What step 4 prints is what the page shows.
  const shown = blocks.find(({ kind, text }) => kind === '' && text.startsWith('alter table'))?.text.trim();
  expect(answers.find((text) => text.includes('create publication'))?.trim()).toBe(shown!);
  expect(answers.at(-1)).toContain('"text":"post 3');
  service?.kill('SIGTERM');
  await service?.exited;

  // The outbox fills a service that reads no database.
  service = await serve('feedloom serve --data other', variables);
  await shell('feedloom keys create --account app --data other > key.txt', variables);
  for (const script of scripts.slice(outbox_at)) await shell(script, variables);
  expect((await get('/v2/community/items/900')).text).toContain('By the outbox');
  await db.unsafe(
    `insert into likes values (2, 2, 900, now()); update posts set topic = 'milk' where id = 900`,
  );
  await shell('sh send-outbox.sh', variables);
  expect(JSON.parse((await get('/v2/community/items/900')).text)).toMatchObject({
    channel: 'milk',
    likes_count: 1,
  });
  await db.unsafe('delete from likes where id = 2; delete from posts where id = 900');
  await shell('sh send-outbox.sh', variables);
  expect(JSON.parse((await get('/v2/community/items/900')).text)).toMatchObject({
    hidden: true,
    likes_count: 0,
  });
  expect(await db.unsafe('select * from outbox')).toHaveLength(0);
  service.kill('SIGTERM');
  await service.exited;

  for (const { kind, text } of blocks) if (kind === 'sql') await db.unsafe(text);
  await db.close();
}, 120_000);
