import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { bodiesOf, randomHistory } from '../../support/deliveries.ts';
import { checkAsync } from '../../support/long.ts';
import { START } from '../../support/service.ts';
import { digest } from '../../support/state-digest.ts';
import { type Community, type Fields, ingestPath, KEY, type Kind, openCommunity } from '../support.ts';

const PROBES = { wallets: ['0xuser 0'], event_ids: ['event 1', 'event 2'] };
const RECORDS = 60;

interface Sent {
  method: 'POST' | 'PUT';
  path: string;
  body: unknown;
}

/** Records that are rejected, repeated, or accepted with a warning. */
function withOddities(kind: Kind, records: readonly Fields[]): Fields[] {
  const [first] = records;
  const ahead = { ...first, timestamp: START + 90_000, created_at: START + 90_000, unknown: true };
  return [first, ...records, { ...first, item_id: '', user_id: '' }, kind === 'items' ? first : ahead];
}

/** Everything that a request may have changed: contents, keys, the number of stored changes, and files. */
function traceOf({ server }: Community): object {
  const { state, store } = server.service;
  const { seq, users, items } = state;
  return {
    ...{ seq, users: users.names.next_key, items: items.names.next_key, queued: store.queued_records },
    state: digest(state, PROBES),
  };
}

async function send(
  { server }: Community,
  { method, path, body }: Sent,
  query = '',
): Promise<[number, Fields]> {
  const { status, body: answer } = await server.call(method, `${path}${query}`, body, KEY);
  return [status, answer];
}

/** Sends a request as a dry run, which must leave no trace, and then for real. The answers must be the same. */
async function sendTwice(community: Community, sent: Sent): Promise<void> {
  const before = traceOf(community);
  const [dry_status, { dry_run, request_id: _, ...dry }] = await send(community, sent, '?dry_run=true');
  expect(traceOf(community)).toEqual(before);
  const [status, { request_id: __, ...real }] = await send(community, sent);
  expect([dry_status, dry]).toEqual([status, real]);
  expect(dry_run).toBe(true);
}

test('a dry run of any body answers what the real request answers, and changes nothing', async () => {
  await checkAsync(12, [fc.nat()], async (seed) => {
    await using community = await openCommunity();
    for (const body of bodiesOf(randomHistory(seed, RECORDS))) {
      if (body.kind === 'deletion') {
        const { of, id, timestamp } = body;
        const path = `${ingestPath(of)}/${encodeURIComponent(id)}?timestamp=${timestamp}`;
        await community.server.remove(path);
      } else if (body.kind === 'list') {
        const path = `${ingestPath('users')}/${encodeURIComponent(body.user_id)}/follows`;
        await sendTwice(community, { method: 'PUT', path, body: body.record });
      } else {
        const { kind, records } = body;
        await sendTwice(community, { method: 'POST', path: ingestPath(kind), body: records });
        const odd = withOddities(kind, records);
        await sendTwice(community, { method: 'POST', path: ingestPath(kind), body: odd });
      }
    }
  });
});

const item = { item_id: 'a', author_id: 'b', created_at: START };

describe('a dry run', () => {
  test('knows what earlier records of the same body would have done', async () => {
    await using community = await openCommunity();
    const change = { item_id: 'a', text: 'A change of a new item.' };
    const [status, answer] = await send(
      community,
      { method: 'POST', path: '/v2/community/items', body: [item, change, { item_id: 'c', text: '' }] },
      '?dry_run=true',
    );
    expect([status, answer.accepted, answer.rejected]).toEqual([
      200,
      2,
      [
        {
          index: 2,
          detail: 'author_id: is required for a new item; created_at: is required for a new item',
        },
      ],
    ]);
    expect(await community.stored('items', 'a')).toBeUndefined();
  });

  test('of records that are all rejected is an error with dry_run', async () => {
    await using community = await openCommunity();
    const sent = { method: 'POST', path: '/v2/farcaster/users', body: { user_id: '' } } as const;
    const [status, answer] = await send(community, sent, '?dry_run=true');
    expect([status, answer.code, answer.dry_run]).toEqual([400, 'invalid_value', true]);
  });

  test('is not counted against the quota or in the metrics', async () => {
    await using community = await openCommunity({ settings: { quota_records_per_day: 1 } });
    const sent = { method: 'POST', path: ingestPath('items'), body: [item] } as const;
    for (const query of ['?dry_run=true', '?dry_run=true', ''])
      expect((await send(community, sent, query))[0]).toBe(200);
    const [status, { code }] = await send(community, sent);
    expect([status, code]).toEqual([403, 'quota_exceeded']);
    const metrics = await community.server.get('/metrics');
    expect(metrics.body).toMatch(/^feedloom_\w+_records_total\{.*kind="items",outcome="accepted"\} 1$/m);
  });

  test('is never taken for a real request because its parameter is misspelt', async () => {
    await using community = await openCommunity();
    const sent = { method: 'POST', path: ingestPath('items'), body: [item] } as const;
    for (const query of ['?dryrun=true', '?dry_run=1', '?dry_run=true&dry_run=true', '?dry_run='])
      expect((await send(community, sent, query))[0]).toBe(400);
    expect(await community.stored('items', 'a')).toBeUndefined();
    expect(await send(community, sent, '?dry_run=false')).toEqual([
      200,
      expect.not.objectContaining({ dry_run: true }),
    ]);
  });

  test('is refused by every route that would do what was sent', async () => {
    await using community = await openCommunity();
    const { server } = community;
    const token = { item_id: `base.0x${'c1'.padStart(40, '0')}`, name: 'Meadow' };
    await community.addItem('a');
    for (const [method, path, body] of [
      ['POST', '/base/items', token],
      ['POST', '/api/feed/config', { name: 'Home' }],
      ['DELETE', `${ingestPath('items')}/a`, undefined],
    ] as const) {
      const { status, body: answer } = await server.call(method, `${path}?dry_run=true`, body, KEY);
      expect([path, status, answer.errors?.[0].path]).toEqual([path, 400, '/dry_run']);
    }
    expect(await community.stored('items', 'a')).toMatchObject({ item_id: 'a' });
    expect(server.service.alpha.community).toBeUndefined();
  });
});
