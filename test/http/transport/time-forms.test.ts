import { describe, expect, test } from 'bun:test';
import { forFile, START } from '../../support/service.ts';
import { ingestPath, openCommunity } from '../support.ts';

/** 2026-01-01 00:00:00 UTC, as databases and languages write it. */
const FORMS = [
  '2026-01-01T00:00:00Z',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00',
  '2026-01-01 00:00:00+00',
  '2026-01-01 02:00:00+0200',
  '2025-12-31 19:00:00.000000-05:00',
  '2026-01-01 00:00:00 UTC',
  '2026-01-01 00:00:00.000000000 GMT',
  '2025-12-31T23:59:60Z',
];
const WALLET = `0x${'ab'.repeat(20)}`;
const TOKEN = `base.0x${'cd'.repeat(20)}`;
const community = await forFile(openCommunity());

describe.each(FORMS)('the time %p', (time) => {
  test('the time is accepted in items, acts and follows', async () => {
    await community.addItem(`at ${time}`, { created_at: time });
    expect(await community.stored('items', `at ${time}`)).toMatchObject({ created_at: START });
    await community.act(`fan of ${time}`, 'like', `at ${time}`, { timestamp: time });
    const fan = await community.stored('users', `fan of ${time}`);
    expect(fan?.interactions).toMatchObject([{ timestamp: START }]);
    await community.follow(`fan of ${time}`, 'author', { timestamp: time });
    await community.add('users', { user_id: `born ${time}`, created_at: time });
    expect(await community.stored('users', `born ${time}`)).toMatchObject({ created_at: START });
  });

  test('the time is accepted as a bound of filters, which is inclusive', async () => {
    await community.addItem('bound');
    const ids = await community.ids('popular', {
      top_k: 100,
      filters: { start_timestamp: time, end_timestamp: time },
    });
    expect(ids).toContain('bound');
  });

  test('the time is accepted in events of wallets', async () => {
    const event = { wallet_address: WALLET, item_id: TOKEN, event_type: 'like', timestamp: time };
    expect((await community.server.call('POST', '/base/events', event)).status).toBe(200);
  });
});

test.each([
  [START * 1e3, 'milliseconds'],
  [START * 1e6, 'microseconds'],
  [START * 1e9, 'nanoseconds'],
])('the number %d is refused everywhere, because it looks like %s', async (time, unit) => {
  const detail = expect.stringContaining(`expected seconds, this looks like ${unit}`);
  const item = { item_id: 'x', author_id: 'author', created_at: time };
  const act = { user_id: 'u', item_id: 'x', event_type: 'like', timestamp: time };
  const event = { wallet_address: WALLET, item_id: TOKEN, event_type: 'like', timestamp: time };
  for (const { status, body } of [
    await community.server.post(ingestPath('items'), item),
    await community.server.post(ingestPath('interactions'), act),
    await community.server.call('POST', '/base/events', event),
    await community.ask('popular', { filters: { start_timestamp: time } }),
    await community.ask('popular', { filters: { end_timestamp: String(time) } }),
  ])
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail });
});
