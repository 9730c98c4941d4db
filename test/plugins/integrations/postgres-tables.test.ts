import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { temporaryFolder } from '../../support/folder.ts';
import { settled } from '../../support/manual-timers.ts';
import { LogicalServer } from '../../support/postgres/logical-server.ts';
import { openTestServer } from '../../support/service.ts';
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

/** The status of a start that is refused. The connector has stopped, so that no further attempt of it takes the slot. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function refused(reading: Reading): Promise<any> {
  await using community = await Community.open(reading);
  return await community.until(({ state }) => state === 'stalled');
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
    const { last_error } = await refused(from.reading);
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
    const { last_error } = await refused(from.reading);
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
    const { last_error } = await refused(from.reading);
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
    const { last_error } = await refused(from.reading);
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

describe('while the community follows its tables', () => {
  const TABLE =
    "create table posts (id int primary key, author text, made timestamptz default '2025-01-01');";
  const LINE = 'posts=items:item_id=id,author_id=author,created_at=made';
  const row = (id: number) => `insert into posts values (${id}, 'ann');`;

  /** Lets the connector look at its tables again, and waits for a restart. */
  const restarted = (community: Community) =>
    community.until(({ restarts_count }) => {
      community.server.clock.advance(31);
      return restarts_count > 0;
    });

  test('a table that takes the place of another one is copied', async () => {
    await using from = await source(TABLE + row(1), LINE);
    await using community = await Community.open(from.reading);
    await community.untilCopied(2);
    await from.db.unsafe(
      'begin; create table other (like posts including all); drop table posts; alter table other rename to posts; commit',
    );
    await from.db.unsafe(row(2));
    await restarted(community);
    await community.caughtUp();
    expect(await community.read('items/2')).toMatchObject({ author_id: 'ann' });
  });

  test('a renamed table is named, also after a restart, and the others go on until it is back', async () => {
    await using from = await source(TABLE + row(1), LINE);
    await using community = await Community.open(from.reading);
    await community.untilCopied(2);
    await from.db.unsafe('alter table posts rename to articles');
    await restarted(community);
    await community.caughtUp();
    const { state, warnings } = await community.status();
    expect(state).toBe('running');
    expect(warnings.join()).toContain('there is no table posts');
    await from.db.unsafe(`alter table articles rename to posts; ${row(3)}`);
    await community.until(({ restarts_count }) => {
      community.server.clock.advance(31);
      return restarts_count > 1;
    });
    await community.untilCopied(2);
    expect(await community.read('items/3')).toMatchObject({ author_id: 'ann' });
    expect((await community.status()).warnings).toEqual([]);
  });

  test('a table that the publication lost is copied again', async () => {
    await using from = await source(TABLE + row(1), LINE);
    await using community = await Community.open(from.reading);
    await community.untilCopied(2);
    await from.db.unsafe(`alter publication feedloom drop table posts; ${row(2)}`);
    await restarted(community);
    await community.caughtUp();
    expect(await community.read('items/2')).toMatchObject({ author_id: 'ann' });
  });

  test('all refused rows of a batch are counted, and the last ones are named', async () => {
    await using from = await source(TABLE, LINE);
    await using community = await Community.open(from.reading);
    await community.untilCopied(2);
    await from.db.unsafe("insert into posts select n, 'ann', null from generate_series(1, 240) n");
    await community.caughtUp();
    expect((await community.status()).warnings.join()).toMatch(
      /240 rows were refused, the last one posts 240: created_at: is required .*; before it posts 239, posts 238,/,
    );
  });

  test('all hidden users of a batch whose rows are deleted are erased', async () => {
    await using from = await source(
      "insert into users select n, 'user ' || n from generate_series(1, 120) n",
      '',
    );
    await using community = await Community.open(from.reading);
    await community.untilCopied(1);
    const hidden = Array.from({ length: 120 }, (_, at) => ({ user_id: `${at + 1}`, hidden: true }));
    await community.server.post('/v2/community/users', hidden);
    await from.db.unsafe('delete from users');
    await community.caughtUp();
    expect(await community.read('users/120')).toMatchObject({ status: 404 });
  });

  test('a slot that waits for other transactions says so', async () => {
    await using from = await source(TABLE, LINE);
    const other = new SQL({ url: from.reading.url, max: 1 });
    const held = await other.reserve();
    await held.unsafe(`begin; ${row(1)}`);
    await using community = await Community.open(from.reading);
    const { warnings } = await community.until((status) => status.warnings.length > 0);
    expect(warnings).toEqual(['the slot waits for the end of transactions that are older']);
    await held.unsafe('commit');
    held.release();
    await other.close();
    await community.untilCopied(2);
    expect((await community.status()).warnings).toEqual([]);
  });

  test.each(['postgres://ann:open#sesame@127.0.0.1/forum', 'postgres://ann:open/sesame@127.0.0.1/forum'])(
    'an address that is not encoded is explained and not shown: %s',
    async (url) => {
      const connect = [`postgres?url=${encodeURIComponent(url)}&map=${mapFile()}`];
      await using server = await openTestServer({ settings: { connect }, opening: { random: () => 0 } });
      server.service.connectors.start();
      let error: string | null = null;
      while (error === null) {
        await settled();
        error = (await server.get('/api/connectors')).body.data[0].last_error;
      }
      expect(error).toContain('are written as %40');
      expect(`${error} ${server.log.join()}`).not.toContain('sesame');
    },
  );
});

function mapFile(): string {
  const file = join(temporaryFolder('maps'), 'maps');
  writeFileSync(file, USERS_MAP);
  return file;
}
