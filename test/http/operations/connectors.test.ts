import { describe, expect, test } from 'bun:test';
import { StartupError } from '../../../src/errors.ts';
import type { Emitted } from '../../../src/plugin/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openTestServer, START } from '../../support/service.ts';
import { item } from '../feeding-plugin.ts';
import { failureOf, ID, Stage, statusOf, untilState } from './connector-stage.ts';

describe('a connector', () => {
  test('stores records of all kinds in their order and shows its state', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    expect(host.cursor).toBeUndefined();
    expect(await statusOf(server)).toMatchObject({ connector: ID, state: 'starting', cursor: null });
    const emitted = await host.emit(
      [
        item('a', START - 10),
        item('b', START - 9),
        { kind: 'user', record: { user_id: 'ann', username: 'Ann' } },
        { kind: 'follow', record: { user_id: 'ben', target_user_id: 'ann', event_id: 'f1' } },
        { kind: 'block', record: { user_id: 'cid', target_user_id: 'ann' } },
        {
          kind: 'interaction',
          record: { user_id: 'ben', item_id: 'a', event_type: 'like', timestamp: START - 5, event_id: 'l1' },
        },
        { kind: 'interaction', record: { user_id: 'ben', event_id: 'l1', action: 'remove' } },
        { kind: 'item_deletion', record: { item_id: 'b', timestamp: START - 1 } },
      ],
      'eight',
    );
    expect(emitted).toMatchObject({ accepted: 8, rejected_count: 0 });
    const read = async (path: string) => (await server.get(path)).body;
    expect(await read('/v2/farcaster/items/a')).toMatchObject({ text: 'post a', likes_count: 0 });
    expect((await server.get('/v2/farcaster/items/b')).status).toBe(404);
    expect(await read('/v2/farcaster/users/ben')).toMatchObject({ follows: ['ann'] });
    expect(await statusOf(server)).toMatchObject({
      state: 'running',
      cursor: 'eight',
      records_count: 8,
      last_stored_at: START,
      last_error: null,
    });
  });

  test('erases a user, and stores their new account and items afterwards', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    await host.emit(
      [item('a', START - 20), { kind: 'user', record: { user_id: 'ann', username: 'old' } }],
      '1',
    );
    await host.emit([{ kind: 'user_deletion', record: { user_id: 'ann', timestamp: START - 10 } }], '2');
    await host.emit(
      [
        { kind: 'item', record: { item_id: 'a', author_id: 'ann', created_at: START - 5 } },
        { kind: 'user', record: { user_id: 'ann', display_name: 'new', updated_at: START - 5 } },
      ],
      '3',
    );
    const { body: stored } = await server.get('/v2/farcaster/items/a');
    expect(stored).toMatchObject({ item_id: 'a', author_id: 'ann' });
    expect(stored.text ?? null).toBeNull();
    const { body: user } = await server.get('/v2/farcaster/users/ann');
    expect(user).toMatchObject({ display_name: 'new' });
    expect(user.username ?? null).toBeNull();
  });

  test('continues from its stored cursor after a restart of the service', async () => {
    const data = temporaryFolder('connectors');
    const stage = new Stage();
    const first = await stage.open({ data });
    await (await stage.nextRun()).emit([item('a', START - 10)], 'after a');
    await first.close();
    const second = await stage.open({ data });
    const host = await stage.nextRun();
    expect(host.cursor).toBe('after a');
    await host.emit([], 'only a cursor');
    await second.close();
    await using _ = await stage.open({ data });
    expect((await stage.nextRun()).cursor).toBe('only a cursor');
  });

  test('stores neither records nor cursor if the transaction fails, and starts again from the stored cursor', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    await host.emit([item('a', START - 10)], '1');
    const { store } = server.service;
    const submit = store.submit.bind(store);
    store.submit = () => Promise.reject(new Error('the disk is full'));
    const failed = host.emit([item('b', START - 9)], '2');
    const later = host.emit([item('c', START - 8)], '3');
    expect((await failureOf(failed)).message).toBe('the disk is full');
    expect((await failureOf(later)).message).toBe('the disk is full');
    store.submit = submit;
    server.service.ingest.failed();
    await untilState(server, 'stalled');
    await stage.timers.pass(1);
    const again = await stage.nextRun();
    expect(again.cursor).toBe('1');
    await again.emit([item('b', START - 9), item('c', START - 8)], '3');
    expect(await statusOf(server)).toMatchObject({ state: 'running', cursor: '3', restarts_count: 1 });
  });

  test('skips invalid records, names them, and stores the others', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    const { accepted, rejected }: Emitted = await host.emit(
      [
        { kind: 'item', record: { item_id: 'x' } },
        item('a', START - 10),
        { kind: 'post' as never, record: {} },
        { kind: 'user_deletion', record: { user_id: 7.5 } },
      ],
      '1',
    );
    expect(accepted).toBe(1);
    expect(rejected.map(({ index, detail }) => `${index} ${detail}`)).toEqual([
      '0 author_id: is required for a new item; created_at: is required for a new item',
      "2 kind: must be one of item, user, follow, block, interaction, follow_list, user_list, list_member, label, item_deletion, user_deletion, not 'post'",
      expect.stringContaining('3 user_id: '),
    ]);
    expect(await statusOf(server)).toMatchObject({ records_count: 1, rejected_count: 3 });
  });

  test.each<[string, unknown, unknown, string]>([
    ['too many records', Array.from({ length: 251 }, () => item('a', START)), '1', 'at most 250'],
    ['a cursor that is no text', [], 5, 'a text of 1 to 4096 characters'],
    ['an empty cursor', [], '', 'a text of 1 to 4096 characters'],
    [
      'a record behind an erasure',
      [{ kind: 'user_deletion', record: { user_id: 'ann' } }, item('a', START)],
      '1',
      'follows a user_deletion',
    ],
    ['a record instead of a list', item('a', START), '1', 'must be a list'],
  ])('fails with a clear error when it emits %s', async (_, records, cursor, reason) => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    const error = await failureOf(host.emit(records as never, cursor as never));
    expect(error.message).toContain(reason);
    expect((await untilState(server, 'stalled')).last_error).toContain(reason);
  });

  test('is started again with growing pauses, and degrades readiness meanwhile', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    for (const seconds of [0.5, 1, 2, 4, 8, 16, 30, 30]) {
      stage.fail(await stage.nextRun(), 'no route to the source');
      await untilState(server, 'stalled');
      const before = stage.timers.passed_seconds;
      const { body } = await server.call('GET', '/readyz');
      expect(body).toMatchObject({ status: 'degraded', stalled_connectors: [ID] });
      await stage.timers.pass(seconds - 0.01);
      expect((await statusOf(server)).restarts_count).not.toBe(undefined);
      await stage.timers.pass(0.01);
      expect(stage.timers.passed_seconds - before).toBeCloseTo(seconds);
    }
    const host = await stage.nextRun();
    const stalled = await server.call('GET', '/metrics');
    expect(stalled.body).toContain(`feedloom_connector_stalled{connector="${ID}"} 1`);
    expect(stalled.body).toContain(`feedloom_connector_restarts_total{connector="${ID}"} 8`);
    await host.emit([item('a', START)], '1');
    const { status, body } = await server.call('GET', '/readyz');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'ready', stalled_connectors: [] },
    });
    expect((await server.call('GET', '/metrics')).body).toContain(
      `feedloom_connector_records_total{connector="${ID}"} 1`,
    );
    expect(await statusOf(server)).toMatchObject({
      last_error: 'no route to the source',
      last_error_at: START,
    });
  });

  test('is not started again after its source has ended', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    stage.end(await stage.nextRun());
    await untilState(server, 'ended');
    await stage.timers.pass(1000);
    expect(await statusOf(server)).toMatchObject({ state: 'ended', restarts_count: 0 });
  });

  test('waits while the write queue is full instead of failing', async () => {
    const stage = new Stage();
    await using server = await stage.open({ settings: { write_queue: 3 } });
    const host = await stage.nextRun();
    const records = Array.from({ length: 3 }, (_, at) => ({
      item_id: `h${at}`,
      author_id: 'ben',
      created_at: START,
    }));
    const others = server.service.ingest.ingest('items', records);
    const emits = [1, 2, 3].map((at) => host.emit([item(`${at}a`, START), item(`${at}b`, START)], `${at}`));
    expect(await Promise.all(emits)).toMatchObject([{ accepted: 2 }, { accepted: 2 }, { accepted: 2 }]);
    expect((await others).accepted).toBe(3);
  });
});

describe('the setting connect', () => {
  async function refusal(...connect: string[]): Promise<string> {
    const error = await failureOf(new Stage().open({}, connect));
    expect(error).toBeInstanceOf(StartupError);
    return error.message;
  }

  test('passes the options of a query string in the types of the schema', async () => {
    const stage = new Stage();
    const seen: unknown[] = [];
    globalThis.feeding = { run: async (_, options) => void seen.push(options) };
    const query = 'room=a%26b&sizes=1,2&sizes=3&fast=true';
    await using server = await stage.open({}, [`${ID}#one?${query}`, `${ID}#two`]);
    await untilState(server, 'ended');
    expect(seen).toEqual([
      { room: 'a&b', sizes: [1, 2, 3], fast: true },
      { room: 'hall', sizes: [], fast: false },
    ]);
  });

  test.each<[string, string[], string]>([
    ['an unknown connector', ['mastodon'], "'mastodon' is no connector; allowed are"],
    ['a missing question mark', ['farcaster&key=hush'], "'farcaster…' is no connector; allowed are"],
    ['a label with options', ['farcaster#a&key=hush'], "'farcaster#a…' has a bad label"],
    ['an unknown option', [`${ID}?rom=a`], "has no option 'rom'; its options are room, sizes, fast"],
    ['a bad value', [`${ID}?room=kitchen`], 'option room: '],
    ['a bad number', [`${ID}?sizes=1,x`], 'option sizes/1: '],
    ['an option that is given twice', [`${ID}?room=a&room=b`], 'option room: '],
    ['a bad label', [`${ID}#a b`], 'has a bad label; allowed are'],
    ['the same name twice', [ID, `${ID}?room=a`], 'is configured twice'],
  ])('refuses %s', async (_, connect, reason) => {
    expect(await refusal(...connect)).toContain(reason);
  });
});

test('the list of connectors is empty without connectors', async () => {
  await using server = await openTestServer();
  expect((await server.get('/api/connectors')).body).toEqual({ data: [] });
});
