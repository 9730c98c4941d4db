import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { LogicalServer } from '../../support/postgres/logical-server.ts';
import { Community, type Reading } from './postgres-community.ts';

const postgres = LogicalServer.start('postgres-logical');

const USERS = 'create table users (id int primary key, name text, created_at timestamptz);';
const USERS_MAP = 'users=users:user_id=id,username=name\n';
const POSTS = `create table posts (id int primary key, author text, body text, state text default 'live', made timestamptz default '2025-01-01');
  alter table posts alter column body set storage external;`;
const POSTS_MAP = `posts=items:item_id=id,author_id=author,text=body,created_at=made,skip=state[draft:skip]\n`;
const LONG = 'long '.repeat(2_000);

let slots = 0;

interface Source extends AsyncDisposable {
  db: SQL;
  reading: Reading;
}

/** A database with tables, and how it is to be read. @param role reads instead of the owner */
async function source(sql: string, map: string, role?: string): Promise<Source> {
  const url = new URL(await postgres.fresh());
  const db = new SQL({ url: url.href, max: 1 });
  await db.unsafe(USERS + sql);
  if (role !== undefined) {
    await db.unsafe(`create role ${role} login replication password 'pw'; grant select on users to ${role}`);
    [url.username, url.password] = [role, 'pw'];
  }
  const reading = { url: url.href, map: USERS_MAP + map, slot: `tables_${process.pid}_${++slots}` };
  return { db, reading, [Symbol.asyncDispose]: () => db.close() };
}

describe('a community has what its tables have', () => {
  test.each([
    ['was left out before', "1, 'ann', repeat('long ', 2000), 'draft'", "update posts set state = 'live'", 1],
    ['gets another identifier', "1, 'ann', repeat('long ', 2000)", 'update posts set id = 2', 2],
  ])('when a row with a long text that does not change %s', async (_, row, change, id) => {
    const insert = `insert into posts (id, author, body${row.includes('draft') ? ', state' : ''}) values (${row})`;
    await using from = await source(POSTS + insert, POSTS_MAP);
    await using community = await Community.open(from.reading);
    await community.untilCopied(2);
    await from.db.unsafe(change);
    await community.caughtUp();
    expect(await community.read(`items/${id}`)).toMatchObject({ text: LONG });
  });

  test('when such a row has no column any more that it had', async () => {
    const insert = `insert into posts (id, author, body, state) values (1, 'ann', '${LONG}', 'draft')`;
    await using from = await source(POSTS + insert, POSTS_MAP);
    {
      await using community = await Community.open(from.reading);
      await community.untilCopied(2);
      await from.db.unsafe(
        "begin; update posts set state = 'live'; alter table posts drop column body; commit",
      );
      await community.caughtUp();
      expect(await community.read('items/1')).toMatchObject({ author_id: 'ann' });
    }
  });

  test('when numbers in JSON have more digits than a number keeps', async () => {
    const table = `create table notes (id int primary key, data jsonb, made timestamptz default now());
      insert into notes values (1, '{"author":{"id":9007199254740995}}')`;
    await using from = await source(table, 'notes=items:item_id=id,author_id=data.author.id,created_at=made');
    await using community = await Community.open(from.reading);
    await community.untilCopied(2);
    expect(await community.read('items/1')).toMatchObject({ author_id: '9007199254740995' });
  });

  test('when rows of partitions are deleted, once each partition names what is deleted', async () => {
    const tables = `create table posts (id int primary key, author text, made timestamptz default '2025-01-01');
      insert into posts values (1, 'ann');
      create table likes (id int, who text, post int, at timestamptz, primary key (id, at)) partition by range (at);
      create table likes_1 partition of likes for values from ('2025-01-01') to ('2025-07-01');
      create table "Likes 2" partition of likes for values from ('2025-07-01') to ('2026-01-01');
      alter table likes replica identity full;
      insert into likes values (1, 'ann', 1, '2025-02-02'), (2, 'ben', 1, '2025-08-02'), (3, 'cat', 1, '2025-08-02')`;
    const map = `posts=items:item_id=id,author_id=author,created_at=made
      likes=interactions:user_id=who,item_id=post,timestamp=at,event_type='like'`;
    await using from = await source(tables, map);
    await using community = await Community.open(from.reading);
    const { last_error } = await community.until(({ state }) => state === 'stalled');
    const missing = 'deletions in likes do not name who, post: ';
    expect(last_error).toContain(missing);
    await from.db.unsafe(last_error.slice(last_error.indexOf(missing) + missing.length));
    await using again = await Community.open(from.reading);
    await again.untilCopied(3);
    expect(await again.read('items/1')).toMatchObject({ likes_count: 3 });
    await from.db.unsafe('delete from likes where id < 3');
    // A row that moves to another partition is deleted and inserted.
    await from.db.unsafe("update likes set at = '2025-03-03'");
    await again.caughtUp();
    expect(await again.read('items/1')).toMatchObject({ likes_count: 1 });
  });

  test('when its key includes further columns, and is no column of the first', async () => {
    const table = `create table posts (title text, id int, shop int, made timestamptz default now(), primary key (shop, id) include (title));
      insert into posts select 'title ' || n, n % 300, n / 300 from generate_series(1, 600) n`;
    await using from = await source(table, 'posts=items:item_id=title,author_id=shop,created_at=made');
    await using community = await Community.open(from.reading);
    const { last_error } = await community.until(({ state }) => state === 'stalled');
    expect(last_error).toContain('deletions in posts do not name title');
    await from.db.unsafe('alter table posts replica identity full');
    await using again = await Community.open(from.reading);
    await again.untilCopied(2);
    expect((await again.status()).records_count).toBe(600);
  });
});

describe('a table is refused by its reason', () => {
  const ROLE = `poor_${process.pid}`;

  test('if a mapped column is generated, since the log leaves it out', async () => {
    const table = `create table posts (id int primary key, author text, first text, body text generated always as (first || '!') stored, made timestamptz)`;
    await using from = await source(
      table,
      'posts=items:item_id=id,author_id=author,text=body,created_at=made',
    );
    await using community = await Community.open(from.reading);
    const { last_error } = await community.until(({ state }) => state === 'stalled');
    expect(last_error).toContain('generated columns of posts are not in the log: body');
  });

  test('if the role may not read it, or row-level security hides its rows, with the SQL that mends it', async () => {
    const tables = `create schema "My Shop"; create table "My Shop".goods (id int primary key, author text, made timestamptz default now());
      insert into "My Shop".goods values (1, 'ann'); alter table "My Shop".goods enable row level security`;
    await using from = await source(
      tables,
      'My Shop.goods=items:item_id=id,author_id=author,created_at=made',
      ROLE,
    );
    await using community = await Community.open(from.reading);
    const { last_error } = await community.until(({ state }) => state === 'stalled');
    const statements = [
      `grant usage on schema "My Shop" to "${ROLE}"`,
      `grant select on "My Shop"."goods" to "${ROLE}"`,
      `create policy feedloom on "My Shop"."goods" for select to "${ROLE}" using (true)`,
    ];
    for (const statement of statements) {
      // The role is a part of the address, which is not shown.
      expect(last_error).toContain(statement.replace(ROLE, '…'));
      await from.db.unsafe(statement);
    }
    await from.db.unsafe('create publication feedloom for table users, "My Shop".goods');
    await using again = await Community.open(from.reading);
    await again.untilCopied(2);
    expect(await again.read('items/1')).toMatchObject({ author_id: 'ann' });
  });
});
