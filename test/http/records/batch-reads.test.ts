import { expect, test } from 'bun:test';
import { forFile } from '../../support/service.ts';
import { KEY, openCommunity } from '../support.ts';

const community = await forFile(openCommunity());
await community.add(
  'users',
  { user_id: '7', username: 'ann', display_name: 'Ann' },
  { user_id: 'b,c', username: 'bob', hidden: true },
);
await community.addItem('0xa1', { author_id: '7', text: 'shown' });
await community.addItem('0xb1', { author_id: 'b,c', text: 'of a hidden author' });

const read = (body: unknown) => community.server.call('POST', '/v2/farcaster/records/read', body, KEY);

test('users and items are read by identifier in the order asked for, hidden ones too', async () => {
  const { status, body } = await read({ users: ['b,c', 7, '7', 'nobody'], items: ['0xb1', '0xa1', '0xc1'] });
  expect(status).toBe(200);
  expect(body.users).toMatchObject([
    { user_id: 'b,c', username: 'bob', hidden: true },
    { user_id: '7', display_name: 'Ann', hidden: false, items_count: 1 },
  ]);
  expect(body.items).toMatchObject([
    { item_id: '0xb1', hidden: true, item: { text: 'of a hidden author' } },
    { item_id: '0xa1', hidden: false, item: { text: 'shown' } },
  ]);
});

test('absent lists are empty, and unknown fields are named', async () => {
  expect((await read({ items: null })).body).toEqual({ users: [], items: [] });
  expect((await read(undefined)).body).toEqual({ users: [], items: [] });
  expect((await read({ user: ['7'] })).body.warnings).toEqual([expect.stringContaining('user')]);
});

test('items that do not fit an answer are named', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `large-${at}`);
  for (const item_id of ids) await community.addItem(item_id, { text: 'x'.repeat(60_000) });
  const read_ids: string[] = [];
  for (let rest = ids; rest.length > 0; ) {
    const { body } = await read({ items: rest });
    read_ids.push(...body.items.map(({ item_id }: { item_id: string }) => item_id));
    expect(body.items.length).toBeGreaterThan(0);
    rest = body.unread_items ?? [];
  }
  expect(read_ids).toEqual(ids);
});
