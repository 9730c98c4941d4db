import { expect, test } from 'bun:test';
import { withImported } from './support.ts';

test('files with the times of a database and with numbers as identifiers are imported', async () => {
  const files = {
    'items.jsonl':
      '{"item_id":1,"author_id":2,"created_at":"2022-06-24 21:20:11+00","parent_item_id":3}\n' +
      '{"item_id":4,"author_id":2,"created_at":"2022-06-24t23:20:11.5+0200"}\n',
    'interactions.csv':
      'user_id,item_id,event_type,timestamp\n7,1,like,2022-06-24 21:20:12.000001 UTC\n7,4,like,2022-06-24 21:20:13\n',
    'follows.csv': 'user_id,target_user_id,timestamp\n7,2,2016-12-31 23:59:60\n',
  };
  await withImported(files, async ({ service }, { lines, files: reports }) => {
    expect(lines).toEqual([]);
    for (const { rejected } of reports) expect(rejected).toBe(0);
    const { items, users, follows } = service.state;
    const created_at = (id: string) => items.created_at(items.names.find(id));
    expect([created_at('1'), created_at('4')]).toEqual([1_656_105_611, 1_656_105_611.5]);
    expect(items.is_reply(items.names.find('1'))).toBe(true);
    expect(items.likes_count(items.names.find('1'))).toBe(1);
    expect(follows.timestamp(users.names.find('7'), users.names.find('2'))).toBe(1_483_228_800);
  });
});
