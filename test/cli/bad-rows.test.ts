import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { folderWith, readFiles } from '../interchange/support.ts';
import { openTestService, START } from '../support/service.ts';
import { run } from './run.ts';

/** SQL that damages one row, its table, and what the export then lacks. */
const DAMAGES: [
  what: string,
  table: string,
  sql: string,
  lacking: (files: Record<string, string>) => void,
][] = [
  [
    'text that is no JSON',
    'items',
    `update items set content = '{"created_at":' where seq = (select max(seq) from items)`,
    (files) => {
      expect(files['items.jsonl']).toContain('"item_id":"one"');
      expect(files['items.jsonl']).not.toContain('"text":"second"');
    },
  ],
  [
    'content of another form',
    'items',
    `update items set content = '{"created_at":5,"embed_domains":7}' where seq = (select max(seq) from items)`,
    (files) => expect(files['items.jsonl']).toContain('"text":"first"'),
  ],
  [
    'an unknown kind of act',
    'interactions',
    'update interactions set event_type = 77',
    (files) => expect(files['interactions.csv']).toBeUndefined(),
  ],
  [
    'a list that was cut off',
    'follow_lists',
    "update follow_lists set followed = x'010203'",
    (files) => expect(files['follows.csv']).not.toContain('b,a'),
  ],
];

/** A data folder with a little of everything, and one damaged row. @returns the `seq` of that row */
async function damaged(data: string, table: string, sql: string): Promise<number> {
  const { service, close } = await openTestService({ data });
  const item = { author_id: 'author', created_at: START - 60 };
  await service.ingest.ingest('items', [
    { ...item, item_id: 'one', text: 'first' },
    { ...item, item_id: 'two', text: 'second' },
  ]);
  await service.ingest.ingest('follows', [{ user_id: 'a', target_user_id: 'b' }]);
  await service.ingest.followList({ user_id: 'b', target_user_ids: ['a'] });
  await service.ingest.ingest('interactions', [{ user_id: 'a', item_id: 'one', event_type: 'like' }]);
  await service.feeds.serve('popular', { user_id: 'b', top_k: 2, impression_count: 2 });
  await close();
  const database = new Database(join(data, 'feedloom.sqlite'));
  database.run(sql);
  const { seq } = database.query(`select max(seq) as seq from ${table}`).get() as { seq: number };
  database.close();
  return seq;
}

describe('data with a damaged row', () => {
  test.each(DAMAGES)(
    'data with a damaged row (%s) does not start, and the error names the row and a remedy',
    async (_, table, sql) => {
      const data = folderWith({});
      const seq = await damaged(data, table, sql);
      const { code, stderr } = await run('serve', '--data', data, '--port', '0');
      expect(code).toBe(2);
      expect(stderr).toContain(`the row with seq ${seq} of the table '${table}' cannot be loaded`);
      expect(stderr).toContain('run feedloom export');
      expect(stderr).not.toContain('.ts:');
    },
  );

  test.each(DAMAGES)(
    'data with a damaged row (%s) is exported without it, with a notice',
    async (_, table, sql, lacking) => {
      const data = folderWith({});
      const seq = await damaged(data, table, sql);
      const folder = join(data, 'exported');
      const { code, stderr } = await run('export', folder, '--data', data);
      expect(code).toBe(0);
      expect(stderr).toContain(`left out: row ${seq} of the table '${table}'`);
      expect(stderr).toContain('1 stored rows could not be read and were left out');
      const files = readFiles(folder);
      expect(files['follows.csv']).toContain('a,b,');
      lacking(files);
    },
  );

  test('a damaged row of what a viewer saw is left out of an export, with a notice', async () => {
    const data = folderWith({});
    await damaged(data, 'items', "update seen set content = x'0102'");
    const folder = join(data, 'exported');
    const { code, stderr } = await run('export', folder, '--data', data);
    expect(code).toBe(0);
    expect(stderr).toMatch(/left out: row \d+ of the table 'seen'/);
    expect(readFiles(folder)['impressions.csv']).toBeUndefined();
  });
});
