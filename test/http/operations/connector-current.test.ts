import { describe, expect, test } from 'bun:test';
import type { ConnectorHost, ConnectorRecord, StandingKind } from '../../../src/plugin/index.ts';
import { START } from '../../support/service.ts';
import { item } from '../feeding-plugin.ts';
import { failureOf, Stage, statusOf } from './connector-stage.ts';

const AT = START - 100;
const record = (kind: ConnectorRecord['kind'], fields: object): ConnectorRecord => ({
  kind,
  record: { ...fields },
});
const act = (event_type: string, fields: object = {}) =>
  record('interaction', { user_id: 'ben', item_id: 'p', event_type, timestamp: AT, ...fields });
const pair = (kind: 'follow' | 'block', target_user_id: string, action?: string) =>
  record(kind, { user_id: 'ben', target_user_id, timestamp: AT, ...(action && { action }) });

const all = (host: ConnectorHost, kind: StandingKind) => Array.fromAsync(host.current(kind));

describe('the records that stand, as a connector reads them', () => {
  const CASES: [StandingKind, ConnectorRecord[], object[]][] = [
    [
      'item',
      [
        item('p', AT),
        item('q', AT),
        record('item_deletion', { item_id: 'q' }),
        act('like', { item_id: 'r' }),
      ],
      [{ item_id: 'p', author_id: 'ann', created_at: AT, text: 'post p' }],
    ],
    [
      'user',
      [
        record('user', { user_id: 'ben', username: 'Benjamin' }),
        record('user', { user_id: 'ben', username: 'Ben' }),
        record('user', { user_id: 'cal', username: 'Cal' }),
        record('user_deletion', { user_id: 'cal' }),
      ],
      [{ user_id: 'ben', username: 'Ben' }],
    ],
    [
      'follow',
      [pair('follow', 'ann'), pair('follow', 'cal'), pair('follow', 'cal', 'unfollow')],
      [{ user_id: 'ben', target_user_id: 'ann', timestamp: AT }],
    ],
    [
      'block',
      [pair('block', 'ann'), pair('block', 'cal'), pair('block', 'cal', 'unblock')],
      [{ user_id: 'ben', target_user_id: 'ann', timestamp: AT }],
    ],
    [
      'interaction',
      [
        item('p', AT),
        act('like'),
        act('share'),
        act('share', { action: 'remove' }),
        act('comment', { event_id: 'c1' }),
        act('comment', { event_id: 'c2' }),
        act('comment', { event_id: 'c2', action: 'remove' }),
        act('comment', { timestamp: AT - 1 }),
      ],
      [
        { user_id: 'ben', item_id: 'p', event_type: 'comment', timestamp: AT - 1 },
        { user_id: 'ben', item_id: 'p', event_type: 'like', timestamp: AT },
        { user_id: 'ben', item_id: 'p', event_type: 'comment', timestamp: AT, event_id: 'c1' },
      ],
    ],
  ];
  test.each(CASES)('are every %s that was not taken back', async (kind, records, expected) => {
    const stage = new Stage();
    await using _ = await stage.open();
    const host = await stage.nextRun();
    for (const [index, each] of records.entries())
      expect(await host.emit([each], String(index))).toMatchObject({ rejected_count: 0 });
    const found = await all(host, kind);
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected);
  });

  test('are also those that others have sent', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    await server.post('/v2/community/users', [{ user_id: 'ann', username: 'Ann' }]);
    expect(await all(host, 'user')).toMatchObject([{ user_id: 'ann', username: 'Ann' }]);
  });

  test('may be taken back while they are read, each of them once', async () => {
    const stage = new Stage();
    await using _ = await stage.open();
    const host = await stage.nextRun();
    const ids = Array.from({ length: 250 }, (_, at) => `p${at}`);
    await host.emit(
      ids.map((id) => item(id, AT)),
      '1',
    );
    const found: unknown[] = [];
    for await (const { item_id } of host.current('item')) {
      found.push(item_id);
      await host.emit([record('item_deletion', { item_id })], '2');
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect(await all(host, 'item')).toEqual([]);
  });

  test('can be read for longer than a source may be silent', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    await host.emit([item('p', AT), item('q', AT)], '1');
    for await (const _ of host.current('item')) await stage.timers.pass(29);
    await stage.timers.pass(29);
    expect(host.signal.aborted).toBe(false);
    await stage.timers.pass(1);
    expect(host.signal.aborted).toBe(true);
    expect(await statusOf(server)).toMatchObject({ cursor: '1', last_error: null });
  });

  test('end with the run', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    await host.emit([item('p', AT), item('q', AT)], '1');
    const reading = (async () => {
      for await (const _ of host.current('item')) await server.service.connectors.stop();
    })();
    expect((await failureOf(reading)).message).toBe('the service is stopping');
  });

  test('are of a kind that is known', async () => {
    const stage = new Stage();
    await using _ = await stage.open();
    const host = await stage.nextRun();
    const kind = 'likes' as string as StandingKind;
    expect(() => host.current(kind)).toThrow(
      "current: unknown kind 'likes'; allowed are item, user, follow, block, interaction",
    );
  });
});
