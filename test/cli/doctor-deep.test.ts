import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { nft, wallet } from '../alpha/support.ts';
import { jsonl } from '../interchange/support.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { about, type Diagnosis, diagnosisOf, doctor } from './doctor-support.ts';
import { run, runWith } from './run.ts';

const T = 1_795_000_000;
const USERS = Array.from({ length: 12 }, (_, index) => `u${index}`);
const ITEMS = Array.from({ length: 12 }, (_, index) => `i${index}`);

const FILES = {
  'items.jsonl': jsonl(
    ITEMS.map((item_id, index) => ({
      item_id,
      author_id: USERS[index % 3],
      created_at: T + index,
      likes_count: 5,
    })),
  ),
  'users.jsonl': jsonl(USERS.map((user_id) => ({ user_id, username: user_id }))),
  'interactions.csv': [
    'user_id,item_id,event_type,timestamp',
    ...USERS.flatMap((user, at) =>
      ITEMS.filter((_, index) => (index + at) % 3 > 0).map(
        (item, index) => `${user},${item},like,${T + 100 + index}`,
      ),
    ),
    '',
  ].join('\n'),
  'follows.csv': `user_id,target_user_id,timestamp\nu0,u1,${T}\nu1,u2,${T}\nu2,u0,${T}\n`,
  'impressions.csv': `user_id,item_id,timestamp\nu5,i0,${T + 200}\nu5,i1,${T + 200}\n`,
  'lists.jsonl': jsonl([{ list_id: 'editors', user_ids: ['u1'] }]),
  'preferences.jsonl': jsonl([{ user_id: 'u2', muted: { authors: ['u1'] }, personalised: false }]),
  'feeds.jsonl': jsonl([
    { config_id: 'feed_1', account: 'app', name: 'Fresh', config: { filters: { channels: ['a'] } } },
  ]),
  'events.csv': `wallet_address,item_id,event_type,timestamp\n${wallet(1)},${nft(1, 1)},mint,${T}\n`,
};

let root = '';
let whole = '';

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'feedloom-verify-'));
  whole = join(root, 'whole');
  const files = join(root, 'files');
  mkdirSync(files);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(files, name), text);
  const { code } = await runWith({ FEEDLOOM_CHECKPOINT_CHANGES: '1' }, 'import', files, '--data', whole);
  expect(code).toBe(0);
}, 60_000);
afterAll(async () => {
  await killAll();
  rmSync(root, { recursive: true, force: true });
});

async function verify(data: string, ...flags: string[]): Promise<Diagnosis> {
  return diagnosisOf(await run('verify', '--json', '--data', data, ...flags));
}

/** Verifies a copy of the data after its damage. */
async function verifyDamaged(damage: (data: string) => void): Promise<Diagnosis> {
  const data = mkdtempSync(join(root, 'copy-'));
  cpSync(whole, data, { recursive: true });
  damage(data);
  return verify(data);
}

/** Changes rows of a community. */
function sql(statement: string, file = 'feedloom.sqlite') {
  return (data: string) => {
    const database = new Database(join(data, file));
    database.run(statement);
    database.close();
  };
}

/** Changes bytes in the middle of the only file with this ending. */
function overwritten(ending: string, prefix = 'content-') {
  return (data: string) => {
    const name = readdirSync(data).find((each) => each.startsWith(prefix) && each.endsWith(ending))!;
    const bytes = readFileSync(join(data, name));
    bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 8);
    writeFileSync(join(data, name), bytes);
  };
}

/** Every file of the data. Databases are read as tables, as opening one changes bytes of its head. */
function contentOf(data: string): unknown[] {
  return readdirSync(data)
    .sort()
    .map((name) => [
      name,
      name.endsWith('.sqlite') ? tablesOf(join(data, name)) : readFileSync(join(data, name)),
    ]);
}

function tablesOf(file: string): unknown[] {
  const database = new Database(file);
  const names = database
    .query<unknown, []>("select name from sqlite_master where type = 'table' order by 1")
    .values();
  const tables = names.map(([name]) => database.query<unknown, []>(`select * from ${name}`).values());
  database.close();
  return tables;
}

const EXAMINED = [
  'database',
  'rows',
  'references',
  'totals',
  'seen',
  'checkpoint',
  'lists',
  'feeds',
  'identifiers',
];
const WITHOUT_CHECKPOINT = "delete from meta where name = 'checkpoint'";
const LAST = (table: string) => `(select max(seq) from ${table})`;

describe('feedloom verify', () => {
  test('finds no fault in whole data, names what it has examined, and changes nothing', async () => {
    const before = contentOf(whole);
    const found = await verify(whole);
    expect(found.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(found.code).toBe(0);
    expect([...new Set(found.findings.map(({ subject }) => subject))]).toEqual(EXAMINED);
    expect(about(found, 'checkpoint')).toContainEqual(
      expect.stringContaining('gives what all stored changes give'),
    );
    expect(contentOf(whole)).toEqual(before);
  });

  test('prints a line for each finding', async () => {
    const { code, stdout, stderr } = await run('verify', '--data', whole);
    expect([code, stderr]).toEqual([0, '']);
    for (const line of stdout.trim().split('\n')) expect(line).toMatch(/^ok {4}[a-z]+: ./);
  });

  test.each([
    ['whole', () => {}, 0],
    ['damaged', sql('update engagement set likes_count = -7'), 1],
  ])(
    'finds in %s data what feedloom doctor --deep finds, which also examines the machine',
    async (_, damage, code) => {
      const data = mkdtempSync(join(root, 'copy-'));
      cpSync(whole, data, { recursive: true });
      damage(data);
      const [alone, deep] = [await verify(data), await doctor(data, '--deep')];
      expect([alone.code, deep.code]).toEqual([code, code]);
      for (const finding of alone.findings) expect(deep.findings).toContainEqual(finding);
      for (const subject of ['version', 'service']) {
        expect(about(alone, subject)).toEqual([]);
        expect(about(deep, subject)).not.toEqual([]);
      }
    },
  );

  test.each([[['verify']], [['doctor', '--deep']]])('refuses a folder without data: %j', async (command) => {
    const { code, stderr } = await run(...command, '--data', join(root, 'absent'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('[no_data]')]);
  });

  test.each<[fault: string, damage: (data: string) => void, subject: string, message: RegExp]>([
    [
      'an act of a user without a name',
      sql(`update interactions set user_key = 9999 where seq = ${LAST('interactions')}`),
      'references',
      /row \d+ of the table 'interactions' refers to user 9999, which has no name/,
    ],
    [
      'a follow of a user without a name',
      sql(`update follows set target_key = 9999 where seq = ${LAST('follows')}`),
      'references',
      /row \d+ of the table 'follows' refers to user 9999/,
    ],
    [
      'a removed name',
      sql('delete from names where space = 1 and key = 3'),
      'references',
      /refers to item 3, which has no name \(and \d+ more of this kind\)/,
    ],
    [
      'a repeated identifier',
      sql("update names set id = 'u1' where id = 'u2'"),
      'references',
      /gives user \d+ the identifier of another one/,
    ],
    [
      'an impossible counter',
      sql('update engagement set likes_count = -7'),
      'rows',
      /of the table 'engagement' has an impossible likes_count/,
    ],
    [
      'a row that is not JSON',
      sql("update items set content = '{' where seq = (select min(seq) from items)"),
      'rows',
      /row \d+ of the table 'items' cannot be loaded/,
    ],
    [
      'time that runs backwards',
      sql(`update follows set applied_at = 5 where seq = ${LAST('follows')}`),
      'rows',
      /'follows' has an applied_at before/,
    ],
    [
      'rows that the data does not count',
      sql("update meta set value = '3' where name = 'highest_seq'"),
      'rows',
      /rows up to seq \d+ are stored, but the data counts only to 3/,
    ],
    [
      'acts that the checkpoint has and the log has not',
      sql(`delete from interactions where seq = ${LAST('interactions')}`),
      'checkpoint',
      /user \d+ has other acts in it/,
    ],
    [
      'counters that the checkpoint has otherwise',
      sql('update engagement set likes_count = 77'),
      'checkpoint',
      /item \d+ has other counters in it/,
    ],
    [
      'preferences that the checkpoint has otherwise',
      sql(`update preferences set content = replace(content, 'false', 'true')`),
      'checkpoint',
      /user \d+ has other preferences in it/,
    ],
    [
      'a list of users that the checkpoint has otherwise',
      sql("update user_lists set name = 'other'"),
      'checkpoint',
      /it has another version of list 'editors'/,
    ],
    ['a damaged checkpoint', overwritten('.checkpoint'), 'checkpoint', /cannot be used: it is damaged/],
    [
      'a missing checkpoint',
      (data) => rmSync(join(data, readdirSync(data).find((name) => /^content.*checkpoint$/.test(name))!)),
      'checkpoint',
      /cannot be used: .*ENOENT/,
    ],
    ['damaged neighbour lists', overwritten('.lists'), 'lists', /cannot be used: it is damaged/],
    [
      'a saved feed that is not JSON',
      sql("update feeds set content = '{'"),
      'feeds',
      /feed_1 cannot be read/,
    ],
    [
      'a saved feed that cannot be compiled',
      sql(`update feeds set content = replace(content, '"channels"', '"no_such_filter"')`),
      'feeds',
      /the feed 'feed_1' (is not valid any more|uses)/,
    ],
    [
      'a wallet without an address',
      sql("update names set id = 'nobody' where space = 0", 'feedloom-wallets.sqlite'),
      'identifiers',
      /wallet 0 has no valid address/,
    ],
    [
      'an NFT without an identifier of its form',
      sql("update names set id = 'base.0x12.1' where space = 1", 'feedloom-wallets.sqlite'),
      'identifiers',
      /item 0 has no valid identifier/,
    ],
    [
      'a wallet event of an item without a name',
      sql('update interactions set item_key = 44', 'feedloom-wallets.sqlite'),
      'references',
      /wallets: row \d+ of the table 'interactions' refers to item 44/,
    ],
  ])('names %s', async (_, damage, subject, message) => {
    const found = await verifyDamaged(damage);
    expect(found.code).toBe(1);
    expect(about(found, subject)).toContainEqual(
      expect.stringMatching(new RegExp(`^fail .*${message.source}`)),
    );
  });

  test('names a damaged page and does not open the data then', async () => {
    const found = await verifyDamaged((data) => {
      const file = join(data, 'feedloom.sqlite');
      const bytes = readFileSync(file);
      bytes.fill(0xff, 8192, 8192 + 64);
      writeFileSync(file, bytes);
    });
    expect(found.code).toBe(1);
    expect(about(found, 'database')).toContainEqual(expect.stringMatching(/^fail '.*' is damaged: /));
    expect(about(found, 'rows')).toEqual([]);
  });

  test('takes data without a checkpoint as whole', async () => {
    const found = await verifyDamaged(sql(WITHOUT_CHECKPOINT));
    expect(about(found, 'checkpoint')).toContainEqual('ok content: there is none yet');
    expect(found.code).toBe(0);
  });
});

describe('feedloom verify with PostgreSQL', () => {
  test('examines the database and the checkpoints of the folder', async () => {
    const url = await emptyDatabase();
    const data = join(root, 'postgres');
    const place = ['--data', data, '--database-url', url];
    const settings = { FEEDLOOM_CHECKPOINT_CHANGES: '1' };
    expect((await runWith(settings, 'import', join(root, 'files'), ...place)).code).toBe(0);
    const found = await verify(data, '--database-url', url);
    expect(found.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(new Set(found.findings.map(({ subject }) => subject))).toEqual(new Set(EXAMINED.slice(1)));
    const client = new SQL({ url, max: 1 });
    await client.unsafe('delete from follows where seq = (select max(seq) from follows)');
    await client.close();
    const damaged = await verify(data, '--database-url', url);
    expect(damaged.code).toBe(1);
    expect(about(damaged, 'checkpoint')).toContainEqual(
      expect.stringMatching(/^fail .* has other follows in it/),
    );
  });
});

describe('feedloom verify beside a service', () => {
  test('finds no fault while the service stores changes, erases users and deletes items, nor afterwards', async () => {
    const data = mkdtempSync(join(root, 'served-'));
    cpSync(whole, data, { recursive: true });
    const service = await startService(data);
    const call = async (method: string, path: string, body?: unknown) => {
      const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
      const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
      const answer = await fetch(`${service.address}/v2/farcaster/${path}`, init);
      expect([path, answer.ok]).toEqual([path, true]);
    };
    await call('POST', 'feeds/for-you', { user_id: 'u3', impression_count: 5 });
    const beside = verify(data);
    await call('DELETE', 'users/u4');
    await call('DELETE', 'items/i2');
    await call('POST', 'interactions', {
      user_id: 'u6',
      item_id: 'i2',
      event_type: 'like',
      timestamp: T + 500,
    });
    await call('POST', 'users', { user_id: 'u7', hidden: true });
    expect((await beside).findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect((await verify(data)).code).toBe(0);
    expect(await service.stop()).toBe(0);
    // The purge at the end has removed names.
    const after = await verify(data);
    expect(after.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
  });
});
