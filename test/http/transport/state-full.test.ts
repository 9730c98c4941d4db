import { afterEach, describe, expect, test } from 'bun:test';
import type { StateLimits } from '../../../src/state/limits.ts';
import { AlphaClient, nft, wallet } from '../../alpha/support.ts';
import { importInto, jsonl, withFolder } from '../../interchange/support.ts';
import { openTestServer, START, type TestServer } from '../../support/service.ts';
import { feedPath, ingestPath, KEY } from '../support.ts';

let opened: TestServer[] = [];
afterEach(async () => {
  for (const each of opened) await each.close();
  opened = [];
});

async function serverWith(limits: Partial<StateLimits>, data?: string): Promise<TestServer> {
  const server = await openTestServer({ data, opening: { limits } });
  opened.push(server);
  return server;
}

async function close(server: TestServer): Promise<void> {
  opened = opened.filter((each) => each !== server);
  await server.close();
}

const follow = (user_id: string, target_user_id: string, action = 'follow') => ({
  user_id,
  target_user_id,
  action,
});
const item = (item_id: string) => ({ item_id, author_id: 'author', created_at: START - 60 });

describe('a record for which the state has no room', () => {
  test('a record that exceeds a limit of the state is refused with 507, and others of its body are stored', async () => {
    const { post, call, service } = await serverWith({ follows: 2 });
    const body = [follow('a', 'b'), follow('b', 'a'), follow('a', 'c'), follow('c', 'd')];
    const { status, headers, body: problem } = await post(ingestPath('follows'), body);
    expect([status, headers.get('content-type')]).toEqual([507, 'application/problem+json']);
    expect(problem).toMatchObject({ status: 507, title: 'State full', code: 'state_full' });
    expect(problem.detail).toContain('the state can hold no more follows (limit 2)');
    expect(problem.detail).toContain(
      '2 of the records were not stored because there was no room, the first is record 2',
    );
    expect(service.state.follows.size).toBe(2);
    expect((await call('GET', `${ingestPath('users')}/a`, undefined, KEY)).body.follows).toEqual(['b']);
    expect((await call('GET', `${ingestPath('users')}/d`, undefined, KEY)).status).toBe(404);
  });

  test('a record fits when something was removed for good', async () => {
    const { post, call } = await serverWith({ users: 4, follows: 2 });
    const path = ingestPath('follows');
    expect((await post(path, [follow('a', 'b'), follow('b', 'c')])).status).toBe(200);
    expect((await post(path, follow('a', 'c'))).status).toBe(507);
    // What was followed once stays known, so that an older message does not bring it back.
    expect((await post(path, follow('a', 'b', 'unfollow'))).status).toBe(200);
    expect((await post(path, follow('a', 'b'))).status).toBe(200);
    expect((await post(path, follow('a', 'c'))).status).toBe(507);
    expect((await call('DELETE', `${ingestPath('users')}/b`, undefined, KEY)).status).toBe(200);
    expect((await post(path, follow('a', 'c'))).status).toBe(200);
  });

  test('a full state still accepts deletions, removals and updates', async () => {
    const { post, call } = await serverWith({ items: 2, interactions: 2, item_values: 1 });
    const items = ingestPath('items');
    const acts = ingestPath('interactions');
    const like = (item_id: string, action: string) => ({ user_id: 'a', item_id, event_type: 'like', action });
    const labelled = { ...item('1'), ai_labels: ['gaming'] };
    expect((await post(items, [labelled, item('2')])).status).toBe(200);
    expect((await post(acts, [like('1', 'add'), like('2', 'add')])).status).toBe(200);
    expect((await post(items, item('3'))).status).toBe(507);
    expect((await post(items, { ...item('2'), ai_labels: ['art'] })).status).toBe(507);
    expect((await post(items, { ...labelled, ai_labels: ['art'], likes_count: 3 })).status).toBe(200);
    expect((await post(acts, { ...like('2', 'add'), event_type: 'share' })).status).toBe(507);
    expect((await post(acts, [like('1', 'remove'), like('2', 'remove')])).status).toBe(200);
    expect((await call('DELETE', `${items}/1`, undefined, KEY)).status).toBe(200);
    expect((await call('DELETE', `${ingestPath('users')}/a`, undefined, KEY)).status).toBe(200);
  });
});

test('a full state still records what viewers saw, also of strangers', async () => {
  const { post } = await serverWith({ users: 1, acted_items: 1 });
  await post(ingestPath('items'), ['1', '2', '3', '4'].map(item));
  const ask = { user_id: 'stranger', top_k: 2, impression_count: 2 };
  const pages = [(await post(feedPath('popular'), ask)).body, (await post(feedPath('popular'), ask)).body];
  const ids = pages.flatMap(({ body }) => body.map(({ item_id }: { item_id: string }) => item_id));
  expect(ids.toSorted()).toEqual(['1', '2', '3', '4']);
  expect(pages.map(({ warnings }) => warnings)).toEqual([undefined, undefined]);
});

test('wallet events and tokens above a limit are refused, and wallets still get pages', async () => {
  const server = await serverWith({ items: 2, users: 2 });
  const alpha = new AlphaClient(server);
  const mint = (of_wallet: number, token_id: number) => ({
    wallet_address: wallet(of_wallet),
    item_id: nft(1, token_id),
    event_type: 'mint',
    timestamp: START - 60,
  });
  await alpha.events(mint(1, 1), mint(2, 2));
  for (const refused of [mint(3, 1), mint(1, 3)]) {
    const { status, body } = await alpha.event(refused);
    expect([status, body.code]).toEqual([507, 'state_full']);
  }
  await alpha.events(mint(1, 2), mint(1, 1));
  const described = (token_id: number) => ({ item_id: nft(1, token_id), name: 'a name' });
  expect((await alpha.items([described(1), described(3)])).status).toBe(507);
  expect((await alpha.items([described(1), described(2)])).status).toBe(200);
  expect((await alpha.popular()).body.items).toHaveLength(2);
});

test('an import that reaches a limit fails with its name, and earlier records stay', () =>
  withFolder(
    { 'items.jsonl': jsonl(Array.from({ length: 600 }, (_, index) => item(`item-${index}`))) },
    (folder) =>
      withFolder({}, async (data) => {
        const server = await serverWith({ items: 500 }, data);
        const refusal = await importInto(server, folder).catch((error: unknown) => error);
        expect(refusal).toMatchObject({ code: 'state_full' });
        await close(server);
        const again = await serverWith({}, data);
        expect(again.service.state.items.names.count).toBe(500);
        const { lines } = await importInto(again, folder);
        expect([lines, again.service.state.items.names.count]).toEqual([[], 600]);
      }),
  ));
