/** A forum in PostgreSQL, and what a community that equals its tables has. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';

const SCHEMA = `
create table users (id bigint primary key, name text not null, created_at timestamptz not null);
create table posts (id bigint primary key, author_id bigint not null references users on delete cascade, body text not null,
  topic text, state text not null default 'live', created_at timestamptz not null);
create table comments (id bigint primary key, user_id bigint not null references users on delete cascade,
  post_id bigint not null references posts on delete cascade, created_at timestamptz not null);
create table likes (id bigint generated always as identity primary key, user_id bigint not null references users on delete cascade,
  post_id bigint not null references posts on delete cascade, created_at timestamptz not null, unique (user_id, post_id));
create table follows (follower_id bigint references users on delete cascade, followee_id bigint references users on delete cascade,
  created_at timestamptz not null, primary key (follower_id, followee_id));
create table blocks (blocker_id bigint references users on delete cascade, blocked_id bigint references users on delete cascade,
  created_at timestamptz not null, primary key (blocker_id, blocked_id));
create index on posts (author_id); create index on comments (user_id); create index on comments (post_id);
create index on likes (post_id); create index on follows (followee_id); create index on blocks (blocked_id);
alter table comments replica identity full;
alter table likes replica identity full;
alter table posts alter column body set storage external;
`;

export const MAP = `
# users and what they write
users=users:user_id=id,username=name,created_at=created_at
posts=items:item_id=id,author_id=author_id,text=body,channel=topic,created_at=created_at,hidden=state[removed:true,*:false],skip=state[draft:skip]

comments=interactions:event_id=id,user_id=user_id,item_id=post_id,event_type='comment',timestamp=created_at
likes=interactions:user_id=user_id,item_id=post_id,event_type='like',timestamp=created_at
follows=follows:user_id=follower_id,target_user_id=followee_id,timestamp=created_at
blocks=blocks:user_id=blocker_id,target_user_id=blocked_id,timestamp=created_at
`;

export const TABLES = ['users', 'posts', 'comments', 'likes', 'follows', 'blocks'];

/** The times of rows lie in 2025. */
const time = (number: string) => `timestamptz '2025-01-01' + ${number} * interval '1 second'`;

/** Sorted texts, one for each record. */
export type Contents = Record<'users' | 'items' | 'comments' | 'likes' | 'follows' | 'blocks', string[]>;

export class Forum {
  private constructor(
    readonly url: string,
    readonly db: SQL,
  ) {}

  static async open(url: string): Promise<Forum> {
    const db = new SQL({ url, max: 1 });
    await db.unsafe(SCHEMA);
    return new Forum(url, db);
  }

  /** Fills the tables with so many rows altogether. */
  async fill(rows_count: number): Promise<void> {
    const [users, posts] = [Math.ceil(rows_count / 20), Math.ceil(rows_count / 5)];
    const others = Math.ceil((rows_count - users - posts) / 4);
    const some = (count: number, step: number) => `1 + (n * ${step}) % ${count}`;
    await this.db.unsafe(`
      insert into users select n, 'user ' || n, ${time('n')} from generate_series(1, ${users}) n;
      insert into posts select n, ${some(users, 7)}, 'post ' || n, case when n % 3 > 0 then 'topic ' || n % 10 end,
        case n % 50 when 0 then 'draft' when 1 then 'removed' else 'live' end, ${time('n')} from generate_series(1, ${posts}) n;
      insert into comments select n, ${some(users, 11)}, p, ${time('n')} from generate_series(1, ${others}) n,
        lateral (select ${some(posts, 13)} as p) x where p % 50 > 0;
      insert into likes (user_id, post_id, created_at) select ${some(users, 17)}, p, ${time('n')} from generate_series(1, ${others}) n,
        lateral (select ${some(posts, 19)} as p) x where p % 50 > 0 on conflict do nothing;
      insert into follows select a, b, ${time('n')} from generate_series(1, ${others}) n,
        lateral (select ${some(users, 1)} as a, 1 + (n * 29 + n / ${users}) % ${users} as b) x where a <> b on conflict do nothing;
      insert into blocks select a, b, ${time('n')} from generate_series(1, ${others}) n,
        lateral (select ${some(users, 1)} as a, 1 + (n * 31 + n / ${users}) % ${users} as b) x where a <> b on conflict do nothing;
      analyze;
    `);
  }

  /** Writes the map, and every table as CSV as psql does. */
  async dump(folder: string): Promise<void> {
    writeFileSync(join(folder, 'maps'), MAP);
    for (const table of TABLES) {
      const rows: Record<string, unknown>[] = await this.db.unsafe(
        `select to_jsonb(t) as row from ${table} t`,
      );
      const objects = rows.map(({ row }) => row as Record<string, unknown>);
      const names = Object.keys(objects[0] ?? {});
      const lines = [names, ...objects.map((row) => names.map((name) => row[name] ?? ''))];
      writeFileSync(join(folder, `${table}.csv`), lines.map((cells) => `${cells.join()}\n`).join(''));
    }
  }

  /** What the community has if it equals the tables. */
  async contents(): Promise<Contents> {
    const list = async (columns: string, from: string) => {
      const rows: { text: string }[] = await this.db.unsafe(
        `select concat_ws('|', ${columns}) as text from ${from}`,
      );
      return rows.map(({ text }) => text).sort();
    };
    const seconds = 'extract(epoch from created_at)::bigint';
    return {
      users: await list(`id, name, ${seconds}`, 'users'),
      items: await list(
        `id, author_id, md5(body), coalesce(topic, ''), state = 'removed', ${seconds}`,
        "posts where state <> 'draft'",
      ),
      comments: await list('user_id, post_id, id', 'comments'),
      likes: await list('user_id, post_id', 'likes'),
      follows: await list('follower_id, followee_id', 'follows'),
      blocks: await list('blocker_id, blocked_id', 'blocks'),
    };
  }

  /** SQL of a random change of some rows. @param draw a number from 0 to 1 */
  change(draw: () => number): string {
    const number = () => Math.floor(draw() * 1e9);
    // Mostly of a row that there is.
    const some = (table: string, where = 'true') =>
      `(select id from ${table} where id >= ((select coalesce(max(id), 0) from ${table}) * ${draw()})::bigint and ${where} order by id limit 1)`;
    const user = () => some('users');
    const post = () => some('posts', "state <> 'draft'");
    const when = () => time(`${number() % 30_000_000}`);
    const pair = (table: string, from: string) => {
      const [one, other] = [user(), user()];
      if (draw() < 0.4)
        return `delete from ${table} where ctid = (select ctid from ${table} where ${from} >= ${one} order by ${from} limit 1)`;
      return `insert into ${table} select a, b, ${when()} from (select ${one} as a, ${other} as b) x where a <> b on conflict do nothing`;
    };
    const next = (table: string) => `(select coalesce(max(id), 0) + 1 from ${table})`;
    const CHANGES: [number, () => string][] = [
      [3, () => `insert into users values (${next('users')}, 'user ${number()}', ${when()})`],
      [1, () => `update users set name = 'user ${number()}' where id = ${user()}`],
      [0.3, () => `delete from users where id = ${user()}`],
      [
        6,
        () =>
          `insert into posts select ${next('posts')}, a, 'post ${number()}', 'topic', '${draw() < 0.1 ? 'draft' : 'live'}', ${when()} from (select ${user()} as a) x where a is not null`,
      ],
      // Longer than a page, so that the log leaves it out while it does not change.
      [2, () => `update posts set body = repeat('${number()} ', 1200) where id = ${post()}`],
      [
        3,
        () =>
          `update posts set topic = ${draw() < 0.3 ? 'null' : `'topic ${number() % 9}'`} where id = ${post()}`,
      ],
      [2, () => `update posts set state = '${draw() < 0.5 ? 'removed' : 'live'}' where id = ${post()}`],
      [1, () => `update posts set state = 'live' where id = ${some('posts', "state = 'draft'")}`],
      [1, () => `delete from posts where id = ${post()}`],
      [
        6,
        () =>
          `insert into comments select ${next('comments')}, a, b, ${when()} from (select ${user()} as a, ${post()} as b) x where a is not null and b is not null`,
      ],
      [2, () => `delete from comments where id = ${some('comments')}`],
      [
        8,
        () =>
          `insert into likes (user_id, post_id, created_at) select a, b, ${when()} from (select ${user()} as a, ${post()} as b) x where a is not null and b is not null on conflict do nothing`,
      ],
      [4, () => `delete from likes where id = ${some('likes')}`],
      [1, () => `update likes set created_at = ${when()} where id = ${some('likes')}`],
      // Takes a like back, and gives it again with another time.
      [
        2,
        () =>
          `with gone as (delete from likes where id = ${some('likes')} returning user_id, post_id) insert into likes (user_id, post_id, created_at) select user_id, post_id, ${when()} from gone on conflict do nothing`,
      ],
      [4, () => pair('follows', 'follower_id')],
      [2, () => pair('blocks', 'blocker_id')],
    ];
    let at = draw() * CHANGES.reduce((sum, [weight]) => sum + weight, 0);
    const [, make] =
      CHANGES.find(([weight]) => {
        at -= weight;
        return at < 0;
      }) ?? CHANGES[0];
    return make();
  }
}

/** What an export in a folder has, in the same form. */
export function exported(folder: string): Contents {
  const linesOf = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').filter(Boolean) : [];
  };
  const objects = (name: string) => linesOf(name).map((line): Record<string, unknown> => JSON.parse(line));
  const rows = (name: string) => {
    const [header = '', ...lines] = linesOf(name);
    const names = header.split(',');
    return lines.map((line) => {
      const cells = line.split(',');
      return Object.fromEntries(names.map((column, index) => [column, cells[index]]));
    });
  };
  const acts = (event_type: string) =>
    rows('interactions.csv').filter((row) => row.event_type === event_type);
  const pairs = (name: string) =>
    rows(name)
      .map((row) => `${row.user_id}|${row.target_user_id}`)
      .sort();
  const md5 = (text: unknown) => new Bun.CryptoHasher('md5').update(String(text)).digest('hex');
  const flag = (value: unknown) => (value === true ? 't' : 'f');
  return {
    users: objects('users.jsonl')
      .map(({ user_id, username, created_at }) => `${user_id}|${username}|${created_at}`)
      .sort(),
    items: objects('items.jsonl')
      .map(
        (item) =>
          `${item.item_id}|${item.author_id}|${md5(item.text)}|${item.channel ?? ''}|${flag(item.hidden_by_network)}|${item.created_at}`,
      )
      .sort(),
    comments: acts('comment')
      .map((row) => `${row.user_id}|${row.item_id}|${row.event_id}`)
      .sort(),
    likes: acts('like')
      .map((row) => `${row.user_id}|${row.item_id}`)
      .sort(),
    follows: pairs('follows.csv'),
    blocks: pairs('blocks.csv'),
  };
}
