import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { testConnector } from 'feedloom/plugin/testing';
import { seededRandom } from '../../../src/clock.ts';
import { run } from '../../cli/run.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { times } from '../../support/long.ts';
import { LogicalServer } from '../../support/postgres/logical-server.ts';
import { putEmptyData } from '../../support/prepared-data.ts';
import { builtIn } from '../built-in.ts';
import { Community, type Reading } from './postgres-community.ts';
import { Forum, MAP } from './postgres-forum.ts';

const LINES = 6;
const postgres = LogicalServer.start('postgres-logical');

/** Slots belong to the server, so each test has one of its own. */
let slots = 0;
const ownSlot = () => `slot_${process.pid}_${++slots}`;

const POSTS = `create table posts (id int primary key, author text, body text, topic text, state text default 'live', made timestamptz default '2025-01-01');
  alter table posts alter column body set storage external;
  create table users (id int primary key, name text, created_at timestamptz);`;
const POSTS_MAP = `posts=items:item_id=id,author_id=author,text=body,channel=topic,created_at=made,skip=state[draft:skip]
users=users:user_id=id,username=name`;

interface Small extends AsyncDisposable {
  db: SQL;
  reading: Reading;
  community: Community;
}

/** A community that reads two small tables. @param more SQL before it starts */
async function small(more = '', reading: Partial<Reading> = {}): Promise<Small> {
  const url = await postgres.fresh();
  const db = new SQL({ url, max: 1 });
  await db.unsafe(POSTS + more);
  const given = { url, map: POSTS_MAP, slot: ownSlot(), ...reading };
  const community = await Community.open(given);
  const close = async () => {
    await community[Symbol.asyncDispose]();
    await db.close();
  };
  return { db, reading: given, community, [Symbol.asyncDispose]: close };
}

const post = (fields: string) => `insert into posts (id, author, body, topic) values (${fields});`;

describe('a community that reads a database', () => {
  test('equals its tables after a copy, changes meanwhile, and a restart', async () => {
    const forum = await Forum.open(await postgres.fresh());
    await forum.fill(times(1_500));
    const draw = seededRandom(7);
    const change = async (count: number) => {
      for (let at = 0; at < count; at += 5) {
        const sql = Array.from({ length: 5 }, () => forum.change(draw));
        await forum.db.unsafe(draw() < 0.9 ? sql.join(';') : `begin; ${sql.join(';')}; rollback`);
      }
    };
    const data = temporaryFolder('postgres');
    putEmptyData(data);
    const reading = { url: forum.url, map: MAP, slot: ownSlot(), data };
    {
      await using community = await Community.open(reading);
      await change(300);
      await community.untilCopied(LINES);
      await change(300);
      await community.caughtUp();
      expect(await community.contents()).toEqual(await forum.contents());
      await change(200);
    }
    await change(200);
    await using community = await Community.open(reading);
    await community.caughtUp();
    expect(await community.contents()).toEqual(await forum.contents());
    expect(await community.status()).toMatchObject({ rejected_count: 0, last_error: null, warnings: [] });
    await forum.db.close();
  });

  const LONG = 'long '.repeat(2_000);
  const CASES: [string, string, string, Record<string, object | undefined>][] = [
    [
      'adds a row',
      '',
      post("1, 'ann', 'one', 'tea'"),
      { 1: { author_id: 'ann', text: 'one', channel: 'tea' } },
    ],
    [
      'changes a column',
      post("1, 'ann', 'one', 'tea'"),
      "update posts set topic = 'milk'",
      { 1: { text: 'one', channel: 'milk' } },
    ],
    [
      'removes what becomes null',
      post("1, 'ann', 'one', 'tea'"),
      'update posts set topic = null',
      { 1: { text: 'one', channel: undefined } },
    ],
    [
      'removes what becomes empty',
      post("1, 'ann', 'one', 'tea'"),
      "update posts set topic = ''",
      { 1: { channel: undefined } },
    ],
    [
      'keeps a long text that does not change',
      post(`1, 'ann', '${LONG}', 'tea'`),
      "update posts set topic = 'milk'",
      { 1: { text: LONG, channel: 'milk' } },
    ],
    ['deletes a row', post("1, 'ann', 'one', 'tea'"), 'delete from posts', { 1: undefined }],
    [
      'adds a row again under its former key',
      post("1, 'ann', 'one', 'tea'"),
      `delete from posts; ${post("1, 'ben', 'two', null")}`,
      { 1: { author_id: 'ben', text: 'two', channel: undefined } },
    ],
    [
      'removes the former item when an identifier changes',
      post("1, 'ann', 'one', 'tea'"),
      'update posts set id = 2',
      { 1: undefined, 2: { text: 'one' } },
    ],
    [
      'removes an item whose row is to be left out',
      post("1, 'ann', 'one', 'tea'"),
      "update posts set state = 'draft'",
      { 1: undefined },
    ],
    [
      'adds an item whose row was left out',
      "insert into posts (id, author, body, state) values (1, 'ann', 'one', 'draft');",
      "update posts set state = 'live'",
      { 1: { text: 'one' } },
    ],
    [
      'takes an item without an author',
      '',
      post("1, null, 'one', null"),
      { 1: { author_id: null, text: 'one' } },
    ],
    [
      'ignores a transaction that is rolled back',
      '',
      `begin; ${post("1, 'ann', 'one', 'tea'")} rollback`,
      { 1: undefined },
    ],
    [
      'deletes nothing at a TRUNCATE',
      post("1, 'ann', 'one', 'tea'"),
      'truncate posts',
      { 1: { text: 'one' } },
    ],
  ];
  test.each(CASES)('%s', async (_, before, change, expected) => {
    await using given = await small(before);
    const { community, db } = given;
    await community.untilCopied(2);
    await db.unsafe(change);
    await community.caughtUp();
    for (const [id, fields] of Object.entries(expected)) {
      const item = await community.read(`items/${id}`);
      if (fields === undefined) expect(item).toMatchObject({ status: 404 });
      else
        for (const [name, value] of Object.entries(fields)) expect(item[name] ?? null).toEqual(value ?? null);
    }
  });
});

describe('what an operator should know', () => {
  test('is named while the rest goes on: a TRUNCATE, a refused value, a renamed column', async () => {
    await using given = await small(post("1, 'ann', 'one', 'tea'"));
    const { community, db } = given;
    await community.untilCopied(2);
    await db.unsafe('truncate posts');
    await db.unsafe(`insert into posts (id, author, body, made) values (2, 'ann', 'two', null)`);
    await db.unsafe(
      `alter table posts rename column topic to subject; ${"insert into posts (id, author, body) values (3, 'ann', 'three')"}`,
    );
    await community.caughtUp();
    expect(await community.read('items/3')).toMatchObject({ text: 'three' });
    const { warnings, state } = await community.status();
    expect(state).toBe('running');
    expect(warnings.join('\n')).toContain('public.posts: emptied by TRUNCATE');
    expect(warnings.join('\n')).toContain(
      '1 rows were refused, the last one posts 2: created_at: is required for a new item',
    );
    expect(warnings.join('\n')).toContain('there is no column topic');
    await db.unsafe(`alter table posts rename column subject to topic; ${post("4, 'ann', 'four', 'tea'")}`);
    await community.caughtUp();
    expect((await community.status()).warnings.join()).not.toContain('column');
    expect(await community.read('items/4')).toMatchObject({ channel: 'tea' });
  });

  test('is a lost slot, after which all tables are copied again', async () => {
    const data = temporaryFolder('postgres');
    putEmptyData(data);
    const given = await small(post("1, 'ann', 'one', 'tea'"), { data });
    const { reading, db } = given;
    await given.community.untilCopied(2);
    await given.community[Symbol.asyncDispose]();
    await db.unsafe(`select pg_drop_replication_slot('${reading.slot}'); ${post("2, 'ann', 'two', 'tea'")}`);
    await using community = await Community.open(reading);
    await community.caughtUp();
    expect(await community.read('items/2')).toMatchObject({ text: 'two' });
    expect((await community.status()).warnings.join()).toContain(`the slot ${reading.slot} was dropped`);
    await db.close();
  });

  test('is a slot that another reader has moved on', async () => {
    const data = temporaryFolder('postgres');
    putEmptyData(data);
    const given = await small(post("1, 'ann', 'one', 'tea'"), { data });
    const { reading, db } = given;
    await given.community.untilCopied(2);
    await given.community[Symbol.asyncDispose]();
    await db.unsafe(`set synchronous_commit = on; ${post("2, 'ann', 'two', 'tea'")}`);
    await db.unsafe(`select pg_replication_slot_advance('${reading.slot}', pg_current_wal_lsn())`);
    await using community = await Community.open(reading);
    await community.caughtUp();
    expect(await community.read('items/2')).toMatchObject({ text: 'two' });
    expect((await community.status()).warnings.join()).toContain('was read further than what is stored here');
    await db.close();
  });

  test('is a table whose deletions do not name the mapped columns, with the SQL that mends it', async () => {
    const likes = 'create table likes (id int primary key, who text, post int, made timestamptz);';
    const map = `likes=interactions:user_id=who,item_id=post,timestamp=made,event_type='like'`;
    await using given = await small(likes, { map });
    const { last_error } = await given.community.until(({ state }) => state === 'stalled');
    expect(last_error).toContain(
      'deletions in likes do not name who, post: alter table "public"."likes" replica identity full',
    );
  });

  test.each([
    ['a table that is missing', 'topics=items:item_id=id', 'there is no table topics'],
    ['a view', 'recent=items:item_id=id', 'recent is no table'],
    ['a table without a primary key', 'loose=items:item_id=id', 'loose has no primary key'],
    ['a column that is missing', 'posts=items:item_id=nr', 'there is no column nr'],
    ['a kind that rows cannot be', 'posts=impressions:item_id=id', 'rows cannot be impressions'],
  ])('is %s', async (_, map, expected) => {
    await using given = await small(
      'create view recent as select * from posts; create table loose (id int);',
      { map },
    );
    expect((await given.community.until(({ state }) => state === 'stalled')).last_error).toContain(expected);
  });

  test('is a role that may not replicate, and never its password', async () => {
    const url = await postgres.fresh();
    const db = new SQL({ url, max: 1 });
    const role = `reader_${process.pid}`;
    await db.unsafe(
      `${POSTS} create role ${role} login password 'open-sesame-17'; grant select on all tables in schema public to ${role}`,
    );
    const poor = new URL(url);
    [poor.username, poor.password] = [role, 'open-sesame-17'];
    await using community = await Community.open({ url: poor.href, map: POSTS_MAP, slot: ownSlot() });
    const status = await community.until(({ state }) => state === 'stalled');
    expect(status.last_error).toContain('feedloom connect-postgres --print-sql');
    for (const text of [JSON.stringify(status), community.server.log.join('\n')])
      expect(text).not.toContain('open-sesame-17');
    await db.close();
  });

  test('is a log that grows behind the slot', async () => {
    await using given = await small('', { options: '&warn_mb=1' });
    const { community, db } = given;
    await community.untilCopied(2);
    // An open transaction keeps the log from its beginning on.
    const other = new SQL({ url: given.reading.url, max: 1 });
    const held = await other.reserve();
    await held.unsafe(`begin; ${post("1, 'ann', 'one', 'tea'")}`);
    await db.unsafe(
      "create table noise (text text); insert into noise select repeat('x', 1000) from generate_series(1, 5000)",
    );
    await db.unsafe('checkpoint');
    community.server.clock.advance(31);
    const { warnings } = await community.until((status) => status.warnings.length > 0);
    expect(warnings[0]).toMatch(/^the server keeps \d+ MB of its log for the slot slot_/);
    await held.unsafe('commit');
    held.release();
    await other.close();
  });
});

test('an idle database lets go of its log, and its connector stays running', async () => {
  await using given = await small();
  const { community, db, reading } = given;
  await community.untilCopied(2);
  await db.unsafe(
    "create table noise (text text); insert into noise select repeat('x', 1000) from generate_series(1, 5000)",
  );
  const [{ lsn }] = await db.unsafe('select pg_current_wal_lsn() as lsn');
  for (let has_passed = false; !has_passed; ) {
    community.server.clock.advance(1);
    const query = `select confirmed_flush_lsn >= '${lsn}' as passed from pg_replication_slots where slot_name = '${reading.slot}'`;
    [{ passed: has_passed }] = await db.unsafe(query);
  }
  expect(await community.status()).toMatchObject({ state: 'running', restarts_count: 0, warnings: [] });
});

test('files and the tables that they were copied from count once', async () => {
  const forum = await Forum.open(await postgres.fresh());
  await forum.fill(600);
  const [data, folder] = [temporaryFolder('postgres'), temporaryFolder('dump')];
  putEmptyData(data);
  await forum.dump(folder);
  const ran = await run('import', folder, '--data', data, '--map-file', join(folder, 'maps'));
  expect(ran).toMatchObject({ code: 0 });
  const expected = await forum.contents();
  {
    await using community = await Community.open({ url: forum.url, map: MAP, slot: ownSlot(), data });
    expect(await community.contents()).toEqual({ ...expected, items: expect.anything() });
    await community.untilCopied(LINES);
    await community.caughtUp();
    expect(await community.contents()).toEqual(expected);
  }
  const again = await run('import', folder, '--data', data, '--map-file', join(folder, 'maps'));
  expect(again.stdout).toContain('0 changes stored');
  await forum.db.close();
});

let two_rows: Promise<Record<string, string>> | undefined;

/** Two rows, with a slot of its own for each check. */
async function source() {
  two_rows ??= twoRows();
  return { options: { ...(await two_rows), slot: ownSlot() } };
}

async function twoRows(): Promise<Record<string, string>> {
  const url = await postgres.fresh();
  const db = new SQL({ url, max: 1 });
  await db.unsafe(POSTS);
  await db.unsafe(`${post("1, 'ann', 'one', 'tea'")} insert into users values (2, 'Ben')`);
  await db.close();
  const map = join(temporaryFolder('maps'), 'maps');
  writeFileSync(map, POSTS_MAP);
  return { url, map };
}

testConnector(builtIn, 'postgres', {
  cases: [
    {
      name: 'copies rows, and goes on after a crash at any emit',
      open: source,
      expect: [
        {
          kind: 'item',
          record: {
            ...{ item_id: '1', author_id: 'ann', text: 'one', channel: 'tea' },
            created_at: '2025-01-01 00:00:00+00',
          },
          in_order: true,
        },
        { kind: 'user', record: { user_id: '2', username: 'Ben', created_at: null }, in_order: true },
      ],
    },
  ],
});
