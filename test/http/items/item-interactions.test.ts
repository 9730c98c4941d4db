import { expect, test } from 'bun:test';
import { forFile, openTestServer, START } from '../../support/service.ts';
import { Community, KEY } from '../support.ts';

const server = await forFile(openTestServer());
const community = new Community(server);
await community.addItem('one');
await community.addItem('other');
for (const [at, user_id] of ['ann', 'ben', 'cleo', 'dan'].entries())
  await community.act(user_id, 'like', 'one', { timestamp: START - 60 + at });
await community.act('ann', 'view', 'one', { timestamp: START - 30 });
await community.act('ben', 'comment', 'one', { timestamp: START - 30 });
await community.act('ann', 'like', 'other', { timestamp: START - 30 });

async function read(query: Record<string, string>, headers: Record<string, string> = KEY) {
  const path = `/v2/community/items/interactions?${new URLSearchParams({ item_id: 'one', ...query })}`;
  return server.call('GET', path, undefined, headers);
}

async function who(query: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await read(query);
  expect(status).toBe(200);
  return body.interactions.map(
    ({ user_id, event_type }: Record<string, string>) => `${user_id} ${event_type}`,
  );
}

test('the interactions with an item are listed with their users, the latest first', async () => {
  const all = ['ben comment', 'ann view', 'dan like', 'cleo like', 'ben like', 'ann like'];
  expect(await who()).toEqual(all);
  const by_path = await server.get('/v2/community/items/one/interactions?limit=1');
  const [first] = by_path.body.interactions;
  expect(first).toEqual({ user_id: 'ben', event_type: 'comment', timestamp: START - 30 });
});

test('the interactions of one type are listed page by page, also when new ones arrive', async () => {
  const first = await read({ event_type: 'like', limit: '2' });
  expect(first.body.interactions).toMatchObject([{ user_id: 'dan' }, { user_id: 'cleo' }]);
  await community.act('eve', 'like', 'one', { timestamp: START - 1 });
  const second = await read({ event_type: 'like', limit: '2', cursor: first.body.cursor });
  expect(second.body.interactions).toMatchObject([{ user_id: 'ben' }, { user_id: 'ann' }]);
  expect(second.body.cursor).toBeUndefined();
  await community.act('eve', 'like', 'one', { timestamp: START, action: 'remove' });
  expect(await who({ event_type: 'like' })).toEqual(['dan like', 'cleo like', 'ben like', 'ann like']);
});

test('pages part interactions of the same time', async () => {
  const first = await read({ limit: '1' });
  const second = await read({ limit: '1', cursor: first.body.cursor });
  expect(second.body.interactions).toMatchObject([{ user_id: 'ann', event_type: 'view' }]);
});

test('the interactions of a hidden user are left out while they are hidden', async () => {
  await community.add('users', { user_id: 'dan', hidden: true });
  expect(await who({ event_type: 'like' })).toEqual(['cleo like', 'ben like', 'ann like']);
  await community.add('users', { user_id: 'dan', hidden: false });
  expect(await who({ event_type: 'like' })).toHaveLength(4);
});

test('there are no interactions of an unknown item, and no page after a cursor that is none', async () => {
  expect((await read({ item_id: 'unknown' })).status).toBe(404);
  expect((await read({ cursor: 'next' })).status).toBe(400);
});
