import { expect, test } from 'bun:test';
import { importInto, jsonl, withFolder, withImported, withService } from './support.ts';

test('blocks of users with blanks in their names are distinguished', async () => {
  const blocks = 'user_id,target_user_id\na b,c\na,b c\n';
  await withImported({ 'blocks.csv': blocks }, async ({ service }, { files }) => {
    const { users, blocks } = service.state;
    const blocked = (user: string, target: string) =>
      blocks.between(users.names.find(user), users.names.find(target));
    expect([blocked('a b', 'c'), blocked('a', 'b c')]).toEqual([true, true]);
    expect(files.map(({ accepted, unchanged }) => [accepted, unchanged])).toEqual([[2, 0]]);
  });
});

test.each([
  ['without a time', ''],
  ['of 1970', '0'],
  ['of another day', '100'],
])('follows that were taken back, %s, change nothing when they are imported again', async (_, time) => {
  const acts = ['follow', 'unfollow', 'follow'];
  const follows = `user_id,target_user_id,action,timestamp\n${acts.map((act) => `a,b,${act},${time}\n`).join('')}`;
  await withFolder({ 'follows.csv': follows }, (folder) =>
    withService(async (opened) => {
      const { changes } = await importInto(opened, folder);
      expect(changes).toBeGreaterThan(0);
      for (let again = 0; again < 2; again++) {
        expect((await importInto(opened, folder)).changes).toBe(0);
      }
    }),
  );
});

test('a line with less information removes nothing that an earlier line says', async () => {
  const described = (text: string) => ({ item_id: 'x', author_id: 'w', created_at: 100, text });
  await withService(async (opened) => {
    const bring = (...lines: object[]) =>
      withFolder({ 'items.jsonl': jsonl(lines) }, (folder) => importInto(opened, folder));
    await bring(described('old'));
    await bring(described('new'), { item_id: 'x', author_id: null, created_at: 100 });
    const { state, store } = opened.service;
    const seq = state.items.content_seq(state.items.names.find('x'));
    expect((await store.readItems([seq])).get(seq)?.text).toBe('new');
  });
});

test('undated counts of an item, and others at the last time, give the same result each time', async () => {
  const item = (likes_count: number) => ({ item_id: 'a', author_id: 'u', created_at: 100, likes_count });
  const files = {
    'items.jsonl': jsonl([item(5), item(6)]),
    'engagement.csv': 'item_id,timestamp,likes_count\na,200,7\na,300,9\n',
  };
  await withFolder(files, (folder) =>
    withService(async (opened) => {
      const likes = () => {
        const { items } = opened.service.state;
        return items.source(items.names.find('a'), 'likes_count');
      };
      await importInto(opened, folder);
      expect(likes()).toBe(6);
      for (let again = 0; again < 3; again++) {
        expect((await importInto(opened, folder)).changes).toBe(0);
        expect(likes()).toBe(6);
      }
    }),
  );
});
