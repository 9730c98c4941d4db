import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { testConnector } from 'feedloom/plugin/testing';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { LogicalServer } from '../../support/postgres/logical-server.ts';
import { putEmptyData } from '../../support/prepared-data.ts';
import { START } from '../../support/service.ts';
import { builtIn } from '../built-in.ts';
import { Community, type Reading } from './postgres-community.ts';
import { Forum, MAP } from './postgres-forum.ts';

const LINES = 6;
const DELETE = '&truncate=delete';
const postgres = LogicalServer.start('postgres-logical');

/** Slots belong to the server, so each test has one of its own. */
let slots = 0;
const ownSlot = () => `truncate_${process.pid}_${++slots}`;

describe('a TRUNCATE', () => {
  let forum: Forum;
  beforeAll(async () => {
    forum = await Forum.open(await postgres.fresh());
  });
  afterAll(() => forum.db.close());

  /** A community that has copied the filled tables. */
  async function opened(options: string, rows = 600): Promise<Community> {
    await forum.db.unsafe('truncate users cascade');
    await forum.fill(rows);
    const community = await Community.open({ url: forum.url, map: MAP, slot: ownSlot(), options });
    await community.untilCopied(LINES);
    return community;
  }

  test.each([
    ['likes', 'truncate likes'],
    ['comments, by their event ids', 'truncate comments'],
    ['follows', 'truncate follows'],
    ['blocks', 'truncate blocks'],
    ['posts, and of the tables that refer to them', 'truncate posts cascade'],
    ['users, and of the tables that refer to them', 'truncate users cascade'],
    [
      'likes, between rows of the same transaction',
      `begin; delete from likes where id = 1; insert into likes (user_id, post_id, created_at) values (1, 1, now()) on conflict do nothing;
        truncate likes; insert into likes (user_id, post_id, created_at) values (2, 3, '2025-01-01'); commit`,
    ],
    ['likes, which is rolled back', 'begin; truncate likes; rollback'],
  ])('takes back the records of %s, with truncate=delete', async (_, sql) => {
    await using community = await opened(DELETE);
    const before = await community.contents();
    for (const records of Object.values(before)) expect(records).not.toEqual([]);
    await forum.db.unsafe(sql);
    await community.caughtUp();
    expect(await community.contents()).toEqual(await forum.contents());
    expect(await community.status()).toMatchObject({ rejected_count: 0, last_error: null, warnings: [] });
  });

  test('leaves acts of other types, and comments without an event id', async () => {
    await using community = await opened(DELETE);
    const act = (event_type: string) => ({ user_id: '1', item_id: '1', event_type, timestamp: START - 10 });
    const { body } = await community.server.post('/v2/community/interactions', [
      act('share'),
      act('comment'),
    ]);
    expect(body).toMatchObject({ accepted: 2 });
    await forum.db.unsafe('truncate likes; truncate comments');
    await community.caughtUp();
    expect(await community.read('items/1')).toMatchObject({
      likes_count: 0,
      comments_count: 1,
      shares_count: 1,
    });
  });

  test('deletes nothing without the option, and is named', async () => {
    await using community = await opened('');
    const before = await community.contents();
    await forum.db.unsafe('truncate users cascade');
    await community.caughtUp();
    expect(await community.contents()).toEqual(before);
    expect((await community.status()).warnings.join()).toContain('public.likes');
  });

  test('is completed by the next start if the service is stopped meanwhile', async () => {
    await forum.db.unsafe('truncate users cascade');
    await forum.fill(4_000);
    const data = temporaryFolder('postgres');
    putEmptyData(data);
    const reading: Reading = { url: forum.url, map: MAP, slot: ownSlot(), data, options: DELETE };
    {
      await using community = await Community.open(reading);
      await community.untilCopied(LINES);
      await community.caughtUp();
      const { records_count } = await community.status();
      await forum.db.unsafe('truncate likes');
      await community.until((status) => status.records_count > records_count);
    }
    await using community = await Community.open(reading);
    await community.caughtUp();
    expect(await community.contents()).toEqual(await forum.contents());
  });

  test('is published by a publication that was made without it', async () => {
    const slot = ownSlot();
    await forum.db.unsafe(
      `create publication ${slot} for all tables with (publish = 'insert, update, delete')`,
    );
    await using community = await opened(`${DELETE}&publication=${slot}`);
    await forum.db.unsafe('truncate likes');
    await community.caughtUp();
    expect((await community.contents()).likes).toEqual([]);
  });
});

const AMBIGUOUS: [string, string, string][] = [
  ['two tables of posts', 'posts=items:item_id=id', 'topics=items:item_id=id'],
  ['two tables of comments', "a=interactions:event_type='comment'", "b=interactions:event_type='comment'"],
  [
    'likes, and a table of all acts',
    "likes=interactions:event_type='like'",
    'acts=interactions:event_type=kind',
  ],
  [
    'likes, and rules that can give one',
    "likes=interactions:event_type='like'",
    'acts=interactions:event_type=kind[up:like,*:hide]',
  ],
  [
    'posts of a channel, and posts whose rules can give none',
    'news=items:item_id=id,channel=topic[*:news]',
    'posts=items:item_id=id,channel=topic[*:tea]',
  ],
];
const APART: [string, string, string][] = [
  ['likes and comments', "a=interactions:event_type='like'", "b=interactions:event_type='comment'"],
  [
    'rules that give other types',
    "a=interactions:event_type='like'",
    'b=interactions:event_type=kind[up:share,*:skip]',
  ],
  ['posts of two channels', "news=items:item_id=id,channel='news'", "posts=items:item_id=id,channel='tea'"],
  ['two kinds', 'a=follows:user_id=x', 'b=blocks:user_id=x'],
  [
    'one table twice',
    "a=interactions:item_id=x,event_type='like'",
    "a=interactions:item_id=y,event_type='like'",
  ],
];

describe('a start with truncate=delete', () => {
  const start = async (lines: string[], options = DELETE) => {
    await using _ = await Community.open({
      url: 'postgres://localhost:1/forum',
      map: lines.join('\n'),
      options,
    });
  };

  test.each(AMBIGUOUS)('is refused for %s, with the names of both tables', async (_, first, second) => {
    const [one, other] = [first, second].map((line) => line.split('=')[0]);
    await expect(start([first, second])).rejects.toThrow(`truncate=delete: ${one} and ${other} are both`);
    await start([first, second], '');
  });

  test.each(APART)('is not refused for %s', async (_, first, second) => {
    await start([first, second]);
  });
});

const like = (user: number, event_type = 'like') => ({
  ...{ user_id: `u${user}`, item_id: 'p', event_type },
});
const RECORDS: ConnectorRecord[] = Array.from({ length: 600 }, (_, user) => ({
  kind: 'interaction',
  record: { ...like(user), timestamp: START - 1_000 },
}));

/** A table that was emptied after its slot was made. */
async function emptied() {
  const url = await postgres.fresh();
  const db = new SQL({ url, max: 1 });
  const slot = ownSlot();
  await db.unsafe(`create table likes (id int primary key, who text, post text, made timestamptz);
    alter table likes replica identity full; create publication feedloom for table likes;`);
  await db.unsafe(`select pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
  await db.unsafe('truncate likes');
  await db.close();
  const map = join(temporaryFolder('maps'), 'maps');
  writeFileSync(map, `likes=interactions:user_id=who,item_id=post,timestamp=made,event_type='like'`);
  return { options: { url, map, slot, truncate: 'delete' } };
}

testConnector(builtIn, 'postgres', {
  cases: [
    {
      name: 'repeats a TRUNCATE after a crash at any emit of its removals',
      open: emptied,
      stored: [
        ...RECORDS,
        { kind: 'interaction', record: { ...like(0, 'share'), timestamp: START - 1_000 } },
      ],
      expect: RECORDS.map((_, user) => ({
        kind: 'interaction',
        record: { ...like(user), action: 'remove' },
        in_order: true,
      })),
    },
  ],
});
